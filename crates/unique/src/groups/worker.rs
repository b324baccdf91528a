//! How one worker counts groups: it takes one chunk at a time and splits it into parts whose children share a table.

use super::buckets::{Buckets, sort_blocks};
use super::children::{ChildRule, ChildSink, entry_of_row};
use super::rows::{GroupRow, ROW};
use crate::entries::POSITION;
use crate::error::UniqueError;
use crate::expand::ExpandError;
use crate::set::{Entry, Full, Set, Shard, Summary, Writer};
use perft_gate_chess::Packed;
use perft_gate_simd::{Level, Token, kernel};

/// Approximate number of positions whose children are counted in one table.
const TOGETHER: usize = 512;
/// Size in bytes at which kept positions are moved into a [`Shard`]: the size of a large page, or less if memory is
/// short. Many small shards would take long to free, because only one thread frees them.
const PART_BYTES: usize = 2 << 20;

/// The counts of all groups.
#[derive(Default, Debug)]
pub(crate) struct GroupCounts {
    pub(crate) positions: Summary,
    pub(crate) children: u64,
    /// Maximum fill ratio of a table.
    pub(crate) load: f64,
    /// Maximum number of bytes taken up by rows, tables, kept positions and captures that wait for their group.
    pub(crate) bytes: usize,
    /// The distinct positions, if they are to be kept and not just counted.
    pub(crate) kept: Vec<Shard<POSITION>>,
}

/// Positions of a few groups (a part of a chunk), and the lists that receive their children.
pub(super) struct PartRows<'a, const N: usize, const W: usize> {
    rows: &'a [GroupRow],
    quiet: &'a mut Vec<Entry<N>>,
    taken: &'a mut Buckets<W>,
    chunk_bits: u32,
}

/// Lists the children of positions, and returns how many of the children belong to another group than their parent.
pub(super) type ExpandPart<'f, const N: usize, const W: usize> = dyn Fn(PartRows<'_, N, W>) -> u64 + Sync + 'f;

/// Kernel that lists the children of positions, and returns how many are in another group than their parent.
#[kernel(common_only = C::COMMON_ONLY)]
pub(super) fn expand_by_rule<L: Token, C: ChildRule<N, W>, const N: usize, const W: usize>(
    level: L,
    children: C,
    part: PartRows<'_, N, W>,
) -> u64 {
    let PartRows { rows, quiet, taken, chunk_bits } = part;
    let mut captures = 0;
    for &[a, b, c, d, e, f, _, count] in rows {
        let board = Packed::of_dense(level, [a, b, c, d, e, f]).board();
        let pieces = board.color(!board.turn());
        let mut sink = ChildSink { pieces, count, quiet, taken, chunk_bits, captures: 0 };
        children.add_children(level, board, &mut sink);
        captures += sink.captures;
    }
    captures
}

/// Kernel that adds entries to a table.
#[kernel]
fn insert_all<L: Token, const N: usize>(_: L, entries: &[Entry<N>], writer: &mut Writer<'_, N>) -> Result<(), Full> {
    for entry in entries {
        writer.insert(entry, entry[N - 1].into())?;
    }
    writer.finish()
}

/// One worker's memory and results.
#[derive(Default)]
pub(super) struct Worker<const N: usize, const W: usize> {
    /// Like [`MAX_PART`](super::MAX_PART), but lower if the memory limit requires it.
    largest: usize,
    /// Children of one part of a chunk, with their multiplicities.
    entries: Vec<Entry<N>>,
    rows: Vec<GroupRow>,
    taken: Vec<[u32; W]>,
    /// Tables, indexed by the binary logarithm of half their capacity.
    tables: Vec<Option<Set<N>>>,
    /// Minimum number of positions in each of `parts`, except in the last.
    least_part: usize,
    /// Kept positions that are not in `parts` yet.
    kept: Vec<Entry<N>>,
    parts: Vec<Shard<N>>,
    /// The totals so far. The fields `bytes` and `kept` are not used here.
    counts: GroupCounts,
}

impl<const N: usize, const W: usize> Worker<N, W> {
    /// Returns a worker that moves kept positions into a [`Shard`] as soon as they fill `kept_bytes` or `PART_BYTES`.
    pub(super) fn new(largest: usize, kept_bytes: usize) -> Worker<N, W> {
        let least_part = (kept_bytes.min(PART_BYTES) / size_of::<Entry<N>>()).max(1);
        Worker { largest, least_part, ..Worker::default() }
    }

