//! The pieces of one side, sorted by how they move.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::piece::{Color, Role};
use crate::square::Square;

/// The pieces of one side, sorted by how they move: a queen is in both `diagonal` and `orthogonal`.
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
    /// No pieces.
    pub const NONE: SidePieces = SidePieces {
        pawns: Bitboard::EMPTY,
        knights: Bitboard::EMPTY,
        diagonal: Bitboard::EMPTY,
        orthogonal: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
    };

    /// Returns the pieces of a colour.
    #[inline(always)]
    pub fn of(board: &Board, color: Color) -> SidePieces {
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

    /// Returns the pieces on the board turned over: rank 1 becomes rank 8.
    #[inline(always)]
    pub fn turned_over(self) -> SidePieces {
        SidePieces {
            pawns: self.pawns.turned_over(),
            knights: self.knights.turned_over(),
            diagonal: self.diagonal.turned_over(),
            orthogonal: self.orthogonal.turned_over(),
            king: self.king.turned_over(),
            all: self.all.turned_over(),
        }
    }

    /// Returns the king's square.
    #[inline(always)]
    pub fn king_square(&self) -> Square {
        self.king.first()
    }
}
