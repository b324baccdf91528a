//! The last ply by keys, group by group: no table holds all its positions.
//!
//! A move changes the squares of its own side, and takes at most one of the other side's men. So the children of a position
//! have the other side's men where they were, but for captures. Where these men stand is the **group** of a child, and of
//! its parent if nothing was captured: equal children are of one group. One group after the other is counted in a small
//! table, which stays in the processor's cache and is emptied for the next; a table of all keys would wait for memory at
//! each.
//!
//! 1. The positions of the ply before are sorted by a hash of their group, and by its number of men.
//! 2. Groups of most men come first. The keys of their quiet children are counted at once. A capture leads to a group with one
//!    man less: its key is handed on, and waits for that group.
//!
//! Startpos to ply 8 has 2.6 billion children, of which one in thirty is a capture: so that is what waits, not a billion
//! different keys. Sorted in that way, equal children are also close in time.
//!
//! **Which keys.** Two positions of different groups are different, but weak keys may not tell them apart, and a table of
//! all keys would show that. Here they are never compared. So this is for keys of which each is drawn at random: two
//! positions share 96 bits with a chance of 2^-96, in a group or not.

mod buckets;

use super::expand::Ended;
use super::frontier::KEY;
use super::set::{Entry, Refused, Set, Summary};
use super::store::{Positions, Store};
use super::{By, KEY_BITS, Options};
use buckets::{Buckets, sorted};
use perft_gate_simd::{Kernel, Level, Token};
use perft_gate_walk::chess::{Bitboard, Board, DENSE_WORDS, Packed, Role, Square};
use perft_gate_walk::walk::Control;
use perft_gate_walk::zobrist::{Combine, Key, Pieces, SchemeVisitor, Tracker};
use perft_gate_walk::{KeySink, Position};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A position, its group and its multiplicity.
type Row = [u32; ROW];
const ROW: usize = DENSE_WORDS + 2;
/// The key of a child after a capture, its group and its multiplicity.
type Taken = [u32; TAKEN];
const TAKEN: usize = 5;

/// Number of positions in a chunk of groups, about: what a worker takes at a time.
const CHUNK: u64 = 1 << 16;
/// Greatest binary logarithm of the number of chunks of groups with the same number of men.
const MOST_CHUNKS: u32 = 10;
/// Number of positions whose children are counted in one table, about.
const TOGETHER: usize = 512;
/// Greatest number of men of a side, whatever the setup.
const MOST_MEN: usize = 64;

/// Returns true if keys of different groups need not be compared.
pub(crate) fn suits(by: By<'_>) -> bool {
    let By::Key { scheme, .. } = by else { return false };
    let is_random =
        |axes: &perft_gate_walk::zobrist::Axes| axes.pieces == Pieces::Table && axes.combine == Combine::Xor;
    by.bits() == Some(KEY_BITS) && scheme.axes.as_ref().is_some_and(is_random)
}

/// What was found in all groups.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) positions: Summary,
    /// Number of children.
    pub(crate) children: u64,
    /// Greatest fill ratio of a table.
    pub(crate) load: f64,
    /// Greatest number of bytes of rows, waiting captures and tables.
    pub(crate) bytes: usize,
}

/// Returns the group of positions with these men of the side to move.
#[inline(always)]
fn group_of(board: &Board, men: Bitboard) -> u32 {
    const ODD: [u64; Role::ALL.len()] = [
        0x9e37_79b9_7f4a_7c15,
        0xd1b5_4a32_d192_ed03,
        0x8cb9_2ba7_2f3d_8dd7,
        0xda94_2042_e4dd_58b5,
        0xa076_1d64_78bd_642f,
        0xe703_7ed1_a0b4_28db,
    ];
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let of_roles = Role::ALL
        .iter()
        .zip(ODD)
        .fold(0_u64, |sum, (&role, odd)| sum.wrapping_add(fold((board.role(role) & men).0, odd)));
    (fold(of_roles, 0x5899_65cc_7537_4cc3) >> 32) as u32
}

