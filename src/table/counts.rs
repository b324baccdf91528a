//! The transposition table of counts: how many leaves lie so many plies below a position.
//!
//! Threads share it without locks. An entry is two words: the **data**, four bits of depth and sixty of count, and the
//! **tag** xor the data, so that an entry of which one word is another write's does not show its tag (R. Hyatt and
//! T. Mann, "A lockless transposition-table implementation for parallel search", ICGA Journal 25(1), 2002).
//!
//! **How wrong can it be?** The key has 128 bits, drawn so that two different positions agree in any 64 of them with
//! probability 2^-64 exactly, and in the two halves independently. The upper half picks the bucket, the whole lower half
//! is the tag: so each comparison with another position's entry, whatever bucket they met in, is wrong with probability
//! 2^-64. A torn entry shows tag ^ data ^ data' for the tag of some position: if that is another position than ours, the
//! xor of the two tags is uniform and equals the constant data ^ data' with probability 2^-64 again (counts do not depend
//! on keys); if it is ours, the two data words are equal or the tag does not match. The expected number of wrong hits is
//! at most the number of comparisons times 2^-64, and [`Tally`] counts those.
//!
//! With [`Identity::Position`] the stored position itself is compared: no hit is ever wrong. Such an entry is five words,
//! and three share a bucket with a sequence number that is odd while somebody writes: a reader that saw it change has
//! found nothing (a seqlock, H.-J. Boehm, "Can seqlocks get along with programming language memory models?", 2012).

use super::memory::Memory;
use crate::chess::{Board, EnPassantPolicy, Packed};
use crate::cpu::prefetch;
use crate::keys::Key;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Mutex, PoisonError};

/// Larger counts are not stored.
const MAX_COUNT: u64 = (1 << COUNT_BITS) - 1;
const COUNT_BITS: u32 = 60;
/// Deeper trees are not stored.
const MAX_DEPTH: u32 = 15;

/// By what an entry is known to be of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// 64 bits of its key.
    Tag,
    /// The position itself.
    Position,
}

/// A position as a table knows it.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    key: Key,
    /// Where positions are compared, the packed position.
    planes: [u64; 4],
}

/// What was done with a table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Positions asked for.
    pub probes: u64,
    /// Found.
    pub hits: u64,
    /// Entries whose tag, or position, was compared with one asked for.
    pub comparisons: u64,
    /// Written.
    pub stores: u64,
    /// Written over an entry of another position.
    pub evictions: u64,
    /// Not stored, since the count or the depth is too large.
    pub too_large: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.comparisons += other.comparisons;
        self.stores += other.stores;
        self.evictions += other.evictions;
        self.too_large += other.too_large;
    }

    /// The expected number of hits that are another position's, at most; with tags.
    pub fn expected_wrong_hits(&self) -> f64 {
        self.comparisons as f64 * (-64_f64).exp2()
    }
}

/// A word that threads share. A model checker has its own.
trait Word {
    fn load(&self, order: Ordering) -> u64;
    fn store(&self, value: u64, order: Ordering);
    fn exchange(&self, old: u64, new: u64) -> bool;
    fn fence(order: Ordering);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn load(&self, order: Ordering) -> u64 {
        AtomicU64::load(self, order)
    }
    #[inline(always)]
    fn store(&self, value: u64, order: Ordering) {
        AtomicU64::store(self, value, order);
    }
    #[inline(always)]
    fn exchange(&self, old: u64, new: u64) -> bool {
        self.compare_exchange(old, new, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
    #[inline(always)]
    fn fence(order: Ordering) {
        fence(order);
    }
}

/// What became of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stored {
    /// In an empty place.
    New,
    /// In the place of another.
    Evicting,
    /// It was there, or another thread writes there just now.
    Not,
}

const fn data(depth: u32, count: u64) -> u64 {
    (depth as u64) << COUNT_BITS | count
}

/// Four tagged entries: a line of the cache.
mod tagged {
    use super::{Ordering, Stored, Word};

    pub(super) const WORDS: usize = 8;

