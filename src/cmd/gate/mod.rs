//! The gate: `perft --depth 6 --suite standard`.

mod args;
mod outputs;
mod run;

pub use args::{GateArgs, GateVerbArgs};
pub use run::run;
