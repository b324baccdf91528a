//! Rows in buckets: appended in any order, then read bucket by bucket.

use perft_gate_simd::Pages;
use std::ops::Range;

/// Number of rows in a block.
const BLOCK: usize = 128;
/// Number of blocks in the first allocation. Each further allocation is twice as large, up to `LAST` blocks.
const FIRST: usize = 64;
const LAST: usize = 1 << 11;

/// Rows of `N` words in buckets. A bucket is a list of blocks that never move.
#[derive(Debug)]
pub(super) struct Buckets<const N: usize> {
    buckets: Vec<Bucket>,
    /// Blocks of all buckets, in large pages.
    memory: Vec<Pages<[u32; N]>>,
    /// Number of blocks in use in the last allocation.
    used: usize,
    bytes: usize,
    is_short: bool,
}

/// The location of a row: the index of its allocation, and the index of the row within that allocation.
#[derive(Clone, Copy, Default, Debug)]
struct RowPlace {
    memory: usize,
    row: usize,
}

#[derive(Clone, Default, Debug)]
struct Bucket {
    blocks: Vec<RowPlace>,
    next: RowPlace,
    /// Number of free rows in the last block.
    room: usize,
}

impl<const N: usize> Buckets<N> {
    /// Returns `buckets` empty buckets.
    pub(super) fn new(buckets: usize) -> Buckets<N> {
        let bytes = buckets * size_of::<Bucket>();
        let buckets = vec![Bucket::default(); buckets];
        Buckets { buckets, memory: Vec::new(), used: 0, bytes, is_short: false }
    }

    /// Appends a row to a bucket. The row is lost if there is no memory for it: see [`Buckets::is_short`].
    #[inline(always)]
    pub(super) fn push(&mut self, bucket: usize, row: [u32; N]) {
        let bucket = &mut self.buckets[bucket];
        if bucket.room == 0 && !begin(bucket, &mut self.memory, &mut self.used, &mut self.bytes) {
            self.is_short = true;
            return;
        }
        self.memory[bucket.next.memory][bucket.next.row] = row;
        bucket.next.row += 1;
        bucket.room -= 1;
    }

    /// Returns true if a row was lost because the system provided no memory for it.
    pub(super) fn is_short(&self) -> bool {
        self.is_short
    }

    pub(super) fn has_rows(&self, buckets: Range<usize>) -> bool {
        self.buckets[buckets].iter().any(|bucket| !bucket.blocks.is_empty())
    }

    pub(super) fn rows(&self, bucket: usize) -> impl Iterator<Item = &[[u32; N]]> {
        let Bucket { blocks, room, .. } = &self.buckets[bucket];
        blocks.iter().enumerate().map(move |(number, block)| {
            let rows = BLOCK - if number + 1 == blocks.len() { *room } else { 0 };
            &self.memory[block.memory][block.row..block.row + rows]
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Begins a new block of a bucket. Returns false if there is no memory for it.
#[cold]
#[inline(never)]
fn begin<const N: usize>(
    bucket: &mut Bucket,
    memory: &mut Vec<Pages<[u32; N]>>,
    used: &mut usize,
    bytes: &mut usize,
) -> bool {
    let blocks = memory.last().map_or(0, |memory| memory.len() / BLOCK);
    if *used == blocks {
        let blocks = (2 * blocks).clamp(FIRST, LAST);
        let Ok(pages) = Pages::new_zeroed(blocks * BLOCK) else { return false };
        memory.push(pages);
        *bytes += blocks * BLOCK * size_of::<[u32; N]>();
        *used = 0;
    }
    bucket.next = RowPlace { memory: memory.len() - 1, row: *used * BLOCK };
    bucket.blocks.push(bucket.next);
    bucket.room = BLOCK;
    *bytes += size_of::<RowPlace>();
    *used += 1;
    true
}

/// Writes rows to `sorted`, ordered by part. Returns the index of each part's first row, then the total number of rows.
pub(super) fn sort_blocks<const N: usize>(
    blocks: &[&[[u32; N]]],
    parts: usize,
    part: impl Fn(&[u32; N]) -> usize,
    sorted: &mut Vec<[u32; N]>,
) -> Vec<usize> {
    let mut starts = vec![0; parts + 2];
    let rows = || blocks.iter().copied().flatten();
    // Each count is stored two places ahead, so `starts[part + 1]` is the next free index while rows are written.
    rows().for_each(|row| starts[part(row) + 2] += 1);
    (2..parts + 2).for_each(|at| starts[at] += starts[at - 1]);
    sorted.clear();
    sorted.resize(starts[parts + 1], [0; N]);
    for row in rows() {
        let at = &mut starts[part(row) + 1];
        sorted[*at] = *row;
        *at += 1;
    }
    starts.pop();
    starts
}
