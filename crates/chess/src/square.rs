//! Squares, files and ranks.
//!
//! Squares are numbered little-endian rank-file: a1 = 0, b1 = 1, …, h8 = 63. The bits of a
//! [`Bitboard`](super::Bitboard) have the same order.

use perft_gate_simd::inline_all;
use std::fmt;

/// One of the 64 squares.
///
/// The number is below 64 by construction. [`Square::index`] still masks it, so that the compiler sees the bound and
/// table lookups need no check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Square(u8);

#[inline_all]
impl Square {
    pub const A1: Square = Square(0);
    pub const A8: Square = Square(56);

    /// Returns the square with this number, taken modulo 64.
    pub const fn new(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// Returns the square on `file` (0 = a) and `rank` (0 = first), both taken modulo 8.
    pub const fn from_coords(file: u32, rank: u32) -> Square {
        Square(((rank & 7) << 3 | (file & 7)) as u8)
    }

    /// Iterates over all squares from a1 to h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square::new)
    }

    /// Returns the number of the square: 0 for a1 to 63 for h8.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Returns the file: 0 for the a-file to 7 for the h-file.
    pub const fn file(self) -> u32 {
        (self.0 & 7) as u32
    }

    /// Returns the rank: 0 for the first to 7 for the eighth.
    pub const fn rank(self) -> u32 {
        (self.0 >> 3 & 7) as u32
    }

    /// Returns the letter of the file, `a` to `h`.
    pub const fn file_letter(self) -> char {
        (b'a' + (self.0 & 7)) as char
    }

    /// Returns the square mirrored vertically: a1 ↔ a8.
    pub const fn flip(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// Converts between an en-passant square and the square of the pushed pawn: the same file, ranks 3 ↔ 4 and 5 ↔ 6.
    pub const fn en_passant_partner(self) -> Square {
        Square(self.0 ^ 8)
    }

    /// Parses a square, `a1` to `h8`.
    pub const fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(Square::from_coords((*file - b'a') as u32, (*rank - b'1') as u32))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for square in Square::all() {
            assert_eq!(Square::parse(&square.to_string()), Some(square));
            assert_eq!(Square::from_coords(square.file(), square.rank()), square);
        }
        assert_eq!(Square::parse("e4").map(Square::index), Some(28));
        for bad in ["", "e", "e9", "i1", "e44", "E4"] {
            assert_eq!(Square::parse(bad), None, "{bad}");
        }
    }
}
