//! `perft uci`: this program as an engine over UCI that counts and does not play.

mod command;
mod event;
mod input;
mod program;
mod run;

pub use run::{UciArgs, run};
