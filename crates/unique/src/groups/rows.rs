//! The group of a position: the placement of one side's pieces. Also the rows that hold positions or keys with their
//! groups, and the kernel that sorts positions into rows.

use super::buckets::Buckets;
use crate::entries::{KEY, Positions};
use crate::set::Full;
use crate::set::{ODD, fold};
use perft_gate_chess::{Bitboard, Board, DENSE_WORDS, Packed, Role};
use perft_gate_simd::{Token, kernel};

/// A position, its group and its multiplicity.
pub(super) type GroupRow = [u32; ROW];
pub(super) const ROW: usize = DENSE_WORDS + 2;
/// Number of words of a row that holds a key, its group and its multiplicity.
pub(super) const KEY_ROW: usize = KEY + 1;

/// Number of bits of a group's hash used to estimate the sizes of groups before they are counted.
pub(super) const SIZE_BITS: u32 = 16;

/// Kernel that sorts positions into chunks of groups.
#[kernel]
pub(super) fn sort_into_rows<L: Token>(
    level: L,
    positions: Positions<'_>,
    rows: &mut Buckets<ROW>,
    sizes: &mut [u32],
    chunk_bits: u32,
) -> Result<(), Full> {
    for (dense, count) in positions {
        let board = Packed::of_dense(level, dense).board();
        let pieces = board.color(!board.turn());
        let (group, [a, b, c, d, e, f]) = (group_of(&board, pieces), dense);
        // Multiplicities of more than 32 bits can be counted only in large tables (`passes.rs`).
        let count = u32::try_from(count).map_err(|_| Full)?;
        sizes[(group >> (u32::BITS - SIZE_BITS)) as usize] += 1;
        rows.push(bucket(pieces.count() as usize, group, chunk_bits), [a, b, c, d, e, f, group, count]);
    }
    Ok(())
}

/// Returns the hash of a group, computed from the types and squares of its pieces.
#[inline(always)]
pub(super) fn group_of(board: &Board, pieces: Bitboard) -> u32 {
    let of_roles = Role::ALL
        .iter()
        .zip(ODD)
        .fold(0_u64, |sum, (&role, odd)| sum.wrapping_add(fold((board.role(role) & pieces).0, odd)));
    (fold(of_roles, ODD[6]) >> 32) as u32
}

/// Returns the number of the bucket for a group with `pieces` pieces.
#[inline(always)]
pub(super) fn bucket(pieces: usize, group: u32, chunk_bits: u32) -> usize {
    (pieces << chunk_bits) + (u64::from(group) << chunk_bits >> 32) as usize
}
