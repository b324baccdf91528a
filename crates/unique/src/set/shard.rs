//! A shard of a set: slots in plain memory, the number of taken slots, and the counts that do not fit their slots.
//!
//! A key belongs in the first slot of its *line* that is free or has the same key. If there is no such slot, the key
//! goes to the next line. Entries that share a cache line never cross its boundaries. So a search usually reads one
//! cache line and compares its entries as one vector.
//!
//! Keys come in batches ([`InsertBatch`]). A branch that depends on memory stalls everything behind it, and in a full
//! table every third line is full. So a full line changes the computed values, but never which instructions are
//! executed: nothing is added to the line, and the key's number in the batch is recorded. After the batch, the recorded
//! keys wait for the next call, with the next line as their place.

use super::batch::{Ahead, BATCH, InsertBatch};
use super::entry::{Entry, NARROW, count_word, displace, in_line};
use super::filling::{Filling, Full, Summary};
use perft_gate_simd::{CacheLine, LINE_WORDS, Level, Pages, U64s, WideKernel};
use std::io;
use std::ops::Range;

/// Maximum number of taken slots out of every 1024. If more were taken, searches would become long.
const MAX_LOAD: usize = 928;

/// Slots and their fill state. Once the set is complete, its shards can be read.
#[derive(Debug)]
pub struct Shard<const N: usize> {
    words: Pages<u32>,
    filling: Filling<N>,
}

/// The insertion of a batch, compiled for a level.
struct Insertion<'i, const N: usize> {
    shard: &'i mut Shard<N>,
    batch: &'i mut InsertBatch<N>,
    ahead: Option<Ahead<'i, N>>,
}

impl<const N: usize> WideKernel for Insertion<'_, N> {
    type Output = Result<(), Full>;

    #[inline(always)]
    fn run<V: U64s>(self, proof: V::Proof) -> Self::Output {
        self.shard.insert_by_line::<V::Line>(proof, self.batch, self.ahead)
    }
}

impl<const N: usize> Shard<N> {
    /// Returns an empty shard of `lines` lines. Counts of `ceiling` or more are kept in a map.
    pub(super) fn new(lines: usize, count_mask: u32, ceiling: u32) -> io::Result<Shard<N>> {
        let slots = lines * in_line::<N>();
        // At least one slot stays free, because a search ends at a free slot.
        let most = (slots * MAX_LOAD / 1024).min(slots - 1);
        let words = Pages::new_zeroed(lines * LINE_WORDS)?;
        Ok(Shard { words, filling: Filling::new(most, count_mask, ceiling) })
    }

    /// Returns a shard that holds `entries` in memory of exactly their size. The keys must all differ. The entries can
    /// be read, but not looked up.
    ///
    /// **Errors**: the system does not provide the memory.
    pub(crate) fn of_entries(entries: &[Entry<N>]) -> io::Result<Shard<N>> {
        let mut words = Pages::new_zeroed(entries.len() * N)?;
        words.as_chunks_mut::<N>().0.copy_from_slice(entries);
        let filling = Filling { taken: entries.len(), ..Filling::new(entries.len(), u32::MAX, 1 << 31) };
        Ok(Shard { words, filling })
    }

    /// Returns a shard with the same keys in memory of exactly their size. They can then be read, but not looked up.
    ///
    /// **Errors**: the system does not provide the memory.
    pub fn compact(self) -> io::Result<Shard<N>> {
        const { assert!(in_line::<N>() * N == LINE_WORDS, "a line is full of entries") };
        if self.keys() == self.slots() {
            return Ok(self);
        }
        let mut words = Pages::new_zeroed(self.keys() * N)?;
        let (slots, _) = words.as_chunks_mut::<N>();
        slots.iter_mut().zip(self.lines()).for_each(|(to, (_, from))| *to = *from);
        Ok(Shard { words, ..self })
    }

