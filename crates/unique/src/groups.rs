//! Counts a ply group by group, so that no table has to hold all its positions.
//!
//! A move changes the placement of the mover's pieces, and captures at most one piece of the opponent. The placement of
//! the opponent's pieces is the **group**: the parent's group before the move, and the child's group after it. So
//! unless the move captures, parent and child have the same group. Equal children are always in the same group. A few
//! groups at a time are counted in a small table, which stays in the processor's cache and is emptied for the next
//! groups. With one table for a whole ply, each child would wait for main memory.
//!
//! 1. The positions of the previous ply are sorted by the number of pieces in their group, then by a hash of the group.
//! 2. Groups with the most pieces are counted first. The child of a quiet move is in the same group and is counted at
//!    once. A capture leads to a group with one piece fewer, so the child waits until that group is counted.
//!
//! Startpos to ply 8 has 2.6 billion children. Only captures are stored until their group is counted, and only for the
//! current and the next number of pieces. The count took 63 to 68 s and 8.3 GiB on two threads of a virtual Zen 3
//! server. Counting in tables took 199 s and 12.5 GiB (revision 220e36d).
//!
//! **Which keys.** Positions of different groups are different, but weak keys may not distinguish them. A table of all
//! keys would reveal that, but here keys of different groups are never compared. So groups suit only keys whose terms
//! are all drawn at random. Then two positions share 96 bits with probability 2^-96, within a group or across groups.

mod buckets;
mod children;
mod rows;
mod worker;

use crate::entries::POSITION;
use crate::expand::ExpandError;
use crate::options::{By, Goal, KEY_BITS, UniqueOptions};
use crate::set::{Entry, Shard};
use crate::store::Store;
use buckets::Buckets;
use children::{ByKeys, ByPosition};
use perft_gate_simd::Level;
use perft_gate_walk::Control;
use perft_gate_zobrist::{Axes, Combine, Pieces, SchemeVisitor, Tracker};
use rayon::prelude::*;
use rows::{GroupRow, ROW, SIZE_BITS, sort_into_rows};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use worker::{ExpandPart, GroupCounts, Worker, expand_by_rule};

/// Approximate number of positions in a chunk of groups, which is a worker's unit of work. Chunks are smaller if there
/// are few positions, but hold at least [`MIN_CHUNK`], because each worker keeps a block of rows per chunk.
const CHUNK: u64 = 1 << 16;
const MIN_CHUNK: u64 = 1 << 11;
/// Approximate number of chunks per worker if the positions are few. With fewer chunks, the other workers would wait
/// longer while one worker counts the last chunk.
const CHUNKS_PER_WORKER: u64 = 64;
/// Maximum binary logarithm of the number of chunks into which the groups with a given number of pieces are divided.
const MAX_CHUNKS: u32 = 10;
/// Minimum ratio of the memory limit to the size of the positions that are kept but not in a [`Shard`] yet.
const MEMORY_BY_KEPT: usize = 64;
/// Maximum number of positions in one group, or in a few groups that share hash bits. If there were more positions,
/// their children would take too much memory at once.
const MAX_PART: usize = 1 << 17;
/// Maximum number of pieces of a side in any setup.
const MAX_PIECES: usize = 64;

/// Returns true if children of different groups need no comparison because their positions or strong keys differ.
pub(crate) fn suits(by: By<'_>) -> bool {
    let By::Key { scheme, .. } = by else { return true };
    let is_random = |axes: &Axes| axes.pieces == Pieces::Table && axes.combine == Combine::Xor;
    by.bits() == Some(KEY_BITS) && scheme.axes.as_ref().is_some_and(is_random)
}

struct ByGroups<'a, S> {
    before: &'a S,
    positions: u64,
    keeps: bool,
    memory: usize,
    /// Like [`MAX_PART`], but lower if the memory limit requires it.
    largest: usize,
    level: Level,
    control: &'a Control,
}

