//! Planted faults: bugs of real engines, and every way in which a check could silently stop working. They are planted
//! in a correct position to prove that each check fails when it must.
//!
//! A [`Plant`] is a [`Fault`] and the first ply at which it acts. Walks split a large tree into its first plies, the
//! *trunk*, and the tasks below them. A fault that acts only below the trunk must be reported just like one at the
//! root. [`cases()`] lists the faults that the tests and `perft selftest` plant, and the checks that must catch them.

mod cases;
mod fault;
mod game;
mod judge;
mod proof;
mod tracker;

pub use cases::{Case, Caught, cases};
pub use fault::{Fault, Plant};
pub use judge::{judge_planted, judge_planted_playouts, judge_planted_walk};
pub use proof::{Pools, catching_checks, prove_case, prove_playouts, prove_real_split, small_split_tree};
