//! Shard of a set: slots in plain memory, their fill count, and the counts that do not fit.
//!
//! A key belongs into the first slot of its *line* that is free or has the same key, or else into the line after it.
//! Entries whose size divides a cache line never cross one, so usually one line of memory is read.
//!
//! **Batches.** Memory takes hundreds of nanoseconds to answer, but answers many requests in parallel; and a branch
//! that depends on an answer stalls everything behind it. So all lines of an [`InsertBatch`] are prefetched before the
//! first is used. A key whose line is full stays in the batch with the next line as its place: that line is prefetched
//! with the next batch, and nothing waits for it.

use perft_gate_simd::Pages;
use perft_gate_simd::prefetch;
use std::collections::HashMap;
use std::io;

/// A key, then its count in the last word.
pub type Entry<const N: usize> = [u32; N];

/// Reason why a key was not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The shard is full.
    Full,
    /// The count would reach 2^128.
    TooMany,
}

/// Size in bytes of a line of the processor's cache.
const CACHE_LINE: usize = 64;
/// Returns the number of entries in a line: those of 16 and of 32 bytes fill a cache line.
pub(super) const fn in_line<const N: usize>() -> usize {
    match N {
        4 => 4,
        8 => 2,
        _ => 1,
    }
}

/// Number of keys in a batch: enough to overlap the memory's latencies and to make the lock cheap, few enough to keep a
/// thread's batches in its cache.
const BATCH: usize = 64;
/// Maximum number of taken slots in 1024: above it, searches become long.
const MOST_LOAD: usize = 928;

/// Number of slices.
pub const SLICES: u32 = 1 << 24;

/// Returns the slice of a key, one of [`SLICES`]; keys fall into the slices evenly.
#[inline(always)]
pub fn slice_of<const N: usize>(entry: &Entry<N>) -> u32 {
    hash(entry) as u32 & (SLICES - 1)
}

/// Hashes a key: pairs of words are multiplied and folded.
#[inline(always)]
pub(super) fn hash<const N: usize>(entry: &Entry<N>) -> u64 {
    const ODD: [u64; 8] = [
        0x9e37_79b9_7f4a_7c15,
        0xd1b5_4a32_d192_ed03,
        0x8cb9_2ba7_2f3d_8dd7,
        0xda94_2042_e4dd_58b5,
        0xa076_1d64_78bd_642f,
        0xe703_7ed1_a0b4_28db,
        0x5899_65cc_7537_4cc3,
        0x1d8e_4e27_c47d_124f,
    ];
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let word = |at: usize| if at < N - 1 { u64::from(entry[at]) } else { 0 };
    let pair = |at: usize| word(at) | word(at + 1) << 32;
    const { assert!(N <= 13, "all words have a part in the hash") };
    let mut hash = fold(pair(0) ^ ODD[0], pair(2) ^ ODD[1]);
    if N > 5 {
        hash ^= fold(pair(4) ^ ODD[2], pair(6) ^ ODD[3]).rotate_left(32);
    }
    if N > 9 {
        hash ^= fold(pair(8) ^ ODD[6], pair(10) ^ ODD[7]).rotate_left(16);
    }
    fold(hash ^ ODD[4], ODD[5])
}

/// Slots, and how full they are.
#[derive(Debug)]
pub(super) struct Shard<const N: usize> {
    slots: Pages<Entry<N>>,
    filling: Filling<N>,
}

/// Number of taken slots, and the counts that do not fit them.
#[derive(Debug)]
struct Filling<const N: usize> {
    taken: usize,
    most: usize,
    /// Counts from here on are kept in `large`; the slot then holds the ceiling.
    ceiling: u32,
    large: HashMap<Entry<N>, u128>,
}

impl<const N: usize> Filling<N> {
    /// Adds an entry to its slot.
    #[inline(always)]
    fn put(&mut self, slot: &mut Entry<N>, entry: &Entry<N>) -> Result<(), Refused> {
        let sum = u64::from(slot[N - 1]) + u64::from(entry[N - 1]);
        if sum >= u64::from(self.ceiling) {
            return self.put_large(slot, entry, entry[N - 1].into());
        }
        self.taken += usize::from(slot[N - 1] == 0);
        *slot = *entry;
        slot[N - 1] = sum as u32;
        Ok(())
    }