impl<S: Store> ByGroups<'_, S> {
    /// Counts the children. `expand` is behind a pointer, so that this function is compiled once for all rules with the
    /// same `N` and `W`.
    fn count<const N: usize, const W: usize>(
        self,
        expand: &ExpandPart<'_, N, W>,
    ) -> Result<(GroupCounts, Vec<Shard<N>>), ExpandError> {
        let threads = rayon::current_num_threads();
        let share = self.positions / (CHUNKS_PER_WORKER * threads as u64);
        let chunk_bits = (self.positions / share.clamp(MIN_CHUNK, CHUNK) + 1).ilog2().min(MAX_CHUNKS);
        let kept_bytes = self.memory / MEMORY_BY_KEPT / threads;
        let over = AtomicBool::new(false);
        let is_over = || over.load(Ordering::Relaxed) || self.control.is_stopped();
        let refused = || {
            over.store(true, Ordering::Relaxed);
            Err(ExpandError::Full)
        };
        let rows = self.sort_positions(chunk_bits)?;
        let beside = rows.iter().map(Buckets::bytes).sum::<usize>();
        let workers: Vec<_> = rows.iter().map(|_| Mutex::new(Worker::<N, W>::new(self.largest, kept_bytes))).collect();
        let (mut taken, mut bytes): (Vec<Buckets<W>>, usize) = (Vec::new(), 0);
        for pieces in (0..=MAX_PIECES).rev() {
            // For most piece counts there are no groups. This check is faster than waking all workers for nothing.
            let buckets = pieces << chunk_bits..(pieces + 1) << chunk_bits;
            let has_groups = rows.iter().any(|rows| rows.has_rows(buckets.clone()));
            if !has_groups && taken.iter().all(|taken| !taken.has_rows(0..1 << chunk_bits)) {
                continue;
            }
            // The memory in use at the start: the sorted rows and the captures that lead to groups of `pieces` pieces.
            // The workers add their own memory and the captures that lead to groups of `pieces - 1`.
            let waiting = beside + taken.iter().map(Buckets::bytes).sum::<usize>();
            let (next, in_use) = (AtomicUsize::new(0), AtomicUsize::new(waiting));
            let done: Vec<Result<Buckets<W>, ExpandError>> = rayon::broadcast(|context| {
                let mut worker = workers[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
                let mut captures = Buckets::new(1 << chunk_bits);
                let mut counted = 0;
                loop {
                    let own = captures.bytes() + worker.bytes();
                    let in_use = in_use.fetch_add(own.wrapping_sub(counted), Ordering::Relaxed);
                    if captures.is_short() || in_use.wrapping_add(own.wrapping_sub(counted)) > self.memory {
                        return refused();
                    }
                    counted = own;
                    let chunk = next.fetch_add(1, Ordering::Relaxed);
                    if chunk >> chunk_bits != 0 || is_over() {
                        return Ok(captures);
                    }
                    let of_pieces = (pieces << chunk_bits) + chunk;
                    let rows: Vec<_> = rows.iter().flat_map(|rows| rows.rows(of_pieces)).collect();
                    let taken: Vec<_> = taken.iter().flat_map(|taken| taken.rows(chunk)).collect();
                    let counted =
                        worker.chunk((self.level, self.keeps, chunk_bits), expand, (&rows, &taken), &mut captures);
                    counted.inspect_err(|_| over.store(true, Ordering::Relaxed))?;
                    self.control.advance(rows.iter().map(|rows| rows.len() as u64).sum());
                }
            });
            taken = done.into_iter().collect::<Result<_, _>>()?;
            bytes = bytes.max(in_use.into_inner());
        }
        summed_up(workers, rows, bytes)
    }

    /// Sorts the positions by group. Returns the buckets that each worker filled.
    ///
    /// **Errors**: there is not enough memory, or a group or a multiplicity is too large.
    fn sort_positions(&self, chunk_bits: u32) -> Result<Vec<Buckets<ROW>>, ExpandError> {
        let (pieces, next, in_use) = (self.before.pieces(), AtomicUsize::new(0), AtomicUsize::new(0));
        let over = AtomicBool::new(false);
        let sorted = rayon::broadcast(|_| {
            let (mut rows, mut buffer) = (Buckets::new((MAX_PIECES + 1) << chunk_bits), S::Buffer::default());
            let (mut sizes, mut counted) = (vec![0; 1 << SIZE_BITS], 0);
            loop {
                let more = rows.bytes() - counted;
                counted = rows.bytes();
                if rows.is_short() || in_use.fetch_add(more, Ordering::Relaxed) + more > self.memory {
                    over.store(true, Ordering::Relaxed);
                    return Err(ExpandError::Full);
                }
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= pieces || over.load(Ordering::Relaxed) || self.control.is_stopped() {
                    return Ok((rows, sizes));
                }
                let positions = self.before.piece(piece, &mut buffer).map_err(ExpandError::Fatal)?;
                let sorted = sort_into_rows(self.level, positions, &mut rows, &mut sizes, chunk_bits);
                sorted.inspect_err(|_| over.store(true, Ordering::Relaxed))?;
            }
        });
        let (rows, sizes): (Vec<_>, Vec<_>) =
            sorted.into_iter().collect::<Result<Vec<_>, ExpandError>>()?.into_iter().unzip();
        // Checking this first saves time: the large groups of a lone king would otherwise be found only at the end.
        let size = |group: usize| sizes.iter().map(|sizes| sizes[group] as usize).sum::<usize>();
        if (0..1 << SIZE_BITS).map(size).max() > Some(self.largest) {
            return Err(ExpandError::Full);
        }
        Ok(rows)
    }
}

