//! One thread's access to a set: a writer, which collects keys by shard and adds them in batches.

use super::batch::{Ahead, InsertBatch};
use super::entry::{Entry, KeyPlace};
use super::filling::Full;
use super::hash::{SLICES, slice_of};
use super::sharded::Set;
use perft_gate_simd::Level;
use std::ops::Range;

/// Number of keys of the selected slices that are gathered before they are inserted together.
const TAKEN: usize = 32;

impl<const N: usize> Set<N> {
    /// Returns a writer for one thread, which compares keys with the instructions of this level.
    pub fn writer(&self, level: Level) -> Writer<'_, N> {
        let empty = || Box::new(InsertBatch::EMPTY);
        let batches = (0..self.shards.len()).map(|_| empty()).collect();
        let collected = self.shards.iter().map(|_| Vec::new()).collect();
        Writer { set: self, level, batches, collected, prefetched: empty(), prefetched_of: 0 }
    }
}

/// One thread's access to a set.
#[derive(Debug)]
pub struct Writer<'s, const N: usize> {
    set: &'s Set<N>,
    level: Level,
    /// One batch for each shard. It is never full between two calls, except after an error.
    batches: Vec<Box<InsertBatch<N>>>,
    /// The batches collected for each shard of a large set.
    collected: Vec<Vec<InsertBatch<N>>>,
    /// The batch whose lines were prefetched most recently.
    prefetched: Box<InsertBatch<N>>,
    /// Shard of `prefetched`.
    prefetched_of: usize,
}

