//! Entries of the table of counts, in buckets that threads read and write without locks.
//!
//! The module [`counts`](super::counts) describes the words, and shows that an entry with words of two writers is
//! unlikely to match. In the tests, a model checker tries all orders of events that a few preemptions allow.

use perft_gate_simd::inline_all;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Number of low bits of the data word that hold the count. The remaining bits hold the depth.
pub(super) const COUNT_BITS: u32 = 60;

pub(super) const MAX_COUNT: u64 = (1 << COUNT_BITS) - 1;
pub(super) const MAX_DEPTH: u32 = 15;

/// A word that threads share. It is a trait so that a model checker can substitute its own type.
pub(super) trait Word {
    fn load(&self, order: Ordering) -> u64;
    fn store(&self, value: u64, order: Ordering);
    fn exchange(&self, old: u64, new: u64) -> bool;
    fn fence(order: Ordering);
}

#[inline_all]
impl Word for AtomicU64 {
    fn load(&self, order: Ordering) -> u64 {
        AtomicU64::load(self, order)
    }
    fn store(&self, value: u64, order: Ordering) {
        AtomicU64::store(self, value, order);
    }
    fn exchange(&self, old: u64, new: u64) -> bool {
        self.compare_exchange(old, new, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
    fn fence(order: Ordering) {
        fence(order);
    }
}

/// The outcome of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stored {
    /// Stored in an empty slot.
    New,
    /// Stored over another entry.
    Evicting,
    /// Not stored: the entry was already present, or another thread is writing to the bucket.
    Not,
}

pub(super) const fn data(depth: u32, count: u64) -> u64 {
    (depth as u64) << COUNT_BITS | count
}

/// Buckets of four tagged entries, each bucket one cache line long.
pub(super) mod tagged {
    use super::{Ordering, Stored, Word};
    use std::hint::select_unpredictable;
    use std::num::NonZeroU64;

    pub const WORDS: usize = 8;

    pub const ENTRIES: usize = WORDS / 2;

    /// Returns the data of the entry with this tag, if present.
    #[inline(always)]
    pub fn find<W: Word>(bucket: &[W; WORDS], tag: u64) -> Option<NonZeroU64> {
        let mut found = 0;
        // No branch depends on the entries. Which slot holds a position, if any, cannot be predicted, and a
        // misprediction would be noticed only after the memory access. The data of an empty entry is zero.
        for entry in bucket.as_chunks::<2>().0 {
            let (mixed, data) = (entry[0].load(Ordering::Relaxed), entry[1].load(Ordering::Relaxed));
            found = select_unpredictable(mixed ^ data == tag, data, found);
        }
        NonZeroU64::new(found)
    }

