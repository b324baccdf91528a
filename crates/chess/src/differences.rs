//! Accumulates the differences of many comparisons for a single test.

use perft_gate_simd::{Token, U64s, inline_all};

/// The bits in which compared values differ, ORed together. Adding a comparison needs no branch.
///
/// A difference is never removed, so the final test sees every comparison.
#[derive(Clone, Copy)]
pub struct Differences<L: Token> {
    words: L::U64x4,
    word: u64,
}

#[inline_all]
impl<L: Token> Differences<L> {
    /// Returns an accumulator without differences.
    pub fn none(level: L) -> Differences<L> {
        Differences { words: level.splat(0), word: 0 }
    }

    /// Adds the bits in which four pairs of words differ.
    pub fn add_four(&mut self, words: L::U64x4) {
        self.words = self.words | words;
    }

    /// Adds the bits in which two words differ.
    pub fn add(&mut self, word: u64) {
        self.word |= word;
    }

    /// Returns true if there is a difference.
    pub fn any(&self) -> bool {
        self.word != 0 || !self.words.is_all_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_simd::{Level, Quad, kernel};

    /// Adds a difference in one bit, then comparisons of equal values. Returns `any` before and after.
    #[kernel]
    fn add_one_bit<L: Token>(level: L, bit: usize) -> [bool; 2] {
        let (mut differences, mut four) = (Differences::none(level), Quad::ZERO);
        let before = differences.any();
        if bit < 256 {
            four.0[bit / 64] = 1 << (bit % 64);
            differences.add_four(level.load(&four));
        } else {
            differences.add(1 << (bit - 256));
        }
        differences.add_four(level.splat(0));
        differences.add(0);
        [before, differences.any()]
    }

    #[test]
    fn a_bit_that_differs_once_stays() {
        for level in Level::all() {
            for bit in 0..320 {
                assert_eq!(add_one_bit(level, bit), [false, true], "{level} {bit}");
            }
        }
    }
}
