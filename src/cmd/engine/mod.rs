//! `perft engine`: compare an engine's perft with ours, and audit its keys.

mod args;
mod audit;
mod run;

pub use args::EngineArgs;
pub use run::run;
