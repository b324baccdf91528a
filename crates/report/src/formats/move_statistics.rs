//! Kinds of moves into the last ply, as the documents have them.

use super::decimal::Decimal;
use perft_gate_walk::Statistics;
use serde::Serialize;

/// Statistics of the moves of the last ply.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveStatistics {
    /// Captures, en passant included.
    #[serde(with = "Decimal")]
    pub captures: u64,
    /// En-passant captures.
    #[serde(with = "Decimal")]
    pub en_passant: u64,
    /// Castling moves.
    #[serde(with = "Decimal")]
    pub castles: u64,
    /// Promotions.
    #[serde(with = "Decimal")]
    pub promotions: u64,
    /// Checks of any kind, mates included.
    #[serde(with = "Decimal")]
    pub checks: u64,
    /// Checks by one piece that did not move.
    #[serde(with = "Decimal")]
    pub discovered: u64,
    /// Checks by two pieces.
    #[serde(with = "Decimal")]
    pub double: u64,
    /// Checkmates.
    #[serde(with = "Decimal")]
    pub mates: u64,
}

impl From<&Statistics> for MoveStatistics {
    fn from(statistics: &Statistics) -> MoveStatistics {
        let &Statistics { captures, en_passant, castles, promotions, checks, discovered, double, mates, .. } =
            statistics;
        MoveStatistics { captures, en_passant, castles, promotions, checks, discovered, double, mates }
    }
}