    /// Counts a chunk of groups: the quiet children of its positions (`rows`) and the waiting captures that led to it
    /// (`taken`). Captures played from its positions are added to `captures`.
    pub(super) fn chunk(
        &mut self,
        (level, keeps, chunk_bits): (Level, bool, u32),
        expand: &ExpandPart<'_, N, W>,
        (rows, taken): (&[&[GroupRow]], &[&[[u32; W]]]),
        captures: &mut Buckets<W>,
    ) -> Result<(), ExpandError> {
        let positions: usize = rows.iter().map(|rows| rows.len()).sum();
        let waiting: usize = taken.iter().map(|taken| taken.len()).sum();
        // A position has about 32 children, so 32 waiting captures count as one position.
        let part_bits = ((positions + waiting / 32) / TOGETHER + 1).ilog2().min(u32::BITS - chunk_bits);
        let part = |group: u32| (u64::from(group << chunk_bits) << part_bits >> 32) as usize;
        let row_starts = sort_blocks(rows, 1 << part_bits, |row| part(row[ROW - 2]), &mut self.rows);
        let taken_starts = sort_blocks(taken, 1 << part_bits, |row| part(row[W - 2]), &mut self.taken);
        let largest = |starts: &[usize]| starts.windows(2).map(|part| part[1] - part[0]).max().unwrap_or(0);
        if largest(&row_starts).max(largest(&taken_starts) / 32) > self.largest {
            return Err(ExpandError::Full);
        }
        for part in 0..1 << part_bits {
            let rows = &self.rows[row_starts[part]..row_starts[part + 1]];
            let taken = &self.taken[taken_starts[part]..taken_starts[part + 1]];
            self.entries.clear();
            let handed_on = expand(PartRows { rows, quiet: &mut self.entries, taken: captures, chunk_bits });
            self.counts.children += self.entries.len() as u64 + handed_on;
            self.entries.extend(taken.iter().map(entry_of_row));
            self.count(level, keeps)?;
        }
        if self.kept.len() >= self.least_part { self.end_part() } else { Ok(()) }
    }

    /// Moves the kept positions into a new [`Shard`] in `parts`.
    fn end_part(&mut self) -> Result<(), ExpandError> {
        self.parts.push(Shard::of_entries(&self.kept).map_err(UniqueError::System).map_err(ExpandError::Fatal)?);
        self.kept.clear();
        Ok(())
    }

    /// Returns the totals and the kept positions.
    pub(super) fn finish(mut self) -> Result<(GroupCounts, Vec<Shard<N>>), ExpandError> {
        if !self.kept.is_empty() {
            self.end_part()?;
        }
        Ok((self.counts, self.parts))
    }

    /// Counts the listed children. The list must hold all children of their groups.
    fn count(&mut self, level: Level, keeps: bool) -> Result<(), ExpandError> {
        // Usually, at most half of the children are distinct.
        let mut room = (self.entries.len() / 2 + 1).ilog2() as usize;
        loop {
            self.tables.resize_with(self.tables.len().max(room + 1), || None);
            let table = match &mut self.tables[room] {
                Some(table) => table,
                empty => {
                    empty.insert(Set::private(2 << room).map_err(UniqueError::System).map_err(ExpandError::Fatal)?)
                }
            };
            let inserted = insert_all(level, &self.entries, &mut table.writer(level));
            match inserted {
                Ok(()) if keeps && !table.append_to(&mut self.kept) => {
                    return Err(ExpandError::Full);
                }
                Ok(()) => {
                    let (found, load) = table.take_summary();
                    let counts = &mut self.counts;
                    (counts.positions, counts.load) = (counts.positions.and(found), counts.load.max(load));
                    return Ok(());
                }
                Err(Full) => {
                    table.take_summary();
                    room += 1;
                }
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let tables = self.tables.iter().enumerate().filter(|(_, table)| table.is_some());
        tables.map(|(room, _)| Set::<N>::private_bytes_for(2 << room)).sum::<usize>()
            + (self.entries.capacity() + self.kept.capacity()) * size_of::<Entry<N>>()
            + self.parts.iter().map(|part| part.slots() * size_of::<Entry<N>>()).sum::<usize>()
            + self.rows.capacity() * size_of::<GroupRow>()
            + self.taken.capacity() * size_of::<[u32; W]>()
    }
}