/// Kernel that sorts positions into chunks of groups.
struct Sorting<'a> {
    positions: Positions<'a>,
    rows: &'a mut Buckets<ROW>,
    chunks: u32,
}

impl Kernel for Sorting<'_> {
    type Output = Result<(), Refused>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Self::Output {
        for (dense, count) in self.positions.iter() {
            let board = Packed::of_dense(level, dense).board();
            let men = board.color(!board.turn());
            let (group, [a, b, c, d, e, f]) = (group_of(&board, men), dense);
            // Larger ones are for tables.
            let count = u32::try_from(count).map_err(|_| Refused::Full)?;
            self.rows.push(bucket(men.count() as usize, group, self.chunks), [a, b, c, d, e, f, group, count]);
        }
        Ok(())
    }
}

/// Returns the bucket of a group with so many men.
#[inline(always)]
fn bucket(men: usize, group: u32, chunks: u32) -> usize {
    (men << chunks) + (u64::from(group) << chunks >> 32) as usize
}

/// One worker's memory.
struct Worker {
    /// Keys of the children of one part, with their multiplicities.
    keys: Vec<Entry<KEY>>,
    rows: Vec<Row>,
    taken: Vec<Taken>,
    starts: Vec<usize>,
    /// Tables by the binary logarithm of their room.
    tables: Vec<Option<Set<KEY>>>,
    found: Summary,
    children: u64,
    load: f64,
}

/// Kernel over the children of positions; captures are handed on.
struct Children<'a, T> {
    rows: &'a [Row],
    tracker: T,
    keys: &'a mut Vec<Entry<KEY>>,
    taken: &'a mut Buckets<TAKEN>,
    chunks: u32,
}

/// The keys of one position's children.
struct Sink<'a> {
    board: &'a Board,
    men: Bitboard,
    count: u32,
    keys: &'a mut Vec<Entry<KEY>>,
    taken: &'a mut Buckets<TAKEN>,
    chunks: u32,
    captures: u64,
}

impl KeySink for Sink<'_> {
    #[inline(always)]
    fn quiet(&mut self, Key(key): Key) {
        self.keys.push([key as u32, (key >> 32) as u32, (key >> 64) as u32, self.count]);
    }
    #[inline(always)]
    fn capture(&mut self, Key(key): Key, captured: Square) {
        let men = self.men & !Bitboard::from(captured);
        let group = group_of(self.board, men);
        let row = [key as u32, (key >> 32) as u32, (key >> 64) as u32, group, self.count];
        self.taken.push(bucket(0, group, self.chunks), row);
        self.captures += 1;
    }
}

impl<T: Tracker> Kernel for Children<'_, T> {
    /// Number of captures.
    type Output = u64;
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let Children { rows, tracker, keys, taken, chunks } = self;
        let mut captures = 0;
        for row in rows {
            let (dense, &[_, count]) = row.split_first_chunk::<DENSE_WORDS>().expect("a row is longer") else {
                unreachable!()
            };
            let board = Packed::of_dense(level, *dense).board();
            let men = board.color(!board.turn());
            let position = Position::new(board, tracker);
            let mut sink = Sink { board: position.board(), men, count, keys, taken, chunks, captures: 0 };
            position.child_keys(level, &mut sink);
            captures += sink.captures;
        }
        captures
    }
}

/// Kernel that adds keys to a table.
struct Insert<'a> {
    keys: &'a [Entry<KEY>],
    set: &'a Set<KEY>,
    level: Level,
}

impl Kernel for Insert<'_> {
    type Output = Result<(), Refused>;

    #[inline(always)]
    fn run<L: Token>(self, _: L) -> Self::Output {
        let mut writer = self.set.writer(self.level);
        for key in self.keys {
            writer.insert(key, key[KEY - 1].into())?;
        }
        writer.finish()
    }
}

impl Worker {
    fn new() -> Worker {
        Worker {
            keys: Vec::new(),
            rows: Vec::new(),
            taken: Vec::new(),
            starts: Vec::new(),
            tables: Vec::new(),
            found: Summary::EMPTY,
            children: 0,
            load: 0.0,
        }
    }

