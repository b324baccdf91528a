//! Reports: pure functions from results to bytes. Each subcommand has one module for its whole output.
#![forbid(unsafe_code)]

pub mod bench;
mod cases;
pub mod check;
pub mod collisions;
pub mod compare;
pub mod count;
pub mod diff;
pub mod engine;
pub mod engine_keys;
pub mod gate;
pub mod key;
pub mod keys;
pub mod page;
pub mod tasks;
pub mod text;
pub mod unique;