    /// Returns the address of the shard's first line.
    pub(super) fn start(&self) -> usize {
        self.words.as_ptr().addr()
    }

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
        self.filling.taken = 0;
        self.filling.large.clear();
    }

    pub fn keys(&self) -> usize {
        self.filling.taken
    }

    /// Returns the number of slots, free or taken.
    pub fn slots(&self) -> usize {
        self.words.len() * in_line::<N>() / LINE_WORDS
    }

    pub(super) fn summary(&self) -> Summary {
        let add = |sum: Summary, count| sum.and(Summary::one(count));
        if N == NARROW {
            return self.lines().fold(Summary::default(), |sum, (line, entry)| add(sum, self.count(line, entry)));
        }
        let (slots, _) = self.words.as_chunks::<N>();
        let taken = slots.iter().filter(|slot| slot[N - 1] != 0);
        taken.fold(Summary::default(), |sum, entry| add(sum, self.count(0, entry)))
    }

    /// Appends the entries of the shard to `entries`. Returns false if some count is too large for its entry.
    pub(super) fn append_to(&self, entries: &mut Vec<Entry<N>>) -> bool {
        entries.extend(self.lines().map(|(_, entry)| *entry));
        self.filling.large.is_empty()
    }

    /// Returns the keys in a range of slots, with their counts. Narrow entries are not supported, because they hold
    /// only a part of the key.
    #[inline(always)]
    pub fn entries(&self, range: Range<usize>) -> impl Iterator<Item = (&Entry<N>, u128)> {
        self.slice(range).iter().filter(|entry| entry[N - 1] != 0).map(|entry| (entry, self.count(0, entry)))
    }

    /// Returns a range of slots. Slots whose last word is zero are free.
    #[inline(always)]
    pub(crate) fn slice(&self, range: Range<usize>) -> &[Entry<N>] {
        const { assert!(in_line::<N>() * N == LINE_WORDS, "a line is full of entries") };
        self.words[range.start * N..range.end * N].as_chunks::<N>().0
    }

    /// Returns the taken slots, each with the number of its line.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u32, &Entry<N>)> {
        self.words.chunks(LINE_WORDS).enumerate().flat_map(|(line, words)| {
            let (slots, _) = words.as_chunks::<N>();
            let taken = slots.iter().filter(|slot| self.filling.count(slot) != 0);
            taken.map(move |slot| (line as u32, slot))
        })
    }

    #[inline(always)]
    pub(crate) fn count(&self, line: u32, entry: &Entry<N>) -> u128 {
        match self.filling.count(entry) {
            count if count < self.filling.ceiling => count.into(),
            _ => self.filling.large[&self.filling.name(line, entry)],
        }
    }

    /// Adds a batch, and prefetches lines of the next batch. Keys whose line is full stay in the batch and wait for the
    /// next call.
    ///
    /// **Errors**: the shard does not have room for all keys of the batch, which then stay in the batch.
    #[inline(always)]
    pub(super) fn insert(
        &mut self,
        level: Level,
        batch: &mut InsertBatch<N>,
        ahead: Option<Ahead<'_, N>>,
    ) -> Result<(), Full> {
        if self.filling.taken + batch.waiting > self.filling.most {
            return Err(Full);
        }
        level.dispatch_wide(Insertion { shard: self, batch, ahead })
    }

    /// Adds a batch of entries at the vector width of `C`.
    #[inline(always)]
    fn insert_by_line<C: CacheLine>(
        &mut self,
        proof: C::Proof,
        batch: &mut InsertBatch<N>,
        ahead: Option<Ahead<'_, N>>,
    ) -> Result<(), Full> {
        let Shard { words, filling } = self;
        let (lines, _) = words.as_chunks_mut::<LINE_WORDS>();
        let last = lines.len() as u32 - 1;
        let count_mask = filling.count_mask();
        // Returns a line with the bits `of_counts` in each word that holds a count, and `of_others` in all other words.
        let bits = |of_counts: u32, of_others: u32| {
            let of_word = |word| if word % N == count_word::<N>() { of_counts } else { of_others };
            C::load(proof, &std::array::from_fn(of_word))
        };
        let (counts, keys) = (bits(count_mask, 0), bits(!count_mask, !0));
        let too_large = bits(count_mask & !(filling.ceiling - 1), 0);
        // A mask with the bit of the first word of each entry.
        let starts = (0..in_line::<N>()).fold(0, |set, entry| set | 1 << (entry * N));
        let (waiting, mut number) = (batch.waiting.min(BATCH), 0);
        // Indices of the keys whose line is full, and the number of such keys.
        let (mut stuck, mut full) = ([0_u8; BATCH], 0);
        loop {
            // The inner loop stops at a key whose count does not fit its slot. No branch depends on whether a
            // line is full, because many lines are full in a full table.
            let (first, first_full, mut known) = (number, full, 0);
            let special = loop {
                if number == waiting {
                    break None;
                }
                if let Some(ahead) = ahead {
                    ahead.prefetch(number);
                }
                // The entry is read in place. A copy would be stored in parts and loaded as a whole, and the load would
                // wait for the stores.
                let (entry, line) = (&batch.entries[number], batch.lines[number]);
                let words = &mut lines[line as usize];
                let (found, entries) = (C::load(proof, words), C::repeat(proof, entry));
                let same = all_words::<N>(found.differences(entries).words_without(keys)) & starts;
                let free = found.words_without(counts) >> count_word::<N>() & starts;
                let at = (same | free).trailing_zeros() as usize;
                let is_full = at >= LINE_WORDS;
                // The slot already has the key, or is all zeros, so the key can be or-ed into it.
                let entries = entries.common(C::load(proof, &Slot::<N>::WORDS[at]));
                let sum = found.or(entries.common(keys)).plus(entries.common(counts));
                if sum.words_without(too_large) != ALL_WORDS {
                    break Some(at);
                }
                sum.store(words);
                // A free slot also compares equal to the key 0, but then the key is new.
                known += usize::from(same & !free != 0);
                stuck[full % BATCH] = number as u8;
                full += usize::from(is_full);
                number += 1;
            };
            filling.taken += (number - first) - (full - first_full) - known;
            let Some(at) = special else { break };
            let (entry, line) = (batch.entries[number], batch.lines[number]);
            let slot = lines[line as usize].get_mut(at..).and_then(|words| words.first_chunk_mut());
            match slot {
                Some(slot) => filling.put(line, slot, &entry),
                None => {
                    stuck[full % BATCH] = number as u8;
                    full += 1;
                }
            }
            number += 1;
        }
        if let Some(ahead) = ahead {
            ahead.prefetch_from(waiting);
        }
        batch.settle(&stuck[..full], last, count_mask)
    }

    /// Adds one key with a count that may be too large for an entry. The count in `entry` is zero.
    pub(super) fn insert_large(&mut self, line: u32, mut entry: Entry<N>, count: u128) -> Result<(), Full> {
        let Shard { words, filling } = self;
        if filling.taken == filling.most {
            return Err(Full);
        }
        let all = words.len() / LINE_WORDS;
        for line in (line as usize..all).chain(0..line as usize) {
            let (slots, _) = words[line * LINE_WORDS..][..in_line::<N>() * N].as_chunks_mut::<N>();
            let fits = |slot: &&mut Entry<N>| {
                let found = filling.count(slot);
                found == 0 || filling.with_count(**slot, 0) == entry
            };
            if let Some(slot) = slots.iter_mut().find(fits) {
                filling.put_large(line as u32, slot, &entry, count);
                return Ok(());
            }
            if !displace(&mut entry, filling.count_mask) {
                return Err(Full);
            }
        }
        unreachable!("one slot at least is free")
    }
}

