//! Counts by position, in a large table that all threads share.

mod counts;
mod entries;
mod stats;

pub use counts::{EntryMatch, PerftTable, ProbeKey};
pub use stats::{Misses, TableStats, expected_wrong_hits};
