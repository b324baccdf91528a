//! The operations of algorithms over lanes, whatever the width.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A vector of [`Lanes::N`] lanes, each a 64-bit word.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Number of lanes.
    const N: usize;
    /// The proof that the machine has such vectors.
    type Proof: Copy;
    /// A tally: a sum of bit counts in each lane. Each byte of a lane may count up to 255.
    type Sums: Copy;

    /// Returns a vector with the same word in every lane.
    fn splat(proof: Self::Proof, word: u64) -> Self;
    /// Loads the first words of a slice. **Panics** if there are not enough.
    fn load(proof: Self::Proof, words: &[u64]) -> Self;
    /// Stores the lanes at the start of a slice. **Panics** if there is not enough room.
    fn store(self, words: &mut [u64]);
    /// Shifts every lane left; `by` is below 64.
    fn shl(self, by: u32) -> Self;
    /// Shifts every lane right; `by` is below 64.
    fn shr(self, by: u32) -> Self;
    /// Subtracts byte by byte: `self - other`.
    fn minus_bytes(self, other: Self) -> Self;
    /// Subtracts lane by lane: `self - other`.
    fn minus(self, other: Self) -> Self;
    /// Reverses the bytes of every lane.
    fn reversed(self) -> Self;
    /// Returns all ones in the lanes that are zero, and zero in the others.
    fn is_zero(self) -> Self;
    /// Returns the bits that are in any lane.
    fn any(self) -> u64;
    /// Returns an empty tally.
    fn tally(proof: Self::Proof) -> Self::Sums;
    /// Adds the number of bits in each lane to a tally.
    fn count(self, tally: Self::Sums) -> Self::Sums;
    /// Doubles every count of a tally.
    fn twice(tally: Self::Sums) -> Self::Sums;
    /// Returns the counts of a tally, one a lane.
    fn settled(proof: Self::Proof, tally: Self::Sums) -> Self;
    /// Adds lane by lane: `self + other`.
    fn plus(self, other: Self) -> Self;
    /// Returns the sum of the first `lanes` lanes.
    fn sum(self, proof: Self::Proof, lanes: usize) -> u64;
    /// Returns a mask whose bit `i` is set if lane `i` is not zero.
    fn lanes_with_bits(self) -> u32;
    /// Moves the lowest bits of a set, at most `most`, out of it into the lanes, one bit a lane.
    fn take_bits(proof: Self::Proof, set: &mut u64, most: usize) -> Self;
}

/// Vectors that are filled from queues in memory.
pub trait Queue: Lanes {
    /// Writes the squares of a set, the lowest first, to the start of `squares`; the rest of its first 32 bytes may
    /// change too. **Panics** if there is not room for 32; the set has at most 32 squares.
    fn put_squares(proof: Self::Proof, set: u64, squares: &mut [u8]);
    /// Returns the bits with these numbers, each below 64, one a lane. **Panics** if there are not enough numbers.
    fn bits(proof: Self::Proof, numbers: &[u8]) -> Self;
    /// Returns all ones in the first `lanes` lanes, and zero in the others.
    fn first(proof: Self::Proof, lanes: usize) -> Self;
    /// Returns `self ^ toggles` in the lanes where `self` and `other` share a bit, and `self` in the others.
    fn toggled_if_met(self, toggles: Self, other: Self) -> Self;
    /// Returns the first `at` lanes of this vector, then the first lanes of `next`. `at` is below [`Lanes::N`].
    fn followed_by(self, proof: Self::Proof, at: usize, next: Self) -> Self;
}

/// Vectors of eight lanes, one for each compass direction: north, east, north-east, north-west, south, west, south-west,
/// south-east.
pub trait Rays: Lanes {
    /// Returns a vector of four words, for file, rank, diagonal and antidiagonal, each in both of its directions' lanes.
    fn axes(proof: Self::Proof, words: [u64; 4]) -> Self;
    /// Moves every lane 1, 2 or 4 steps along its direction. Squares that leave the board come back in elsewhere: mask
    /// with [`LANDING`].
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

/// The vectors of a level: one for sibling positions, one for the eight directions.
pub trait Width: Copy + Send + Sync {
    /// Sibling positions side by side.
    type Children: Queue<Proof = Self>;
    /// Directions side by side.
    type Rays: Rays<Proof = Self>;
}

/// Writes the squares of a set one by one; see [`Queue::put_squares`].
#[inline(always)]
pub(super) fn put_each(mut set: u64, squares: &mut [u8]) {
    debug_assert!(set.count_ones() <= 32);
    for square in &mut squares[..32] {
        if set == 0 {
            break;
        }
        *square = set.trailing_zeros() as u8;
        set &= set - 1;
    }
}

/// Returns some steps along the direction of a lane, as a left rotation.
#[inline(always)]
pub(super) const fn turn(lane: usize, steps: u32) -> u32 {
    const STEPS: [i32; 8] = [8, 1, 9, 7, -8, -1, -9, -7];
    (STEPS[lane] * steps as i32).rem_euclid(64) as u32
}

/// Returns the knight's jump of a lane, as a left rotation.
#[inline(always)]
pub(super) const fn jump(lane: usize) -> u32 {
    const JUMPS: [i32; 8] = [17, 15, 10, 6, -17, -15, -10, -6];
    JUMPS[lane].rem_euclid(64) as u32
}