    /// Adds to a count that does not, or may not, fit its slot.
    #[cold]
    fn put_large(&mut self, slot: &mut Entry<N>, entry: &Entry<N>, more: u128) -> Result<(), Refused> {
        let (found, mut key) = (slot[N - 1], *entry);
        key[N - 1] = 0;
        let before = if found == self.ceiling { self.large[&key] } else { found.into() };
        let Some(sum) = before.checked_add(more) else { return Err(Refused::TooMany) };
        self.taken += usize::from(found == 0);
        *slot = key;
        slot[N - 1] = sum.min(self.ceiling.into()) as u32;
        if slot[N - 1] == self.ceiling {
            self.large.insert(key, sum);
        }
        Ok(())
    }
}

/// Keys that wait for a shard, each with its line.
#[derive(Clone, Debug)]
pub(super) struct InsertBatch<const N: usize> {
    waiting: usize,
    lines: [u32; BATCH],
    entries: [Entry<N>; BATCH],
}

impl<const N: usize> InsertBatch<N> {
    pub(super) const EMPTY: InsertBatch<N> = InsertBatch { waiting: 0, lines: [0; BATCH], entries: [[0; N]; BATCH] };

    pub(super) fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.waiting == BATCH
    }

    /// Adds a key; the batch must not be full.
    #[inline(always)]
    pub(super) fn push(&mut self, key: &Entry<N>, count: u32, line: u32) {
        let entry = &mut self.entries[self.waiting];
        *entry = *key;
        entry[N - 1] = count;
        self.lines[self.waiting] = line;
        self.waiting += 1;
    }

    /// Returns the waiting keys with their counts.
    #[cfg(test)]
    pub(super) fn entries(&self) -> &[Entry<N>] {
        &self.entries[..self.waiting]
    }
}

impl<const N: usize> Shard<N> {
    /// Returns an empty shard of this many lines, whose counts move to the map from `ceiling` on.
    pub(super) fn new(lines: usize, ceiling: u32) -> io::Result<Shard<N>> {
        let slots = lines * in_line::<N>();
        // At least one slot stays free: every search ends there.
        let most = (slots * MOST_LOAD / 1024).min(slots - 1);
        Ok(Shard { slots: Pages::zeroed(slots)?, filling: Filling { taken: 0, most, ceiling, large: HashMap::new() } })
    }

    /// Adds a batch. Keys that stay in it have found their line full and wait for the next call.
    ///
    /// **Errors**: the shard has no room for this many keys, or a count is too large; keys not yet added stay in the
    /// batch.
    pub(super) fn insert(&mut self, batch: &mut InsertBatch<N>) -> Result<(), Refused> {
        match N {
            4 => self.insert_into::<4>(batch),
            8 => self.insert_into::<2>(batch),
            _ => self.insert_into::<1>(batch),
        }
    }

    #[inline(always)]
    fn insert_into<const IN_LINE: usize>(&mut self, batch: &mut InsertBatch<N>) -> Result<(), Refused> {
        let Shard { slots, filling } = self;
        if filling.taken + batch.waiting > filling.most {
            return Err(Refused::Full);
        }
        let (lines, _) = slots.as_chunks_mut::<IN_LINE>();
        let InsertBatch { waiting, lines: at, entries } = batch;
        for &line in &at[..*waiting] {
            let line = &lines[line as usize];
            prefetch(&line[0]);
            if !CACHE_LINE.is_multiple_of(size_of::<Entry<N>>()) {
                // The entry may cross a cache line.
                prefetch(&line[IN_LINE - 1][N - 1]);
            }
        }
        let mut kept = 0;
        for number in 0..*waiting {
            let (line, entry) = (at[number] as usize, entries[number]);
            let slots = &mut lines[line];
            // No branch depends on the contents of the line.
            let fits = slots.iter().enumerate().fold(0, |set, (at, slot)| set | u32::from(belongs(slot, &entry)) << at);
            let slot = fits.trailing_zeros() as usize;
            if slot >= IN_LINE {
                (at[kept], entries[kept]) = (if line + 1 == lines.len() { 0 } else { line as u32 + 1 }, entry);
                kept += 1;
            } else if let Err(refused) = filling.put(&mut slots[slot], &entry) {
                at.copy_within(number..*waiting, kept);
                entries.copy_within(number..*waiting, kept);
                *waiting -= number - kept;
                return Err(refused);
            }
        }
        *waiting = kept;
        Ok(())
    }

