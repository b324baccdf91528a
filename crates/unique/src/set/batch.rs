//! Batches of keys on their way into a shard.
//!
//! Memory takes hundreds of nanoseconds to answer, but answers many requests in parallel. So the lines of a batch are
//! prefetched before the batch is added, usually while the preceding batch is added ([`Ahead`]), and no key has to wait
//! for its line. (Prefetching each line as soon as its key arrives took a tenth more time: with a batch waiting per
//! shard, the lines did not stay in the first-level cache.)
//!
//! A prefetch instruction completes when its address is translated. A quick translation is best hidden by issuing each
//! prefetch between two additions. In a set of 0.4 GiB, this added 36 million 96-bit keys per second. Issuing many in a
//! row added only 23 million (one thread, Zen 3). In a large set, translation is slow, so the shards collect batches.

use super::entry::{Entry, count_word, displace};
use super::filling::Full;
use perft_gate_simd::{LINE_WORDS, prefetch_address};

/// Number of keys in a batch: enough to overlap memory latencies and to amortise the lock, and few enough to keep a
/// thread's batches in its cache.
pub(super) const BATCH: usize = 64;

/// Keys that wait to be added to a shard, each with the line where its search starts.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct InsertBatch<const N: usize> {
    pub(super) entries: [Entry<N>; BATCH],
    pub(super) lines: [u32; BATCH],
    pub(super) waiting: usize,
}

impl<const N: usize> InsertBatch<N> {
    pub(super) const EMPTY: InsertBatch<N> = InsertBatch { entries: [[0; N]; BATCH], lines: [0; BATCH], waiting: 0 };

    pub(super) fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    pub(super) fn clear(&mut self) {
        self.waiting = 0;
    }

    #[inline(always)]
    pub(super) fn prefetch(&self) {
        let start = std::ptr::from_ref(self).addr();
        (0..size_of::<Self>()).step_by(LINE_WORDS * size_of::<u32>()).for_each(|at| prefetch_address(start + at));
    }

    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.waiting == BATCH
    }

    /// Adds a key with its count. The batch must not be full.
    #[inline(always)]
    pub(super) fn push(&mut self, mut entry: Entry<N>, count: u32, line: u32) {
        entry[count_word::<N>()] |= count;
        self.put(self.waiting, entry, line);
        self.waiting += 1;
    }

    #[inline(always)]
    fn put(&mut self, number: usize, entry: Entry<N>, line: u32) {
        self.entries[number] = entry;
        self.lines[number] = line;
    }

    /// Returns the waiting keys with their counts, each with its line.
    #[cfg(test)]
    pub(super) fn entries(&self) -> impl Iterator<Item = (u32, &Entry<N>)> {
        self.lines[..self.waiting].iter().copied().zip(&self.entries)
    }

    /// Keeps only the keys numbered in `stuck`, whose lines were full, and moves each key on to the next line.
    ///
    /// **Errors**: a key is already at the maximum distance from its own line.
    #[inline(always)]
    pub(super) fn settle(&mut self, stuck: &[u8], last: u32, count_mask: u32) -> Result<(), Full> {
        let mut can_move = true;
        for (kept, &number) in stuck.iter().enumerate() {
            let (mut entry, line) = (self.entries[number as usize], self.lines[number as usize]);
            let next = if line == last { 0 } else { line + 1 };
            let moves = displace(&mut entry, count_mask);
            self.put(kept, entry, if moves { next } else { line });
            can_move &= moves;
        }
        self.waiting = stuck.len();
        if can_move { Ok(()) } else { Err(Full) }
    }

    /// Moves as many keys as fit from another batch into this one.
    pub(super) fn take_from(&mut self, other: &mut InsertBatch<N>) {
        while !self.is_full() && other.waiting > 0 {
            other.waiting -= 1;
            self.put(self.waiting, other.entries[other.waiting], other.lines[other.waiting]);
            self.waiting += 1;
        }
    }
}

/// Lines that a later batch needs. They are prefetched while another batch is added.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'a, const N: usize> {
    batch: &'a InsertBatch<N>,
    /// Address of the first line of the batch's shard.
    lines: usize,
}

impl<'a, const N: usize> Ahead<'a, N> {
    pub(super) fn new(batch: &'a InsertBatch<N>, lines: usize) -> Ahead<'a, N> {
        Ahead { batch, lines }
    }

    #[inline(always)]
    pub(super) fn prefetch_from(&self, number: usize) {
        (number..self.batch.waiting).for_each(|number| self.prefetch(number));
    }

    /// Prefetches the table's line for the key at index `number` of the batch. If there is no such key, prefetches some
    /// other line.
    #[inline(always)]
    pub(super) fn prefetch(&self, number: usize) {
        let line = self.batch.lines[number % BATCH] as usize;
        prefetch_address(self.lines.wrapping_add(line * LINE_WORDS * size_of::<u32>()));
    }
}
