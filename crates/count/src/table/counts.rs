//! A transposition table of counts. Each count is the number of leaf nodes at a given depth below a position.
//!
//! Threads share it without locks. An entry is two words: the **data**, with 4 bits of depth and 60 bits of count, and
//! the **tag** xor the data. The words of a torn entry come from different writes, so their xor is neither write's tag
//! (R. Hyatt and T. Mann, "A lockless transposition-table implementation for parallel search", ICGA Journal 25(1),
//! 2002).
//!
//! **How wrong can it be?** The key has 128 random bits. Two different positions agree in any given 64 of them with
//! probability exactly 2^-64, and the two halves are independent. The upper half selects the bucket. The tag is the
//! whole lower half xored with a fixed term for the depth. So each comparison with another position's entry, in any
//! bucket, is a false match with probability 2^-64. A torn entry yields tag ^ data ^ data', where data was written with
//! that tag and data' was not. If the tag belongs to another position, its xor with the probed tag is uniform and
//! equals the constant data ^ data' with probability 2^-64 again (counts do not depend on keys). If the tag is the
//! probed one, the entry matches only if both data words are equal. Tags of the probed position at two depths differ by
//! a constant of 2^53 or more. So a whole entry of another depth never matches, and a torn one matches only if its two
//! data words differ by exactly this constant. The expected number of wrong hits is at most the number of comparisons
//! times 2^-64. [`TableStats`] counts the comparisons: four per probe, one for each entry of the bucket.
//!
//! With [`EntryMatch::Position`], the stored position itself is compared, so no hit is ever wrong. Such an entry is
//! five words. A bucket holds three entries and a sequence number, which is odd during a write. A reader that sees an
//! odd or a changed number reports a miss (a seqlock, H.-J. Boehm, "Can seqlocks get along with programming language
//! memory models?", 2012).

use super::entries::{MAX_COUNT, MAX_DEPTH, exact, tagged};
use super::stats::{Misses, TableStats};
use perft_gate_chess::{Board, EnPassantPolicy, Packed};
use perft_gate_simd::{Memory, inline_all, prefetch};
use perft_gate_zobrist::Key;
use std::io;
use std::num::NonZeroU64;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

/// The terms that are xored into the tags, one for each depth. They are the first outputs of SplitMix64 with seed zero.
const DEPTH_TERMS: [u64; MAX_DEPTH as usize + 1] = {
    let (mut terms, mut depth) = ([0; _], 0);
    while depth < terms.len() {
        let state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(depth as u64 + 1);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        terms[depth] = mixed ^ mixed >> 31;
        depth += 1;
    }
    terms
};
const _: () = {
    let (mut one, all) = (0, DEPTH_TERMS.len());
    while one < all {
        let mut other = 0;
        while other < one {
            assert!((DEPTH_TERMS[one] ^ DEPTH_TERMS[other]) & MAX_COUNT >= 1 << 53);
            other += 1;
        }
        one += 1;
    }
};

/// How a table decides whether an entry belongs to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryMatch {
    /// Compares 64 bits of the position's key.
    Tag,
    /// Compares the whole position.
    Position,
}

/// A position in the form that a table uses for comparison.
#[derive(Clone, Copy, Debug)]
pub struct ProbeKey {
    key: Key,
    /// The packed position if the table compares positions, else zeros.
    planes: [u64; 4],
}

#[inline(always)]
fn tag(key: Key, depth: u32) -> u64 {
    key.0 as u64 ^ DEPTH_TERMS[depth as usize]
}

/// A table of counts by position and depth, shared by all threads.
#[derive(Debug)]
pub struct PerftTable {
    memory: Memory,
    buckets: u64,
    identity: EntryMatch,
    /// Seed of the keys.
    seed: u64,
    tally: Mutex<TableStats>,
}

impl PerftTable {
    /// Creates an empty table of at most `bytes` bytes, but with at least one bucket. All of its pages are touched on
    /// the current rayon pool.
    ///
    /// **Errors**: the system does not have that much memory.
    pub fn new(bytes: u64, identity: EntryMatch) -> io::Result<PerftTable> {
        PerftTable::with_progress(bytes, identity, |_| true)
    }

