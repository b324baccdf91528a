//! A set of keys with a count of how often each was added: insert-only, exact, shared by many threads.
//!
//! **Entries** are `N` words of 32 bits, the key followed by its count: four words for a key of 96 bits, eight for a
//! position. Three words also suffice for a key of 96 bits and its count, because the entry's place encodes the missing
//! bits (`entry.rs`). A count of zero marks an empty slot, so the key 0 is a key like any other. A count of `ceiling`
//! or more is kept in a map next to the table, and its entry holds `ceiling` instead.
//!
//! **Shards.** A hash of the key selects the shard and the place in it. A shard is plain memory behind a mutex. Each
//! thread has a [`Writer`](super::Writer) that collects keys by shard and adds them in batches. So one lock serves a
//! whole batch, and dozens of memory reads run in parallel.
//!
//! **A large set** has more pages than the TLB holds. Adding a key at a random place must also wait for the page
//! tables, and on a virtual machine for the host's page tables. So the shards of a large set are small, and each
//! collects many batches. These batches are then added one after another, and share page tables that stay in the cache.
//! With collected batches, 10^8 keys of 96 bits were added 1.26 times as fast (0.93 to 2.09, nine rounds, one thread of
//! a virtual Zen 3 server). The ratio depends on the host's pages: if they are large, collecting gains nothing.
//!
//! **A full shard** ends the insertion with [`Full`](super::Full). Nothing is lost: keys that are not in the set are
//! still in the writer. A set never grows, because it does not know the memory limit.
//!
//! The hash only places keys. All bits of keys are compared, and keys that differ in few bits are spread as evenly as
//! others. The low 24 bits of the hash have next to no effect on the place, so they select the *slice*
//! ([`slice_of`](super::slice_of)).

use super::batch::InsertBatch;
use super::entry::{Entry, KeyPlaces};
use super::filling::{Summary, large_bytes};
use super::shape::{collected_keys, entry_bytes, private_lines, shape};
use super::shard::Shard;
use crate::parallel::in_parallel;
use perft_gate_simd::LINE_WORDS;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A set of keys with counts.
#[derive(Debug)]
pub struct Set<const N: usize> {
    pub(super) shards: Vec<Mutex<Shard<N>>>,
    /// Address of each shard's first line.
    pub(super) starts: Vec<usize>,
    pub(super) places: KeyPlaces<N>,
    pub(super) ceiling: u32,
    /// Number of batches that each writer collects per shard.
    pub(super) collected: usize,
}

/// Returns the highest power of two that a count with this mask can hold.
const fn highest_ceiling(count_mask: u32) -> u32 {
    1 << count_mask.ilog2()
}

impl<const N: usize> Set<N> {
    /// Returns an empty set with room for `keys` keys.
    ///
    /// **Errors**: the system does not provide the memory.
    pub fn new(keys: usize) -> io::Result<Set<N>> {
        Set::of_shape(shape::<N>(keys), highest_ceiling(u32::MAX), collected_keys::<N>(keys))
    }

    /// Returns the size in bytes of a set for `keys` keys, including the writers of all threads.
    pub fn bytes_for(keys: usize) -> usize {
        // A writer has one more batch than there are shards.
        let batches = shape::<N>(keys).0 * (1 + collected_keys::<N>(keys)) + 1;
        Self::entry_bytes_for(keys) + rayon::current_num_threads() * batches * size_of::<InsertBatch<N>>()
    }

    /// Returns the size in bytes of a set for `keys` keys, excluding the writers.
    pub fn entry_bytes_for(keys: usize) -> usize {
        entry_bytes::<N>(keys)
    }

    /// Returns the maximum size in bytes of the counts that do not fit their entries, if the counts of `keys` keys add
    /// up to `total`.
    pub fn large_bytes_for(keys: usize, total: u128) -> usize {
        let (shards, lines) = shape::<N>(keys);
        let ceiling = highest_ceiling(KeyPlaces::<N>::new(shards.ilog2(), lines).count_mask());
        large_bytes::<N>() * (total / u128::from(ceiling)).min(keys as u128) as usize
    }

    /// Returns an empty set with `shards` shards of `lines` lines. It keeps counts of `ceiling` or more in a map.
    /// `ceiling` must be a power of two.
    pub(super) fn of_shape((shards, lines): (usize, usize), ceiling: u32, collected: usize) -> io::Result<Set<N>> {
        let places = KeyPlaces::new(shards.ilog2(), lines);
        let mask = places.count_mask();
        let ceiling = ceiling.min(highest_ceiling(mask));
        let shards = (0..shards).map(|_| Shard::new(lines, mask, ceiling)).collect::<io::Result<Vec<_>>>()?;
        let starts = shards.iter().map(Shard::start).collect();
        Ok(Set { shards: shards.into_iter().map(Mutex::new).collect(), starts, places, ceiling, collected })
    }

    /// Returns an empty set with room for `keys` keys, for use by one thread.
    ///
    /// **Errors**: the system does not provide the memory.
    pub(crate) fn private(keys: usize) -> io::Result<Set<N>> {
        Set::of_shape((1, private_lines::<N>(keys)), highest_ceiling(u32::MAX), 0)
    }

    /// Returns the size in bytes of a set for one thread with room for `keys` keys.
    pub(crate) fn private_bytes_for(keys: usize) -> usize {
        private_lines::<N>(keys) * LINE_WORDS * 4
    }

    /// Appends all entries of the set to `entries`. Returns false if any count is too large for its entry.
    pub(crate) fn append_to(&mut self, entries: &mut Vec<Entry<N>>) -> bool {
        let mut shards = self.shards.iter_mut().map(|shard| shard.get_mut().unwrap_or_else(PoisonError::into_inner));
        shards.all(|shard| shard.append_to(entries))
    }

    /// Empties the set. Returns the summary and the ratio of keys to slots that it had before.
    pub(crate) fn take_summary(&mut self) -> (Summary, f64) {
        let (mut summary, mut keys, mut slots) = (Summary::default(), 0, 0);
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            summary = summary.and(shard.summary());
            (keys, slots) = (keys + shard.keys(), slots + shard.slots());
            shard.clear();
        }
        (summary, keys as f64 / slots as f64)
    }

    /// Returns the number of extra bytes needed to compact a full set, one shard after another.
    pub fn compacting_bytes_for(keys: usize) -> usize {
        Self::entry_bytes_for(keys) / shape::<N>(keys).0
    }

    pub(super) fn lock(&self, shard: usize) -> MutexGuard<'_, Shard<N>> {
        // A shard is consistent after every key, so the panic that poisoned the lock did no damage.
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn into_parts(self) -> Vec<Shard<N>> {
        self.shards.into_iter().map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }
}

impl Summary {
    pub fn new<const N: usize>(shards: &[Shard<N>]) -> Summary {
        let summaries = in_parallel(shards.len(), &|shard| shards[shard].summary());
        summaries.into_iter().fold(Summary::default(), Summary::and)
    }
}
