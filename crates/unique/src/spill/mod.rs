//! Frontiers on disk, for plies that do not fit into memory.
//!
//! A pass fills a set in memory, and drains it into one file of its ply. While a block of the file is still in memory,
//! the moves of its positions are counted. So the next ply knows its number of children without reading the files
//! first. The sum that checks the next ply comes from the data in the set, not from the data read back. A file has its
//! final name from the start, but belongs to its ply only once the journal of the run lists it. The journal is written
//! after the file and its folder have been synced. A ply's files are removed when the next ply is complete. The last
//! ply is only counted and never touches the disk.
//!
//! **What proves a result.** Each pass must make as many children, kept or dropped, as the positions have legal moves.
//! The multiplicities of a ply must add up to the number of leaves predicted by the previous ply. Each file must hold
//! as many positions and leaves as the set that it was drained from, and all files of a ply together must hold as many
//! as the row of the ply says. This is checked before the next ply begins and when a count is restored. So the run
//! fails if a slice is counted twice or not at all, if a file is missing or duplicate, or if a block is omitted. A test
//! plants each of these faults.
//!
//! **Order.** Positions in a file are in the order of the set, not sorted, because a pass reads all of them, in any
//! order.

mod block;
mod disk_count;
mod files;
#[cfg(test)]
mod tests;

pub use crate::error::DiskError;
pub use disk_count::{CountObserver, DiskCount};
pub use files::Spill;
