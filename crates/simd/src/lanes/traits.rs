//! What an algorithm over lanes may do, whatever the width.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A vector of [`Lanes::N`] words.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// How many words.
    const N: usize;
    /// What proves that the machine has such vectors.
    type Proof: Copy;
    /// A sum of bit counts, lane by lane. A byte of a word may count up to 255.
    type Sums: Copy;

    /// The same word in every lane.
    fn splat(proof: Self::Proof, word: u64) -> Self;
    /// The first words of a slice. **Panics** if there are not enough.
    fn load(proof: Self::Proof, words: &[u64]) -> Self;
    /// Writes the words to the start of a slice. **Panics** if there is not enough room.
    fn store(self, words: &mut [u64]);
    /// Towards the high end; `by` is below 64.
    fn shl(self, by: u32) -> Self;
    /// Towards the low end; `by` is below 64.
    fn shr(self, by: u32) -> Self;
    /// Byte by byte, `self - other`.
    fn minus_bytes(self, other: Self) -> Self;
    /// Word by word, `self - other`.
    fn minus(self, other: Self) -> Self;
    /// The bytes of every word in reverse.
    fn reversed(self) -> Self;
    /// All ones where a lane is zero.
    fn is_zero(self) -> Self;
    /// The bits that are in any lane.
    fn any(self) -> u64;
    /// No bit counted.
    fn tally(proof: Self::Proof) -> Self::Sums;
    /// A tally and the bits of this vector.
    fn count(self, tally: Self::Sums) -> Self::Sums;
    /// Every count twice.
    fn twice(tally: Self::Sums) -> Self::Sums;
    /// A tally as words.
    fn settled(proof: Self::Proof, tally: Self::Sums) -> Self;
    /// Word by word, `self + other`.
    fn plus(self, other: Self) -> Self;
    /// The sum of the first `lanes` words.
    fn sum(self, proof: Self::Proof, lanes: usize) -> u64;
    /// Bit `i` is set if lane `i` is not zero.
    fn lanes_with_bits(self) -> u32;
    /// The lowest bits of a set, one a lane, at most so many, taken out of the set.
    fn take_bits(proof: Self::Proof, set: &mut u64, most: usize) -> Self;
}

/// Lanes that are filled from queues in memory.
pub trait Queue: Lanes {
    /// Writes the numbers of the bits of a set, the lowest first, to the start of 32 bytes, whose rest may change too.
    /// **Panics** if there is not enough room; more bits than 32 are dropped.
    fn put_squares(proof: Self::Proof, set: u64, squares: &mut [u8]);
    /// The bits with these numbers, each below 64, one a lane. **Panics** if there are not enough.
    fn bits(proof: Self::Proof, numbers: &[u8]) -> Self;
    /// All ones in so many lanes, the first ones.
    fn first(proof: Self::Proof, lanes: usize) -> Self;
    /// `self ^ toggles` where `self` and `other` share a bit.
    fn toggled_if_met(self, toggles: Self, other: Self) -> Self;
    /// This vector's first lanes, then the first ones of `next`. `at` is below [`Lanes::N`].
    fn followed_by(self, proof: Self::Proof, at: usize, next: Self) -> Self;
}

/// U64x8 lanes, one a compass direction: the squares of lane 0 slide north, then east, north-east, north-west, south,
/// west, south-west, south-east.
pub trait Rays: Lanes {
    /// The same four words for a direction and its opposite: on the file, the rank, the diagonal, the antidiagonal.
    fn axes(proof: Self::Proof, words: [u64; 4]) -> Self;
    /// Every lane some steps along its direction, 1, 2 or 4. Squares come back in elsewhere when they leave the board:
    /// mask with [`LANDING`].
    fn along(self, steps: u32) -> Self;
    /// One step back.
    fn back(self) -> Self;
    /// A knight's jump, each lane another: two north and one east, two north and one west, one north and two east, one
    /// north and two west, and the opposite ones. Mask with [`JUMP_LANDING`].
    fn jumped(self) -> Self;
    /// The jumps taken back.
    fn jumped_back(self) -> Self;
    /// Every lane joined with that of the opposite direction.
    fn or_opposite(self) -> Self;
    /// How many lanes have each bit: the lowest bit of the number first.
    fn added_up(self) -> [u64; 4];
    /// The bits that are in any lane, and those that are in two or more.
    fn any_and_twice(self) -> [u64; 2];
    /// The bits of the lanes of ranks and files, and those of the diagonals.
    fn orthogonal_and_diagonal(self) -> [u64; 2];
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_1: u64 = !0xff;
const NOT_8: u64 = !(0xff << 56);

/// Where a step of each direction can end.
pub static LANDING: [u64; 8] = [NOT_1, NOT_A, NOT_A & NOT_1, NOT_H & NOT_1, NOT_8, NOT_H, NOT_H & NOT_8, NOT_A & NOT_8];

/// Where each knight's jump can end.
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

/// Vectors of a level: one for children, one of eight directions.
pub trait Width: Copy + Send + Sync {
    /// Sibling positions side by side.
    type Children: Queue<Proof = Self>;
    /// Directions side by side.
    type Rays: Rays<Proof = Self>;
}

/// Writes the numbers of the bits of a set.
#[inline(always)]
pub(super) fn put_each(mut set: u64, squares: &mut [u8]) {
    for square in &mut squares[..32] {
        if set == 0 {
            break;
        }
        *square = set.trailing_zeros() as u8;
        set &= set - 1;
    }
}

/// Some steps along the direction of a lane, as a rotation to the left.
#[inline(always)]
pub(super) const fn turn(lane: usize, steps: u32) -> u32 {
    const STEPS: [i32; 8] = [8, 1, 9, 7, -8, -1, -9, -7];
    (STEPS[lane] * steps as i32).rem_euclid(64) as u32
}

/// The knight's jump of a lane, as a rotation to the left.
#[inline(always)]
pub(super) const fn jump(lane: usize) -> u32 {
    const JUMPS: [i32; 8] = [17, 15, 10, 6, -17, -15, -10, -6];
    JUMPS[lane].rem_euclid(64) as u32
}
