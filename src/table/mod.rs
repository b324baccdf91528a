//! Memory for positions: the table of counts.

mod counts;
mod memory;

pub use counts::{Counts, Identity, Tally, Wanted};
pub use memory::MemoryError;
