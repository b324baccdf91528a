//! `perft unique`.

mod args;
mod checks;
#[cfg(feature = "cluster")]
mod cluster;
mod description;
mod document;
mod export;
mod resources;
mod run;
mod spill;

pub use args::UniqueArgs;
pub use run::run;
