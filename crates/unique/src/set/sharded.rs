//! Set of keys that counts how often each was added: insert-only, exact, shared by many threads.
//!
//! **Entries** are `N` words of 32 bits: the key, then its count; four words for a key of 96 bits, eight for a
//! position. In three words, a key of 96 bits and its count share an entry with the help of the place where it stands
//! (`entry.rs`). A count of zero marks an empty slot, so the key 0 is a key like any other. A count that does not fit goes
//! to a map beside the table, and the entry says so.
//!
//! **Shards.** A hash of the key chooses the shard and the place in it. A shard is plain memory behind a mutex. Each
//! thread has a [`Writer`] that collects keys by shard and adds them a batch at a time: one lock a batch, and dozens of
//! memory reads in parallel.
//!
//! **A large set** has more pages than the processor remembers: a key that is added anywhere in it waits for the tables of the
//! pages, too, and on a virtual machine for those of its host. So the shards of a large set are small, and each collects many batches
//! before they are added one after the other. These share the tables, which then are in the cache. 10^8 keys of 96 bits came at
//! 1.26 times the rate of a set that collects none (0.93 to 2.09, nine rounds, one thread of a virtual Zen 3 server). That varies
//! because the host's pages do: where they are large, both take the same time.
//!
//! **A full shard** ends the insertion with [`Refused::Full`]. Nothing is lost: keys that are not in the set are still
//! in the writer. A set never grows by itself; its owner knows the memory limit.
//!
//! The hash only places keys: equality compares all their bits, and keys that differ in few bits are spread like any
//! others. The hash's low 24 bits do not affect the place; they choose the *slices* of [`slice_of`].

use super::batch::{Ahead, InsertBatch};
use super::entry::{NARROW, Place, Places, in_line, line_words};
use super::shard::{Shard, large_bytes};
use super::{Entry, Refused, SLICES, SetPart, Summary, slice_of};
use perft_gate_simd::Level;
use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of shards for each thread: two threads seldom want the same one. More would scatter the batches over more of
/// the cache.
const SHARDS_A_THREAD: usize = 8;
/// Minimum ratio of a set's entries to what waits in the writers of all threads, in bytes. Writers have a batch for each
/// shard: with as many shards as [`SHARDS_A_THREAD`] allows, 256 threads took more memory for them than for a set.
const ENTRIES_BY_WAITING: usize = 8;
/// Minimum number of slots in a shard, unless it is the only one.
const LEAST_SLOTS: usize = 1 << 14;
/// Returns the slots in 1024 that are planned to be taken. The rest is spare room. Lines of five narrow entries may be fuller
/// than those of four or of two.
const fn load<const N: usize>() -> usize {
    if N == NARROW { 870 } else { 800 }
}
/// Minimum number of bytes of a set whose shards collect batches.
const LARGE_SET: usize = 1 << 30;
/// Number of bytes of a large set's shard, about.
const SHARD_BYTES: usize = 64 << 20;
/// Minimum ratio of a large set's entries to what all threads collect, in bytes.
const ENTRIES_BY_COLLECTED: usize = 16;
/// Greatest number of bytes that all threads collect.
const MOST_COLLECTED: usize = 192 << 20;
/// Minimum number of keys that a set of narrow entries is made for: with fewer lines, there are fewer bits for counts.
const LEAST_NARROW: usize = 1 << 17;
/// Number of keys that are chosen before the first is placed.
const TAKEN: usize = 32;
/// Additional slots: a batch is assumed to hold new keys only, so there must be room for one more.
const SPARE_SLOTS: usize = 128;

/// A set of keys with counts.
#[derive(Debug)]
pub struct Set<const N: usize> {
    shards: Vec<Mutex<Shard<N>>>,
    /// Addresses of the shards' lines.
    starts: Vec<usize>,
    places: Places<N>,
    ceiling: u32,
    /// Number of batches that each shard collects in each writer.
    collected: usize,
}

