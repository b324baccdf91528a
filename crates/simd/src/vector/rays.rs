//! Vectors of eight lanes, one for each compass direction.

use super::{Pair, U64s};

/// Vectors of eight lanes, one for each compass direction: north, east, north-east, north-west, south, west, south-west,
/// south-east. The last four are opposite to the first four, so a vector in two halves shifts one half left and the
/// other right, by the same numbers.
pub trait Rays: U64s {
    /// Returns a vector of four words, for file, rank, diagonal and antidiagonal, each in both of its directions' lanes.
    fn axes(proof: Self::Proof, words: [u64; 4]) -> Self;
    /// Moves every lane 1, 2 or 4 steps along its direction (`vpsllvq`, `vpsrlvq`; `vprolvq`). Squares that leave the
    /// board come back in elsewhere: mask with [`LANDING`].
    fn along(self, steps: u32) -> Self;
    /// Moves every lane one step back.
    fn back(self) -> Self;
    /// Moves every lane by a knight's jump of its own: two north and one east, two north and one west, one north and two
    /// east, one north and two west, then the four opposite jumps. Mask with [`JUMP_LANDING`].
    fn jumped(self) -> Self;
    /// Moves every lane back by its knight's jump.
    fn jumped_back(self) -> Self;
    /// Returns every lane or'ed with the lane of the opposite direction.
    fn or_opposite(self) -> Self;
    /// Returns, for each bit, how many lanes have it, as four bit planes, the lowest first.
    fn added_up(self) -> [u64; 4];
    /// Returns the bits that are in any lane, and those that are in two or more.
    fn any_and_twice(self) -> [u64; 2];
    /// Returns the bits in any orthogonal lane, and those in any diagonal lane.
    fn orthogonal_and_diagonal(self) -> [u64; 2];
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_1: u64 = !0xff;
const NOT_8: u64 = !(0xff << 56);

/// The squares on which a step of each direction can end.
pub static LANDING: [u64; 8] = [NOT_1, NOT_A, NOT_A & NOT_1, NOT_H & NOT_1, NOT_8, NOT_H, NOT_H & NOT_8, NOT_A & NOT_8];

/// The squares on which each knight's jump can end.
pub static JUMP_LANDING: [u64; 8] = {
    let (not_12, not_78) = (!0xffff, !(0xffff << 48));
    let (not_ab, not_gh) = (NOT_A & NOT_A << 1, NOT_H & NOT_H >> 1);
    [
        NOT_A & not_12,
        NOT_H & not_12,
        not_ab & NOT_1,
        not_gh & NOT_1,
        NOT_H & not_78,
        NOT_A & not_78,
        not_gh & NOT_8,
        not_ab & NOT_8,
    ]
};

/// The steps of the first four directions, as left shifts.
pub(super) const STEPS: [u64; 4] = [8, 1, 9, 7];
/// The first four knight's jumps, as left shifts.
pub(super) const JUMPS: [u64; 4] = [17, 15, 10, 6];

impl<V: U64s> Rays for Pair<V> {
    #[inline(always)]
    fn axes(proof: V::Proof, words: [u64; 4]) -> Pair<V> {
        const { assert!(V::LANES == 4, "one half of the directions in each vector") };
        Pair::both(V::load(proof, &words))
    }
    #[inline(always)]
    fn along(self, steps: u32) -> Pair<V> {
        let (by, [north, east, north_east, north_west]) = (u64::from(steps), STEPS);
        self.shifted_apart(&[by * north, by * east, by * north_east, by * north_west])
    }
    #[inline(always)]
    fn back(self) -> Pair<V> {
        self.shifted_together(&STEPS)
    }
    #[inline(always)]
    fn jumped(self) -> Pair<V> {
        self.shifted_apart(&JUMPS)
    }
    #[inline(always)]
    fn jumped_back(self) -> Pair<V> {
        self.shifted_together(&JUMPS)
    }
    #[inline(always)]
    fn or_opposite(self) -> Pair<V> {
        Pair::both(self.either())
    }
    #[inline(always)]
    fn added_up(self) -> [u64; 4] {
        let none = self & !self;
        Pair::folded_sum([self, none, none, none])
    }
    #[inline(always)]
    fn any_and_twice(self) -> [u64; 2] {
        Pair::folded_twice(self, self & !self)
    }
    #[inline(always)]
    fn orthogonal_and_diagonal(self) -> [u64; 2] {
        self.either().any_of_halves()
    }
}

/// Returns left rotations that move the first four lanes by these numbers, and the last four back.
#[inline(always)]
pub(super) const fn rotations([a, b, c, d]: [u64; 4], times: u64) -> [u64; 8] {
    [a * times, b * times, c * times, d * times, 64 - a * times, 64 - b * times, 64 - c * times, 64 - d * times]
}