    /// The data of this tag and depth, and how many entries were compared.
    #[inline(always)]
    pub(super) fn find<W: Word>(bucket: &[W; WORDS], tag: u64, depth: u64) -> (Option<u64>, u64) {
        for (i, entry) in bucket.as_chunks::<2>().0.iter().enumerate() {
            let (mixed, data) = (entry[0].load(Ordering::Relaxed), entry[1].load(Ordering::Relaxed));
            if mixed ^ data == tag && data >> super::COUNT_BITS == depth {
                return (Some(data), i as u64 + 1);
            }
        }
        (None, 4)
    }

    /// Writes over the entry that took the least work: the shallowest, of those the one of the smallest count. An empty
    /// entry took none.
    #[inline(always)]
    pub(super) fn put<W: Word>(bucket: &[W; WORDS], tag: u64, data: u64) -> Stored {
        let entries = bucket.as_chunks::<2>().0;
        let (mut victim, mut least) = (&entries[0], u64::MAX);
        for entry in entries {
            let (mixed, old) = (entry[0].load(Ordering::Relaxed), entry[1].load(Ordering::Relaxed));
            if old == data && mixed ^ old == tag {
                return Stored::Not;
            }
            if old < least {
                (victim, least) = (entry, old);
            }
        }
        victim[0].store(tag ^ data, Ordering::Relaxed);
        victim[1].store(data, Ordering::Relaxed);
        if least == 0 { Stored::New } else { Stored::Evicting }
    }
}

/// Three entries with their positions, and a sequence number: two lines of the cache.
mod exact {
    use super::{Ordering, Stored, Word};

    pub(super) const WORDS: usize = 16;
    const ENTRY: usize = 5;

    /// The data of this position and depth, if it could be read in one piece, and how many entries were compared.
    #[inline(always)]
    pub(super) fn find<W: Word>(bucket: &[W; WORDS], position: &[u64; 4], depth: u64) -> (Option<u64>, u64) {
        let (sequence, entries) = bucket.split_first().expect("a sequence number");
        let before = sequence.load(Ordering::Acquire);
        if before & 1 != 0 {
            return (None, 0);
        }
        let mut found = (None, 3);
        for (i, entry) in entries.as_chunks::<ENTRY>().0.iter().enumerate() {
            let data = entry[0].load(Ordering::Relaxed);
            let same = (0..4).all(|plane| entry[1 + plane].load(Ordering::Relaxed) == position[plane]);
            if data >> super::COUNT_BITS == depth && same {
                found = (Some(data), i as u64 + 1);
                break;
            }
        }
        W::fence(Ordering::Acquire);
        if sequence.load(Ordering::Relaxed) == before { found } else { (None, found.1) }
    }

    #[inline(always)]
    pub(super) fn put<W: Word>(bucket: &[W; WORDS], position: &[u64; 4], data: u64) -> Stored {
        let (sequence, entries) = bucket.split_first().expect("a sequence number");
        let before = sequence.load(Ordering::Relaxed);
        if before & 1 != 0 || !sequence.exchange(before, before + 1) {
            return Stored::Not;
        }
        W::fence(Ordering::Release);
        let entries = entries.as_chunks::<ENTRY>().0;
        let (mut victim, mut least) = (&entries[0], u64::MAX);
        let mut known = false;
        for entry in entries {
            let old = entry[0].load(Ordering::Relaxed);
            known |= old == data && (0..4).all(|plane| entry[1 + plane].load(Ordering::Relaxed) == position[plane]);
            if old < least {
                (victim, least) = (entry, old);
            }
        }
        if !known {
            victim[0].store(data, Ordering::Relaxed);
            for (word, plane) in victim[1..].iter().zip(position) {
                word.store(*plane, Ordering::Relaxed);
            }
        }
        sequence.store(before + 2, Ordering::Release);
        match (known, least) {
            (true, _) => Stored::Not,
            (false, 0) => Stored::New,
            (false, _) => Stored::Evicting,
        }
    }
}

/// Counts by position and depth, shared by all threads.
#[derive(Debug)]
pub struct Counts {
    memory: Memory,
    buckets: u64,
    identity: Identity,
    tally: Mutex<Tally>,
}

impl Counts {
    /// An empty table of at most so many bytes, and at least one bucket. Its pages are there: the current rayon pool has
    /// touched them.
    ///
    /// **Errors**: the system has not so much memory to give.
    pub fn new(bytes: u64, identity: Identity) -> io::Result<Counts> {
        let words = Counts::words(identity);
        let buckets = (bytes / (words * size_of::<u64>()) as u64).max(1);
        let memory = Memory::new(words * buckets as usize)?;
        memory.touch();
        Ok(Counts { memory, buckets, identity, tally: Mutex::default() })
    }

