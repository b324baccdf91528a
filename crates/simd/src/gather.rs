//! Bit extract and bit deposit (PEXT, PDEP) of several words under one mask.
//!
//! With a fast PEXT and PDEP, this is one instruction per word. Otherwise the mask is analysed once: six sets hold the
//! bits that move 1, 2, 4 … 32 places. Each word then takes six steps. The reference, a loop over the mask's bits,
//! takes five times as long.
//!
//! **Source**: compress and expand in H. S. Warren, *Hacker's Delight*, 2nd edition, sections 7-4 and 7-5.

use crate::token::Token;

/// Gathers the bits of each word under `mask` at the low end of the word.
#[inline(always)]
pub fn gather<L: Token, const K: usize>(level: L, mut words: [u64; K], mask: u64) -> [u64; K] {
    // These are loops, because a closure would be compiled without the level's instructions.
    if level.fast_pext() {
        for word in &mut words {
            *word = level.pext(*word, mask);
        }
    } else {
        let network = Network::new(mask);
        for word in &mut words {
            *word = network.gather(*word);
        }
    }
    words
}

/// Spreads the low bits of each word to the bit positions of `mask`: the inverse of [`gather`].
#[inline(always)]
pub fn scatter<L: Token, const K: usize>(level: L, mut words: [u64; K], mask: u64) -> [u64; K] {
    if level.fast_pext() {
        for word in &mut words {
            *word = level.pdep(*word, mask);
        }
    } else {
        let network = Network::new(mask);
        for word in &mut words {
            *word = network.scatter(*word);
        }
    }
    words
}

/// The steps that move the bits under a mask.
struct Network {
    mask: u64,
    /// Element `i` marks the positions, before step `i`, of the bits that step `i` moves down by 2^i places.
    moves: [u64; 6],
}

impl Network {
    fn new(mask: u64) -> Network {
        let (mut left, mut holes, mut moves) = (mask, !mask << 1, [0; 6]);
        for (step, moves) in moves.iter_mut().enumerate() {
            // The bits above an odd number of the remaining `holes` (zeros of the mask).
            let odd = (0..6).fold(holes, |odd, power| odd ^ odd << (1 << power));
            *moves = odd & left;
            left = (left ^ *moves) | *moves >> (1 << step);
            holes &= !odd;
        }
        Network { mask, moves }
    }

    fn gather(&self, word: u64) -> u64 {
        let steps = self.moves.iter().enumerate();
        steps.fold(word & self.mask, |word, (step, moves)| (word & !moves) | (word & moves) >> (1 << step))
    }

    fn scatter(&self, word: u64) -> u64 {
        let steps = self.moves.iter().enumerate().rev();
        steps.fold(word, |word, (step, moves)| (word & !moves) | word << (1 << step) & moves) & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Level, V1, kernel};
    use super::*;

    #[kernel]
    fn both<L: Token>(level: L, value: u64, mask: u64) -> ([u64; 2], [u64; 2]) {
        let words = [value, !value];
        (gather(level, words, mask), scatter(level, words, mask))
    }

    #[test]
    fn every_level_moves_the_same_bits() {
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        let levels = Level::all();
        let mut masks = vec![0, 1, u64::MAX, 1 << 63, 0xffff_0000_0000_ffff];
        for _ in 0..1000 {
            let value = x;
            x = x.rotate_left(23).wrapping_mul(0xd129_42ea_4b6f_0c5d).wrapping_add(1);
            masks.extend([x, x & value, x | value]);
            for mask in masks.drain(..) {
                let words = [value, !value];
                // The reference moves one bit at a time.
                let one = V1::token();
                let expected = (words.map(|word| one.pext(word, mask)), words.map(|word| one.pdep(word, mask)));
                for &level in &levels {
                    assert_eq!(both(level, value, mask), expected, "{level} {mask:#x}");
                }
                assert_eq!(one.pdep(expected.0[0], mask), value & mask);
            }
        }
    }
}
