//! `perft.divide/1`: leaves by root move, and the comparison with another engine's listing. Counts are decimal strings.

use perft_gate_chess::json::Decimal;
use perft_gate_engine::PastedListing;
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.divide/1";

/// Result of a run of `perft divide`.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DivideDocument {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// FEN of the root.
    pub fen: String,
    /// Number of plies.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub depth: u32,
    /// Root moves in the order of their names.
    pub moves: Vec<RootCount>,
    /// Number of leaves.
    #[serde(with = "Decimal")]
    pub nodes: u128,
    /// Wall time.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub seconds: f64,
    /// Comparison with a listing, if one was given.
    pub comparison: Option<PastedListing>,
}

/// A root move and the leaves below it.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RootCount {
    /// The move in UCI notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Number of leaves.
    #[serde(with = "Decimal")]
    pub nodes: u128,
}
