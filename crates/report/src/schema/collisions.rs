//! Collisions of keys on a tree, as `perft.collisions/1`.

use super::decimal;
use serde::{Deserialize, Serialize};

/// The name and version of the format.
pub const SCHEMA: &str = "perft.collisions/1";

/// The collisions that a run of `perft collisions` counted.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Document {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    #[serde(default)]
    pub version: String,
    /// FEN of the root.
    pub fen: String,
    /// Ply of the positions.
    pub ply: u32,
    /// The worst verdict of all schemes.
    #[serde(default)]
    pub verdict: String,
    /// Schemes, in the order in which they were asked for.
    pub schemes: Vec<Scheme>,
    /// Wall time.
    #[serde(default)]
    pub seconds: f64,
}

/// The collisions of a scheme's keys.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Scheme {
    /// Name of the scheme.
    pub scheme: String,
    /// First seed of its key tables; nothing if they are fixed.
    #[serde(default, with = "decimal::optional")]
    pub first_seed: Option<u64>,
    /// Bits of its keys.
    #[serde(default)]
    pub key_bits: u32,
    /// E.p. policy.
    #[serde(default)]
    pub ep_policy: String,
    /// Number of distinct positions.
    #[serde(with = "decimal")]
    pub positions: u64,
    /// The worst verdict of its rows.
    #[serde(default)]
    pub verdict: String,
    /// Widths that its keys are too short for.
    #[serde(default)]
    pub left_out: Vec<u32>,
    /// Windows of its keys.
    pub rows: Vec<Window>,
}

/// A window of the keys.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Window {
    /// `low`, `high` or `fold`.
    pub window: String,
    /// Width in bits.
    pub bits: u32,
    /// Number of positions that random keys are expected to lose.
    pub expected: f64,
    /// Mean number of positions that were lost.
    #[serde(default)]
    pub mean: Option<f64>,
    /// The mean divided by what is expected; nothing if nothing is expected.
    #[serde(default)]
    pub ratio: Option<f64>,
    /// Number of positions that were lost, by key table.
    #[serde(with = "decimal::list")]
    pub lost: Vec<u64>,
    /// The same for random key tables.
    #[serde(with = "decimal::list")]
    pub band: Vec<u64>,
    /// Verdict.
    pub verdict: String,
}
