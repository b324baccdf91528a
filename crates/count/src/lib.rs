//! Counting leaf nodes as fast as possible: set-wise, with transpositions merged, with a table of counts, over several runs.
#![forbid(unsafe_code)]

mod counter;
mod opt_level;
pub mod setwise;
pub mod table;
mod transpositions;

pub use counter::{Journal, LeafCount, Paths, TreeCounter, count, leaves};
pub use opt_level::OPT_LEVEL;
