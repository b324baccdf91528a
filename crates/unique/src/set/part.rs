//! The shards of a complete set, for reading.

use super::entry::Entry;
use super::shard::Shard;
use super::summary::Summary;
use rayon::prelude::*;
use std::io;
use std::ops::Range;

impl Summary {
    /// Returns the summary of a set's parts.
    pub fn of<const N: usize>(parts: &[SetPart<N>]) -> Summary {
        parts.par_iter().map(|part| part.0.summary()).reduce(|| Summary::EMPTY, Summary::and)
    }
}

/// A shard of a complete set.
#[derive(Debug)]
pub struct SetPart<const N: usize>(pub(super) Shard<N>);

impl<const N: usize> SetPart<N> {
    /// Returns the number of slots, free or taken.
    pub fn slots(&self) -> usize {
        self.0.slots()
    }

    /// Returns the number of keys.
    pub fn keys(&self) -> usize {
        self.0.keys()
    }

    /// Returns the keys in a range of slots, with their counts. Not for narrow entries, which have
    /// only a part of their key.
    #[inline(always)]
    pub fn entries(&self, range: Range<usize>) -> impl Iterator<Item = (&Entry<N>, u128)> {
        self.slice(range).iter().filter(|entry| entry[N - 1] != 0).map(|entry| (entry, self.count(0, entry)))
    }

    /// Returns a range of slots; those whose last word is zero are free.
    #[inline(always)]
    pub(crate) fn slice(&self, range: Range<usize>) -> &[Entry<N>] {
        self.0.slice(range)
    }

    /// Returns the taken slots, each with the number of its line.
    #[cfg(test)]
    pub(super) fn lines(&self) -> impl Iterator<Item = (u32, &Entry<N>)> {
        self.0.lines()
    }

    #[inline(always)]
    pub(crate) fn count(&self, line: u32, entry: &Entry<N>) -> u128 {
        self.0.count(line, entry)
    }

    /// Returns different keys with their counts, in memory of exactly the size they need. They can be read, but not looked up.
    ///
    /// **Errors**: the system does not provide the memory.
    pub(crate) fn of_entries(entries: &[Entry<N>]) -> io::Result<SetPart<N>> {
        Shard::of_entries(entries).map(SetPart)
    }

    /// Returns the same keys in memory of exactly the size they need. They can then be read, but not looked up.
    ///
    /// **Errors**: the system does not provide the memory.
    pub fn compacted(self) -> io::Result<SetPart<N>> {
        self.0.compacted().map(SetPart)
    }
}
