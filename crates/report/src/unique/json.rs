//! `perft.unique/1`: distinct positions by ply. Counts are decimal strings, as in every format.

use perft_gate_chess::json::{Decimal, OptionalDecimal};
use serde::{Deserialize, Serialize};

/// Name and version of the format.
pub const SCHEMA: &str = "perft.unique/1";

/// Result of a run of `perft unique`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UniqueDocument {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// FEN of the root.
    pub fen: String,
    /// How positions of the last ply are distinguished: `position`, or a scheme's name.
    pub by: String,
    /// Policy that decides when an e.p. square makes a position different.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["legal", "pseudo", "always"])))]
    pub ep_policy: String,
    /// Plies, starting with the root's.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub plies: Vec<PlyCounts>,
}

/// Counts of one ply.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlyCounts {
    /// Number of the ply; the root's is 0.
    pub ply: u32,
    /// Number of distinct positions.
    #[serde(with = "Decimal")]
    pub distinct: u128,
    /// Number of leaves of the tree.
    #[serde(with = "Decimal")]
    pub perft: u128,
    /// Number of positions that are reached once.
    #[serde(with = "Decimal")]
    pub once: u128,
    /// Highest number of ways to reach one position.
    #[serde(with = "Decimal")]
    pub highest: u128,
    /// Number of positions that are reached in this many ways.
    #[serde(with = "Decimal")]
    pub with_highest: u128,
    /// Number of different diagrams, if they were counted.
    #[serde(with = "OptionalDecimal")]
    pub diagrams: Option<u128>,
    /// Number of positions expected to be lost by key collisions, if the ply is kept by key.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub expected_lost: Option<f64>,
    /// Wall time.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub seconds: f64,
}

impl UniqueDocument {
    pub fn text(&self) -> String {
        crate::text::file(self)
    }
}
