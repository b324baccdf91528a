//! Counts leaf nodes as fast as possible: set-wise, with merged transpositions or a table of counts, in one or several
//! runs.
#![forbid(unsafe_code)]

mod count_hint;
mod counter;
pub mod setwise;
pub mod table;
mod transpositions;

pub use count_hint::CountHint;
pub use counter::{Journal, LeafCount, Paths, TableUse, TreeCounter, count, leaves};
pub use transpositions::Sharing;

/// Optimisation level that this crate is compiled with: 0 to 3, s or z.
pub const OPT_LEVEL: &str = perft_gate_simd::opt_level!();
