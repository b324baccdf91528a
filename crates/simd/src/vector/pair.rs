//! Two vectors as one of twice as many lanes, whatever the vectors are.

use super::u64s::{Sealed, added};
use super::{Bytes, U64s};
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Twice as many lanes, in two vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair<V>(V, V);

impl<V: U64s> Pair<V> {
    /// Returns the pair of two vectors.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn of(first: V, second: V) -> Pair<V> {
        Pair(first, second)
    }

    /// Returns a pair with the same vector in both halves.
    #[inline(always)]
    pub(super) fn both(half: V) -> Pair<V> {
        Pair(half, half)
    }

    /// Returns the bits that are in either half, lane by lane.
    #[inline(always)]
    pub(super) fn either(self) -> V {
        self.0 | self.1
    }

    /// Shifts the first half left and the second half right, lane by lane.
    #[inline(always)]
    pub(super) fn shifted_apart(self, by: &[u64]) -> Pair<V> {
        Pair(self.0.shl_each(by), self.1.shr_each(by))
    }

    /// Shifts the first half right and the second half left, lane by lane.
    #[inline(always)]
    pub(super) fn shifted_together(self, by: &[u64]) -> Pair<V> {
        Pair(self.0.shr_each(by), self.1.shl_each(by))
    }
}

macro_rules! pair_operator {
    ($trait:ident $method:ident) => {
        impl<V: U64s> $trait for Pair<V> {
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

impl<V: U64s> Not for Pair<V> {
    type Output = Pair<V>;
    #[inline(always)]
    fn not(self) -> Pair<V> {
        Pair(!self.0, !self.1)
    }
}

impl<V: U64s> Sealed for Pair<V> {}

impl<V: U64s> U64s for Pair<V> {
    const LANES: usize = 2 * V::LANES;
    type Proof = V::Proof;
    type Sums = (V::Sums, V::Sums);

    #[inline(always)]
    fn splat(proof: V::Proof, word: u64) -> Pair<V> {
        Pair::both(V::splat(proof, word))
    }
    #[inline(always)]
    fn load(proof: V::Proof, words: &[u64]) -> Pair<V> {
        Pair(V::load(proof, words), V::load(proof, &words[V::LANES..]))
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        self.0.store(words);
        self.1.store(&mut words[V::LANES..]);
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
    fn shl_each(self, by: &[u64]) -> Pair<V> {
        Pair(self.0.shl_each(by), self.1.shl_each(&by[V::LANES..]))
    }
    #[inline(always)]
    fn shr_each(self, by: &[u64]) -> Pair<V> {
        Pair(self.0.shr_each(by), self.1.shr_each(&by[V::LANES..]))
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
    fn plus(self, other: Pair<V>) -> Pair<V> {
        Pair(self.0.plus(other.0), self.1.plus(other.1))
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
    fn is_all_zero(self) -> bool {
        self.either().is_all_zero()
    }
    #[inline(always)]
    fn lanes_with_bits(self) -> u32 {
        self.0.lanes_with_bits() | self.1.lanes_with_bits() << V::LANES
    }
    #[inline(always)]
    fn any(self) -> u64 {
        self.either().any()
    }
    #[inline(always)]
    fn any_of_halves(self) -> [u64; 2] {
        [self.0.any(), self.1.any()]
    }
    #[inline(always)]
    fn folded_twice(any: Pair<V>, twice: Pair<V>) -> [u64; 2] {
        V::folded_twice(any.either(), twice.either() | any.0 & any.1)
    }
    #[inline(always)]
    fn folded_sum(planes: [Pair<V>; 4]) -> [u64; 4] {
        let [ones, twos, fours, eights] = planes;
        V::folded_sum(added([ones.0, twos.0, fours.0, eights.0], [ones.1, twos.1, fours.1, eights.1]))
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
    fn sum(self, proof: V::Proof, lanes: usize) -> u64 {
        if lanes == Self::LANES {
            return self.0.plus(self.1).sum(proof, V::LANES);
        }
        self.0.sum(proof, lanes.min(V::LANES)).wrapping_add(self.1.sum(proof, lanes.saturating_sub(V::LANES)))
    }
    #[inline(always)]
    fn take_bits(proof: V::Proof, set: &mut u64, most: usize) -> Pair<V> {
        let first = V::take_bits(proof, set, most);
        Pair(first, V::take_bits(proof, set, most.saturating_sub(V::LANES)))
    }
    #[inline(always)]
    fn bits(self, proof: V::Proof) -> Pair<V> {
        Pair(self.0.bits(proof), self.1.bits(proof))
    }
    #[inline(always)]
    fn first(proof: V::Proof, lanes: usize) -> Pair<V> {
        Pair(V::first(proof, lanes.min(V::LANES)), V::first(proof, lanes.saturating_sub(V::LANES)))
    }
    #[inline(always)]
    fn toggled_if_met(self, toggles: Pair<V>, other: Pair<V>) -> Pair<V> {
        Pair(self.0.toggled_if_met(toggles.0, other.0), self.1.toggled_if_met(toggles.1, other.1))
    }
    /// Goes through memory: lanes change halves.
    #[inline(always)]
    fn followed_by(self, proof: V::Proof, at: usize, next: Pair<V>) -> Pair<V> {
        const { assert!(2 * V::LANES <= 8) };
        debug_assert!(at < Self::LANES);
        let mut words = [0; 16];
        self.store(&mut words);
        next.store(&mut words[at & 7..]);
        Pair::load(proof, &words)
    }
}

impl<V: Bytes> Bytes for Pair<V> {
    #[inline(always)]
    fn of_halves(proof: V::Proof, first: &[u64], second: &[u64]) -> Pair<V> {
        Pair(V::load(proof, first), V::load(proof, second))
    }
    #[inline(always)]
    fn low_nibbles(self) -> Pair<V> {
        Pair(self.0.low_nibbles(), self.1.low_nibbles())
    }
    #[inline(always)]
    fn high_nibbles(self) -> Pair<V> {
        Pair(self.0.high_nibbles(), self.1.high_nibbles())
    }
    #[inline(always)]
    fn looked_up_in(self, table: &[u8; 16]) -> Pair<V> {
        Pair(self.0.looked_up_in(table), self.1.looked_up_in(table))
    }
    #[inline(always)]
    fn interleave_low<const N: usize>(self, other: Pair<V>) -> Pair<V> {
        Pair(self.0.interleave_low::<N>(other.0), self.1.interleave_low::<N>(other.1))
    }
    #[inline(always)]
    fn interleave_high<const N: usize>(self, other: Pair<V>) -> Pair<V> {
        Pair(self.0.interleave_high::<N>(other.0), self.1.interleave_high::<N>(other.1))
    }
    #[inline(always)]
    fn plus16(self, other: Pair<V>) -> Pair<V> {
        Pair(self.0.plus16(other.0), self.1.plus16(other.1))
    }
    #[inline(always)]
    fn even_bytes(self) -> Pair<V> {
        Pair(self.0.even_bytes(), self.1.even_bytes())
    }
    #[inline(always)]
    fn odd_bytes(self) -> Pair<V> {
        Pair(self.0.odd_bytes(), self.1.odd_bytes())
    }
}
