//! The subcommands. Each has its own file, plus a folder of the same name if some of its parts are large. Only `tasks`
//! uses other subcommands.

pub mod bench;
pub mod collisions;
pub mod compare;
pub mod completions;
pub mod count;
pub mod diff;
pub mod engine;
pub mod gate;
pub mod key;
pub mod keys;
pub mod list;
pub mod report;
pub mod selftest;
pub mod suite;
pub mod tasks;
pub mod uci;
pub mod unique;

mod checkpoint;
mod estimate;
mod passed;
mod session;
