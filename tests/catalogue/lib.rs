//! The fault catalogue: a deliberately simple chess engine in which one condition, table entry or state update at a
//! time can be made wrong. Suites of perft positions are rated by the number of these faults that they catch.
#![forbid(unsafe_code)]

mod fault;
mod moves;
pub mod position;
mod score;

pub use fault::{Fault, Site, SiteRow};
pub use position::Engine;
pub use score::{Catch, Reference, score};
