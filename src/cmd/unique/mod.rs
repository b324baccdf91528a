//! `perft unique`.

mod args;
mod checks;
#[cfg(feature = "cluster")]
mod cluster;
mod document;
mod export;
mod identity;
mod resources;
mod run;
mod spill;
mod table;

pub use args::UniqueArgs;
pub use run::run;
