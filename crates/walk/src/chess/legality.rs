//! What a side may not do: the squares its king may not enter, the check mask, and the pins by axis.
//!
//! Computed once per position; the generator then needs no test by trial. The attacked squares are found with the king
//! lifted off the board, so that it cannot hide behind itself. A pin is a ray from the king to the pinning slider; a
//! pinned man on one axis can never reach a ray of another pin on the same axis except its own, so one set per axis is
//! enough (the rays meet only in the king's square).

use super::{Bitboard, Side, SidePieces, Square, attacks};
use perft_gate_simd::Token;

/// The analysis for the side to move.
pub struct Legality {
    pub king: Square,
    pub us: Bitboard,
    pub them: Bitboard,
    pub occupied: Bitboard,
    /// Squares the enemy attacks once the king is lifted.
    pub attacked: Bitboard,
    /// Where a man other than the king may go: everywhere, or onto the ray of the only checker.
    pub check_mask: Bitboard,
    /// Pin rays along ranks and files.
    pub straight_pins: Bitboard,
    /// Pin rays along diagonals.
    pub slanted_pins: Bitboard,
    /// In double check only the king moves.
    pub double_check: bool,
}

impl Legality {
    #[inline(always)]
    pub fn of<S: Side, L: Token>(level: L, own: &SidePieces, enemy: &SidePieces) -> Legality {
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

        let (straight_pins, slanted_pins) = pins(level, own, enemy, along, across);
        Legality { king, us, them, occupied, attacked, check_mask, straight_pins, slanted_pins, double_check }
    }

    /// The same for a side that is known to be out of check, by what the enemy attacks with the king where it stands.
    #[inline(always)]
    pub fn out_of_check<L: Token>(level: L, own: &SidePieces, enemy: &SidePieces, attacked: Bitboard) -> Legality {
        let (us, them, king) = (own.all, enemy.all, own.king_square());
        let occupied = us | them;
        let (along, across) = (attacks::rook(level, king, occupied), attacks::bishop(level, king, occupied));
        let (straight_pins, slanted_pins) = pins(level, own, enemy, along, across);
        let (check_mask, double_check) = (Bitboard::ALL, false);
        Legality { king, us, them, occupied, attacked, check_mask, straight_pins, slanted_pins, double_check }
    }
}

/// The pin rays along ranks and files, and along diagonals, by what the king sees.
#[inline(always)]
fn pins<L: Token>(
    level: L,
    own: &SidePieces,
    enemy: &SidePieces,
    along: Bitboard,
    across: Bitboard,
) -> (Bitboard, Bitboard) {
    let (king, us, occupied) = (own.king_square(), own.all, own.all | enemy.all);
    let mut straight_pins = Bitboard::EMPTY;
    for slider in attacks::rook(level, king, occupied ^ (along & us)) & enemy.orthogonal & !along {
        straight_pins |= attacks::through(king, slider);
    }
    let mut slanted_pins = Bitboard::EMPTY;
    for slider in attacks::bishop(level, king, occupied ^ (across & us)) & enemy.diagonal & !across {
        slanted_pins |= attacks::through(king, slider);
    }
    (straight_pins, slanted_pins)
}
