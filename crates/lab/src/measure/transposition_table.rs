//! A transposition table used with the keys, as in an engine: every made move probes it and stores on a miss.
//!
//! The key tables of a scheme then share the caches with the lines of a large table, and each probe waits for the key,
//! so a key costs what it costs in an engine. Each timed pass salts the keys, so it reuses no cached lines or entries
//! of earlier passes and hits only its own transpositions. An entry also holds a hash of its position, which verifies a
//! hit.

use perft_gate_chess::{Board, EnPassantPolicy, Move};
use perft_gate_simd::{Memory, Token, inline_all, kernel, prefetch};
use perft_gate_walk::{Children, Game, Position, Visitor};
use perft_gate_zobrist::{Key, Tracker};
use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

perft_gate_chess::named! {
    /// When to prefetch the line that a child will probe.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum TablePrefetch {
        /// Never.
        None = "none",
        /// After the move is made and the key is known, before the child looks for checks.
        AfterMake = "after-make",
        /// Before the move is made, using the exact key of the child.
        KeyAfter = "key-after",
        /// Before the move is made, using a key that leaves out castling rights, e.p. squares and the second piece of
        /// special moves.
        RoughKeyAfter = "rough-key-after",
    }
}

/// How one contestant used the transposition table in its timed passes.
#[perft_gate_chess::document(serde::Serialize, serde::Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TableTally {
    /// Number of nodes that probed.
    pub probes: u64,
    /// Number of probes that found the key they looked for.
    pub hits: u64,
    /// Number of hits on another position with the same key.
    pub false_hits: u64,
    /// Number of children whose line was prefetched before the move was made.
    pub foreseen: u64,
    /// Number of children whose key after the move differed from the key that their prefetch used.
    pub wrongly_foreseen: u64,
}

perft_gate_chess::add_by_field!(TableTally { probes, hits, false_hits, foreseen, wrongly_foreseen });

/// Number of entries per 64-byte line. An entry is a key and a hash of the position.
const ENTRIES: usize = 4;
const WORDS: usize = 2 * ENTRIES;
const LINE: usize = WORDS * size_of::<u64>();

/// A table of 64-byte lines, in huge pages if the system has them.
#[derive(Debug)]
pub struct TranspositionTable {
    memory: Memory,
    mask: u64,
    passes: Cell<u64>,
    tallies: RefCell<Vec<TableTally>>,
}

impl TranspositionTable {
    /// Creates a table of `bytes` bytes, rounded down to a power of two, and touches all of its memory.
    ///
    /// **Errors**: if the system does not have that much memory.
    pub fn new(bytes: u64) -> io::Result<TranspositionTable> {
        let lines = 1 << (bytes / LINE as u64).max(1).ilog2();
        let memory = Memory::new(lines as usize * WORDS)?;
        memory.touch(|_| true);
        Ok(TranspositionTable { memory, mask: lines - 1, passes: Cell::default(), tallies: RefCell::default() })
    }

    pub fn bytes(&self) -> u64 {
        (self.mask + 1) * LINE as u64
    }

    /// Returns how a contestant's passes used the table.
    pub fn tally(&self, contestant: usize) -> TableTally {
        self.tallies.borrow().get(contestant).copied().unwrap_or_default()
    }

    pub(super) fn begin(&self, prefetch: TablePrefetch, policy: EnPassantPolicy) -> TableProbe<'_> {
        self.passes.set(self.passes.get() + 1);
        // The salts of different passes, odd multiples of the golden ratio, differ in high and low bits.
        let salt = (2 * self.passes.get() + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (memory, mask, tally) = (&self.memory, self.mask, TableTally::default());
        TableProbe { memory, mask, prefetch, policy, salt, foreseen: None, tally }
    }

    pub(super) fn end(&self, contestant: usize, tally: &TableTally) {
        let mut tallies = self.tallies.borrow_mut();
        if tallies.len() <= contestant {
            tallies.resize(contestant + 1, TableTally::default());
        }
        tallies[contestant].add(tally);
    }
}

