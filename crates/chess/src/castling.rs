//! Castling rights, for standard chess and Chess960 alike.
//!
//! A right is represented by the square of a rook that may still castle. Make, unmake and the generator need only the
//! set of these squares. The rook's colour and its side of the king determine the classic right.

use crate::bitboard::Bitboard;
use crate::piece::Color;
use crate::square::Square;
use perft_gate_simd::inline_all;
use std::fmt;

crate::named! {
    /// The direction in which a king castles: towards the h-file or the a-file.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    #[repr(u8)]
    pub enum Wing {
        /// The h-side: king to the g-file, rook to the f-file.
        King = "king's side",
        /// The a-side: king to the c-file, rook to the d-file.
        Queen = "queen's side",
    }
}

#[inline_all]
impl Wing {
    /// Returns the wing of `rook`, relative to `king` on the same rank.
    pub const fn of_rook(king: Square, rook: Square) -> Wing {
        if rook.index() > king.index() { Wing::King } else { Wing::Queen }
    }

    /// Returns the target squares of king and rook.
    pub const fn destinations(self, color: Color) -> (Square, Square) {
        let rank = color.back_rank();
        match self {
            Wing::King => (Square::from_coords(6, rank), Square::from_coords(5, rank)),
            Wing::Queen => (Square::from_coords(2, rank), Square::from_coords(3, rank)),
        }
    }
}

/// A set of castling rights: bit 0 = K, 1 = Q, 2 = k, 3 = q.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
#[repr(transparent)]
pub struct CastlingRights(u8);

#[inline_all]
impl CastlingRights {
    pub const NONE: CastlingRights = CastlingRights(0);

    /// Returns the set whose number is `index` modulo 16.
    pub const fn new(index: usize) -> CastlingRights {
        CastlingRights((index & 15) as u8)
    }

    /// Returns the set that contains only this right.
    pub const fn one(color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(1 << ((color as u8) << 1 | wing as u8))
    }

    /// Returns both rights of a colour.
    pub const fn both(color: Color) -> CastlingRights {
        CastlingRights(3 << ((color as u8) << 1))
    }

    /// Returns the number of the set, 0 to 15, with K = 1, Q = 2, k = 4, q = 8.
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Returns true if the right is held.
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & CastlingRights::one(color, wing).0 != 0
    }

    /// Returns the union of two sets.
    pub const fn with(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }

    /// Returns this set without the rights of the other.
    pub const fn without(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & !other.0)
    }

    /// Returns the rights that belong to these castling rooks. `kings` holds the kings' squares, indexed by colour.
    pub fn of_rooks(rooks: Bitboard, kings: [Square; 2]) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for rook in rooks {
            let color = Color::ALL[(rook.index() >> 5) & 1];
            rights = rights.with(CastlingRights::one(color, Wing::of_rook(kings[color.index()], rook)));
        }
        rights
    }
}

impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = "KQkq".chars().enumerate().filter(|(bit, _)| self.0 >> bit & 1 != 0);
        let letters: String = held.map(|(_, letter)| letter).collect();
        f.write_str(if letters.is_empty() { "-" } else { &letters })
    }
}

crate::serialize_as_text!(CastlingRights);
