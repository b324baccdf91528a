//! Two vectors joined into one with twice the lanes, for machines whose vectors are too narrow for an algorithm.
//!
//! Every operation applies to both halves, so pairs can be paired again. NEON has vectors of two lanes, from which
//! [`Paired`] makes vectors of four and of eight lanes.

use super::proof::Sealed;
use super::u64s::{Bytes, U64s};
use perft_gate_kernel::inline_all;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Two vectors used as one: the lanes of the first, followed by the lanes of the second.
#[derive(Clone, Copy, Debug)]
pub struct Paired<V>(V, V);

/// Maximum number of lanes of a pair.
const MAX_LANES: usize = 8;

macro_rules! operator {
    ($trait:ident $method:ident) => {
        impl<V: U64s> $trait for Paired<V> {
            type Output = Paired<V>;
            #[inline(always)]
            fn $method(self, other: Paired<V>) -> Paired<V> {
                Paired($trait::$method(self.0, other.0), $trait::$method(self.1, other.1))
            }
        }
    };
}

operator!(BitAnd bitand);
operator!(BitOr bitor);
operator!(BitXor bitxor);

/// Defines methods that apply to each half. The methods in the first list take a second vector; the others do not.
macro_rules! half_by_half {
    (($($method:ident),+) ($($alone:ident),+)) => {
        $(
            #[inline(always)]
            fn $method(self, other: Paired<V>) -> Paired<V> {
                Paired(self.0.$method(other.0), self.1.$method(other.1))
            }
        )+
        $(
            #[inline(always)]
            fn $alone(self) -> Paired<V> {
                Paired(self.0.$alone(), self.1.$alone())
            }
        )+
    };
}

impl<V: U64s> Not for Paired<V> {
    type Output = Paired<V>;
    #[inline(always)]
    fn not(self) -> Paired<V> {
        Paired(!self.0, !self.1)
    }
}

impl<V: U64s> Sealed for Paired<V> {}

#[inline_all]
impl<V: U64s> U64s for Paired<V> {
    const LANES: usize = {
        assert!(2 * V::LANES <= MAX_LANES);
        2 * V::LANES
    };
    type Proof = V::Proof;
    type Sums = [V::Sums; 2];
    type Line = V::Line;

    half_by_half!((sub_u8, minus, plus, times)(reverse_bytes, is_zero));

    fn splat(proof: V::Proof, word: u64) -> Paired<V> {
        let half = V::splat(proof, word);
        Paired(half, half)
    }
    fn load(proof: V::Proof, words: &[u64]) -> Paired<V> {
        let (first, second) = words[..Self::LANES].split_at(V::LANES);
        Paired(V::load(proof, first), V::load(proof, second))
    }
    fn store(self, words: &mut [u64]) {
        let (first, second) = words[..Self::LANES].split_at_mut(V::LANES);
        self.0.store(first);
        self.1.store(second);
    }
    fn shl(self, by: u32) -> Paired<V> {
        Paired(self.0.shl(by), self.1.shl(by))
    }
    fn shr(self, by: u32) -> Paired<V> {
        Paired(self.0.shr(by), self.1.shr(by))
    }
    fn is_all_zero(self) -> bool {
        (self.0 | self.1).is_all_zero()
    }
    fn lanes_with_bits(self) -> u32 {
        self.0.lanes_with_bits() | self.1.lanes_with_bits() << V::LANES
    }
    fn tally(proof: V::Proof) -> [V::Sums; 2] {
        [V::tally(proof); 2]
    }
    fn count(self, [first, second]: [V::Sums; 2]) -> [V::Sums; 2] {
        [self.0.count(first), self.1.count(second)]
    }
    fn lane_sums(proof: V::Proof, [first, second]: [V::Sums; 2]) -> Paired<V> {
        Paired(V::lane_sums(proof, first), V::lane_sums(proof, second))
    }
    fn sum(self) -> u64 {
        self.0.plus(self.1).sum()
    }
    fn bits(self, proof: V::Proof) -> Paired<V> {
        Paired(self.0.bits(proof), self.1.bits(proof))
    }
    fn xor_where_met(self, toggles: Paired<V>, other: Paired<V>) -> Paired<V> {
        Paired(self.0.xor_where_met(toggles.0, other.0), self.1.xor_where_met(toggles.1, other.1))
    }
    fn concat_at(self, proof: V::Proof, at: usize, next: Paired<V>) -> Paired<V> {
        debug_assert!(at < Self::LANES);
        // The vectors go through memory, because lanes move from one half to the other.
        let mut words = [0; 2 * MAX_LANES];
        self.store(&mut words);
        next.store(&mut words[at.min(MAX_LANES)..]);
        Paired::load(proof, &words)
    }
}

#[inline_all]
impl<V: Bytes> Bytes for Paired<V> {
    half_by_half!((plus16)(high_nibbles, odd_bytes, opaque));

    fn of_halves(proof: V::Proof, first: &[u64], second: &[u64]) -> Paired<V> {
        Paired(V::load(proof, first), V::load(proof, second))
    }
    fn look_up_in(self, table: &[u8; 16]) -> Paired<V> {
        Paired(self.0.look_up_in(table), self.1.look_up_in(table))
    }
    fn interleave_low<const N: usize>(self, other: Paired<V>) -> Paired<V> {
        Paired(self.0.interleave_low::<N>(other.0), self.1.interleave_low::<N>(other.1))
    }
    fn interleave_high<const N: usize>(self, other: Paired<V>) -> Paired<V> {
        Paired(self.0.interleave_high::<N>(other.0), self.1.interleave_high::<N>(other.1))
    }
    fn differing_bytes(self, other: Paired<V>) -> u32 {
        self.0.differing_bytes(other.0) | self.1.differing_bytes(other.1) << (8 * V::LANES)
    }
}
