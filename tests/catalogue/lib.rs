//! The fault catalogue: a deliberately simple chess engine in which each condition, table entry and update of state can be
//! bent, one at a time. It measures suites of perft positions: a suite is worth the faults that it catches.
#![forbid(unsafe_code)]

mod fault;
mod moves;
pub mod position;
mod score;
mod search;

pub use fault::{Fault, Site, SiteRow};
pub use position::Engine;
pub use score::{Catch, Reference, score};
pub use search::search;
