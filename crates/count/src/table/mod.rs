//! Counts by position, in a large table that all threads share.

mod counts;
mod entries;

pub use counts::{EntryMatch, Misses, PerftTable, ProbeKey, TableStats};
