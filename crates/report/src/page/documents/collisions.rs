//! Parts of `perft.collisions/1` that a page needs; `report::collisions` writes it.

use crate::unique::decimal;
use serde::Deserialize;

/// Collisions on a tree.
#[derive(Deserialize, Clone, Debug)]
pub struct Collisions {
    /// FEN of the root.
    pub fen: String,
    /// The ply of the positions.
    pub ply: u32,
    /// Schemes, in order.
    pub schemes: Vec<Scheme>,
}

/// Collisions of a scheme.
#[derive(Deserialize, Clone, Debug)]
pub struct Scheme {
    /// Name.
    pub scheme: String,
    /// Number of distinct positions.
    #[serde(with = "decimal")]
    pub positions: u64,
    /// Windows of its keys.
    pub rows: Vec<Row>,
}

/// A window of the keys.
#[derive(Deserialize, Clone, Debug)]
pub struct Row {
    /// Position: `low`, `high` or `fold`.
    pub window: String,
    /// Width in bits.
    pub bits: u32,
    /// Expected number of positions lost with random keys.
    pub expected: f64,
    /// Positions lost, by key table.
    #[serde(deserialize_with = "decimal::list::deserialize")]
    pub lost: Vec<u64>,
    /// Positions lost with random key tables.
    #[serde(deserialize_with = "decimal::list::deserialize")]
    pub band: Vec<u64>,
    /// Verdict.
    pub verdict: String,
}
