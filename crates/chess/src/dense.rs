//! A position in 24 bytes: the occupied squares, and for each piece on them a code of four bits.
//!
//! A legal position has at most 32 pieces, so the four planes of a [`Packed`] position, gathered on the occupied squares, have
//! 32 bits each. Equal positions have equal bytes, and nothing is lost. Large sets of positions hold this form.

use crate::packed::Packed;
use perft_gate_simd::{Token, gather, scatter};

/// Number of 32-bit words of a position.
pub const DENSE_WORDS: usize = 6;

/// A packed position without its empty squares.
///
/// **Shape**: two words of occupied squares, low ranks first; then the planes, one bit for each piece from a1 to h8.
pub type Dense = [u32; DENSE_WORDS];

impl Packed {
    /// Returns the position without its empty squares; it has at most 32 pieces.
    #[inline(always)]
    pub fn dense<L: Token>(self, level: L) -> Dense {
        let planes = self.planes();
        let occupied = planes[0] | planes[1] | planes[2] | planes[3];
        debug_assert!(occupied.count_ones() <= 32);
        let [a, b, c, d] = gather(level, planes, occupied);
        [occupied as u32, (occupied >> 32) as u32, a as u32, b as u32, c as u32, d as u32]
    }

    /// Restores the position.
    #[inline(always)]
    pub fn of_dense<L: Token>(level: L, [low, high, planes @ ..]: Dense) -> Packed {
        let occupied = u64::from(low) | u64::from(high) << 32;
        Packed::of_planes(scatter(level, planes.map(u64::from), occupied))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EnPassantPolicy, Fen};
    use super::*;
    use perft_gate_simd::{Level, kernel};

    #[kernel]
    fn there_and_back<L: Token>(level: L, packed: Packed) -> (Dense, Packed) {
        let dense = packed.dense(level);
        (dense, Packed::of_dense(level, dense))
    }

    #[test]
    fn no_position_is_lost_and_all_levels_agree() {
        for fen in [
            Fen::START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
            "k7/8/8/8/8/8/8/7K b - - 0 1",
        ] {
            let packed = Packed::of(&Fen::parse(fen).unwrap(), EnPassantPolicy::Always);
            let (dense, back) = there_and_back(Level::detect(), packed);
            assert_eq!(back, packed, "{fen}");
            assert_eq!(there_and_back(Level::portable(), packed), (dense, packed), "{fen}");
        }
    }
}
