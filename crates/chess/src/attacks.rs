//! Attack sets by square.
//!
//! Slider attacks use one of three methods. With a fast PEXT, the occupancy of the relevant squares is gathered into a
//! table index (Gerd Isenberg, <https://www.chessprogramming.org/BMI2#PEXTBitboards>). On AArch64 a multiplication does
//! the same (`magics`). Elsewhere `slider_lines` computes the attacks along each line by obstruction difference. At
//! compile time, `slider_lines` also fills the tables of the other two methods.

#![allow(long_running_const_eval)]

#[cfg(target_arch = "aarch64")]
use super::magics;
use crate::bitboard::Bitboard;
pub use crate::slider_lines::Lines;
use crate::slider_lines::{GATHER, LINES, TABLE, line};
use crate::square::Square;
use perft_gate_simd::Token;

static SLIDERS: [u64; TABLE] = sliders();
static KNIGHT: [u64; 64] = leaper(&[(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]);
static KING: [u64; 64] = leaper(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
static THROUGH: [[u64; 64]; 64] = rays();

/// Returns the squares that a knight on `square` attacks.
#[inline(always)]
pub const fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// Returns the squares that a king on `square` attacks.
#[inline(always)]
pub const fn king(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// Returns the lines through `square`.
#[inline(always)]
pub const fn lines_through(square: Square) -> &'static Lines {
    &LINES[square.index()]
}

/// Returns the squares that a rook on `square` attacks, blockers included.
#[inline(always)]
pub fn rook<L: Token>(level: L, square: Square, occupied: Bitboard) -> Bitboard {
    if level.fast_pext() {
        let gather = &GATHER[square.index()];
        return gathered(level, occupied, gather.rook_offset, gather.rook_mask);
    }
    #[cfg(target_arch = "aarch64")]
    return magics::rook(square, occupied);
    #[cfg(not(target_arch = "aarch64"))]
    if L::FAST_VECTORS { computed_apart::<true>(square, occupied) } else { computed::<true>(square, occupied) }
}

/// Returns the squares that a bishop on `square` attacks, blockers included.
#[inline(always)]
pub fn bishop<L: Token>(level: L, square: Square, occupied: Bitboard) -> Bitboard {
    if level.fast_pext() {
        let gather = &GATHER[square.index()];
        return gathered(level, occupied, gather.bishop_offset, gather.bishop_mask);
    }
    #[cfg(target_arch = "aarch64")]
    return magics::bishop(square, occupied);
    #[cfg(not(target_arch = "aarch64"))]
    if L::FAST_VECTORS { computed_apart::<false>(square, occupied) } else { computed::<false>(square, occupied) }
}

#[cfg(not(target_arch = "aarch64"))]
#[inline(always)]
fn computed<const ROOK: bool>(square: Square, occupied: Bitboard) -> Bitboard {
    let Lines { file, rank, diagonal, antidiagonal } = LINES[square.index()];
    let [one, other] = if ROOK { [file, rank] } else { [diagonal, antidiagonal] };
    Bitboard(line(square, occupied.0, one) | line(square, occupied.0, other))
}

/// Level v3 computes attacks in a separate function. Most of its machines have a fast PEXT, and their hot code should
/// hold no more than a jump here. A [kernel](perft_gate_simd::kernel), which is never cold, costs them 1 % in `count`.
#[cfg(not(target_arch = "aarch64"))]
#[cold]
#[inline(never)]
fn computed_apart<const ROOK: bool>(square: Square, occupied: Bitboard) -> Bitboard {
    computed::<ROOK>(square, occupied)
}

#[inline(always)]
fn gathered<L: Token>(level: L, occupied: Bitboard, offset: u32, mask: u64) -> Bitboard {
    let index = offset as usize + level.pext(occupied.0, mask) as usize;
    debug_assert!(index < TABLE);
    Bitboard(SLIDERS[index & (TABLE - 1)])
}

/// Returns the squares from `king` (exclusive) to `slider` (inclusive), or nothing if no line joins them.
#[inline(always)]
pub fn through(king: Square, slider: Square) -> Bitboard {
    Bitboard(THROUGH[king.index()][slider.index()])
}

/// Returns the squares from `a` to `b` on one rank, both included.
#[inline(always)]
pub const fn rank_span(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a.index() < b.index() { (a, b) } else { (b, a) };
    Bitboard((2_u64 << high.index()).wrapping_sub(1 << low.index()))
}

/// Fills the attack table. `(subset - mask) & mask` enumerates the subsets of a mask in the order of their PEXT values.
const fn sliders() -> [u64; TABLE] {
    let mut table = [0; TABLE];
    let mut s = 0;
    while s < 64 {
        let (square, all, gather) = (Square::new(s as u32), LINES[s], GATHER[s]);
        fill(&mut table, square, gather.rook_offset, gather.rook_mask, [all.file, all.rank]);
        fill(&mut table, square, gather.bishop_offset, gather.bishop_mask, [all.diagonal, all.antidiagonal]);
        s += 1;
    }
    table
}

const fn fill(table: &mut [u64; TABLE], square: Square, offset: u32, mask: u64, [first, second]: [u64; 2]) {
    let (mut occupied, mut at) = (0_u64, offset as usize);
    loop {
        table[at] = line(square, occupied, first) | line(square, occupied, second);
        occupied = occupied.wrapping_sub(mask) & mask;
        at += 1;
        if occupied == 0 {
            return;
        }
    }
}

const fn leaper(steps: &[(i32, i32)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut s = 0;
    while s < 64 {
        let mut i = 0;
        while i < steps.len() {
            let (file, rank) = ((s & 7) as i32 + steps[i].0, (s >> 3) as i32 + steps[i].1);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[s] |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        s += 1;
    }
    table
}

const fn rays() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut s = 0;
    while s < 64 {
        let (square, all) = (Square::new(s as u32), LINES[s]);
        let lines = [all.file, all.rank, all.diagonal, all.antidiagonal];
        let mut t = 0;
        while t < 64 {
            let mut i = 0;
            while i < 4 {
                if lines[i] >> t & 1 != 0 {
                    // With `t` as the only blocker, `s` attacks up to `t` and, in the other direction, up to the edge.
                    // Intersecting with the attacks of `t`, blocked by `s`, removes the other direction.
                    let other = line(Square::new(t as u32), 1 << s, lines[i] | 1 << s);
                    table[s][t] = line(square, 1 << t, lines[i]) & (other | 1 << t) & !(1 << s);
                }
                i += 1;
            }
            t += 1;
        }
        s += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::magics;
    use super::*;
    use perft_gate_simd::{Level, kernel};

    /// Finds the attacked squares one step at a time.
    fn slide(square: Square, occupied: Bitboard, steps: [(i32, i32); 4]) -> Bitboard {
        let mut attacked = Bitboard::EMPTY;
        for (df, dr) in steps {
            let (mut file, mut rank) = (square.file() as i32 + df, square.rank() as i32 + dr);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let target = Square::from_coords(file as u32, rank as u32);
                attacked |= target.into();
                if occupied.has(target) {
                    break;
                }
                (file, rank) = (file + df, rank + dr);
            }
        }
        attacked
    }

    const ORTHOGONAL: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

    #[kernel]
    fn sliders<L: Token>(level: L, square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        (rook(level, square, occupied), bishop(level, square, occupied))
    }

    #[test]
    fn sliders_stop_at_the_first_blocker_on_every_level() {
        let mut x = 1_u64;
        for round in 0..400 {
            let mut bits = 0;
            for _ in 0..1 + round % 3 {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                bits |= x & x.rotate_left(17);
            }
            let occupied = Bitboard(bits);
            for square in Square::all() {
                let expected = (slide(square, occupied, ORTHOGONAL), slide(square, occupied, DIAGONAL));
                assert_eq!((magics::rook(square, occupied), magics::bishop(square, occupied)), expected, "{square}");
                for level in Level::all() {
                    assert_eq!(sliders(level, square, occupied), expected, "{level} {square} {occupied:?}");
                }
            }
        }
    }

    #[test]
    fn through_runs_from_the_king_to_the_slider() {
        for a in Square::all() {
            for b in Square::all().filter(|&b| b != a) {
                let blocked = Bitboard::from(b);
                let mut expected = Bitboard::EMPTY;
                for steps in [ORTHOGONAL, DIAGONAL] {
                    for step in steps {
                        let ray = slide(a, blocked, [step; 4]);
                        if ray.has(b) {
                            expected = ray;
                        }
                    }
                }
                assert_eq!(through(a, b), expected, "{a} {b}");
            }
        }
        assert_eq!(rank_span(Square::new(4), Square::new(7)), Bitboard(0xf0));
        assert_eq!(rank_span(Square::new(63), Square::new(60)), Bitboard(0xf0 << 56));
    }
}
