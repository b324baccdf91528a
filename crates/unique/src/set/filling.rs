//! The fill state of a shard, the counts that do not fit its slots, and the summary of all counts.

use super::entry::{Entry, NARROW, count_word};
use perft_gate_simd::inline_all;
use std::collections::HashMap;

/// Error: a shard has no room for a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// Number of keys of a set, and how often they were added. The default is the summary of an empty set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub struct Summary {
    /// Number of different keys.
    pub distinct: u64,
    /// Sum of the counts. It saturates at [`u128::MAX`], which means that there are too many to count.
    pub total: u128,
    /// Number of keys whose count is one.
    pub once: u64,
    /// Highest count.
    pub highest: u128,
    /// Number of keys with the highest count.
    pub with_highest: u64,
}

#[inline_all]
impl Summary {
    pub(super) fn one(count: u128) -> Summary {
        Summary { distinct: 1, total: count, once: (count == 1).into(), highest: count, with_highest: 1 }
    }

    /// Returns the combined summary of two sets that have no key in common.
    pub fn and(self, other: Summary) -> Summary {
        let with = |set: &Summary| if set.highest == self.highest.max(other.highest) { set.with_highest } else { 0 };
        Summary {
            distinct: self.distinct + other.distinct,
            total: self.total.saturating_add(other.total),
            once: self.once + other.once,
            highest: self.highest.max(other.highest),
            with_highest: with(&self) + with(&other),
        }
    }
}

/// The number of taken slots, and the counts that do not fit into their slots.
#[derive(Debug)]
pub(super) struct Filling<const N: usize> {
    pub(super) taken: usize,
    pub(super) most: usize,
    /// Mask of the count within its word.
    pub(super) count_mask: u32,
    /// Counts of `ceiling` or more are kept in `large`, and their slots hold `ceiling` instead. As a power of two,
    /// `ceiling` is one bit of a count. A slot's count plus a count below `ceiling` is less than twice `ceiling`, so
    /// this bit shows whether the sum is too large for the slot.
    pub(super) ceiling: u32,
    /// Large counts. A map key is the entry without its count and, for narrow entries, the number of its line.
    pub(super) large: HashMap<(u32, Entry<N>), u128>,
}

/// Maximum number of bytes per large count. This maximum is reached while the map grows.
pub(super) const fn large_bytes<const N: usize>() -> usize {
    // The map is between seven sixteenths and seven eighths full. While it grows there are two maps, one half as large
    // as the other.
    (size_of::<((u32, Entry<N>), u128)>() + 1) * 7 / 2
}

#[inline_all]
impl<const N: usize> Filling<N> {
    /// Returns the fill state of a shard whose slots are all free. At most `most` slots can be taken.
    pub(super) fn new(most: usize, count_mask: u32, ceiling: u32) -> Filling<N> {
        Filling { taken: 0, most, count_mask, ceiling, large: HashMap::new() }
    }

    /// Returns the mask of the count. For wide entries, the mask is a constant with all bits set.
    pub(super) fn count_mask(&self) -> u32 {
        if N == NARROW { self.count_mask } else { u32::MAX }
    }

    pub(super) fn count(&self, slot: &Entry<N>) -> u32 {
        slot[count_word::<N>()] & self.count_mask()
    }

    pub(super) fn with_count(&self, mut entry: Entry<N>, count: u32) -> Entry<N> {
        let word = &mut entry[count_word::<N>()];
        *word = *word & !self.count_mask() | count;
        entry
    }

    pub(super) fn put(&mut self, line: u32, slot: &mut Entry<N>, entry: &Entry<N>) {
        let (found, more) = (self.count(slot), self.count(entry));
        let sum = u64::from(found) + u64::from(more);
        if sum >= u64::from(self.ceiling) {
            return self.put_large(line, slot, entry, more.into());
        }
        self.taken += usize::from(found == 0);
        // The entry is copied straight from memory. A local copy would be stored in parts and loaded as a whole, and
        // the load would wait for the stores.
        *slot = *entry;
        slot[count_word::<N>()] = entry[count_word::<N>()] & !self.count_mask() | sum as u32;
    }

    /// Adds to a count that may be too large for its slot.
    #[cold]
    #[inline(never)]
    pub(super) fn put_large(&mut self, line: u32, slot: &mut Entry<N>, entry: &Entry<N>, more: u128) {
        let (found, name) = (self.count(slot), self.name(line, entry));
        let before = if found == self.ceiling { self.large[&name] } else { found.into() };
        let sum = before.saturating_add(more);
        self.taken += usize::from(found == 0);
        let count = sum.min(self.ceiling.into()) as u32;
        *slot = self.with_count(*entry, count);
        if count == self.ceiling {
            self.large.insert(name, sum);
        }
    }

    /// Returns the map key under which `large` holds an entry's count. The map key includes the line if the entry does
    /// not hold all bits of its key.
    pub(super) fn name(&self, line: u32, entry: &Entry<N>) -> (u32, Entry<N>) {
        (if N == NARROW { line } else { 0 }, self.with_count(*entry, 0))
    }
}
