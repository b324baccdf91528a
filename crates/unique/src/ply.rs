//! The counts of a ply.

use crate::set::Summary;
use std::time::Duration;

/// Counts of one ply.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub struct Ply {
    /// Number of the ply; the root's is 0.
    pub ply: u32,
    /// Summary of its positions. Their total is perft.
    pub positions: Summary,
    /// Summary of its diagrams, if requested.
    pub diagrams: Option<Summary>,
    /// Number of positions expected to be lost by key collisions, if the ply is kept by key.
    pub expected_lost: Option<f64>,
    /// Number of moves made: the sum of the legal moves of the ply before.
    pub made: u64,
    /// Number of passes in which its positions were counted.
    pub passes: u32,
    /// Number of passes restarted because there were more positions than expected.
    pub restarts: u32,
    /// Highest fill ratio of the tables, from 0 to 1.
    pub load: f64,
    /// Number of bytes of its tables and of the frontiers beside them.
    pub bytes: usize,
    /// Wall time.
    pub time: Duration,
}
