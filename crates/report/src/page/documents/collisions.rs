//! What a page needs of `perft.collisions/1`, which `report::collisions` writes.

use crate::unique::decimal;
use serde::Deserialize;

/// Collisions on a tree.
#[derive(Deserialize, Clone, Debug)]
pub struct Collisions {
    /// The root.
    pub fen: String,
    /// The ply of the positions.
    pub ply: u32,
    /// In order.
    pub schemes: Vec<Scheme>,
}

/// A scheme's.
#[derive(Deserialize, Clone, Debug)]
pub struct Scheme {
    /// Its name.
    pub scheme: String,
    /// Different positions.
    #[serde(with = "decimal")]
    pub positions: u64,
    /// Windows of its keys.
    pub rows: Vec<Row>,
}

/// A window of the keys.
#[derive(Deserialize, Clone, Debug)]
pub struct Row {
    /// `low`, `high` or `fold`.
    pub window: String,
    /// How wide it is.
    pub bits: u32,
    /// Positions that random keys would lose.
    pub expected: f64,
    /// Positions that were lost, set by set.
    #[serde(deserialize_with = "decimal::list::deserialize")]
    pub lost: Vec<u64>,
    /// The same of random sets.
    #[serde(deserialize_with = "decimal::list::deserialize")]
    pub band: Vec<u64>,
    /// What can be said.
    pub verdict: String,
}
