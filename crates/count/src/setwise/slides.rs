//! Computes the attacks of all pieces of one type at once, with one board in each vector lane.
//!
//! Flood-filling from the sliders across empty squares (Kogge-Stone,
//! <https://www.chessprogramming.org/Kogge-Stone_Algorithm>) takes three doubling steps per direction. The part that
//! depends only on the empty squares is computed once per direction.

use perft_gate_simd::{U64s, inline_all};

pub(super) const NOT_A: u64 = !0x0101_0101_0101_0101;
pub(super) const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_AB: u64 = NOT_A & NOT_A << 1;
const NOT_GH: u64 = NOT_H & NOT_H >> 1;

/// A direction: the change in square number per step, and the squares where a step can end.
#[derive(Clone, Copy)]
struct Direction(i32, u64);

const NORTH: Direction = Direction(8, !0);
const SOUTH: Direction = Direction(-8, !0);
const WEST: Direction = Direction(-1, NOT_H);
const NORTH_EAST: Direction = Direction(9, NOT_A);
const NORTH_WEST: Direction = Direction(7, NOT_H);
const SOUTH_EAST: Direction = Direction(-7, NOT_A);
const SOUTH_WEST: Direction = Direction(-9, NOT_H);

/// The squares that end a run of one, two or four empty squares along a direction. They are the same for all sliders.
#[derive(Clone, Copy)]
pub(super) struct Slide<V> {
    direction: Direction,
    land: V,
    one: V,
    two: V,
    four: V,
}

#[inline(always)]
fn shift<V: U64s>(set: V, by: i32) -> V {
    if by > 0 { set.shl(by as u32) } else { set.shr(-by as u32) }
}

#[inline_all]
impl<V: U64s> Slide<V> {
    fn new(proof: V::Proof, direction: Direction, empty: V) -> Slide<V> {
        let land = V::splat(proof, direction.1);
        let one = if direction.1 == !0 { empty } else { empty & land };
        let two = one & shift(one, direction.0);
        let four = two & shift(two, 2 * direction.0);
        Slide { direction, land, one, two, four }
    }

    /// Returns the squares that the sliders reach, including the first blocker.
    pub(super) fn reach(&self, sliders: V) -> V {
        let set = sliders | self.one & shift(sliders, self.direction.0);
        let set = set | self.two & shift(set, 2 * self.direction.0);
        let set = set | self.four & shift(set, 4 * self.direction.0);
        let ahead = shift(set, self.direction.0);
        if self.direction.1 == !0 { ahead } else { ahead & self.land }
    }
}

/// The [`Slide`]s in all directions except east, for which the occupied squares are enough.
pub(super) struct Slides<V> {
    occupied: V,
    pub(super) north: Slide<V>,
    pub(super) south: Slide<V>,
    pub(super) west: Slide<V>,
    pub(super) north_east: Slide<V>,
    pub(super) north_west: Slide<V>,
    pub(super) south_east: Slide<V>,
    pub(super) south_west: Slide<V>,
}

#[inline_all]
impl<V: U64s> Slides<V> {
    pub(super) fn new(proof: V::Proof, occupied: V) -> Slides<V> {
        let empty = !occupied;
        Slides {
            occupied,
            north: Slide::new(proof, NORTH, empty),
            south: Slide::new(proof, SOUTH, empty),
            west: Slide::new(proof, WEST, empty),
            north_east: Slide::new(proof, NORTH_EAST, empty),
            north_west: Slide::new(proof, NORTH_WEST, empty),
            south_east: Slide::new(proof, SOUTH_EAST, empty),
            south_west: Slide::new(proof, SOUTH_WEST, empty),
        }
    }

    pub(super) fn on_files(&self, sliders: V) -> V {
        self.north.reach(sliders) | self.south.reach(sliders)
    }

    pub(super) fn on_ranks(&self, sliders: V) -> V {
        reach_east(self.occupied, sliders) | self.west.reach(sliders)
    }

    pub(super) fn on_diagonals(&self, sliders: V) -> V {
        self.north_east.reach(sliders) | self.south_west.reach(sliders)
    }

    pub(super) fn on_antidiagonals(&self, sliders: V) -> V {
        self.north_west.reach(sliders) | self.south_east.reach(sliders)
    }
}

/// Returns the squares that sliders reach eastward. On each rank, a subtraction's borrow stops at the first blocker.
#[inline(always)]
pub(super) fn reach_east<V: U64s>(occupied: V, sliders: V) -> V {
    occupied ^ occupied.sub_u8(sliders).sub_u8(sliders)
}

#[inline(always)]
pub(super) fn knight_attacks<V: U64s>(proof: V::Proof, knights: V) -> V {
    let mask = |word| V::splat(proof, word);
    let one = knights.shr(1) & mask(NOT_H) | knights.shl(1) & mask(NOT_A);
    let two = knights.shr(2) & mask(NOT_GH) | knights.shl(2) & mask(NOT_AB);
    one.shl(16) | one.shr(16) | two.shl(8) | two.shr(8)
}

/// Returns the squares that pawns moving up the board attack.
#[inline(always)]
pub(super) fn pawn_attacks<V: U64s>(proof: V::Proof, pawns: V) -> V {
    (pawns & V::splat(proof, NOT_A)).shl(7) | (pawns & V::splat(proof, NOT_H)).shl(9)
}

/// Returns the squares that kings attack, together with the squares of the kings themselves.
#[inline(always)]
pub(super) fn king_attacks<V: U64s>(proof: V::Proof, kings: V) -> V {
    let mask = |word| V::splat(proof, word);
    let row = kings | kings.shr(1) & mask(NOT_H) | kings.shl(1) & mask(NOT_A);
    row | row.shl(8) | row.shr(8)
}
