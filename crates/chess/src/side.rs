//! The side to move as a type, so that pawn shifts and ranks compile to constants.

use crate::bitboard::Bitboard;
use crate::piece::Color;
use perft_gate_simd::inline_all;

/// A side: [`White`] or [`Black`].
#[inline_all]
pub trait Side: Copy {
    type Them: Side;
    const COLOR: Color;

    /// Moves a set one rank forward.
    fn forward(set: Bitboard) -> Bitboard {
        match Self::COLOR {
            Color::White => Bitboard(set.0 << 8),
            Color::Black => Bitboard(set.0 >> 8),
        }
    }

    /// Returns the squares that pawns attack towards the a-file.
    fn attacks_west(pawns: Bitboard) -> Bitboard {
        let pawns = pawns.0 & !Bitboard::FILE_A.0;
        match Self::COLOR {
            Color::White => Bitboard(pawns << 7),
            Color::Black => Bitboard(pawns >> 9),
        }
    }

    /// Returns the squares that pawns attack towards the h-file.
    fn attacks_east(pawns: Bitboard) -> Bitboard {
        let pawns = pawns.0 & !Bitboard::FILE_H.0;
        match Self::COLOR {
            Color::White => Bitboard(pawns << 9),
            Color::Black => Bitboard(pawns >> 7),
        }
    }

    fn pawn_attacks(pawns: Bitboard) -> Bitboard {
        Self::attacks_west(pawns) | Self::attacks_east(pawns)
    }

    /// Returns rank `n` from this side's point of view, where 0 is its back rank.
    fn rank(n: u32) -> Bitboard {
        match Self::COLOR {
            Color::White => Bitboard::rank(n),
            Color::Black => Bitboard::rank(7 - n),
        }
    }
}

#[derive(Clone, Copy)]
pub struct White;
#[derive(Clone, Copy)]
pub struct Black;

impl Side for White {
    type Them = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
}
