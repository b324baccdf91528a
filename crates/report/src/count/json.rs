//! `perft.count/1`: leaves of a position or of a suite. Counts are decimal strings.

use perft_gate_chess::json::{Decimal, OptionalDecimal};
use perft_gate_walk::Statistics;
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.count/1";

/// Result of a run of `perft count`.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountDocument {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// Name of the suite; none for a single position.
    pub suite: Option<String>,
    /// SIMD level.
    pub level: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// Positions, in the order of the suite; with `--stats` the depths of one position.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub rows: Vec<CountRow>,
    /// Number of leaves of all rows.
    #[serde(with = "Decimal")]
    pub nodes: u128,
    /// Wall time of all rows.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub seconds: f64,
    /// The table, if there was one.
    pub table: Option<TableUse>,
    /// Which paths were visited; none if there was a table.
    pub paths: Option<CountedPaths>,
}

/// Which of the paths that lead to one position were visited.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CountedPaths {
    /// Only one of the paths to a position that three plies show to be equal: the same moves in another order, or a piece
    /// by another route.
    Merged,
    /// Every path.
    Every,
}

/// A position.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountRow {
    /// Name in the suite; none for a single position.
    pub id: Option<String>,
    /// The position.
    pub fen: String,
    /// Number of plies.
    #[cfg_attr(feature = "schema", schemars(range(max = 64)))]
    pub depth: u32,
    /// Number of leaves.
    #[serde(with = "Decimal")]
    pub nodes: u128,
    /// Number that the suite lists, if it lists one.
    #[serde(with = "OptionalDecimal")]
    pub expected: Option<u128>,
    /// Wall time.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub seconds: f64,
    /// Kinds of the moves into the last ply, if they were counted (`--stats`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
}

/// Use of the table.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableUse {
    /// Size in bytes.
    #[serde(with = "Decimal")]
    pub bytes: u64,
    /// True if whole positions are compared, so that no hit is wrong.
    pub exact: bool,
    /// Seed of the keys.
    #[serde(with = "Decimal")]
    pub seed: u64,
    /// Number of look-ups.
    #[serde(with = "Decimal")]
    pub probes: u64,
    /// Number of look-ups that found the position.
    #[serde(with = "Decimal")]
    pub hits: u64,
    /// Number of entries written.
    #[serde(with = "Decimal")]
    pub stores: u64,
    /// Number of entries written over another entry.
    #[serde(with = "Decimal")]
    pub evictions: u64,
    /// Number of counts or depths too large to store.
    #[serde(with = "Decimal")]
    pub too_large: u64,
    /// Upper bound on the expected number of wrong hits.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub expected_wrong_hits: f64,
}