/// Sums up the workers' results. Memory is freed in parallel: each thread frees one worker's memory and rows.
fn summed_up<const N: usize, const W: usize>(
    workers: Vec<Mutex<Worker<N, W>>>,
    rows: Vec<Buckets<ROW>>,
    bytes: usize,
) -> Result<(GroupCounts, Vec<Shard<N>>), ExpandError> {
    let mut found = GroupCounts { bytes, ..GroupCounts::default() };
    let mut parts = Vec::new();
    let finish = |(worker, rows): (Mutex<Worker<N, W>>, Buckets<ROW>)| {
        drop(rows);
        worker.into_inner().unwrap_or_else(PoisonError::into_inner).finish()
    };
    for worker in workers.into_par_iter().zip(rows).map(finish).collect::<Vec<_>>() {
        let (counts, kept) = worker?;
        found.positions = found.positions.and(counts.positions);
        found.children += counts.children;
        found.load = found.load.max(counts.load);
        parts.extend(kept);
    }
    Ok((found, parts))
}

impl<S: Store> SchemeVisitor for ByGroups<'_, S> {
    type Output = Result<GroupCounts, ExpandError>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let (level, rule) = (self.level, ByKeys(tracker));
        Ok(self.count(&|part| expand_by_rule(level, rule, part))?.0)
    }
}

/// Returns the minimum number of bytes needed to count the children of `positions` positions.
pub(crate) fn least_memory(positions: u64) -> usize {
    positions as usize * size_of::<GroupRow>()
}

/// Counts the children of the positions of a ply within `memory` bytes, given the numbers of positions and children. If
/// the run was stopped, the count is incomplete.
///
/// **Errors**: memory is insufficient, or a group or a multiplicity is too large. Counting in tables may still work.
pub(crate) fn count<S: Store>(
    before: &S,
    (positions, children): (u64, u64),
    goal: Goal<'_>,
    memory: usize,
    options: &UniqueOptions<'_>,
    control: &Control,
) -> Result<GroupCounts, ExpandError> {
    // The children of a few groups are in a list and in a table, and growing either of them can double its memory.
    let per_position = 4 * size_of::<Entry<POSITION>>() as u64 * (children / positions.max(1) + 1);
    let left = memory.saturating_sub(least_memory(positions)) / rayon::current_num_threads();
    let largest = (left as u64 / per_position).min(MAX_PART as u64) as usize;
    count_within((before, positions), goal, (memory, largest), options, control)
}

