//! Rows in buckets: appended in any order, then read bucket by bucket.

/// Number of rows in a block.
const BLOCK: usize = 128;

/// Rows of `N` words, in buckets of blocks that are never moved.
#[derive(Debug)]
pub(super) struct Buckets<const N: usize> {
    buckets: Vec<Vec<Vec<[u32; N]>>>,
    blocks: usize,
}

impl<const N: usize> Buckets<N> {
    /// Returns so many empty buckets.
    pub(super) fn new(buckets: usize) -> Buckets<N> {
        Buckets { buckets: vec![Vec::new(); buckets], blocks: 0 }
    }

    /// Appends a row to a bucket.
    #[inline(always)]
    pub(super) fn push(&mut self, bucket: usize, row: [u32; N]) {
        match self.buckets[bucket].last_mut() {
            Some(block) if block.len() < BLOCK => block.push(row),
            _ => self.begin(bucket, row),
        }
    }

    /// Begins a block with a row.
    #[cold]
    #[inline(never)]
    fn begin(&mut self, bucket: usize, row: [u32; N]) {
        let mut block = Vec::with_capacity(BLOCK);
        block.push(row);
        self.buckets[bucket].push(block);
        self.blocks += 1;
    }

    /// Returns the rows of a bucket.
    pub(super) fn blocks(&self, bucket: usize) -> impl Iterator<Item = &[[u32; N]]> {
        self.buckets[bucket].iter().map(Vec::as_slice)
    }

    /// Returns the number of bytes of all blocks.
    pub(super) fn bytes(&self) -> usize {
        self.blocks * BLOCK * size_of::<[u32; N]>()
    }
}

/// Writes rows to `sorted`, part by part, and the number of the first row of each part, and of none after the last, to `starts`.
pub(super) fn sorted<const N: usize>(
    blocks: &[&[[u32; N]]],
    parts: usize,
    part: impl Fn(&[u32; N]) -> usize,
    sorted: &mut Vec<[u32; N]>,
    starts: &mut Vec<usize>,
) {
    starts.clear();
    starts.resize(parts + 2, 0);
    let rows = || blocks.iter().copied().flatten();
    // Two places further: while rows are written, the place before counts where the next one goes.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_by_part_and_none_is_lost() {
        let mut buckets = Buckets::<2>::new(3);
        (0..1000_u32).for_each(|row| buckets.push(row as usize % 3, [row, row.wrapping_mul(0x9e37_79b9) >> 28]));
        let (mut all, mut rows, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for bucket in 0..3 {
            let blocks: Vec<_> = buckets.blocks(bucket).collect();
            sorted(&blocks, 16, |row| row[1] as usize, &mut rows, &mut starts);
            assert_eq!((starts.len(), starts[0], starts[16]), (17, 0, rows.len()));
            for part in 0..16 {
                assert!(rows[starts[part]..starts[part + 1]].iter().all(|row| row[1] as usize == part));
            }
            all.extend(rows.iter().map(|row| row[0]));
        }
        all.sort_unstable();
        assert!(all.into_iter().eq(0..1000));
    }
}