    /// Counts the children whose keys are listed: all of some groups.
    fn count(&mut self, level: Level) -> Result<(), Ended> {
        // Most parts have twice as many children as different ones, or more.
        let mut room = (self.keys.len() / 2 + 1).ilog2();
        loop {
            self.tables.resize_with(self.tables.len().max(room as usize + 1), || None);
            let table = &mut self.tables[room as usize];
            let set = match table {
                Some(set) => set,
                None => {
                    table.insert(Set::private(2 << room).map_err(super::UniqueError::System).map_err(Ended::Failed)?)
                }
            };
            let inserted = level.dispatch(Insert { keys: &self.keys, set, level });
            let (found, load) = set.take_summary();
            match inserted {
                Ok(()) => {
                    self.found = self.found.and(found);
                    self.load = self.load.max(load);
                    return Ok(());
                }
                Err(Refused::Full) => room += 1,
                Err(refused) => return Err(Ended::Refused(refused)),
            }
        }
    }

    fn bytes(&self) -> usize {
        let tables = self.tables.iter().enumerate().filter(|(_, table)| table.is_some());
        tables.map(|(room, _)| Set::<KEY>::private_bytes_for(2 << room)).sum::<usize>()
            + self.keys.capacity() * size_of::<Entry<KEY>>()
            + self.rows.capacity() * size_of::<Row>()
            + self.taken.capacity() * size_of::<Taken>()
    }
}

/// A count by groups, before the tracker is chosen.
struct ByGroups<'a, S> {
    kept: &'a S,
    /// Number of its positions.
    positions: u64,
    memory: usize,
    level: Level,
    control: &'a Control,
}

impl<S: Store> SchemeVisitor for ByGroups<'_, S> {
    type Output = Result<Found, Ended>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let ByGroups { memory, level, control, .. } = self;
        let chunks = (self.positions / CHUNK + 1).ilog2().min(MOST_CHUNKS);
        let rows = self.sorted(chunks)?;
        let beside = rows.iter().map(Buckets::bytes).sum::<usize>();
        let workers: Vec<_> = rows.iter().map(|_| Mutex::new(Worker::new())).collect();
        let mut taken: Vec<Buckets<TAKEN>> = Vec::new();
        let mut bytes = 0;
        for men in (0..=MOST_MEN).rev() {
            let next = AtomicUsize::new(0);
            // What waits for this number of men, and what its captures leave for the next one.
            let waiting = taken.iter().map(Buckets::bytes).sum::<usize>();
            let handed_on = AtomicUsize::new(0);
            let done: Vec<Result<Buckets<TAKEN>, Ended>> = rayon::broadcast(|context| {
                let mut worker = workers[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
                let mut captures = Buckets::new(1 << chunks);
                loop {
                    let chunk = next.fetch_add(1, Ordering::Relaxed);
                    if chunk >> chunks != 0 || control.stop.load(Ordering::Relaxed) {
                        return Ok(captures);
                    }
                    let rows: Vec<_> = rows.iter().flat_map(|rows| rows.blocks((men << chunks) + chunk)).collect();
                    let taken: Vec<_> = taken.iter().flat_map(|taken| taken.blocks(chunk)).collect();
                    let before = captures.bytes();
                    worker.chunk(level, tracker, (&rows, &taken), &mut captures, chunks)?;
                    let handed_on = handed_on.fetch_add(captures.bytes() - before, Ordering::Relaxed);
                    if beside + waiting + handed_on + worker.bytes() > memory {
                        return Err(Ended::Refused(Refused::Full));
                    }
                    control.advance(rows.iter().map(|rows| rows.len() as u64).sum());
                }
            });
            taken = done.into_iter().collect::<Result<_, _>>()?;
            bytes = bytes.max(waiting + handed_on.into_inner());
        }
        let mut found = Found { positions: Summary::EMPTY, children: 0, load: 0.0, bytes: beside + bytes };
        for worker in workers {
            let worker = worker.into_inner().unwrap_or_else(PoisonError::into_inner);
            found.bytes += worker.bytes();
            found.positions = found.positions.and(worker.found);
            found.children += worker.children;
            found.load = found.load.max(worker.load);
        }
        Ok(found)
    }
}

