//! The positions that a table does not hold.

use perft_gate_chess::MAX_MOVES;

/// Numbers of the positions that a table does not hold, in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct Misses {
    numbers: [u16; MAX_MOVES],
    len: usize,
}

impl Misses {
    /// No numbers.
    pub const NONE: Misses = Misses { numbers: [0; _], len: 0 };

    /// Removes all numbers.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a number if `is_miss`, without a branch; fewer than [`MAX_MOVES`] were added.
    #[inline(always)]
    pub fn push(&mut self, number: usize, is_miss: bool) {
        self.numbers[self.len] = number as u16;
        self.len += usize::from(is_miss);
    }

    /// Returns the numbers.
    #[inline(always)]
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = usize> {
        self.numbers[..self.len].iter().map(|&number| usize::from(number))
    }
}
