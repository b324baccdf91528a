//! The lines through each square, the attacks along a line, and the layout of the slider tables.
//! [`attacks`](crate::attacks) and `magics` use them to build their tables.
//!
//! Attacks along a line use the obstruction difference: subtract the nearest blocker below the slider from all blockers
//! above it. The bits that change are those from the lower blocker to the nearest upper one. If there is no blocker
//! below, bit 0 is subtracted (<https://www.chessprogramming.org/Obstruction_Difference>). Unlike hyperbola
//! quintessence, this needs no bit reversal, which takes many instructions on some processors.
//!
//! Worked example: for a rook on d1 (bit 3) with blockers on b1 and g1, 0100_0000 - 0000_0010 = 0011_1110. The
//! changed bits are 0111_1110; without d1, these are b1, c1, e1, f1, g1.

use crate::bitboard::Bitboard;
use crate::square::Square;
use perft_gate_simd::inline_all;

/// The four lines through a square, without the square itself.
#[derive(Clone, Copy)]
pub struct Lines {
    pub file: u64,
    pub rank: u64,
    pub diagonal: u64,
    pub antidiagonal: u64,
}

#[inline_all]
impl Lines {
    /// Returns the file and the rank.
    pub const fn orthogonal(&self) -> Bitboard {
        Bitboard(self.file | self.rank)
    }

    /// Returns the two diagonals.
    pub const fn diagonals(&self) -> Bitboard {
        Bitboard(self.diagonal | self.antidiagonal)
    }
}

/// The layout of the slider tables for one square: the squares whose occupancy matters, and where its entries begin.
#[derive(Clone, Copy)]
pub(crate) struct Gather {
    pub(crate) rook_mask: u64,
    pub(crate) bishop_mask: u64,
    pub(crate) rook_offset: u32,
    pub(crate) bishop_offset: u32,
}

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;
/// Number of table entries. It is a power of two, so that masking keeps an index in bounds without a branch.
pub(crate) const TABLE: usize = (ROOK_ENTRIES + BISHOP_ENTRIES).next_power_of_two();

pub(crate) static LINES: [Lines; 64] = lines();
pub(crate) static GATHER: [Gather; 64] = gather();

/// Returns the attacks along one line, by obstruction difference.
#[inline(always)]
pub(crate) const fn line(square: Square, occupied: u64, line: u64) -> u64 {
    let up_to_slider = (2_u64 << square.index()).wrapping_sub(1);
    let blockers = occupied & line;
    let above = blockers & !up_to_slider;
    let nearest = 1 << 63 >> (blockers & up_to_slider | 1).leading_zeros();
    (above ^ above.wrapping_sub(nearest)) & line
}

const fn lines() -> [Lines; 64] {
    let mut table = [Lines { file: 0, rank: 0, diagonal: 0, antidiagonal: 0 }; 64];
    let mut s = 0;
    while s < 64 {
        let mut t = 0;
        while t < 64 {
            let bit = 1 << t;
            let (files, ranks) = ((t & 7) as i32 - (s & 7) as i32, (t >> 3) as i32 - (s >> 3) as i32);
            if s == t {
            } else if files == 0 {
                table[s].file |= bit;
            } else if ranks == 0 {
                table[s].rank |= bit;
            } else if files == ranks {
                table[s].diagonal |= bit;
            } else if files == -ranks {
                table[s].antidiagonal |= bit;
            }
            t += 1;
        }
        s += 1;
    }
    table
}

const fn gather() -> [Gather; 64] {
    let mut table = [Gather { rook_mask: 0, bishop_mask: 0, rook_offset: 0, bishop_offset: 0 }; 64];
    let (ranks, files) = (Bitboard::BACK_RANKS.0, Bitboard::FILE_A.0 | Bitboard::FILE_H.0);
    let (mut rook, mut bishop) = (0, ROOK_ENTRIES as u32);
    let mut s = 0;
    while s < 64 {
        let lines = &LINES[s];
        let rook_mask = lines.file & !ranks | lines.rank & !files;
        let bishop_mask = (lines.diagonal | lines.antidiagonal) & !ranks & !files;
        table[s] = Gather { rook_mask, bishop_mask, rook_offset: rook, bishop_offset: bishop };
        rook += 1 << rook_mask.count_ones();
        bishop += 1 << bishop_mask.count_ones();
        s += 1;
    }
    table
}
