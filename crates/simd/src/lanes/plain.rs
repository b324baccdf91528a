//! Vectors as plain arrays: the reference for the others.

use super::{Lanes, Queue, Rays, Width, jump, put_each, turn};
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Eight 64-bit lanes in a plain array: the reference for the other vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainU64x8([u64; 8]);

/// The width of the plain vectors, which every machine has.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Width for Plain {
    type Children = PlainU64x8;
    type Rays = PlainU64x8;
}

macro_rules! word_operator {
    ($trait:ident $method:ident $op:tt) => {
        impl $trait for PlainU64x8 {
            type Output = PlainU64x8;
            #[inline(always)]
            fn $method(self, other: PlainU64x8) -> PlainU64x8 {
                PlainU64x8(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}

word_operator!(BitAnd bitand &);
word_operator!(BitOr bitor |);
word_operator!(BitXor bitxor ^);

impl Not for PlainU64x8 {
    type Output = PlainU64x8;
    #[inline(always)]
    fn not(self) -> PlainU64x8 {
        PlainU64x8(self.0.map(|word| !word))
    }
}

impl Lanes for PlainU64x8 {
    const N: usize = 8;
    type Proof = Plain;
    type Sums = [u64; 8];

    fn splat(_: Plain, word: u64) -> PlainU64x8 {
        PlainU64x8([word; 8])
    }
    fn load(_: Plain, words: &[u64]) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| words[i]))
    }
    fn store(self, words: &mut [u64]) {
        words[..8].copy_from_slice(&self.0);
    }
    fn shl(self, by: u32) -> PlainU64x8 {
        PlainU64x8(self.0.map(|word| word << by))
    }
    fn shr(self, by: u32) -> PlainU64x8 {
        PlainU64x8(self.0.map(|word| word >> by))
    }
    fn minus_bytes(self, other: PlainU64x8) -> PlainU64x8 {
        let bytes = |word: u64, other: u64| {
            let (a, b) = (word.to_le_bytes(), other.to_le_bytes());
            u64::from_le_bytes(std::array::from_fn(|i| a[i].wrapping_sub(b[i])))
        };
        PlainU64x8(std::array::from_fn(|i| bytes(self.0[i], other.0[i])))
    }
    fn minus(self, other: PlainU64x8) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
    }
    fn reversed(self) -> PlainU64x8 {
        PlainU64x8(self.0.map(u64::swap_bytes))
    }
    fn is_zero(self) -> PlainU64x8 {
        PlainU64x8(self.0.map(|word| if word == 0 { !0 } else { 0 }))
    }
    fn any(self) -> u64 {
        self.0.into_iter().fold(0, |any, word| any | word)
    }
    fn tally(_: Plain) -> [u64; 8] {
        [0; 8]
    }
    fn count(self, tally: [u64; 8]) -> [u64; 8] {
        std::array::from_fn(|i| tally[i] + u64::from(self.0[i].count_ones()))
    }
    fn twice(tally: [u64; 8]) -> [u64; 8] {
        tally.map(|count| 2 * count)
    }
    fn settled(_: Plain, tally: [u64; 8]) -> PlainU64x8 {
        PlainU64x8(tally)
    }
    fn plus(self, other: PlainU64x8) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }
    fn sum(self, _: Plain, lanes: usize) -> u64 {
        self.0[..lanes].iter().sum()
    }
    fn lanes_with_bits(self) -> u32 {
        (0..8).fold(0, |mask, i| mask | u32::from(self.0[i] != 0) << i)
    }
    fn take_bits(_: Plain, set: &mut u64, most: usize) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| {
            let bit = if i < most { *set & set.wrapping_neg() } else { 0 };
            *set ^= bit;
            bit
        }))
    }
}

impl Queue for PlainU64x8 {
    fn put_squares(_: Plain, set: u64, squares: &mut [u8]) {
        put_each(set, squares);
    }
    fn bits(_: Plain, numbers: &[u8]) -> PlainU64x8 {
        debug_assert!(numbers[..8].iter().all(|number| *number < 64));
        PlainU64x8(std::array::from_fn(|i| 1 << (numbers[i] & 63)))
    }
    fn first(_: Plain, lanes: usize) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| if i < lanes { !0 } else { 0 }))
    }
    fn toggled_if_met(self, toggles: PlainU64x8, other: PlainU64x8) -> PlainU64x8 {
        self ^ toggles & !(self & other).is_zero()
    }
    fn followed_by(self, _: Plain, at: usize, next: PlainU64x8) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| if i < at { self.0[i] } else { next.0[i - at] }))
    }
}

impl Rays for PlainU64x8 {
    fn axes(_: Plain, words: [u64; 4]) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| words[i & 3]))
    }
    fn along(self, steps: u32) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| self.0[i].rotate_left(turn(i, steps))))
    }
    fn back(self) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| self.0[i].rotate_right(turn(i, 1))))
    }
    fn jumped(self) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| self.0[i].rotate_left(jump(i))))
    }
    fn jumped_back(self) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| self.0[i].rotate_right(jump(i))))
    }
    fn or_opposite(self) -> PlainU64x8 {
        PlainU64x8(std::array::from_fn(|i| self.0[i] | self.0[i ^ 4]))
    }
    fn added_up(self) -> [u64; 4] {
        let mut sums = [0; 4];
        for word in self.0 {
            let mut carry = word;
            for sum in &mut sums {
                (*sum, carry) = (*sum ^ carry, *sum & carry);
            }
        }
        sums
    }
    fn any_and_twice(self) -> [u64; 2] {
        self.0.into_iter().fold([0, 0], |[any, twice], word| [any | word, twice | any & word])
    }
    fn orthogonal_and_diagonal(self) -> [u64; 2] {
        let [n, e, ne, nw, s, w, sw, se] = self.0;
        [n | e | s | w, ne | nw | sw | se]
    }
}
