//! Two vectors as one of twice as many lanes: the eight directions with AVX2.

use super::folds::{added_halves, folded_twice, halves};
use super::four::{U64x4, W256};
use super::{Lanes, Rays};
use std::arch::x86_64 as arch;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Twice as many lanes, in two vectors.
#[derive(Clone, Copy, Debug)]
pub struct Pair<V>(V, V);

macro_rules! pair_operator {
    ($trait:ident $method:ident) => {
        impl<V: Lanes> $trait for Pair<V> {
            type Output = Pair<V>;
            #[inline(always)]
            fn $method(self, other: Pair<V>) -> Pair<V> {
                Pair(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}

pair_operator!(BitAnd bitand);
pair_operator!(BitOr bitor);
pair_operator!(BitXor bitxor);

impl<V: Lanes> Not for Pair<V> {
    type Output = Pair<V>;
    #[inline(always)]
    fn not(self) -> Pair<V> {
        Pair(!self.0, !self.1)
    }
}

impl<V: Lanes> Lanes for Pair<V> {
    const N: usize = 2 * V::N;
    type Proof = V::Proof;
    type Sums = (V::Sums, V::Sums);

    #[inline(always)]
    fn splat(proof: V::Proof, word: u64) -> Pair<V> {
        let half = V::splat(proof, word);
        Pair(half, half)
    }
    #[inline(always)]
    fn load(proof: V::Proof, words: &[u64]) -> Pair<V> {
        Pair(V::load(proof, words), V::load(proof, &words[V::N..]))
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        self.0.store(words);
        self.1.store(&mut words[V::N..]);
    }
    #[inline(always)]
    fn shl(self, by: u32) -> Pair<V> {
        Pair(self.0.shl(by), self.1.shl(by))
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Pair<V> {
        Pair(self.0.shr(by), self.1.shr(by))
    }
    #[inline(always)]
    fn minus_bytes(self, other: Pair<V>) -> Pair<V> {
        Pair(self.0.minus_bytes(other.0), self.1.minus_bytes(other.1))
    }
    #[inline(always)]
    fn minus(self, other: Pair<V>) -> Pair<V> {
        Pair(self.0.minus(other.0), self.1.minus(other.1))
    }
    #[inline(always)]
    fn reversed(self) -> Pair<V> {
        Pair(self.0.reversed(), self.1.reversed())
    }
    #[inline(always)]
    fn is_zero(self) -> Pair<V> {
        Pair(self.0.is_zero(), self.1.is_zero())
    }
    #[inline(always)]
    fn any(self) -> u64 {
        (self.0 | self.1).any()
    }
    #[inline(always)]
    fn tally(proof: V::Proof) -> Self::Sums {
        (V::tally(proof), V::tally(proof))
    }
    #[inline(always)]
    fn count(self, tally: Self::Sums) -> Self::Sums {
        (self.0.count(tally.0), self.1.count(tally.1))
    }
    #[inline(always)]
    fn twice(tally: Self::Sums) -> Self::Sums {
        (V::twice(tally.0), V::twice(tally.1))
    }
    #[inline(always)]
    fn settled(proof: V::Proof, tally: Self::Sums) -> Pair<V> {
        Pair(V::settled(proof, tally.0), V::settled(proof, tally.1))
    }
    #[inline(always)]
    fn plus(self, other: Pair<V>) -> Pair<V> {
        Pair(self.0.plus(other.0), self.1.plus(other.1))
    }
    #[inline(always)]
    fn sum(self, proof: V::Proof, lanes: usize) -> u64 {
        if lanes == Self::N {
            return self.0.plus(self.1).sum(proof, V::N);
        }
        self.0.sum(proof, lanes.min(V::N)) + self.1.sum(proof, lanes.saturating_sub(V::N))
    }
    #[inline(always)]
    fn lanes_with_bits(self) -> u32 {
        self.0.lanes_with_bits() | self.1.lanes_with_bits() << V::N
    }
    #[inline(always)]
    fn take_bits(proof: V::Proof, set: &mut u64, most: usize) -> Pair<V> {
        let first = V::take_bits(proof, set, most);
        Pair(first, V::take_bits(proof, set, most.saturating_sub(V::N)))
    }
}

impl Pair<U64x4> {
    /// Shifts the first half left and the second half right, each lane along its direction.
    #[inline(always)]
    fn shifted(self, steps: u32) -> Pair<U64x4> {
        let steps = i64::from(steps);
        // SAFETY: the vectors were made with the proof of AVX2.
        unsafe { self.shifted_by(arch::_mm256_setr_epi64x(8 * steps, steps, 9 * steps, 7 * steps)) }
    }

    /// Shifts the lanes by the knight's jumps.
    #[inline(always)]
    fn shifted_as_knights(self) -> Pair<U64x4> {
        // SAFETY: the vectors were made with the proof of AVX2.
        unsafe { self.shifted_by(arch::_mm256_setr_epi64x(17, 15, 10, 6)) }
    }

    #[inline(always)]
    unsafe fn shifted_by(self, by: arch::__m256i) -> Pair<U64x4> {
        // SAFETY: the vectors were made with the proof of AVX2.
        unsafe { Pair(U64x4(arch::_mm256_sllv_epi64(self.0.0, by)), U64x4(arch::_mm256_srlv_epi64(self.1.0, by))) }
    }
}

impl Rays for Pair<U64x4> {
    #[inline(always)]
    fn axes(_: W256, words: [u64; 4]) -> Pair<U64x4> {
        let [file, rank, diagonal, antidiagonal] = words.map(|word| word as i64);
        // SAFETY: the proof is of AVX2.
        let half = U64x4(unsafe { arch::_mm256_setr_epi64x(file, rank, diagonal, antidiagonal) });
        Pair(half, half)
    }
    #[inline(always)]
    fn along(self, steps: u32) -> Pair<U64x4> {
        self.shifted(steps)
    }
    #[inline(always)]
    fn back(self) -> Pair<U64x4> {
        let Pair(second, first) = Pair(self.1, self.0).shifted(1);
        Pair(first, second)
    }
    #[inline(always)]
    fn jumped(self) -> Pair<U64x4> {
        self.shifted_as_knights()
    }
    #[inline(always)]
    fn jumped_back(self) -> Pair<U64x4> {
        let Pair(second, first) = Pair(self.1, self.0).shifted_as_knights();
        Pair(first, second)
    }
    #[inline(always)]
    fn or_opposite(self) -> Pair<U64x4> {
        let both = self.0 | self.1;
        Pair(both, both)
    }
    #[inline(always)]
    fn added_up(self) -> [u64; 4] {
        // SAFETY: the vector was made with the proof of AVX2.
        unsafe { added_halves(self.0.0, self.1.0) }
    }
    #[inline(always)]
    fn any_and_twice(self) -> [u64; 2] {
        // SAFETY: the vector was made with the proof of AVX2.
        unsafe { folded_twice(self.0.0, self.1.0) }
    }
    #[inline(always)]
    fn orthogonal_and_diagonal(self) -> [u64; 2] {
        // SAFETY: the vector was made with the proof of AVX2.
        unsafe { halves((self.0 | self.1).0) }
    }
}
