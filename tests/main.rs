//! The integration tests, in one binary: one to link, and one list of helpers.
//!
//! - `cli`: the program as its users meet it, a file a verb.
//! - `cluster`: counts by several processes, each of them a thread here.
//! - `oracle`: against other programs' generators.
//! - `golden`: against published numbers and keys.
//! - `negative`: faults are planted, and each check is seen to fail.
//! - `programs`: what `cargo bench --bench peers` does with other people's programs.

mod cli;
mod cluster;
mod common;
mod golden;
mod negative;
mod oracle;
mod programs;
