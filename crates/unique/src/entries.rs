//! Entries of positions and of keys in sets, and positions read from a set or from a file.

use crate::set::{Entry, Shard};
use perft_gate_chess::{DENSE_WORDS, Dense, Packed};
use perft_gate_simd::Token;
use std::ops::Range;

/// Number of 32-bit words in an entry that holds a position and its count. With one unused word, the entry fills half a
/// cache line.
pub(crate) const POSITION: usize = 8;
/// Number of 32-bit words in an entry that holds a key and its count.
pub(crate) const KEY: usize = 4;
/// Number of 32-bit words in a narrow entry, which holds part of a key and its count. The entry's slot encodes the
/// missing bits of the key (see [`Set`](crate::set::Set)).
pub(crate) const NARROW_KEY: usize = 3;

/// Returns the entry that begins with a position and whose remaining words are zero.
#[inline(always)]
pub(crate) fn entry_of<L: Token, const N: usize>(level: L, position: Packed) -> Entry<N> {
    let mut entry = [0; N];
    entry[..DENSE_WORDS].copy_from_slice(&position.dense(level));
    entry
}

/// Positions with their multiplicities, in no particular order. They are still packed: the caller unpacks them, because
/// a closure here would be compiled without the level's instructions. The iterator is written by hand because
/// `Iterator::chain` is not inlined here.
#[derive(Clone, Debug)]
pub(crate) struct Positions<'p> {
    /// Shard whose slots are read; `None` for a list.
    part: Option<&'p Shard<POSITION>>,
    slots: &'p [Entry<POSITION>],
    listed: &'p [Dense],
    counts: &'p [u128],
}

impl<'p> Positions<'p> {
    pub(crate) fn in_slots(part: &'p Shard<POSITION>, slots: Range<usize>) -> Positions<'p> {
        Positions { part: Some(part), slots: part.slice(slots), listed: &[], counts: &[] }
    }

    #[cfg(feature = "spill")]
    pub(crate) fn listed(listed: &'p [Dense], counts: &'p [u128]) -> Positions<'p> {
        Positions { part: None, slots: &[], listed, counts }
    }
}

impl Iterator for Positions<'_> {
    type Item = (Dense, u128);

    #[inline(always)]
    fn next(&mut self) -> Option<(Dense, u128)> {
        let Some(part) = self.part else {
            let (dense, listed) = self.listed.split_first()?;
            let (count, counts) = self.counts.split_first()?;
            (self.listed, self.counts) = (listed, counts);
            return Some((*dense, *count));
        };
        loop {
            let (entry, slots) = self.slots.split_first()?;
            self.slots = slots;
            if entry[POSITION - 1] != 0 {
                let dense: &[u32; DENSE_WORDS] = entry.first_chunk().expect("an entry is longer than a position");
                return Some((*dense, part.count(0, entry)));
            }
        }
    }
}
