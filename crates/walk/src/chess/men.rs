//! The men of one side by how they move, from its own point of view or from White's.

use super::{Bitboard, Board, Color, Role, Square};

/// The men of one side, sorted by how they move: a queen is among `slanted` and `straight`.
#[derive(Clone, Copy, Debug)]
pub struct Men {
    pub pawns: Bitboard,
    pub knights: Bitboard,
    /// Bishops and queens.
    pub slanted: Bitboard,
    /// Rooks and queens.
    pub straight: Bitboard,
    pub king: Bitboard,
    pub all: Bitboard,
}

impl Men {
    /// The men of a colour.
    #[inline(always)]
    pub fn of(board: &Board, color: Color) -> Men {
        let all = board.color(color);
        let queens = board.role(Role::Queen);
        Men {
            pawns: all & board.role(Role::Pawn),
            knights: all & board.role(Role::Knight),
            slanted: all & (board.role(Role::Bishop) | queens),
            straight: all & (board.role(Role::Rook) | queens),
            king: all & board.role(Role::King),
            all,
        }
    }

    /// The same on the board turned over: rank 1 becomes rank 8.
    #[inline(always)]
    pub fn turned_over(self) -> Men {
        Men {
            pawns: self.pawns.turned_over(),
            knights: self.knights.turned_over(),
            slanted: self.slanted.turned_over(),
            straight: self.straight.turned_over(),
            king: self.king.turned_over(),
            all: self.all.turned_over(),
        }
    }

    /// Where the king stands.
    #[inline(always)]
    pub fn king_square(&self) -> Square {
        self.king.first()
    }
}