    /// Forgets everything, on the current rayon pool.
    pub fn clear(&mut self) {
        self.memory.clear();
        *self.tally.get_mut().unwrap_or_else(PoisonError::into_inner) = Tally::default();
    }

    const fn words(identity: Identity) -> usize {
        match identity {
            Identity::Tag => tagged::WORDS,
            Identity::Position => exact::WORDS,
        }
    }

    /// How many entries a position asked for is compared with, at most.
    pub const COMPARED_AT_MOST: f64 = 4.0;

    /// Bytes for each entry.
    pub fn bytes_per_entry(identity: Identity) -> f64 {
        match identity {
            Identity::Tag => (tagged::WORDS * size_of::<u64>()) as f64 / 4.0,
            Identity::Position => (exact::WORDS * size_of::<u64>()) as f64 / 3.0,
        }
    }

    /// By what entries are known.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// Bytes of it.
    pub fn bytes(&self) -> u64 {
        self.buckets * (Counts::words(self.identity) * size_of::<u64>()) as u64
    }

    /// All that was done with it, as far as it was reported.
    pub fn tally(&self) -> Tally {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over what a thread did with it.
    pub fn report(&self, done: &mut Tally) {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).add(&std::mem::take(done));
    }

    /// The bucket of a key: its upper half as a fraction of their number.
    #[inline(always)]
    fn bucket<const WORDS: usize>(&self, key: Key) -> &[AtomicU64; WORDS] {
        let number = ((key.0 >> 64) * u128::from(self.buckets)) >> 64;
        &self.memory.words().as_chunks::<WORDS>().0[number as usize]
    }

    /// How this table knows a position.
    #[inline(always)]
    pub fn wanted(&self, key: Key, board: &Board) -> Wanted {
        let planes = match self.identity {
            Identity::Tag => [0; 4],
            Identity::Position => Packed::of(board, EnPassantPolicy::Legal).planes(),
        };
        Wanted { key, planes }
    }

    /// Asks the memory for a position's bucket.
    #[inline(always)]
    pub fn prefetch(&self, wanted: &Wanted) {
        match self.identity {
            Identity::Tag => prefetch(self.bucket::<{ tagged::WORDS }>(wanted.key)),
            Identity::Position => {
                let bucket = self.bucket::<{ exact::WORDS }>(wanted.key);
                prefetch(&bucket[0]);
                prefetch(&bucket[exact::WORDS / 2]);
            }
        }
    }

    /// The leaves `depth` plies below a position, if they are known.
    #[inline(always)]
    pub fn probe(&self, wanted: &Wanted, depth: u32, tally: &mut Tally) -> Option<u64> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (found, compared) = match self.identity {
            Identity::Tag => tagged::find(self.bucket(wanted.key), wanted.key.0 as u64, depth.into()),
            Identity::Position => exact::find(self.bucket(wanted.key), &wanted.planes, depth.into()),
        };
        tally.probes += 1;
        tally.comparisons += compared;
        tally.hits += u64::from(found.is_some());
        found.map(|data| data & MAX_COUNT)
    }