/// Returns the number of shards, and of lines in each, for this many keys.
fn shape<const N: usize>(keys: usize) -> (usize, usize) {
    let slots = slots_for::<N>(if N == NARROW { keys.max(LEAST_NARROW) } else { keys });
    let threads = rayon::current_num_threads();
    let bytes = slots * Set::<N>::ENTRY_BYTES;
    let small = if bytes < LARGE_SET { 0 } else { bytes / SHARD_BYTES };
    let most = (SHARDS_A_THREAD * threads).max(small).next_power_of_two();
    let affordable = bytes / ENTRIES_BY_WAITING / (threads * Writer::<N>::BATCH_BYTES);
    // A writer has one batch more than shards.
    let affordable = affordable.saturating_sub(1).max(1);
    let shards = (slots / LEAST_SLOTS).next_power_of_two().min(most).min(1 << affordable.ilog2());
    // Keys fall into the shards unevenly; six standard deviations never occur in practice.
    let share = slots / shards;
    let spread = if shards > 1 { 6 * share.isqrt() } else { 0 };
    (shards, (share + spread).div_ceil(in_line::<N>()))
}

/// Returns the number of batches that each shard of a set for this many keys collects in each writer: none unless it is large.
fn collected<const N: usize>(keys: usize) -> usize {
    let entries = Set::<N>::entry_bytes_for(keys);
    let round = rayon::current_num_threads() * shape::<N>(keys).0 * Writer::<N>::BATCH_BYTES;
    if entries < LARGE_SET { 0 } else { (entries / ENTRIES_BY_COLLECTED).min(MOST_COLLECTED) / round }
}

/// Returns the number of slots for this many keys.
fn slots_for<const N: usize>(keys: usize) -> usize {
    let load = load::<N>();
    keys / load * 1024 + keys % load * 1024 / load + SPARE_SLOTS
}

/// Returns the number of lines of a set of one shard for this many keys.
fn private_lines<const N: usize>(keys: usize) -> usize {
    slots_for::<N>(keys).div_ceil(in_line::<N>())
}

/// Returns the highest power of two among the bits of a count.
const fn highest_ceiling(count_mask: u32) -> u32 {
    1 << count_mask.ilog2()
}

impl<const N: usize> Set<N> {
    /// Size of an entry in bytes.
    pub const ENTRY_BYTES: usize = 4 * N;

    /// Returns an empty set with room for this many keys.
    ///
    /// **Errors**: the system does not provide the memory.
    pub fn new(keys: usize) -> io::Result<Set<N>> {
        Set::with_ceiling(keys, highest_ceiling(u32::MAX))
    }

    /// Returns the size in bytes of a set for this many keys, and of the writers of all threads.
    pub fn bytes_for(keys: usize) -> usize {
        // A writer has one batch more than shards.
        let batches = shape::<N>(keys).0 * (1 + collected::<N>(keys)) + 1;
        Self::entry_bytes_for(keys) + rayon::current_num_threads() * batches * Writer::<N>::BATCH_BYTES
    }

    /// Returns the size in bytes of a set for this many keys alone.
    pub fn entry_bytes_for(keys: usize) -> usize {
        let (shards, lines) = shape::<N>(keys);
        shards * lines * line_words::<N>() * 4
    }

    /// Returns the maximum size in bytes of the counts that do not fit their entries, if the counts of this many keys add up
    /// to `total`.
    pub fn large_bytes_for(keys: usize, total: u128) -> usize {
        let (shards, lines) = shape::<N>(keys);
        let ceiling = highest_ceiling(Places::<N>::new(shards.ilog2(), lines).count_mask());
        large_bytes::<N>() * (total / u128::from(ceiling)).min(keys as u128) as usize
    }

    /// Returns an empty set whose counts move to the map from `ceiling` on, a power of two.
    fn with_ceiling(keys: usize, ceiling: u32) -> io::Result<Set<N>> {
        Set::of_shape(shape::<N>(keys), ceiling, collected::<N>(keys))
    }