/// The table as one timed pass uses it, with the counts of the pass.
#[derive(Clone, Debug)]
pub(super) struct TableProbe<'t> {
    memory: &'t Memory,
    mask: u64,
    prefetch: TablePrefetch,
    policy: EnPassantPolicy,
    salt: u64,
    /// Key whose line was prefetched for the next child.
    foreseen: Option<Key>,
    pub(super) tally: TableTally,
}

#[inline_all]
impl TableProbe<'_> {
    /// Returns the line of a key and the 64 bits that entries store for the key.
    fn line(&self, key: Key) -> (&[AtomicU64; WORDS], u64) {
        let [low, high] = [key.0, key.0 >> 64].map(|part| part as u64);
        let lines = self.memory.words().as_chunks::<WORDS>().0;
        (&lines[((low ^ self.salt) & self.mask) as usize], low ^ high ^ self.salt)
    }

    /// Prefetches the line of a child before the move to it is made.
    pub(super) fn foresee(&mut self, key: Key) {
        prefetch(self.line(key).0);
        self.foreseen = Some(key);
    }
}

/// Probes the table at a node after its move is made. Walks with all key schemes share this code.
#[kernel]
pub(super) fn probe_node<L: Token>(level: L, probe: &mut TableProbe<'_>, board: &Board, key: Key) {
    if probe.prefetch == TablePrefetch::AfterMake {
        prefetch(probe.line(key).0);
    }
    if let Some(foreseen) = probe.foreseen.take() {
        probe.tally.foreseen += 1;
        probe.tally.wrongly_foreseen += u64::from(foreseen != key);
    }
    // Information that an engine computes about a child before it probes.
    black_box(board.in_check(level));
    let position = hash_of(board, probe.policy);
    let (line, wanted) = probe.line(key);
    let words = line.each_ref().map(|word| word.load(Ordering::Relaxed));
    let entries = words.as_chunks::<2>().0;
    let (mut hits, mut false_hits) = (0, 0);
    for [key, stored] in entries {
        // No position has the hash 0, so a hash of 0 marks an empty entry.
        if *key == wanted && *stored != 0 {
            (hits, false_hits) = (1, u64::from(*stored != position));
        }
    }
    if hits == 0 {
        let at = 2 * (wanted >> 62) as usize;
        line[at].store(wanted, Ordering::Relaxed);
        line[at + 1].store(position, Ordering::Relaxed);
    }
    probe.tally.probes += 1;
    probe.tally.hits += hits;
    probe.tally.false_hits += false_hits;
}

/// Returns a hash of the squares, side to move, castling rights and e.p. square of a position. It does not depend on
/// the position's key and is never 0.
#[inline(always)]
fn hash_of(board: &Board, policy: EnPassantPolicy) -> u64 {
    let state = board.turn().index() as u64
        | (board.castling_rights().index() as u64) << 1
        | (board.en_passant(policy).map_or(64, |square| square.index()) as u64) << 5;
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_right(29);
    board.mailbox().0.into_iter().fold(mix(0, state + 1), mix) | 1
}

/// Perft count that is timed. It lists the moves of a node and makes them one by one, as in an engine. With `PROBES`, a
/// node that has a key probes the table after each move.
///
/// One function walks all plies. It compiles to a quarter of the code of the walk that goes piece by piece. `PROBES` is a
/// parameter of the type, because a test at each node would spill registers around each call. That raised the cost of a
/// key from 1.7 to 3.5 ns.
#[derive(Debug)]
pub(super) struct TimedCount<'t, const PROBES: bool> {
    pub(super) nodes: u64,
    pub(super) probe: Option<TableProbe<'t>>,
}

