//! Frontiers on disk, for plies that do not fit into memory.
//!
//! A pass fills a set in memory, and drains it into one file of its ply. While a block of the file is still in memory, its
//! positions' moves are counted: so the next ply knows how many children to expect without reading the files first, and
//! the sum that proves the ply is of what was put into the set, not of what was read back. A file has its name from the
//! start, but belongs to its ply only once the run's journal lists it, and that is after the file and its folder are synced.
//! A ply's files go when the next ply is complete. The last ply is only counted: nothing of it touches the disk.
//!
//! **What proves a result.** Each pass must have as many children as the positions have legal moves, kept or dropped; the
//! multiplicities of a ply must add up to the leaves that the ply before foretells; each file must hold as many positions
//! and leaves as the set it was drained from, and all files of a ply as many as its row says: before the next ply begins, and
//! when a count is read back. So slices in two passes or in none, a file twice or missing, and a block left out end the run;
//! each of them is planted in a test.
//!
//! **Order.** Positions lie in a file as they lay in the set, not sorted: a pass reads all of them, whatever their order.

mod block;
mod disk_count;
mod files;
#[cfg(test)]
mod tests;

pub use crate::error::DiskError;
pub use disk_count::{CountObserver, DiskCount};
pub use files::Spill;