    /// Returns an empty set of so many shards, each of so many lines.
    fn of_shape((shards, lines): (usize, usize), ceiling: u32, collected: usize) -> io::Result<Set<N>> {
        let places = Places::new(shards.ilog2(), lines);
        let mask = places.count_mask();
        let ceiling = ceiling.min(highest_ceiling(mask));
        let shards = (0..shards).map(|_| Shard::new(lines, mask, ceiling)).collect::<io::Result<Vec<_>>>()?;
        let starts = shards.iter().map(Shard::start).collect();
        Ok(Set { shards: shards.into_iter().map(Mutex::new).collect(), starts, places, ceiling, collected })
    }

    /// Returns an empty set with room for this many keys, for one thread.
    ///
    /// **Errors**: the system does not provide the memory.
    pub(crate) fn private(keys: usize) -> io::Result<Set<N>> {
        Set::of_shape((1, private_lines::<N>(keys)), highest_ceiling(u32::MAX), 0)
    }

    /// Returns the size in bytes of a private set for this many keys.
    pub(crate) fn private_bytes_for(keys: usize) -> usize {
        private_lines::<N>(keys) * line_words::<N>() * 4
    }

    /// Appends all entries; returns false if the count of some is too large for its entry.
    pub(crate) fn append_to(&mut self, entries: &mut Vec<Entry<N>>) -> bool {
        let mut shards = self.shards.iter_mut().map(|shard| shard.get_mut().unwrap_or_else(PoisonError::into_inner));
        shards.all(|shard| shard.append_to(entries))
    }

    /// Returns the summary of the set, and its ratio of keys to slots, and empties it.
    pub(crate) fn take_summary(&mut self) -> (Summary, f64) {
        let (mut summary, mut keys, mut slots) = (Summary::EMPTY, 0, 0);
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            summary = summary.and(shard.summary());
            (keys, slots) = (keys + shard.keys(), slots + shard.slots());
            shard.clear();
        }
        (summary, keys as f64 / slots as f64)
    }

    /// Returns the number of bytes that are in memory twice while the shards of a full set are compacted one by one.
    pub fn compacting_bytes_for(keys: usize) -> usize {
        Self::entry_bytes_for(keys) / shape::<N>(keys).0
    }

    /// Returns a writer for one thread, which compares keys with the instructions of this level.
    pub fn writer(&self, level: Level) -> Writer<'_, N> {
        let empty = || Box::new(InsertBatch::EMPTY);
        let batches = (0..self.shards.len()).map(|_| empty()).collect();
        let collected = self.shards.iter().map(|_| Vec::new()).collect();
        Writer { set: self, level, batches, collected, prefetched: empty(), prefetched_of: 0 }
    }

    fn lock(&self, shard: usize) -> MutexGuard<'_, Shard<N>> {
        // A shard is consistent after every key: a panic elsewhere does not damage it.
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Turns the set into its shards, for reading.
    pub fn into_parts(self) -> Vec<SetPart<N>> {
        let whole = |shard: Mutex<Shard<N>>| shard.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.shards.into_iter().map(|shard| SetPart(whole(shard))).collect()
    }
}

/// One thread's access to a set.
#[derive(Debug)]
pub struct Writer<'s, const N: usize> {
    set: &'s Set<N>,
    level: Level,
    /// One batch for each shard; never full between two calls, except after an error.
    batches: Vec<Box<InsertBatch<N>>>,
    /// The batches that each shard of a large set has collected.
    collected: Vec<Vec<InsertBatch<N>>>,
    /// The batch whose lines were prefetched last.
    prefetched: Box<InsertBatch<N>>,
    /// Its shard.
    prefetched_of: usize,
}