fn count_within<S: Store>(
    (before, positions): (&S, u64),
    goal: Goal<'_>,
    (memory, largest): (usize, usize),
    options: &UniqueOptions<'_>,
    control: &Control,
) -> Result<GroupCounts, ExpandError> {
    control.begin(positions);
    let (keeps, level) = (goal.keeps, options.level);
    let groups = ByGroups { before, positions, keeps, memory, largest, level, control };
    match goal.by {
        // Counting by groups requires keys of at least 96 bits, and such keys have two parts.
        By::Key { scheme, seed } => scheme.visit_fast_in_two(level, seed, groups),
        By::Position => {
            let rule = ByPosition(options.policy);
            let (found, kept) = groups.count(&|part| expand_by_rule(level, rule, part))?;
            Ok(GroupCounts { kept, ..found })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frontier, Ply, unique};
    use perft_gate_chess::{EnPassantPolicy, Fen, Packed};
    use perft_gate_zobrist::Scheme;

    const FENS: [(&str, u32); 7] = [
        (Fen::START, 5),
        (Fen::KIWIPETE, 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
        // Promotions with and without captures, and castling rooks that can be captured.
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4),
        ("r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1", 3),
        // En passant captures by both sides, and castling of Chess960.
        ("4k3/2p1p3/8/3P4/3pP3/8/2P2P2/4K3 b - e3 0 1", 5),
        ("1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1", 3),
    ];

    fn options<'a>(scheme: &'a Scheme, policy: EnPassantPolicy, level: Level) -> UniqueOptions<'a> {
        UniqueOptions { by: By::Key { scheme, seed: 5 }, ..UniqueOptions::new(policy, level, 1 << 30) }
    }

    fn in_tables(fen: &str, depth: u32, options: &UniqueOptions<'_>) -> (Frontier, Ply) {
        let options = UniqueOptions { by: By::Position, keep: true, groups: false, ..*options };
        let unique = unique(&Fen::parse(fen).unwrap(), depth, &options, &Control::default(), &mut |_| {}).unwrap();
        (unique.frontier.unwrap(), *unique.plies.last().unwrap())
    }

    /// Counts all plies up to `depth` by key, using the compiled library instead of this test build.
    fn by_keys(fen: &str, depth: u32, scheme: &Scheme, (memory, groups): (usize, bool)) -> Vec<perft_gate_unique::Ply> {
        use perft_gate_unique::{By, UniqueOptions, unique};
        let by = By::Key { scheme, seed: 5 };
        let options = UniqueOptions { by, groups, ..UniqueOptions::new(scheme.policy(), Level::detect(), memory) };
        unique(&Fen::parse(fen).unwrap(), depth, &options, &Control::default(), &mut |_| {}).unwrap().plies
    }

    fn contents(frontier: &Frontier) -> Vec<(Packed, u128)> {
        let mut contents: Vec<_> = frontier.iter().collect();
        contents.sort_unstable();
        contents
    }

    /// Groups yield the same positions as tables, both by key and by position, for any number of chunks and parts.
    #[test]
    fn groups_have_the_positions_that_tables_have() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for (policy, text) in [
            (EnPassantPolicy::Legal, "width=128"),
            (EnPassantPolicy::Pseudo, "width=128,policy=pseudo"),
            (EnPassantPolicy::Always, "castling=c4,width=128,policy=always"),
        ] {
            let scheme = Scheme::parse(text, false).unwrap();
            let levels = [Level::detect(), Level::portable()];
            // A policy does not affect a level's choice of instructions, so both levels are tested with one policy.
            for level in levels.into_iter().take(if policy == EnPassantPolicy::Legal { 2 } else { 1 }) {
                for (fen, depth) in FENS {
                    let options = options(&scheme, policy, level);
                    let (kept, before) = in_tables(fen, depth - 1, &options);
                    let (expected_positions, expected) = in_tables(fen, depth, &options);
                    let goals = [(options.by, false), (By::Position, false), (By::Position, true)];
                    // Overstates the number of positions in order to get more chunks.
                    let factors = if fen == Fen::KIWIPETE { &[1, 50, 5000][..] } else { &[1] };
                    for (factor, (by, keeps)) in factors.iter().flat_map(|factor| goals.map(|goal| (factor, goal))) {
                        let numbers = (before.positions.distinct * factor, expected.made);
                        let goal = Goal { by, keeps };
                        let memory = if *factor == 1 { 1 << 30 } else { usize::MAX };
                        let count = || count(&kept, numbers, goal, memory, &options, &Control::default());
                        let found = pool.install(count).unwrap();
                        assert_eq!(found.positions, expected.positions, "{fen}, {text}, {level}, {factor}");
                        assert_eq!(found.children, expected.made, "{fen}, {factor}");
                        let mut positions = Frontier::default();
                        positions.append(found.kept, found.positions, level, &Control::default()).unwrap();
                        let is_same = !keeps || contents(&positions) == contents(&expected_positions);
                        assert!(is_same, "{fen}, {text}, {level}, {factor}");
                    }
                }
            }
        }
    }

    #[test]
    fn without_the_memory_tables_are_used() {
        // With several threads, the memory needed would depend on which thread takes which chunk.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let scheme = Scheme::parse("width=128", false).unwrap();
            let options = options(&scheme, EnPassantPolicy::Legal, Level::detect());
            let (kept, before) = in_tables(FENS[0].0, 4, &options);
            for (by, keeps) in [(options.by, false), (By::Position, true)] {
                let counted = |memory| {
                    let (positions, goal) = ((&kept, before.positions.distinct), Goal { by, keeps });
                    count_within(positions, goal, (memory, MAX_PART), &options, &Control::default())
                        .map(|found| found.bytes)
                };
                let bytes = counted(usize::MAX).unwrap();
                for memory in [0, 1 << 10, bytes / 2, bytes / 4 * 3] {
                    assert!(matches!(counted(memory), Err(ExpandError::Full)), "{memory} of {bytes}");
                }
                assert!(counted(2 * bytes).is_ok(), "{bytes}");
            }
            let few = 8 << 20;
            let fifth = by_keys(FENS[0].0, 5, &scheme, (few, true))[5];
            assert_eq!(fifth.positions.distinct, 822_518);
            assert!(fifth.passes > 1 && fifth.bytes <= few, "{fifth:?}");
        });
    }

    /// A lone king has few possible squares, so there are few groups, and each is large.
    #[test]
    fn large_groups_are_for_tables() {
        let scheme = Scheme::parse("width=128", false).unwrap();
        let options = options(&scheme, EnPassantPolicy::Legal, Level::detect());
        let (kept, before) = in_tables("8/8/8/4k3/8/8/8/KQRR4 b - - 0 1", 4, &options);
        let (positions, goal) = ((&kept, before.positions.distinct), Goal { by: options.by, keeps: false });
        let found = |largest| count_within(positions, goal, (1 << 30, largest), &options, &Control::default());
        assert!(matches!(found(500), Err(ExpandError::Full)));
        assert_eq!(found(5000).unwrap().children, kept.moves(options.level).moves);
    }

    /// With only two kings, each position is reached in more ways than a 32-bit count can hold.
    #[test]
    fn large_multiplicities_are_for_tables() {
        let scheme = Scheme::parse("width=128", false).unwrap();
        for depth in [20, 24] {
            let [found, expected] = [true, false].map(|groups| {
                let plies = by_keys("8/8/8/3k4/8/8/8/K7 w - - 0 1", depth, &scheme, (1 << 30, groups));
                plies.iter().map(|ply| ply.positions).collect::<Vec<_>>()
            });
            assert_eq!(found, expected);
            assert!(depth < 24 || expected[23].highest > u32::MAX.into(), "{:?}", expected[23]);
        }
    }

    /// Only strong keys, with at least 96 bits and independently drawn terms, can be counted without a common table.
    #[test]
    fn weak_keys_are_compared_with_all_others() {
        for (text, expected) in [
            ("width=128", true),
            ("width=2x32", false),
            ("width=128,combine=add", false),
            ("width=128,pieces=overlap-bytes", false),
            ("width=128,pieces=computed", false),
        ] {
            let scheme = Scheme::parse(text, true).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(suits(By::Key { scheme: &scheme, seed: 0 }), expected, "{text}");
        }
        assert!(suits(By::Position));
    }
}
