//! Reports: pure functions from results to bytes. A folder a verb has all that the verb prints, one file a format.
#![forbid(unsafe_code)]

pub mod bench;
pub mod check;
pub mod collisions;
pub mod columns;
pub mod compare;
mod cost_verdicts;
pub mod count;
pub mod diff;
pub mod divide;
pub mod engine;
pub mod figures;
pub mod formats;
pub mod gate;
pub mod key;
pub mod keys;
mod lines;
pub mod page;
pub mod unique;