impl<const N: usize> Writer<'_, N> {
    /// Number of bytes of a batch.
    const BATCH_BYTES: usize = size_of::<InsertBatch<N>>();

    /// Adds a key; it may wait in the writer until [`Writer::finish`]. The last word of a `key` of four words or more is
    /// ignored.
    ///
    /// **Errors**: the shard is full. The key is then not added; waiting keys stay in the writer.
    #[inline(always)]
    pub fn insert(&mut self, key: &Entry<N>, count: u128) -> Result<(), Refused> {
        self.insert_each([*key], count)
    }

    /// Adds those of these keys that are in some slices, each `count` times, as [`Writer::insert`] does.
    ///
    /// **Errors**: a shard is full. Its key and those after it are not added.
    #[inline(always)]
    pub fn insert_all(
        &mut self,
        keys: impl IntoIterator<Item = Entry<N>>,
        slices: &Range<u32>,
        count: u128,
    ) -> Result<(), Refused> {
        if slices.len() == SLICES as usize {
            return self.insert_each(keys, count);
        }
        // Which keys are taken is chance: no branch depends on it.
        let (first, number) = (slices.start, slices.end - slices.start);
        let (mut taken, mut len) = ([[0; N]; TAKEN], 0);
        for key in keys {
            taken[len] = key;
            len += usize::from(slice_of(&key).wrapping_sub(first) < number);
            if len == TAKEN {
                self.insert_each(taken, count)?;
                len = 0;
            }
        }
        self.insert_each(taken[..len].iter().copied(), count)
    }

    /// Adds these keys, each `count` times.
    #[inline(always)]
    fn insert_each(&mut self, keys: impl IntoIterator<Item = Entry<N>>, count: u128) -> Result<(), Refused> {
        // A local copy: the compiler cannot know that no batch overlaps the set.
        let places = self.set.places;
        let is_large = count >= u128::from(self.set.ceiling);
        for key in keys {
            let Place { shard, line, entry } = places.place(&key);
            if is_large {
                // A copy, so that the entry itself need not be in memory: there its words would be stored one by one and loaded
                // together, which waits for the stores.
                self.insert_large(shard, line, entry.map(|word| word), count)?;
                continue;
            }
            let mut batch = &mut self.batches[shard];
            while batch.is_full() {
                self.flush(shard)?;
                batch = &mut self.batches[shard];
            }
            batch.push(entry, count as u32, line);
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn insert_large(&self, shard: usize, line: u32, entry: Entry<N>, count: u128) -> Result<(), Refused> {
        self.set.lock(shard).insert_large(line, entry, count)
    }

    /// Makes room in a batch: its lines are prefetched while those that were prefetched before are used. In a large set it is
    /// collected.
    #[inline(never)]
    fn flush(&mut self, shard: usize) -> Result<(), Refused> {
        if self.set.collected > 0 {
            return self.collect(shard);
        }
        let ahead = Ahead::new(&self.batches[shard], self.set.starts[shard]);
        let mut own = self.set.lock(self.prefetched_of);
        own.insert(self.level, &mut self.prefetched, Some(ahead))?;
        // What found its line full; hardly ever too much for the room in the batch.
        loop {
            self.batches[self.prefetched_of].take_from(&mut self.prefetched);
            if self.prefetched.is_empty() {
                break;
            }
            own.insert(self.level, &mut self.prefetched, None)?;
        }
        drop(own);
        std::mem::swap(&mut self.batches[shard], &mut self.prefetched);
        self.prefetched_of = shard;
        Ok(())
    }

    /// Moves a full batch to those that its shard has collected; if there is no room for it, these are added first.
    fn collect(&mut self, shard: usize) -> Result<(), Refused> {
        while self.collected[shard].len() >= self.set.collected {
            self.add_collected(shard)?;
        }
        let collected = &mut self.collected[shard];
        collected.reserve_exact(self.set.collected - collected.len());
        collected.extend_from_slice(std::slice::from_ref(&*self.batches[shard]));
        self.batches[shard].clear();
        Ok(())
    }

    /// Adds the batches that a shard has collected. Keys that find their line full wait in the first of these batches for the
    /// next time: their next lines, which nothing has prefetched, would be waited for. Keys that are refused wait there, too.
    fn add_collected(&mut self, shard: usize) -> Result<(), Refused> {
        let (set, batches) = (self.set, &mut self.collected[shard]);
        let mut own = set.lock(shard);
        if let Some(first) = batches.first() {
            Ahead::new(first, set.starts[shard]).prefetch_from(0);
        }
        // The batch where keys wait.
        let (mut kept, mut added) = (0, Ok(()));
        for at in 0..batches.len() {
            if added.is_ok() {
                let (done, waiting) = batches.split_at_mut(at + 1);
                let ahead = waiting.first().map(|batch| Ahead::new(batch, set.starts[shard]));
                // The next one's lines are prefetched now: it should be in the cache itself.
                waiting.get(1).inspect(|batch| batch.prefetch());
                added = own.insert(self.level, &mut done[at], ahead);
            }
            while at > kept && !batches[at].is_empty() {
                let (before, batch) = batches.split_at_mut(at);
                before[kept].take_from(&mut batch[0]);
                kept += usize::from(before[kept].is_full());
            }
        }
        batches.truncate(kept + 1);
        batches.pop_if(|last| last.is_empty());
        added
    }

    /// Adds the keys that are still waiting.
    ///
    /// **Errors**: as [`Writer::insert`]; it can be called again.
    #[inline(always)]
    pub fn finish(&mut self) -> Result<(), Refused> {
        // The shard of the prefetched batch comes first: then that batch is always one of the shard's own.
        let first = self.prefetched_of;
        for shard in (first..self.batches.len()).chain(0..first) {
            while !(self.prefetched.is_empty() && self.batches[shard].is_empty()) {
                self.flush(shard)?;
            }
            while !self.collected[shard].is_empty() {
                self.add_collected(shard)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::inverse::key_of;
    use super::super::entry::{count_word, hash};
    use super::super::slice_of;
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use std::collections::HashMap;

    type Model<const N: usize> = HashMap<Entry<N>, u128>;

    fn contents<const N: usize>(set: Set<N>) -> Model<N> {
        let mut model = Model::new();
        let places = set.places;
        for (shard, part) in set.into_parts().into_iter().enumerate() {
            for (line, entry) in part.lines() {
                let key = key_of(&places, shard, line, entry);
                assert!(model.insert(key, part.count(line, entry)).is_none(), "{key:?} twice");
            }
            assert_eq!(part.lines().count(), part.keys());
        }
        model
    }

    /// Returns the key alone.
    fn keyed<const N: usize>(key: &Entry<N>) -> Entry<N> {
        let mut key = *key;
        if N != NARROW {
            key[N - 1] = 0;
        }
        key
    }

    /// Returns a key that differs in few bits, at either end, from others, and is often repeated.
    fn adversarial<const N: usize>(random: &mut ChaCha20Rng) -> Entry<N> {
        let mut key = [0; N];
        let words = if N == NARROW { N } else { N - 1 };
        let (way, at) = (random.next_u32() % 5, random.next_u32() as usize % words);
        match way {
            0 => key[at] = random.next_u32() % 4096,
            1 => key[at] = random.next_u32() << 20,
            2 => key[..words].fill(random.next_u32() % 64),
            3 => key[..words].fill(!(random.next_u32() % 64)),
            _ => key[..words].iter_mut().for_each(|word| *word = random.next_u32() & 0x8000_0001),
        }
        key
    }

    fn against_a_map<const N: usize>(
        threads: u64,
        keys: usize,
        (level, ceiling, collected): (Level, u32, usize),
        draw: impl Fn(&mut ChaCha20Rng) -> Entry<N> + Sync,
    ) {
        let mut set = Set::<N>::with_ceiling(threads as usize * keys, ceiling).unwrap();
        // A large set does not fit in a test.
        set.collected = collected;
        let model = Mutex::new(Model::<N>::new());
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let (set, model, draw) = (&set, &model, &draw);
                scope.spawn(move || {
                    let mut random = ChaCha20Rng::seed_from_u64(thread);
                    let (mut writer, mut mine) = (set.writer(level), Vec::new());
                    for _ in 0..keys {
                        let (key, count) = (draw(&mut random), 1 + u128::from(random.next_u32() % 4));
                        writer.insert(&key, count).unwrap();
                        mine.push((keyed(&key), count));
                    }
                    writer.finish().unwrap();
                    let mut model = model.lock().unwrap();
                    mine.into_iter().for_each(|(key, count)| *model.entry(key).or_default() += count);
                });
            }
        });
        let model = model.into_inner().unwrap();
        let found = contents(set);
        assert_eq!(found.len(), model.len());
        assert!(found == model, "the counts differ");
    }

    fn random_key<const N: usize>(random: &mut ChaCha20Rng) -> Entry<N> {
        std::array::from_fn(|_| random.next_u32())
    }

    #[test]
    fn keys_and_counts_are_those_of_a_map() {
        fn of_words<const N: usize>() {
            let keys = if cfg!(miri) { 300 } else { 40_000 };
            for level in Level::all() {
                for ceiling in [2, 4, 16, 1 << 31] {
                    against_a_map::<N>(3, keys, (level, ceiling, 0), random_key);
                    against_a_map::<N>(3, keys, (level, ceiling, 7), adversarial);
                    against_a_map::<N>(3, keys / 2, (level, ceiling, 7), random_key);
                    against_a_map::<N>(3, keys / 2, (level, ceiling, 0), adversarial);
                }
            }
        }
        of_words::<NARROW>();
        of_words::<4>();
        of_words::<8>();
        of_words::<11>();
    }

    #[test]
    fn key_0_is_a_key() {
        let set = Set::<4>::new(10).unwrap();
        let mut writer = set.writer(Level::detect());
        writer.insert(&[0; 4], 2).unwrap();
        writer.insert(&[0, 0, 0, 99], 3).unwrap();
        writer.finish().unwrap();
        assert_eq!(contents(set), Model::from([([0; 4], 5)]));
    }

    #[test]
    fn counts_beyond_a_word_are_exact() {
        let set = Set::<9>::new(10).unwrap();
        let (mut writer, [one, two, three]) = (set.writer(Level::detect()), [1, 2, 3].map(|word| [word; 9]));
        let huge = 1 << 100;
        writer.insert(&one, u128::from(u32::MAX) - 1).unwrap();
        writer.insert(&one, 1).unwrap();
        writer.insert(&one, 1).unwrap();
        writer.insert(&two, huge).unwrap();
        writer.insert(&two, 1).unwrap();
        writer.insert(&three, 1).unwrap();
        writer.insert(&three, huge).unwrap();
        writer.finish().unwrap();
        assert_eq!(writer.insert(&two, u128::MAX - 1), Err(Refused::TooMany));
        let summary = Summary { distinct: 3, total: None, once: 0, highest: huge + 1, with_highest: 2 };
        let total = Some(2 * (huge + 1) + (1 << 32));
        let counts = [(one, 1 << 32), (two, huge + 1), (three, huge + 1)].map(|(key, count)| (keyed(&key), count));
        let parts = set.into_parts();
        assert_eq!(Summary::of(&parts), Summary { total, ..summary });
        let parts: Vec<_> = parts.into_iter().map(|part| part.compacted().unwrap()).collect();
        assert_eq!(Summary::of(&parts), Summary { total, ..summary });
        assert_eq!(parts.iter().map(SetPart::slots).sum::<usize>(), 3);
        let found: Model<9> = parts
            .iter()
            .flat_map(|part| part.entries(0..part.slots()))
            .map(|(key, count)| (keyed(key), count))
            .collect();
        assert_eq!(found, Model::from(counts));
    }

    #[test]
    fn a_full_set_says_so_and_loses_nothing() {
        for collected in [0, 3] {
            [0, 100, 50_000].into_iter().for_each(|room| fills::<4>(room, collected));
            [LEAST_NARROW, 200_000].into_iter().for_each(|room| fills::<NARROW>(room, collected));
        }
    }

    fn fills<const N: usize>(room: usize, collected: usize) {
        for level in Level::all() {
            let mut set = Set::<N>::new(room).unwrap();
            set.collected = collected;
            let (mut writer, mut model, mut random) = (set.writer(level), Model::new(), ChaCha20Rng::seed_from_u64(1));
            let mut put = 0;
            let refused = loop {
                let key = random_key::<N>(&mut random);
                if let Err(refused) = writer.insert(&key, 1) {
                    break refused;
                }
                *model.entry(keyed(&key)).or_default() += 1;
                put += 1;
                assert!(put < 3 * room + 5000, "{room}: {put} keys and no end");
            };
            assert_eq!(refused, Refused::Full);
            assert!(put > room, "{put} of {room}");
            let _ = writer.finish();
            // Waiting keys are not added twice.
            assert_eq!(writer.finish(), Err(Refused::Full));
            let mut found: Model<N> = Model::new();
            let (places, mask) = (set.places, set.places.count_mask());
            let prefetched = (writer.prefetched_of, &*writer.prefetched);
            let collected = writer.collected.iter().enumerate();
            let collected = collected.flat_map(|(shard, batches)| batches.iter().map(move |batch| (shard, batch)));
            let batches = writer.batches.iter().enumerate().map(|(shard, batch)| (shard, &**batch));
            for (shard, batch) in batches.chain([prefetched]).chain(collected) {
                for (line, entry) in batch.entries() {
                    let key = key_of(&places, shard, line, entry);
                    *found.entry(key).or_default() += u128::from(entry[count_word::<N>()] & mask);
                }
            }
            for (key, count) in contents(set) {
                *found.entry(key).or_default() += count;
            }
            assert!(found == model, "{room}: {} keys of {}", found.len(), model.len());
        }
    }

    #[test]
    fn slices_are_even_and_apart_from_the_places() {
        let (mut random, mut quarters) = (ChaCha20Rng::seed_from_u64(3), [[0_u32; 4]; 4]);
        for _ in 0..160_000 {
            let key = [random.next_u32() % 50_000, 0, 0, 0];
            quarters[(slice_of(&key) >> 22) as usize][(hash(&key) >> 62) as usize] += 1;
        }
        assert!(quarters.iter().flatten().all(|&keys| (9_500..10_500).contains(&keys)), "{quarters:?}");
    }

    #[test]
    fn a_set_takes_little_more_than_its_entries() {
        for keys in [1_000_000, 100_000_000, 3_000_000_000] {
            let ratio = Set::<4>::entry_bytes_for(keys) as f64 / (16 * keys) as f64;
            assert!((1.0..1.35).contains(&ratio), "{keys}: {ratio}");
            // 64 bytes for five, at a load of 0.85.
            let bytes = Set::<NARROW>::entry_bytes_for(keys) as f64 / keys as f64;
            assert!((15.0..15.6).contains(&bytes), "{keys}: {bytes}");
        }
    }

    /// However many threads there are, what waits in their writers is a small part, and is planned with the set.
    #[test]
    fn the_writers_of_many_threads_are_planned_and_small() {
        for threads in [1, 2, 64, 256, 1024] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                for keys in [1, 100_000, 1_000_000, 20_000_000] {
                    let (set, entries) = (Set::<8>::bytes_for(keys), Set::<8>::entry_bytes_for(keys));
                    let waiting = set - entries;
                    // One shard is the least.
                    let batches = threads * Writer::<8>::BATCH_BYTES;
                    assert!(
                        waiting <= (2 * batches).max(entries / ENTRIES_BY_WAITING),
                        "{threads} threads, {keys} keys"
                    );
                    let shards = shape::<8>(keys).0;
                    assert_eq!(waiting, batches * (shards + 1));
                    let affordable = (entries / (2 * ENTRIES_BY_WAITING * batches)).saturating_sub(1);
                    assert!(shards >= threads.min(affordable), "{threads}: {shards}");
                }
                for keys in [50_000_000, 1_000_000_000] {
                    let (set, entries) = (Set::<8>::bytes_for(keys), Set::<8>::entry_bytes_for(keys));
                    let most = entries / ENTRIES_BY_WAITING + (entries / ENTRIES_BY_COLLECTED).min(MOST_COLLECTED);
                    assert!((entries..=entries + most).contains(&set), "{threads} threads, {keys} keys: {set}");
                }
            });
        }
    }
}