/// A mask with the bits of all words of a line.
const ALL_WORDS: u32 = (1 << LINE_WORDS) - 1;

/// The position of an entry within a line.
struct Slot<const N: usize>;

impl<const N: usize> Slot<N> {
    /// Masks of the entries, indexed by their first word. The last index means that no entry was found, so its mask is empty.
    const WORDS: [[u32; LINE_WORDS]; u32::BITS as usize + 1] = {
        let mut slots = [[0; LINE_WORDS]; u32::BITS as usize + 1];
        let mut start = 0;
        while start + N <= LINE_WORDS {
            let mut word = start;
            while word < start + N {
                slots[start][word] = u32::MAX;
                word += 1;
            }
            start += 1;
        }
        slots
    };
}

/// Returns a bit set of the words at which a run of `N` words in `set` begins. `N` is three or a power of two.
#[inline(always)]
fn all_words<const N: usize>(set: u32) -> u32 {
    if N == NARROW {
        return set & set >> 1 & set >> 2;
    }
    (0..N.ilog2()).fold(set, |set, power| set & set >> (1 << power))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two entries of a line have separate counts if their keys differ in any single bit.
    fn every_bit_counts_in_a_line<const N: usize>(level: Level, count_mask: u32) {
        let key: Entry<N> = std::array::from_fn(|word| 0x9e37_79b9_u32.wrapping_mul(word as u32 + 1));
        for bit in 0..32 * N {
            let mut other = key;
            other[bit / 32] ^= 1 << (bit % 32);
            let mut shard = Shard::<N>::new(4, count_mask, count_mask).unwrap();
            let mut batch = InsertBatch::EMPTY;
            for (mut entry, count) in [(key, 1), (other, 2), (key, 4)] {
                entry[count_word::<N>()] &= !count_mask;
                batch.push(entry, count, 1);
            }
            // If an entry fills a line by itself, the other key moves on to the next line.
            while !batch.is_empty() {
                shard.insert(level, &mut batch, None).unwrap();
            }
            let counts: Vec<u128> = shard.lines().map(|(line, entry)| shard.count(line, entry)).collect();
            let is_key = bit / 32 != count_word::<N>() || count_mask >> (bit % 32) & 1 == 0;
            assert_eq!(counts, if is_key { vec![5, 2] } else { vec![7] }, "bit {bit} of {N} words, {level}");
        }
    }

    #[test]
    fn a_single_bit_tells_keys_of_a_line_apart() {
        for level in Level::all() {
            every_bit_counts_in_a_line::<NARROW>(level, 0xff);
            every_bit_counts_in_a_line::<4>(level, u32::MAX);
            every_bit_counts_in_a_line::<8>(level, u32::MAX);
        }
    }
}