impl<const N: usize> Writer<'_, N> {
    /// Adds a key `count` times. The key may wait in the writer until [`Writer::finish`] is called. Ignores the last
    /// word of a `key` of four words or more.
    ///
    /// **Errors**: a shard is full. The key is then not added, and the waiting keys stay in the writer.
    #[inline(always)]
    pub fn insert(&mut self, key: &Entry<N>, count: u128) -> Result<(), Full> {
        self.insert_each([*key], count)
    }

    /// Adds those keys that belong to `slices`, each of them `count` times, as [`Writer::insert`] does.
    ///
    /// **Errors**: like [`Writer::insert`]. The refused key and those after it are not added.
    #[inline(always)]
    pub fn insert_all(
        &mut self,
        keys: impl IntoIterator<Item = Entry<N>>,
        slices: &Range<u32>,
        count: u128,
    ) -> Result<(), Full> {
        if slices.len() == SLICES as usize {
            return self.insert_each(keys, count);
        }
        // Whether a key is in `slices` is unpredictable, so no branch depends on it.
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

    #[inline(always)]
    fn insert_each(&mut self, keys: impl IntoIterator<Item = Entry<N>>, count: u128) -> Result<(), Full> {
        // A local copy, because the compiler cannot know that writing to a batch does not change the set.
        let places = self.set.places;
        let is_large = count >= u128::from(self.set.ceiling);
        for key in keys {
            let KeyPlace { shard, line, entry } = places.place(&key);
            if is_large {
                // A copy, so that `entry` itself need not be in memory. Otherwise its words would be stored one by one
                // and loaded together, and the load would wait for the stores.
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
    fn insert_large(&self, shard: usize, line: u32, entry: Entry<N>, count: u128) -> Result<(), Full> {
        self.set.lock(shard).insert_large(line, entry, count)
    }

    /// Makes room in a batch: prefetches its lines while the previously prefetched batch is added. In a large set the
    /// batch is collected instead.
    #[inline(never)]
    fn flush(&mut self, shard: usize) -> Result<(), Full> {
        if self.set.collected > 0 {
            return self.collect(shard);
        }
        let ahead = Ahead::new(&self.batches[shard], self.set.starts[shard]);
        let mut own = self.set.lock(self.prefetched_of);
        own.insert(self.level, &mut self.prefetched, Some(ahead))?;
        // Keys whose line was full go back to their shard's batch, where they almost always fit.
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

    /// Moves a batch to its shard's collected batches. If there is no room, adds the collected batches first.
    fn collect(&mut self, shard: usize) -> Result<(), Full> {
        while self.collected[shard].len() >= self.set.collected {
            self.add_collected(shard)?;
        }
        let collected = &mut self.collected[shard];
        collected.reserve_exact(self.set.collected - collected.len());
        collected.extend_from_slice(std::slice::from_ref(&*self.batches[shard]));
        self.batches[shard].clear();
        Ok(())
    }

    /// Adds the batches that a shard has collected. Keys whose line is full are moved to the first of these batches and
    /// wait there for the next call. Adding them now would stall, because their next lines were not prefetched. Keys
    /// for which the shard has no room wait there, too.
    fn add_collected(&mut self, shard: usize) -> Result<(), Full> {
        let (set, batches) = (self.set, &mut self.collected[shard]);
        let mut own = set.lock(shard);
        if let Some(first) = batches.first() {
            Ahead::new(first, set.starts[shard]).prefetch_from(0);
        }
        // Index of the batch that receives waiting keys.
        let (mut kept, mut added) = (0, Ok(()));
        for at in 0..batches.len() {
            if added.is_ok() {
                let (done, waiting) = batches.split_at_mut(at + 1);
                let ahead = waiting.first().map(|batch| Ahead::new(batch, set.starts[shard]));
                // `insert` prefetches the lines of the next batch. The batch after that is itself prefetched here,
                // because it lists the lines to prefetch next.
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

    /// Adds the keys that are still waiting in the writer.
    ///
    /// **Errors**: like [`Writer::insert`]. After an error, `finish` can be called again.
    #[inline(always)]
    pub fn finish(&mut self) -> Result<(), Full> {
        // Starts with the prefetched batch's shard, so that this batch always belongs to the current shard.
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
    use super::super::entry::{NARROW, count_word};
    use super::super::filling::Summary;
    use super::super::shape::{MIN_NARROW_KEYS, shape};
    use super::super::shard::Shard;
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use std::collections::HashMap;
    use std::sync::Mutex;

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

    /// Returns the key without its count.
    fn keyed<const N: usize>(key: &Entry<N>) -> Entry<N> {
        let mut key = *key;
        if N != NARROW {
            key[N - 1] = 0;
        }
        key
    }

    /// Returns a key that differs from other keys in only a few bits at either end, and that is often repeated.
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
        draw: fn(&mut ChaCha20Rng) -> Entry<N>,
    ) {
        // Only sets too large for a test collect keys into batches, so the test chooses the size with `collected`.
        let set = Set::<N>::of_shape(shape::<N>(threads as usize * keys), ceiling, collected).unwrap();
        let model = Mutex::new(Model::<N>::new());
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let (set, model) = (&set, &model);
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
            let keys = if cfg!(miri) { 300 } else { 15_000 };
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
    }

    #[test]
    fn counts_beyond_a_word_are_exact_up_to_the_greatest_number() {
        let set = Set::<4>::new(10).unwrap();
        let mut writer = set.writer(Level::detect());
        for (key, count) in [([1; 4], u128::MAX - 1), ([1; 4], 5), ([2; 4], 5)] {
            writer.insert(&key, count).unwrap();
        }
        writer.finish().unwrap();
        let summary = Summary::new(&set.into_parts());
        assert_eq!((summary.distinct, summary.highest, summary.total), (2, u128::MAX, u128::MAX));

        let set = Set::<8>::new(10).unwrap();
        let (mut writer, [one, two, three]) = (set.writer(Level::detect()), [1, 2, 3].map(|word| [word; 8]));
        let huge = 1 << 100;
        let most = u128::from(u32::MAX) - 1;
        for (key, count) in [(one, most), (one, 1), (one, 1), (two, huge), (two, 1), (three, 1), (three, huge)] {
            writer.insert(&key, count).unwrap();
        }
        writer.finish().unwrap();
        let total = 2 * (huge + 1) + (1 << 32);
        let summary = Summary { distinct: 3, total, once: 0, highest: huge + 1, with_highest: 2 };
        let counts = [(one, 1 << 32), (two, huge + 1), (three, huge + 1)].map(|(key, count)| (keyed(&key), count));
        let parts = set.into_parts();
        assert_eq!(Summary::new(&parts), summary);
        let parts: Vec<_> = parts.into_iter().map(|part| part.compact().unwrap()).collect();
        assert_eq!(Summary::new(&parts), summary);
        assert_eq!(parts.iter().map(Shard::slots).sum::<usize>(), 3);
        let found: Model<8> = parts
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
            [MIN_NARROW_KEYS, 200_000].into_iter().for_each(|room| fills::<NARROW>(room, collected));
        }
    }

    fn fills<const N: usize>(room: usize, collected: usize) {
        for level in Level::all() {
            let mut set = Set::<N>::new(room).unwrap();
            set.collected = collected;
            let (mut writer, mut model, mut random) = (set.writer(level), Model::new(), ChaCha20Rng::seed_from_u64(1));
            let mut put = 0;
            loop {
                let key = random_key::<N>(&mut random);
                if writer.insert(&key, 1).is_err() {
                    break;
                }
                *model.entry(keyed(&key)).or_default() += 1;
                put += 1;
                assert!(put < 3 * room + 5000, "{room}: {put} keys and no end");
            }
            assert!(put > room, "{put} of {room}");
            let _ = writer.finish();
            // Waiting keys are not added twice.
            assert_eq!(writer.finish(), Err(Full));
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
}