    /// Adds one key whose count may be too large for an entry; the entry's own count is ignored.
    pub(super) fn insert_large(&mut self, line: u32, entry: &Entry<N>, count: u128) -> Result<(), Refused> {
        let Shard { slots, filling } = self;
        if filling.taken == filling.most {
            return Err(Refused::Full);
        }
        let (all, first) = (slots.len(), line as usize * in_line::<N>());
        let places = (first..all).chain(0..first);
        let at = places.into_iter().find(|&at| belongs(&slots[at], entry)).expect("one slot at least is free");
        filling.put_large(&mut slots[at], entry, count)
    }
}

/// Returns true if the slot is free or has this key.
#[inline(always)]
fn belongs<const N: usize>(slot: &Entry<N>, entry: &Entry<N>) -> bool {
    // Two words at a time; if the count is the second of a pair, it is left out.
    let pair = |entry: &Entry<N>, at: usize| u64::from(entry[at]) | u64::from(entry[at + 1]) << 32;
    let whole = (0..N - 2).step_by(2).fold(0, |differs, at| differs | pair(slot, at) ^ pair(entry, at));
    let last = u64::from(slot[N - 2] ^ entry[N - 2]);
    (whole | last == 0) | (slot[N - 1] == 0)
}

/// Returns the shard of a key with this hash, of 2^`bits` shards.
#[inline(always)]
pub(super) fn shard_of(hash: u64, bits: u32) -> usize {
    ((hash >> 1) >> (63 - bits)) as usize
}

/// Returns the line of a shard where the search for a key starts: from the hash bits that did not choose the shard.
#[inline(always)]
pub(super) fn line_of(hash: u64, bits: u32, lines: usize) -> u32 {
    ((u128::from(hash << bits) * lines as u128) >> 64) as u32
}

/// A shard of a complete set.
#[derive(Debug)]
pub struct SetPart<const N: usize>(pub(super) Shard<N>);

impl<const N: usize> SetPart<N> {
    /// Returns the number of slots, free or taken.
    pub fn slots(&self) -> usize {
        self.0.slots.len()
    }

    /// Returns the number of keys.
    pub fn keys(&self) -> usize {
        self.0.filling.taken
    }

    /// Returns the keys in a range of slots, with their counts.
    pub fn entries(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = (&Entry<N>, u128)> {
        self.0.slots[range].iter().filter(|entry| entry[N - 1] != 0).map(|entry| (entry, self.count(entry)))
    }

    #[inline(always)]
    fn count(&self, entry: &Entry<N>) -> u128 {
        if entry[N - 1] < self.0.filling.ceiling {
            return entry[N - 1].into();
        }
        let mut key = *entry;
        key[N - 1] = 0;
        self.0.filling.large[&key]
    }

    /// Returns the same keys in memory of exactly the size they need. They can then be read, but not looked up.
    ///
    /// **Errors**: the system does not provide the memory.
    pub fn compacted(self) -> io::Result<SetPart<N>> {
        let mut slots = Pages::zeroed(self.keys())?;
        let taken = self.0.slots.iter().filter(|entry| entry[N - 1] != 0);
        slots.iter_mut().zip(taken).for_each(|(to, from)| *to = *from);
        Ok(SetPart(Shard { slots, ..self.0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys that differ in any one bit are different; the count is not part of the key.
    fn every_bit_counts<const N: usize>() {
        let mut entry: Entry<N> = std::array::from_fn(|word| 0x9e37_79b9_u32.wrapping_mul(word as u32 + 1));
        entry[N - 1] = 1;
        let mut slot = entry;
        slot[N - 1] = 7;
        assert!(belongs(&slot, &entry));
        for (word, bit) in (0..N - 1).flat_map(|word| (0..32).map(move |bit| (word, bit))) {
            let mut other = entry;
            other[word] ^= 1 << bit;
            assert!(!belongs(&slot, &other), "bit {bit} of word {word} of {N}");
            assert_ne!(hash(&entry), hash(&other), "bit {bit} of word {word} of {N}");
        }
        slot[N - 1] = 0;
        slot[0] ^= 1;
        assert!(belongs(&slot, &entry), "an empty slot is free, whatever was in it");
    }

    #[test]
    fn a_single_bit_tells_keys_apart() {
        every_bit_counts::<4>();
        every_bit_counts::<7>();
        every_bit_counts::<8>();
        every_bit_counts::<11>();
        every_bit_counts::<13>();
    }
}