    /// Like [`new`](PerftTable::new), but reports progress, because touching gigabytes takes seconds. Before a piece of
    /// memory is touched, `goes_on` is called with its size in bytes. If `goes_on` returns false, the piece is skipped.
    ///
    /// **Errors**: the system does not have that much memory.
    pub fn with_progress(
        bytes: u64,
        identity: EntryMatch,
        goes_on: impl Fn(usize) -> bool + Sync,
    ) -> io::Result<PerftTable> {
        let words = PerftTable::words(identity);
        let buckets = (bytes / (words * size_of::<u64>()) as u64).max(1);
        let memory = Memory::new(words * buckets as usize)?;
        memory.touch(goes_on);
        Ok(PerftTable { memory, buckets, identity, seed: 0, tally: Mutex::default() })
    }

    /// Changes the seed for the keys of an empty table. Counts with different seeds have no wrong hit in common.
    pub fn with_seed(self, seed: u64) -> PerftTable {
        PerftTable { seed, ..self }
    }

    /// Returns the seed of the keys, which is 0 unless another seed was set.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Empties the table on the threads of the current rayon pool, and resets its statistics.
    pub fn clear(&mut self) {
        self.memory.clear();
        *self.tally.get_mut().unwrap_or_else(PoisonError::into_inner) = TableStats::default();
    }

    const fn words(identity: EntryMatch) -> usize {
        match identity {
            EntryMatch::Tag => tagged::WORDS,
            EntryMatch::Position => exact::WORDS,
        }
    }

    /// Maximum number of entries that one probe compares.
    pub const MAX_COMPARED: f64 = tagged::ENTRIES as f64;

    /// Returns the number of bytes per entry, including the entry's share of the bucket's other words.
    pub fn bytes_per_entry(identity: EntryMatch) -> f64 {
        let entries = if identity == EntryMatch::Tag { 4.0 } else { 3.0 };
        (PerftTable::words(identity) * size_of::<u64>()) as f64 / entries
    }

    /// Returns how entries are matched to positions.
    pub fn identity(&self) -> EntryMatch {
        self.identity
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        self.buckets * (PerftTable::words(self.identity) * size_of::<u64>()) as u64
    }

    /// Returns the statistics reported so far.
    pub fn tally(&self) -> TableStats {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a thread's statistics `done` to the statistics of the table, and resets `done`.
    pub fn report(&self, done: &mut TableStats) {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).add(&std::mem::take(done));
    }
}

#[inline_all]
impl PerftTable {
    /// Returns the bucket of a key. Its index is the number of buckets multiplied by the upper half of the key, taken
    /// as a fraction of 2^64.
    fn bucket<const WORDS: usize>(&self, key: Key) -> &[AtomicU64; WORDS] {
        let number = ((key.0 >> 64) * u128::from(self.buckets)) >> 64;
        &self.memory.words().as_chunks::<WORDS>().0[number as usize]
    }

    /// Returns a position in the form that this table uses for comparison.
    pub fn probe_key(&self, key: Key, board: &Board) -> ProbeKey {
        let planes = match self.identity {
            EntryMatch::Tag => [0; 4],
            EntryMatch::Position => Packed::new(board, EnPassantPolicy::Legal).planes(),
        };
        ProbeKey { key, planes }
    }

    /// Prefetches the buckets of the given keys. Only for [`EntryMatch::Tag`].
    ///
    /// Keep this loop separate from the one that computes the keys. A prefetch completes only once its address is
    /// translated, and the processor waits for that translation if too few prefetches follow closely. When each
    /// prefetch directly followed the computation of its key, a count with a table of 2 GiB on a virtual machine took
    /// 1.3 times as long.
    pub fn prefetch_keys(&self, keys: &[Key]) {
        for &key in keys {
            prefetch(self.bucket::<{ tagged::WORDS }>(key));
        }
    }

    /// Prefetches a position's bucket.
    pub fn prefetch(&self, probe_key: &ProbeKey) {
        match self.identity {
            EntryMatch::Tag => self.prefetch_keys(&[probe_key.key]),
            EntryMatch::Position => {
                let bucket = self.bucket::<{ exact::WORDS }>(probe_key.key);
                prefetch(&bucket[0]);
                prefetch(&bucket[exact::WORDS / 2]);
            }
        }
    }

