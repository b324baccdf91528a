//! `perft bench`.

mod against;
mod args;
mod run;
mod target;
mod timed;

pub use against::{SlicesArgs, run_slices};
pub use args::BenchArgs;
pub use run::run;
