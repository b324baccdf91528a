//! The limits on a side's moves: the squares its king may not enter, the check mask, and the pins by axis.
//!
//! The limits are computed once per position, and only en-passant captures need to be tested individually. Attacked
//! squares are computed with the king off the board, because the king does not shield squares behind it. A pin is the
//! ray from the king to the pinning slider. Orthogonal pins form one set, diagonal pins another. The rays in a set meet
//! only at the king, so a pinned piece that stays on the squares of its set stays on its own ray.

use super::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::piece::{Color, Role};
use crate::side::Side;
use crate::square::Square;
use perft_gate_simd::{Token, inline_all};

/// The pieces of one side, grouped by how they move. A queen is in both `diagonal` and `orthogonal`.
#[derive(Clone, Copy, Default, Debug)]
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

#[inline_all]
impl SidePieces {
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

    /// Returns the king's square.
    pub fn king_square(&self) -> Square {
        self.king.first()
    }
}

/// The legality analysis for the side to move.
pub struct Legality {
    pub king: Square,
    pub us: Bitboard,
    pub them: Bitboard,
    pub occupied: Bitboard,
    /// Squares that the enemy attacks when this side's king is off the board.
    pub attacked: Bitboard,
    /// Squares that a piece other than the king may enter: all squares or, in single check, the checker's square and
    /// those between it and the king.
    pub check_mask: Bitboard,
    /// Pin rays along ranks and files.
    pub orthogonal_pins: Bitboard,
    /// Pin rays along diagonals.
    pub diagonal_pins: Bitboard,
    /// True in double check, when only the king may move.
    pub double_check: bool,
}

#[inline_all]
impl Legality {
    pub fn new<S: Side, L: Token>(level: L, own: &SidePieces, enemy: &SidePieces) -> Legality {
        let (us, them) = (own.all, enemy.all);
        let occupied = us | them;
        let (own_king, king) = (own.king, own.king_square());
        let SidePieces { pawns, knights, diagonal, orthogonal, .. } = *enemy;

        let lifted = occupied ^ own_king;
        let mut attacked = S::Them::pawn_attacks(pawns) | attacks::king(enemy.king_square());
        for knight in knights {
            attacked |= attacks::knight(knight);
        }
        for slider in diagonal {
            attacked |= attacks::bishop(level, slider, lifted);
        }
        for slider in orthogonal {
            attacked |= attacks::rook(level, slider, lifted);
        }

        let (along, across) = (attacks::rook(level, king, occupied), attacks::bishop(level, king, occupied));
        let (mut check_mask, mut double_check) = (Bitboard::ALL, false);
        if (attacked & own_king).any() {
            let leapers = attacks::knight(king) & knights | S::pawn_attacks(own_king) & pawns;
            let checkers = along & orthogonal | across & diagonal | leapers;
            double_check = checkers.several();
            check_mask = attacks::through(king, checkers.first()) | leapers;
        }

        let mut orthogonal_pins = Bitboard::EMPTY;
        for slider in attacks::rook(level, king, occupied ^ (along & us)) & orthogonal & !along {
            orthogonal_pins |= attacks::through(king, slider);
        }
        let mut diagonal_pins = Bitboard::EMPTY;
        for slider in attacks::bishop(level, king, occupied ^ (across & us)) & diagonal & !across {
            diagonal_pins |= attacks::through(king, slider);
        }
        Legality { king, us, them, occupied, attacked, check_mask, orthogonal_pins, diagonal_pins, double_check }
    }

    /// Analyses a side that is not in check. `attacked` holds the enemy's attacks, with the king on the board.
    pub fn out_of_check(own: &SidePieces, enemy: &SidePieces, attacked: Bitboard) -> Legality {
        let (us, them, king) = (own.all, enemy.all, own.king_square());
        let (occupied, lines) = (us | them, attacks::lines_through(king));
        let (mut orthogonal_pins, mut diagonal_pins) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for slider in enemy.orthogonal & lines.orthogonal() {
            let ray = attacks::through(king, slider);
            if !(ray & occupied).without_first().several() && (ray & us).any() {
                orthogonal_pins |= ray;
            }
        }
        for slider in enemy.diagonal & lines.diagonals() {
            let ray = attacks::through(king, slider);
            if !(ray & occupied).without_first().several() && (ray & us).any() {
                diagonal_pins |= ray;
            }
        }
        let (check_mask, double_check) = (Bitboard::ALL, false);
        Legality { king, us, them, occupied, attacked, check_mask, orthogonal_pins, diagonal_pins, double_check }
    }
}