    /// Overwrites an empty entry if there is one. Otherwise overwrites the entry with the smallest count among those of
    /// the least depth.
    #[inline(always)]
    pub fn put<W: Word>(bucket: &[W; WORDS], tag: u64, data: u64) -> Stored {
        let entries = bucket.as_chunks::<2>().0;
        let (mut victim, mut least) = (&entries[0], u64::MAX);
        for entry in entries {
            let (mixed, old) = (entry[0].load(Ordering::Relaxed), entry[1].load(Ordering::Relaxed));
            if old == data && mixed == tag ^ data {
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

/// Buckets of two cache lines: a sequence number, then three entries that store whole positions.
pub(super) mod exact {
    use super::{COUNT_BITS, Ordering, Stored, Word};
    use std::num::NonZeroU64;

    pub const WORDS: usize = 16;
    const ENTRY: usize = 5;

    /// Returns the data for this position and depth if an entry is found and the bucket does not change during the
    /// read. Also returns the number of compared entries.
    #[inline(always)]
    pub fn find<W: Word>(bucket: &[W; WORDS], position: &[u64; 4], depth: u64) -> (Option<NonZeroU64>, usize) {
        let (sequence, entries) = bucket.split_first().expect("a sequence number");
        let before = sequence.load(Ordering::Acquire);
        if before & 1 != 0 {
            return (None, 0);
        }
        let mut found = (None, 3);
        for (i, entry) in entries.as_chunks::<ENTRY>().0.iter().enumerate() {
            let data = entry[0].load(Ordering::Relaxed);
            let same = (0..4).all(|plane| entry[1 + plane].load(Ordering::Relaxed) == position[plane]);
            if data >> COUNT_BITS == depth && same {
                found = (NonZeroU64::new(data), i + 1);
                break;
            }
        }
        W::fence(Ordering::Acquire);
        if sequence.load(Ordering::Relaxed) == before { found } else { (None, found.1) }
    }

    #[inline(always)]
    pub fn put<W: Word>(bucket: &[W; WORDS], position: &[u64; 4], data: u64) -> Stored {
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

#[cfg(test)]
mod tests {
    use super::*;

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

    fn name(number: u64) -> u64 {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
    }

    fn position(number: u64) -> [u64; 4] {
        std::array::from_fn(|plane| name(number + 10 * plane as u64))
    }

    fn put_tagged<W: Word>(bucket: &[W; tagged::WORDS], number: u64, count: u64) {
        tagged::put(bucket, name(number), data(DEPTH, count));
    }

    fn get_tagged<W: Word>(bucket: &[W; tagged::WORDS], number: u64) -> Option<u64> {
        tagged::find(bucket, name(number)).map(u64::from)
    }

    /// Checks a reader while two writers compete for a slot, in every order of events that the memory model allows with
    /// a bounded number of preemptions. The reader must find either nothing or data that was stored for its position.
    fn fight<const WORDS: usize>(
        interrupted: usize,
        full: impl Fn(&[loom::sync::atomic::AtomicU64; WORDS]) + Sync + Send + Copy + 'static,
        put: fn(&[loom::sync::atomic::AtomicU64; WORDS], u64, u64),
        find: fn(&[loom::sync::atomic::AtomicU64; WORDS], u64) -> Option<u64>,
    ) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(interrupted);
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

    #[test]
    fn no_order_of_events_mixes_tagged_entries() {
        fight(3, deeper_tagged, put_tagged, get_tagged);
    }

    /// Shows that tags that are not xored with the data would fail: the second tag is found with the first count.
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
        fight(3, |_| (), put, find);
    }

    fn find_exact<W: Word>(bucket: &[W; exact::WORDS], number: u64) -> Option<u64> {
        exact::find(bucket, &position(number), DEPTH.into()).0.map(u64::from)
    }

    fn fight_for_whole_positions(interrupted: usize) {
        fn put<W: Word>(bucket: &[W; exact::WORDS], number: u64, count: u64) {
            exact::put(bucket, &position(number), data(DEPTH, count));
        }
        fn deeper<W: Word>(bucket: &[W; exact::WORDS]) {
            for number in 3..5 {
                exact::put(bucket, &position(number), data(DEPTH + 1, 1000));
            }
        }
        fight(interrupted, deeper, put, find_exact);
    }

    #[test]
    fn no_order_of_events_mixes_whole_positions() {
        fight_for_whole_positions(2);
    }

    #[test]
    #[ignore = "half a minute on one core"]
    fn no_order_of_more_events_mixes_whole_positions() {
        fight_for_whole_positions(3);
    }

    #[test]
    fn the_entry_of_the_least_work_gives_way() {
        let bucket: [AtomicU64; tagged::WORDS] = bucket(AtomicU64::new);
        // As in the real table, the tag depends on the depth.
        let tag = |number, depth: u32| name(number + 100 * u64::from(depth));
        let put = |number, depth, count| tagged::put(&bucket, tag(number, depth), data(depth, count));
        let holds = |number, depth| tagged::find(&bucket, tag(number, depth)).is_some();
        for (number, depth, count) in [(1, 2, 50), (2, 2, 40), (3, 3, 9), (4, 5, 1)] {
            assert_eq!(put(number, depth, count), Stored::New);
        }
        assert_eq!(put(3, 3, 9), Stored::Not);
        assert_eq!(put(5, 2, 60), Stored::Evicting);
        assert!(!holds(2, 2) && holds(5, 2) && holds(1, 2));
        assert_eq!(put(1, 4, 7), Stored::Evicting);
        assert!(!holds(1, 2) && holds(1, 4));
    }
}