impl Worker {
    /// Counts the children of a chunk of groups, given the positions and the captures that lead there.
    fn chunk<T: Tracker>(
        &mut self,
        level: Level,
        tracker: T,
        (rows, taken): (&[&[Row]], &[&[Taken]]),
        captures: &mut Buckets<TAKEN>,
        chunks: u32,
    ) -> Result<(), Ended> {
        let number = |lengths: &mut dyn Iterator<Item = usize>| lengths.sum::<usize>();
        let positions = number(&mut rows.iter().map(|rows| rows.len()));
        let waiting = number(&mut taken.iter().map(|taken| taken.len()));
        // A capture is a child, and a position has some thirty.
        let parts = (((positions + waiting / 32) / TOGETHER + 1).ilog2()).min(u32::BITS - chunks);
        let part = |group: u32| (u64::from(group << chunks) << parts >> 32) as usize;
        let mut starts = std::mem::take(&mut self.starts);
        sorted(rows, 1 << parts, |row| part(row[DENSE_WORDS]), &mut self.rows, &mut starts);
        let mut taken_starts = Vec::new();
        sorted(taken, 1 << parts, |taken| part(taken[3]), &mut self.taken, &mut taken_starts);
        for part in 0..1 << parts {
            let rows = &self.rows[starts[part]..starts[part + 1]];
            let taken = &self.taken[taken_starts[part]..taken_starts[part + 1]];
            self.keys.clear();
            let handed_on = level.dispatch(Children { rows, tracker, keys: &mut self.keys, taken: captures, chunks });
            self.children += self.keys.len() as u64 + handed_on;
            self.keys.extend(taken.iter().map(|&[a, b, c, _, count]| [a, b, c, count]));
            self.count(level)?;
        }
        self.starts = starts;
        Ok(())
    }
}

impl<S: Store> ByGroups<'_, S> {
    /// Returns the positions sorted by group, as each worker found them.
    fn sorted(&self, chunks: u32) -> Result<Vec<Buckets<ROW>>, Ended> {
        let (pieces, next) = (self.kept.pieces(), AtomicUsize::new(0));
        let sorted = rayon::broadcast(|_| {
            let (mut rows, mut buffer) = (Buckets::new((MOST_MEN + 1) << chunks), S::Buffer::default());
            loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= pieces || self.control.stop.load(Ordering::Relaxed) {
                    return Ok(rows);
                }
                let positions = self.kept.piece(piece, &mut buffer).map_err(Ended::Failed)?;
                self.level.dispatch(Sorting { positions, rows: &mut rows, chunks })?;
            }
        });
        sorted.into_iter().collect()
    }
}

