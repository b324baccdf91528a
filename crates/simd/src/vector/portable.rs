//! Vectors as plain arrays: they run on every machine and are the reference for the other vectors.

use super::cache_line::PlainLine;
use super::proof::{Plain, Sealed};
use super::u64s::{Bytes, U64s};
use crate::hints::opaque;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// 64-bit lanes in a plain array, which is the reference for the other vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Portable<const N: usize>([u64; N]);

impl<const N: usize> Portable<N> {
    /// Applies an operation to each lane.
    #[inline(always)]
    fn each(mut self, operation: impl Fn(u64) -> u64) -> Portable<N> {
        for word in &mut self.0 {
            *word = operation(*word);
        }
        self
    }

    /// Applies an operation to each lane and the corresponding lane of `other`.
    #[inline(always)]
    fn with(mut self, other: [u64; N], operation: impl Fn(u64, u64) -> u64) -> Portable<N> {
        for (word, other) in self.0.iter_mut().zip(other) {
            *word = operation(*word, other);
        }
        self
    }

    fn each_byte(self, operation: impl Fn(u8) -> u8) -> Portable<N> {
        self.each(|word| u64::from_le_bytes(word.to_le_bytes().map(&operation)))
    }

    /// In each row of 16 bytes, interleaves the eight bytes from byte `start` on with those of `other`, in elements of
    /// `SIZE` bytes.
    fn interleave<const SIZE: usize>(self, other: Portable<N>, start: usize) -> Portable<N> {
        let byte = |words: &[u64; N], at: usize| words[at / 8].to_le_bytes()[at % 8];
        Portable(std::array::from_fn(|lane| {
            u64::from_le_bytes(std::array::from_fn(|i| {
                let at = 8 * lane + i;
                let (row, element, part) = (at / 16 * 16, at % 16 / SIZE, at % SIZE);
                let from = row + start + element / 2 * SIZE + part;
                if element % 2 == 0 { byte(&self.0, from) } else { byte(&other.0, from) }
            }))
        }))
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $op:tt) => {
        impl<const N: usize> $trait for Portable<N> {
            type Output = Portable<N>;
            #[inline(always)]
            fn $method(self, other: Portable<N>) -> Portable<N> {
                self.with(other.0, |a, b| a $op b)
            }
        }
    };
}

operator!(BitAnd bitand &);
operator!(BitOr bitor |);
operator!(BitXor bitxor ^);

impl<const N: usize> Not for Portable<N> {
    type Output = Portable<N>;
    #[inline(always)]
    fn not(self) -> Portable<N> {
        self.each(|word| !word)
    }
}

impl<const N: usize> Sealed for Portable<N> {}

// Level v1 uses the first four operations. The other operations only define the results for tests.
impl<const N: usize> U64s for Portable<N> {
    const LANES: usize = N;
    type Proof = Plain;
    type Sums = [u64; N];
    type Line = PlainLine;

    #[inline(always)]
    fn splat(_: Plain, word: u64) -> Portable<N> {
        Portable([word; N])
    }
    #[inline(always)]
    fn load(_: Plain, words: &[u64]) -> Portable<N> {
        let mut lanes = [0; N];
        lanes.copy_from_slice(&words[..N]);
        Portable(lanes)
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[..N].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn is_all_zero(self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    fn shl(self, by: u32) -> Portable<N> {
        self.each(|word| word.unbounded_shl(by))
    }
    fn shr(self, by: u32) -> Portable<N> {
        self.each(|word| word.unbounded_shr(by))
    }
    fn sub_u8(self, other: Portable<N>) -> Portable<N> {
        self.with(other.0, |a, b| {
            let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
            u64::from_le_bytes(std::array::from_fn(|i| a[i].wrapping_sub(b[i])))
        })
    }
    fn minus(self, other: Portable<N>) -> Portable<N> {
        self.with(other.0, u64::wrapping_sub)
    }
    fn plus(self, other: Portable<N>) -> Portable<N> {
        self.with(other.0, u64::wrapping_add)
    }
    fn times(self, other: Portable<N>) -> Portable<N> {
        self.with(other.0, |a, b| u64::from(a as u32) * u64::from(b as u32))
    }
    fn reverse_bytes(self) -> Portable<N> {
        self.each(u64::swap_bytes)
    }
    fn is_zero(self) -> Portable<N> {
        self.each(|word| if word == 0 { !0 } else { 0 })
    }
    fn lanes_with_bits(self) -> u32 {
        (0..N).fold(0, |mask, i| mask | u32::from(self.0[i] != 0) << i)
    }
    fn tally(_: Plain) -> [u64; N] {
        [0; N]
    }
    fn count(self, tally: [u64; N]) -> [u64; N] {
        std::array::from_fn(|i| tally[i] + u64::from(self.0[i].count_ones()))
    }
    fn lane_sums(_: Plain, tally: [u64; N]) -> Portable<N> {
        Portable(tally)
    }
    fn sum(self) -> u64 {
        self.0.iter().fold(0, |sum, word| sum.wrapping_add(*word))
    }
    fn bits(self, _: Plain) -> Portable<N> {
        Portable(self.0.map(|number| 1 << (number & 63)))
    }
    fn concat_at(self, _: Plain, at: usize, next: Portable<N>) -> Portable<N> {
        Portable(std::array::from_fn(|i| if i < at { self.0[i] } else { next.0[i - at] }))
    }
}

/// The highest bit of each byte of a word.
const HIGHEST_BITS: u64 = 0x8080_8080_8080_8080;

impl<const N: usize> Bytes for Portable<N> {
    fn of_halves(_: Plain, first: &[u64], second: &[u64]) -> Portable<N> {
        Portable(std::array::from_fn(|i| if i < N / 2 { first[i] } else { second[i - N / 2] }))
    }
    fn high_nibbles(self) -> Portable<N> {
        self.each_byte(|byte| byte >> 4)
    }
    fn look_up_in(self, table: &[u8; 16]) -> Portable<N> {
        self.each_byte(|index| table[usize::from(index)])
    }
    fn interleave_low<const SIZE: usize>(self, other: Portable<N>) -> Portable<N> {
        self.interleave::<SIZE>(other, 0)
    }
    fn interleave_high<const SIZE: usize>(self, other: Portable<N>) -> Portable<N> {
        self.interleave::<SIZE>(other, 8)
    }
    fn differing_bytes(self, other: Portable<N>) -> u32 {
        let differing = |i: usize| {
            let bits = self.0[i] ^ other.0[i];
            // Sets the highest bit of each nonzero byte. The multiplication gathers these bits.
            let any = (((bits & !HIGHEST_BITS) + !HIGHEST_BITS) | bits) & HIGHEST_BITS;
            (any >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
        };
        (0..N).fold(0, |mask, i| mask | (differing(i) as u32) << (8 * i))
    }
    fn plus16(self, other: Portable<N>) -> Portable<N> {
        let part = |word: u64, i: usize| (word >> (16 * i)) as u16;
        self.with(other.0, |a, b| {
            (0..4).fold(0, |sum, i| sum | u64::from(part(a, i).wrapping_add(part(b, i))) << (16 * i))
        })
    }
    fn odd_bytes(self) -> Portable<N> {
        self.each(|word| word >> 8 & 0x00ff_00ff_00ff_00ff)
    }
    #[inline(always)]
    fn opaque(self) -> Portable<N> {
        Portable(self.0.map(opaque))
    }
}
