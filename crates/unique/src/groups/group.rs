//! The group of a position: where the pieces of one side stand.

use crate::set::hash::{ODD, fold};
use perft_gate_chess::{Bitboard, Board, Role};

/// Returns a hash of a group: of where these pieces stand.
#[inline(always)]
pub(super) fn group_of(board: &Board, pieces: Bitboard) -> u32 {
    let of_roles = Role::ALL
        .iter()
        .zip(ODD)
        .fold(0_u64, |sum, (&role, odd)| sum.wrapping_add(fold((board.role(role) & pieces).0, odd)));
    (fold(of_roles, ODD[6]) >> 32) as u32
}

/// Returns the bucket of a group with so many pieces.
#[inline(always)]
pub(super) fn bucket(pieces: usize, group: u32, chunk_bits: u32) -> usize {
    (pieces << chunk_bits) + (u64::from(group) << chunk_bits >> 32) as usize
}