    /// Stores the leaves `depth` plies below a position.
    #[inline(always)]
    pub fn store(&self, wanted: &Wanted, depth: u32, count: u128, tally: &mut Tally) {
        if depth > MAX_DEPTH || count > MAX_COUNT.into() {
            tally.too_large += 1;
            return;
        }
        let data = data(depth, count as u64);
        let stored = match self.identity {
            Identity::Tag => tagged::put(self.bucket(wanted.key), wanted.key.0 as u64, data),
            Identity::Position => exact::put(self.bucket(wanted.key), &wanted.planes, data),
        };
        tally.stores += u64::from(stored != Stored::Not);
        tally.evictions += u64::from(stored == Stored::Evicting);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Fen;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use std::collections::HashMap;

    impl Word for loom::sync::atomic::AtomicU64 {
        fn load(&self, order: Ordering) -> u64 {
            loom::sync::atomic::AtomicU64::load(self, order)
        }
        fn store(&self, value: u64, order: Ordering) {
            loom::sync::atomic::AtomicU64::store(self, value, order);
        }
        fn exchange(&self, old: u64, new: u64) -> bool {
            self.compare_exchange(old, new, Ordering::Acquire, Ordering::Relaxed).is_ok()
        }
        fn fence(order: Ordering) {
            loom::sync::atomic::fence(order);
        }
    }

    fn bucket<W: Word, const WORDS: usize>(word: impl Fn(u64) -> W) -> [W; WORDS] {
        std::array::from_fn(|_| word(0))
    }

    const DEPTH: u32 = 2;

    /// Some tag, or position.
    fn name(number: u64) -> u64 {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
    }

    fn position(number: u64) -> [u64; 4] {
        std::array::from_fn(|plane| name(number + 10 * plane as u64))
    }

    fn put_tagged<W: Word>(bucket: &[W; tagged::WORDS], number: u64, count: u64) {
        tagged::put(bucket, name(number), data(DEPTH, count));
    }

    /// What a reader may find while two writers fight for a place, in every order of events that the memory model
    /// allows: nothing, or what was stored of the position asked for.
    fn fight<const WORDS: usize>(
        full: impl Fn(&[loom::sync::atomic::AtomicU64; WORDS]) + Sync + Send + Copy + 'static,
        put: fn(&[loom::sync::atomic::AtomicU64; WORDS], u64, u64),
        find: fn(&[loom::sync::atomic::AtomicU64; WORDS], u64) -> Option<u64>,
    ) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let shared = loom::sync::Arc::new(bucket(loom::sync::atomic::AtomicU64::new));
            full(&shared);
            let writers: Vec<_> = [1, 2]
                .map(|number| {
                    let shared = loom::sync::Arc::clone(&shared);
                    loom::thread::spawn(move || put(&shared, number, 100 + number))
                })
                .into();
            for number in [1, 2] {
                let found = find(&shared, number);
                assert!(found.is_none_or(|data| data == super::data(DEPTH, 100 + number)), "{number}: {found:x?}");
            }
            writers.into_iter().for_each(|writer| writer.join().unwrap());
        });
    }

    fn deeper_tagged<W: Word>(bucket: &[W; tagged::WORDS]) {
        for number in 3..6 {
            tagged::put(bucket, name(number), data(DEPTH + 1, 1000));
        }
    }

    fn find_tagged<W: Word>(bucket: &[W; tagged::WORDS], number: u64) -> Option<u64> {
        tagged::find(bucket, name(number), DEPTH.into()).0
    }

    #[test]
    fn no_order_of_events_mixes_tagged_entries() {
        fight(deeper_tagged, put_tagged, find_tagged);
    }

    /// The same with tags that are stored as they are: the second tag is found with the first count.
    #[test]
    #[should_panic(expected = "2: Some(2000000000000065)")]
    fn tags_alone_would_mix() {
        fn put<W: Word>(bucket: &[W; tagged::WORDS], number: u64, count: u64) {
            bucket[0].store(name(number), Ordering::Relaxed);
            bucket[1].store(data(DEPTH, count), Ordering::Relaxed);
        }
        fn find<W: Word>(bucket: &[W; tagged::WORDS], number: u64) -> Option<u64> {
            let (tag, data) = (bucket[0].load(Ordering::Relaxed), bucket[1].load(Ordering::Relaxed));
            (tag == name(number) && data != 0).then_some(data)
        }
        fight(|_| (), put, find);
    }

    fn find_exact<W: Word>(bucket: &[W; exact::WORDS], number: u64) -> Option<u64> {
        exact::find(bucket, &position(number), DEPTH.into()).0
    }

    #[test]
    fn no_order_of_events_mixes_whole_positions() {
        fn put<W: Word>(bucket: &[W; exact::WORDS], number: u64, count: u64) {
            exact::put(bucket, &position(number), data(DEPTH, count));
        }
        fn deeper<W: Word>(bucket: &[W; exact::WORDS]) {
            for number in 3..5 {
                exact::put(bucket, &position(number), data(DEPTH + 1, 1000));
            }
        }
        fight(deeper, put, find_exact);
    }

    #[test]
    fn the_entry_of_the_least_work_gives_way() {
        let bucket: [AtomicU64; tagged::WORDS] = bucket(AtomicU64::new);
        let put = |number, depth, count| tagged::put(&bucket, name(number), data(depth, count));
        let holds = |number, depth: u32| tagged::find(&bucket, name(number), depth.into()).0.is_some();
        for (number, depth, count) in [(1, 2, 50), (2, 2, 40), (3, 3, 9), (4, 5, 1)] {
            assert_eq!(put(number, depth, count), Stored::New);
        }
        assert_eq!(put(3, 3, 9), Stored::Not);
        assert_eq!(put(5, 2, 60), Stored::Evicting);
        assert!(!holds(2, 2) && holds(5, 2) && holds(1, 2));
        assert_eq!(put(1, 4, 7), Stored::Evicting);
        assert!(!holds(1, 2) && holds(1, 4) && !holds(1, 3), "a position has an entry for each depth");
    }

    #[test]
    fn what_is_stored_is_found_until_it_gives_way() {
        let board = Fen::parse(Fen::START).unwrap();
        for identity in [Identity::Tag, Identity::Position] {
            let (table, mut tally) = (Counts::new(1 << 16, identity).unwrap(), Tally::default());
            assert!(table.bytes() <= 1 << 16);
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let mut truth = HashMap::new();
            for round in 0..20_000_u64 {
                let key = Key(u128::from(random.next_u64()) << 64 | u128::from(random.next_u64()));
                // With whole positions all of these are one and the same: what differs is the bucket.
                let count = if identity == Identity::Tag { random.next_u64() >> 4 } else { 20 };
                table.store(&table.wanted(key, &board), DEPTH, count.into(), &mut tally);
                truth.insert(key, count);
                if round % 7 == 0 {
                    for (&key, &count) in truth.iter().take(20) {
                        let found = table.probe(&table.wanted(key, &board), DEPTH, &mut tally);
                        assert!(found.is_none_or(|found| found == count));
                        assert_eq!(table.probe(&table.wanted(key, &board), DEPTH + 1, &mut tally), None);
                    }
                }
            }
            assert!(tally.hits > 0 && tally.probes > tally.hits && tally.comparisons > tally.probes);
            assert_eq!(tally.evictions > 10_000, identity == Identity::Tag);
            table.store(&table.wanted(Key(1), &board), DEPTH, u128::from(MAX_COUNT) + 1, &mut tally);
            table.store(&table.wanted(Key(2), &board), MAX_DEPTH + 1, 5, &mut tally);
            assert_eq!(tally.too_large, 2);
            assert_eq!(table.probe(&table.wanted(Key(2), &board), MAX_DEPTH + 1, &mut tally), None);
        }
    }

    #[test]
    fn another_position_is_not_taken_for_this_one() {
        let [one, other] = [Fen::START, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"].map(|fen| Fen::parse(fen).unwrap());
        let (table, mut tally) = (Counts::new(1 << 12, Identity::Position).unwrap(), Tally::default());
        // The same key for both, as no scheme excludes.
        table.store(&table.wanted(Key(7), &one), DEPTH, 400, &mut tally);
        assert_eq!(table.probe(&table.wanted(Key(7), &other), DEPTH, &mut tally), None);
        table.store(&table.wanted(Key(7), &other), DEPTH, 25, &mut tally);
        assert_eq!(table.probe(&table.wanted(Key(7), &one), DEPTH, &mut tally), Some(400));
        assert_eq!(table.probe(&table.wanted(Key(7), &other), DEPTH, &mut tally), Some(25));
    }
}
