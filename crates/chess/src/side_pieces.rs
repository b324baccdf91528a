//! The pieces of one side, sorted by how they move.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::piece::{Color, Role};
use crate::square::Square;

/// The pieces of one side, sorted by how they move. A queen is in both `diagonal` and `orthogonal`.
#[derive(Clone, Copy, Debug)]
pub struct SidePieces {
    pub pawns: Bitboard,
    pub knights: Bitboard,
    /// Bishops and queens.
    pub diagonal: Bitboard,
    /// Rooks and queens.
    pub orthogonal: Bitboard,
    pub king: Bitboard,
    pub all: Bitboard,
}

impl SidePieces {
    pub const NONE: SidePieces = SidePieces {
        pawns: Bitboard::EMPTY,
        knights: Bitboard::EMPTY,
        diagonal: Bitboard::EMPTY,
        orthogonal: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
    };

    #[inline(always)]
    pub fn new(board: &Board, color: Color) -> SidePieces {
        let all = board.color(color);
        let queens = board.role(Role::Queen);
        SidePieces {
            pawns: all & board.role(Role::Pawn),
            knights: all & board.role(Role::Knight),
            diagonal: all & (board.role(Role::Bishop) | queens),
            orthogonal: all & (board.role(Role::Rook) | queens),
            king: all & board.role(Role::King),
            all,
        }
    }

    /// Returns the pieces mirrored vertically: rank 1 becomes rank 8.
    #[inline(always)]
    pub fn flip_ranks(self) -> SidePieces {
        SidePieces {
            pawns: self.pawns.flip_ranks(),
            knights: self.knights.flip_ranks(),
            diagonal: self.diagonal.flip_ranks(),
            orthogonal: self.orthogonal.flip_ranks(),
            king: self.king.flip_ranks(),
            all: self.all.flip_ranks(),
        }
    }

    #[inline(always)]
    pub fn king_square(&self) -> Square {
        self.king.first()
    }
}
