//! The legal moves of a ply's positions: as many as the next ply has children, and leaves.

use crate::positions::Positions;
use perft_gate_chess::Packed;
use perft_gate_simd::{Token, kernel};
use perft_gate_walk::{Game, Position};

/// Number of legal moves of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct MoveSum {
    pub(crate) moves: u64,
    /// Their sum weighted by multiplicity, which is perft of the next ply; `None` if it reaches 2^128.
    pub(crate) weighted: Option<u128>,
}

impl MoveSum {
    pub(crate) const ZERO: MoveSum = MoveSum { moves: 0, weighted: Some(0) };

    pub(crate) fn and(self, other: MoveSum) -> MoveSum {
        let weighted = self.weighted.zip(other.weighted).and_then(|(a, b)| a.checked_add(b));
        MoveSum { moves: self.moves + other.moves, weighted }
    }
}

/// Kernel that counts the legal moves of positions.
#[kernel]
pub(crate) fn sum_moves<L: Token>(level: L, positions: Positions<'_>) -> MoveSum {
    let mut sum = MoveSum::ZERO;
    for (dense, count) in positions.iter() {
        let moves = Position::new(Packed::of_dense(level, dense).board(), ()).count_moves(level);
        sum = sum.and(MoveSum { moves, weighted: count.checked_mul(moves.into()) });
    }
    sum
}
