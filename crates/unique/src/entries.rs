//! Entries of positions and of keys in sets.

use crate::set::Entry;
use perft_gate_chess::{DENSE_WORDS, Packed};
use perft_gate_simd::Token;

/// Number of 32-bit words of an entry that holds a position and its count; with one unused word they fill half a cache
/// line.
pub(crate) const POSITION: usize = 8;
/// Number of 32-bit words of an entry that holds a key and its count.
pub(crate) const KEY: usize = 4;
/// Number of 32-bit words of an entry that holds a key and its count with the help of its place; see [`Set`](crate::set::Set).
pub(crate) const NARROW_KEY: usize = 3;

/// Returns the entry that begins with a position; its remaining words are zero.
#[inline(always)]
pub(crate) fn entry_of<L: Token, const N: usize>(level: L, position: Packed) -> Entry<N> {
    let mut entry = [0; N];
    entry[..DENSE_WORDS].copy_from_slice(&position.dense(level));
    entry
}

/// Returns the position that an entry begins with.
#[inline(always)]
pub(crate) fn position_of<L: Token, const N: usize>(level: L, entry: &Entry<N>) -> Packed {
    let (dense, _) = entry.split_first_chunk().expect("an entry is longer than a position");
    Packed::of_dense(level, *dense)
}