/// Counts the children of some positions by their keys, within so much memory. After a stop the count is incomplete.
///
/// **Errors**: the memory is not enough, or a multiplicity is large: tables may do.
pub(crate) fn count<S: Store>(
    kept: &S,
    positions: u64,
    memory: usize,
    options: &Options<'_>,
    control: &Control,
) -> Result<Found, Ended> {
    let By::Key { scheme, seed } = options.by else { return Err(Ended::Refused(Refused::Full)) };
    if positions * size_of::<Row>() as u64 > memory as u64 {
        return Err(Ended::Refused(Refused::Full));
    }
    control.begin(positions);
    let level = options.level;
    scheme.visit_fast(level, seed, ByGroups { kept, positions, memory, level, control })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frontier, Ply, UniqueError, unique};
    use perft_gate_walk::chess::{EnPassantPolicy, Fen};
    use perft_gate_walk::zobrist::Scheme;

    const FENS: [(&str, u32); 7] = [
        (Fen::START, 5),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
        // Promotions, with captures and without; castling rooks that are taken.
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4),
        ("r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1", 3),
        // Captures en passant, legal and pinned.
        ("4k3/2p1p3/8/3P4/3pP3/8/2P2P2/4K3 b - e3 0 1", 5),
        ("1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1", 3),
    ];

    fn options<'a>(scheme: &'a Scheme, policy: EnPassantPolicy, level: Level) -> Options<'a> {
        let by = By::Key { scheme, seed: 5 };
        Options { policy, by, diagrams: false, keep: false, memory: 1 << 30, level, exchange: None }
    }

    fn frontier(fen: &str, depth: u32, options: &Options<'_>) -> (Frontier, Ply) {
        let options = Options { by: By::Position, keep: true, ..*options };
        let unique = unique(&Fen::parse(fen).unwrap(), depth, &options, &Control::default(), |_| {}).unwrap();
        (unique.frontier.unwrap(), *unique.plies.last().unwrap())
    }

    /// The children of a ply's positions, group by group, are those of the next ply by position.
    #[test]
    fn groups_have_the_positions_that_one_table_has() {
        for (policy, text) in [
            (EnPassantPolicy::Legal, "width=128"),
            (EnPassantPolicy::Pseudo, "width=128,policy=pseudo"),
            (EnPassantPolicy::Always, "castling=c4,width=128,policy=always"),
        ] {
            let scheme = Scheme::parse(text, false).unwrap();
            for level in [Level::portable(), Level::detect()] {
                for (fen, depth) in FENS {
                    let options = options(&scheme, policy, level);
                    let (kept, before) = frontier(fen, depth - 1, &options);
                    let (_, expected) = frontier(fen, depth, &options);
                    assert!(suits(options.by));
                    let found =
                        count(&kept, before.positions.distinct, 1 << 30, &options, &Control::default()).unwrap();
                    assert_eq!(found.positions, expected.positions, "{fen}, {text}, {level}");
                    assert_eq!(found.children, expected.made, "{fen}");
                }
            }
        }
    }

    #[test]
    fn many_chunks_and_parts_are_no_matter() {
        let scheme = Scheme::parse("width=128", false).unwrap();
        let options = options(&scheme, EnPassantPolicy::Legal, Level::detect());
        let (fen, depth) = FENS[1];
        let (kept, before) = frontier(fen, depth - 1, &options);
        let (_, expected) = frontier(fen, depth, &options);
        for factor in [1, 50, 5000] {
            // More positions are announced than there are: so there are more chunks.
            let announced = before.positions.distinct * factor;
            let found = count(&kept, announced, usize::MAX, &options, &Control::default()).unwrap();
            assert_eq!(found.positions, expected.positions, "{factor}");
        }
    }

    #[test]
    fn without_the_memory_tables_are_used() {
        let scheme = Scheme::parse("width=128", false).unwrap();
        let mut options = options(&scheme, EnPassantPolicy::Legal, Level::detect());
        let (kept, before) = frontier(FENS[0].0, 4, &options);
        let refused = |memory| {
            count(&kept, before.positions.distinct, memory, &options, &Control::default()).map(|found| found.bytes)
        };
        for memory in [0, 1 << 10, 3 << 20] {
            assert!(matches!(refused(memory), Err(Ended::Refused(Refused::Full))), "{memory}");
        }
        let bytes = refused(usize::MAX).unwrap();
        assert!(refused(bytes).is_ok(), "{bytes}");
        options.memory = 8 << 20;
        let counted = unique(&Fen::parse(FENS[0].0).unwrap(), 5, &options, &Control::default(), |_| {});
        let plies = counted.map(|unique| unique.plies).unwrap_or_else(|error: UniqueError| panic!("{error}"));
        assert_eq!(plies[5].positions.distinct, 822_518);
        assert!(plies[5].passes > 1, "{:?}", plies[5]);
    }

    /// Only keys that are drawn one by one, and kept with all bits that a table keeps, need no table of all.
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
        assert!(!suits(By::Position));
    }
}