    /// Returns the number of leaf nodes `depth` plies below a position if the table holds it.
    pub fn probe(&self, probe_key: &ProbeKey, depth: u32, tally: &mut TableStats) -> Option<u64> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (data, compared) = match self.identity {
            EntryMatch::Tag => (self.find_key(probe_key.key, depth), tagged::ENTRIES),
            EntryMatch::Position => exact::find(self.bucket(probe_key.key), &probe_key.planes, depth.into()),
        };
        tally.count_probes(1, compared, usize::from(data.is_some()));
        data.map(|data| data.get() & MAX_COUNT)
    }

    /// Returns the data stored for a position's key and a depth, if any.
    fn find_key(&self, key: Key, depth: u32) -> Option<NonZeroU64> {
        tagged::find(self.bucket(key), tag(key, depth))
    }

    /// Looks up the positions with the given keys. Returns the total number of leaf nodes `depth` plies below the
    /// positions found, and lists the indices of the missing positions in `misses`. Only for a table that compares
    /// tags. At most [`MAX_MOVES`](perft_gate_chess::MAX_MOVES) keys are allowed.
    pub fn sum_of_known(&self, keys: &[Key], depth: u32, misses: &mut Misses, tally: &mut TableStats) -> u128 {
        misses.clear();
        if depth > MAX_DEPTH {
            keys.iter().enumerate().for_each(|(number, _)| misses.push(number, true));
            return 0;
        }
        let mut sum = 0;
        for (number, &key) in keys.iter().enumerate() {
            let data = self.find_key(key, depth);
            sum += u128::from(data.map_or(0, |data| data.get() & MAX_COUNT));
            misses.push(number, data.is_none());
        }
        tally.count_probes(keys.len(), tagged::ENTRIES * keys.len(), keys.len() - misses.numbers().len());
        sum
    }

    /// Stores the number of leaf nodes `depth` plies below a position.
    pub fn store(&self, probe_key: &ProbeKey, depth: u32, count: u128, tally: &mut TableStats) {
        if self.identity == EntryMatch::Tag {
            return self.store_key(probe_key.key, depth, count, tally);
        }
        if let Some(data) = tally.pack_entry(depth, count) {
            tally.count_store(exact::put(self.bucket(probe_key.key), &probe_key.planes, data));
        }
    }

    /// Stores the number of leaf nodes `depth` plies below the position with this key, in a table that compares tags.
    pub fn store_key(&self, key: Key, depth: u32, count: u128, tally: &mut TableStats) {
        if let Some(data) = tally.pack_entry(depth, count) {
            tally.count_store(tagged::put(self.bucket(key), tag(key, depth), data));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stats::expected_wrong_hits;
    use super::*;
    use perft_gate_chess::Fen;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use std::collections::HashMap;

    const DEPTH: u32 = 2;

    #[test]
    fn what_is_stored_is_found_until_it_gives_way() {
        let board = Fen::parse(Fen::START).unwrap();
        for identity in [EntryMatch::Tag, EntryMatch::Position] {
            let (table, mut tally) = (PerftTable::new(1 << 16, identity).unwrap(), TableStats::default());
            assert!(table.bytes() <= 1 << 16);
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let mut truth = HashMap::new();
            for round in 0..20_000_u64 {
                let key = Key(u128::from(random.next_u64()) << 64 | u128::from(random.next_u64()));
                // If the table compares positions, all keys have the same position, so only the bucket differs.
                let count = if identity == EntryMatch::Tag { random.next_u64() >> 4 } else { 20 };
                table.store(&table.probe_key(key, &board), DEPTH, count.into(), &mut tally);
                truth.insert(key, count);
                if round % 7 == 0 {
                    for (&key, &count) in truth.iter().take(20) {
                        let found = table.probe(&table.probe_key(key, &board), DEPTH, &mut tally);
                        assert!(found.is_none_or(|found| found == count));
                        assert_eq!(table.probe(&table.probe_key(key, &board), DEPTH + 1, &mut tally), None);
                    }
                }
            }
            assert!(tally.hits > 0 && tally.probes > tally.hits && tally.comparisons > tally.probes);
            assert_eq!(tally.evictions > 10_000, identity == EntryMatch::Tag);
            table.store(&table.probe_key(Key(1), &board), DEPTH, u128::from(MAX_COUNT) + 1, &mut tally);
            table.store(&table.probe_key(Key(2), &board), MAX_DEPTH + 1, 5, &mut tally);
            assert_eq!(tally.too_large, 2);
            assert_eq!(table.probe(&table.probe_key(Key(2), &board), MAX_DEPTH + 1, &mut tally), None);
        }
    }

    #[test]
    fn a_position_has_an_entry_for_each_depth() {
        let board = Fen::parse(Fen::START).unwrap();
        for identity in [EntryMatch::Tag, EntryMatch::Position] {
            let (table, mut tally) = (PerftTable::new(1 << 7, identity).unwrap(), TableStats::default());
            let probe_key = table.probe_key(Key(0x0123_4567_89ab_cdef), &board);
            let depths = [2, 3, MAX_DEPTH];
            for depth in depths {
                assert_eq!(table.probe(&probe_key, depth, &mut tally), None);
                table.store(&probe_key, depth, u128::from(depth) * 100, &mut tally);
            }
            let found = depths.map(|depth| table.probe(&probe_key, depth, &mut tally));
            assert_eq!(found, depths.map(|depth| Some(u64::from(depth) * 100)), "{identity:?}");
            assert_eq!(table.probe(&probe_key, 4, &mut tally), None);
        }
    }

    /// Stores two positions that differ in a single bit. A table that compares less than a whole tag or position would
    /// confuse them.
    #[test]
    fn a_single_bit_tells_positions_apart() {
        let probe_key = |bit: Option<u32>, plane: usize| {
            let mut probe_key = ProbeKey { key: Key(0x0123_4567_89ab_cdef), planes: [1, 2, 3, 4] };
            match bit {
                Some(bit) if plane < 4 => probe_key.planes[plane] ^= 1 << bit,
                Some(bit) => probe_key.key = Key(probe_key.key.0 ^ 1 << bit),
                None => {}
            }
            probe_key
        };
        let differs_in = |identity, planes: std::ops::Range<usize>| {
            for (plane, bit) in planes.flat_map(|plane| (0..64).map(move |bit| (plane, bit))) {
                let (table, mut tally) = (PerftTable::new(1 << 7, identity).unwrap(), TableStats::default());
                let (one, other) = (probe_key(None, 0), probe_key(Some(bit), plane));
                table.store(&one, DEPTH, 400, &mut tally);
                assert_eq!(table.probe(&other, DEPTH, &mut tally), None, "{identity:?}: bit {bit} of {plane}");
                table.store(&other, DEPTH, 25, &mut tally);
                let found = [one, other].map(|probe_key| table.probe(&probe_key, DEPTH, &mut tally));
                assert_eq!(found, [Some(400), Some(25)], "{identity:?}: bit {bit} of {plane}");
            }
        };
        // The tag is the lower half of the key.
        differs_in(EntryMatch::Tag, 4..5);
        differs_in(EntryMatch::Position, 0..4);
    }

    /// Returns a key whose two halves both depend on the number.
    fn key(number: u128) -> Key {
        Key(number.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
    }

    /// Any compared tag may belong to another position, so the bound on wrong hits covers all four tags of a bucket for
    /// every kind of query.
    #[test]
    fn every_entry_of_a_bucket_that_is_looked_at_is_counted() {
        let keys: Vec<Key> = (1..=5).map(key).collect();
        let board = Fen::parse(Fen::START).unwrap();
        let (table, mut misses) = (PerftTable::new(1 << 12, EntryMatch::Tag).unwrap(), Misses::NONE);
        table.store_key(keys[3], DEPTH, 400, &mut TableStats::default());
        let mut tally = TableStats::default();
        assert_eq!(table.sum_of_known(&keys, DEPTH, &mut misses, &mut tally), 400);
        let expected = TableStats { probes: 5, hits: 1, comparisons: 20, ..TableStats::default() };
        assert_eq!(tally, expected);
        assert_eq!(expected_wrong_hits(tally.comparisons), 20.0 / 2_f64.powi(64));
        table.probe(&table.probe_key(keys[0], &board), DEPTH, &mut tally);
        assert_eq!((tally.probes, tally.hits, tally.comparisons), (6, 1, 24));
    }

    /// At a depth that no entry can have, nothing is found, so every key is listed as a miss.
    #[test]
    fn below_the_greatest_depth_of_an_entry_every_child_is_a_miss() {
        let keys = [1, 2, 3].map(key);
        let (table, mut tally) = (PerftTable::new(1 << 12, EntryMatch::Tag).unwrap(), TableStats::default());
        for (depth, expected) in [(MAX_DEPTH, vec![1]), (MAX_DEPTH + 1, vec![0, 1, 2]), (MAX_DEPTH + 40, vec![0, 1, 2])]
        {
            for key in [keys[0], keys[2]] {
                table.store_key(key, depth, 30, &mut tally);
            }
            let mut misses = Misses::NONE;
            let sum = table.sum_of_known(&keys, depth, &mut misses, &mut tally);
            assert_eq!(misses.numbers().collect::<Vec<_>>(), expected, "depth {depth}");
            assert_eq!(sum, 30 * (3 - expected.len() as u128), "depth {depth}");
        }
        assert_eq!(tally.too_large, 4);
    }
}
