//! The shape of a set: the number of shards, the number of lines per shard, and the number of batches that a writer
//! collects per shard. All three follow from the numbers of keys and threads.

use super::batch::InsertBatch;
use super::entry::{NARROW, in_line};
use perft_gate_simd::LINE_WORDS;

/// Number of shards per thread. With this number, two threads seldom need the same shard at once. With more shards, the
/// batches would take up more of the cache.
const SHARDS_A_THREAD: usize = 8;
/// Minimum ratio of the size of a set's entries to the size of the batches that wait in the writers of all threads. A
/// writer has a batch for each shard. With [`SHARDS_A_THREAD`] as the only limit, the writers of 256 threads took more
/// memory than the set.
const ENTRIES_BY_WAITING: usize = 8;
/// Minimum number of slots in a shard, unless it is the only one.
const MIN_SLOTS: usize = 1 << 14;
/// Returns how many of every 1024 slots are planned to be taken. The others are spare. Lines of five narrow entries can
/// be fuller than lines of four or two entries.
const fn load<const N: usize>() -> usize {
    if N == NARROW { 870 } else { 800 }
}
/// Minimum size in bytes of a large set, which is a set whose shards collect batches.
const LARGE_SET: usize = 1 << 30;
/// Approximate size in bytes of each shard of a large set.
const SHARD_BYTES: usize = 64 << 20;
/// Minimum ratio of the size of a large set's entries to the size of the batches that all threads collect.
const ENTRIES_BY_COLLECTED: usize = 16;
/// Maximum total size in bytes of the batches that all threads collect.
const MAX_COLLECTED: usize = 192 << 20;
/// Minimum number of keys that fit into a set with narrow entries. Fewer lines would leave fewer bits for counts.
pub(super) const MIN_NARROW_KEYS: usize = 1 << 17;
/// Number of spare slots for one more batch. A batch is added only if there is room for its keys even if all are new.
const SPARE_SLOTS: usize = 128;

/// Returns the number of shards of a set for `keys` keys, and the number of lines in each shard.
pub(super) fn shape<const N: usize>(keys: usize) -> (usize, usize) {
    let slots = slots_for::<N>(if N == NARROW { keys.max(MIN_NARROW_KEYS) } else { keys });
    let threads = rayon::current_num_threads();
    let bytes = slots * 4 * N;
    let small = if bytes < LARGE_SET { 0 } else { bytes / SHARD_BYTES };
    let most = (SHARDS_A_THREAD * threads).max(small).next_power_of_two();
    let affordable = bytes / ENTRIES_BY_WAITING / (threads * size_of::<InsertBatch<N>>());
    // A writer has one more batch than there are shards.
    let affordable = affordable.saturating_sub(1).max(1);
    let shards = (slots / MIN_SLOTS).next_power_of_two().min(most).min(1 << affordable.ilog2());
    // Keys fall into the shards unevenly. A deviation of more than six standard deviations never occurs in practice.
    let share = slots / shards;
    let spread = if shards > 1 { 6 * share.isqrt() } else { 0 };
    (shards, (share + spread).div_ceil(in_line::<N>()))
}

/// Returns how many batches each writer collects per shard, which is 0 unless the set is large.
pub(super) fn collected_keys<const N: usize>(keys: usize) -> usize {
    let entries = entry_bytes::<N>(keys);
    let round = rayon::current_num_threads() * shape::<N>(keys).0 * size_of::<InsertBatch<N>>();
    if entries < LARGE_SET { 0 } else { (entries / ENTRIES_BY_COLLECTED).min(MAX_COLLECTED) / round }
}

fn slots_for<const N: usize>(keys: usize) -> usize {
    let load = load::<N>();
    keys / load * 1024 + keys % load * 1024 / load + SPARE_SLOTS
}

/// Returns the number of lines of a set for `keys` keys that has only one shard.
pub(super) fn private_lines<const N: usize>(keys: usize) -> usize {
    slots_for::<N>(keys).div_ceil(in_line::<N>())
}

/// Returns the size in bytes of a set for `keys` keys, excluding the batches in its writers.
pub(super) fn entry_bytes<const N: usize>(keys: usize) -> usize {
    let (shards, lines) = shape::<N>(keys);
    shards * lines * LINE_WORDS * 4
}

#[cfg(test)]
mod tests {
    use super::super::sharded::Set;
    use super::*;

    #[test]
    fn a_set_takes_little_more_than_its_entries() {
        for keys in [1_000_000, 100_000_000, 3_000_000_000] {
            let ratio = Set::<4>::entry_bytes_for(keys) as f64 / (16 * keys) as f64;
            assert!((1.0..1.35).contains(&ratio), "{keys}: {ratio}");
            // Five keys take 64 bytes, at a load of 0.85.
            let bytes = Set::<NARROW>::entry_bytes_for(keys) as f64 / keys as f64;
            assert!((15.0..15.6).contains(&bytes), "{keys}: {bytes}");
        }
    }

    /// The size of a set includes the batches of its writers, which are small for any number of threads.
    #[test]
    fn the_writers_of_many_threads_are_planned_and_small() {
        for threads in [1, 2, 64, 256, 1024] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                for keys in [1, 100_000, 1_000_000, 20_000_000] {
                    let (set, entries) = (Set::<8>::bytes_for(keys), Set::<8>::entry_bytes_for(keys));
                    let waiting = set - entries;
                    // A writer has at least two batches, because a set has at least one shard.
                    let batches = threads * size_of::<InsertBatch<8>>();
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
                    let most = entries / ENTRIES_BY_WAITING + (entries / ENTRIES_BY_COLLECTED).min(MAX_COLLECTED);
                    assert!((entries..=entries + most).contains(&set), "{threads} threads, {keys} keys: {set}");
                }
            });
        }
    }
}