#[inline_all]
impl<T: Tracker, const PROBES: bool> Visitor<Position<T>> for TimedCount<'_, PROBES> {
    const OWN_LAST_PLY: bool = false;
    type Frame = ();

    fn enter<L: Token>(&mut self, level: L, position: &mut Position<T>, _: u32, from: Option<(&(), Move)>) {
        self.nodes += u64::from(from.is_none());
        if PROBES && let (Some(key), Some(probe)) = (position.key(), &mut self.probe) {
            probe_node(level, probe, &position.board, key);
        }
    }
    fn open(&mut self, _: &Position<T>) {}
    fn descend<L: Token>(&mut self, level: L, position: &Position<T>, ((), mv): (&(), Move), _: u32) {
        if PROBES
            && let Some(probe) = &mut self.probe
            && matches!(probe.prefetch, TablePrefetch::KeyAfter | TablePrefetch::RoughKeyAfter)
        {
            foresee(level, probe, position, mv);
        }
    }
    fn close<L: Token>(&mut self, _: L, _: &Position<T>, (): &(), _: u32, children: Children) {
        self.nodes += children.entered;
    }
}

/// Prefetches the line of a child before the move to it is made.
#[kernel(common_only = T::COMMON_ONLY)]
fn foresee<L: Token, T: Tracker>(level: L, probe: &mut TableProbe<'_>, position: &Position<T>, mv: Move) {
    let prepared = position.prepare();
    let key = match probe.prefetch {
        TablePrefetch::RoughKeyAfter => Position::rough_key_after(&prepared, mv),
        _ => Position::key_after(level, &prepared, mv),
    };
    if let Some(key) = key {
        probe.foresee(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;
    use perft_gate_simd::Level;

    const START: Key = Key(0x1234_5678_9abc_def0);

    fn board(fen: &str) -> Board {
        Fen::parse(fen).unwrap()
    }

    #[test]
    fn a_size_is_cut_to_a_power_of_two() {
        let bytes = |bytes| TranspositionTable::new(bytes).unwrap().bytes();
        assert_eq!([64, 100, 1 << 20, (1 << 20) + 63, 3 << 20].map(bytes), [64, 64, 1 << 20, 1 << 20, 2 << 20]);
    }

    #[test]
    fn a_position_is_found_again_in_its_pass_and_another_with_its_key_is_a_false_hit() {
        let table = TranspositionTable::new(1 << 16).unwrap();
        let [one, other] = [Fen::START, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"].map(board);
        let mut probe = table.begin(TablePrefetch::None, EnPassantPolicy::Legal);
        for board in [&one, &one, &other] {
            probe_node(Level::detect(), &mut probe, board, START);
        }
        table.end(2, &probe.tally);
        assert_eq!(table.tally(2), TableTally { probes: 3, hits: 2, false_hits: 1, ..TableTally::default() });
        let mut next = table.begin(TablePrefetch::None, EnPassantPolicy::Legal);
        probe_node(Level::detect(), &mut next, &one, START);
        assert_eq!(next.tally, TableTally { probes: 1, ..TableTally::default() });
        assert_eq!((table.tally(0), table.tally(3)), (TableTally::default(), TableTally::default()));
    }

    #[test]
    fn a_wrongly_foreseen_key_is_counted_and_the_hash_knows_the_whole_position() {
        let table = TranspositionTable::new(1 << 16).unwrap();
        let start = board(Fen::START);
        let mut probe = table.begin(TablePrefetch::KeyAfter, EnPassantPolicy::Legal);
        for foreseen in [START, Key(1)] {
            probe.foresee(foreseen);
            probe_node(Level::detect(), &mut probe, &start, START);
        }
        assert_eq!((probe.tally.foreseen, probe.tally.wrongly_foreseen), (2, 1));
        let fens = [
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3KR2 b Qkq - 0 1",
        ];
        let mut hashes = fens.map(|fen| hash_of(&board(fen), EnPassantPolicy::Legal));
        hashes.sort_unstable();
        assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]), "{hashes:x?}");
    }
}
