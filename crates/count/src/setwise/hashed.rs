//! A leaf counter with a transposition table.
//!
//! Transpositions are counted once, as long as the table holds them. Every node two or more plies above the leaf nodes
//! is probed and stored. A probe costs one memory access, so the cache lines of all children are prefetched before the
//! first child is probed. The children's keys follow from the moves alone.
//!
//! Nearly all probes are of positions two plies above the leaf nodes. Their cache lines are prefetched one parent
//! ahead: while the children of one position are counted, the lines of the next position's children arrive
//! ([`look_ahead`]). A child that is not in the table needs no board: its bitboards are enough to count it, and its key
//! is enough to store it.

use super::leaf_counter::{CUT, LeafCounter, count_subtree};
use super::parent::Family;
use crate::table::{EntryMatch, Misses, PerftTable, ProbeKey, TableStats};
use arrayvec::ArrayVec;
use perft_gate_chess::{MAX_MOVES, MoveList};
use perft_gate_simd::{Token, inline_all, kernel};
use perft_gate_walk::{ChildKeys, Children, Control, Game, Position, Visitor};
use perft_gate_zobrist::Tracker;

/// Subtrees of more than this many plies report their table statistics when they end. There are only a few such
/// subtrees.
const REPORTED: u32 = 5;

/// A counter of the leaf nodes of a tree of two plies or more, with a table.
pub struct Hashed<'c> {
    /// Number of leaf nodes so far. With a table, trees of more than 2^64 leaf nodes can be counted.
    pub total: u128,
    tally: TableStats,
    pub(crate) leaves: LeafCounter<'c>,
    table: &'c PerftTable,
    /// The children that the last lookup did not find in the table.
    misses: Misses,
}

#[inline_all]
impl<'c> Hashed<'c> {
    pub fn new(table: &'c PerftTable, control: &'c Control) -> Hashed<'c> {
        Hashed {
            total: 0,
            tally: TableStats::default(),
            leaves: LeafCounter::new(control),
            table,
            misses: Misses::NONE,
        }
    }

    fn probe_key<T: Tracker>(&self, position: &Position<T>) -> ProbeKey {
        self.table.probe_key(position.key().expect("a tracker that keeps a key"), position.board())
    }

    /// If the table holds the count of a position, adds it to the total and returns true.
    fn add_known(&mut self, probe_key: &ProbeKey, depth: u32) -> bool {
        let found = self.table.probe(probe_key, depth, &mut self.tally);
        self.total += u128::from(found.unwrap_or(0));
        found.is_some()
    }

    fn store<T: Tracker>(&mut self, position: &Position<T>, depth: u32, count: u128) {
        self.table.store(&self.probe_key(position), depth, count, &mut self.tally);
    }
}

#[inline_all]
impl<T: Tracker> Visitor<Position<T>> for Hashed<'_> {
    const CUT: u32 = CUT;
    /// The total of leaf nodes before this node was entered.
    type Frame = u128;

    fn open(&mut self, _: &Position<T>) -> u128 {
        self.total
    }
    fn is_known<L: Token>(&mut self, _: L, root: &Position<T>, depth: u32) -> bool {
        let probe_key = self.probe_key(root);
        self.add_known(&probe_key, depth)
    }
    fn take_known<L: Token>(
        &mut self,
        level: L,
        position: &Position<T>,
        prepared: &<Position<T> as Game>::Prepared,
        moves: &mut MoveList,
        depth: u32,
    ) {
        // `add_known` is a separate function so that its arrays are off the stack when the children are walked.
        add_known(level, self, position, prepared, moves, depth);
        if depth == CUT + 2 && self.table.identity() == EntryMatch::Tag {
            look_ahead(level, self, position, prepared, moves);
        }
    }
    fn close<L: Token>(&mut self, _: L, position: &Position<T>, before: &u128, depth: u32, _: Children) {
        // After a stop the counts of open nodes are incomplete and must not be stored.
        if !self.leaves.is_stopping() {
            self.store(position, depth, self.total - before);
        }
        if depth > REPORTED {
            self.table.report(&mut self.tally);
        }
    }
    fn cut<L: Token>(&mut self, level: L, position: &mut Position<T>) {
        self.leaves.total = 0;
        self.leaves.cut(level, position);
        let count = u128::from(self.leaves.total);
        self.total += count;
        self.store(position, CUT, count);
    }
    fn finish<L: Token>(&mut self, level: L) {
        self.table.report(&mut self.tally);
        <LeafCounter<'_> as Visitor<Position<T>>>::finish(&mut self.leaves, level);
    }
    fn is_stopped(&self) -> bool {
        self.leaves.is_stopping()
    }
}

/// Adds the counts of the children that the table holds, and removes their moves. `depth` is the number of plies below
/// the position.
#[kernel(common_only = T::COMMON_ONLY)]
fn add_known<L: Token, T: Tracker>(
    level: L,
    counter: &mut Hashed<'_>,
    position: &Position<T>,
    prepared: &<Position<T> as Game>::Prepared,
    moves: &mut MoveList,
    depth: u32,
) {
    let table = counter.table;
    if table.identity() == EntryMatch::Tag {
        let mut keys = ChildKeys::new();
        Position::child_keys_after(level, prepared, moves, &mut keys);
        table.prefetch_keys(&keys);
        counter.total += table.sum_of_known(&keys, depth - 1, &mut counter.misses, &mut counter.tally);
    } else {
        let mut children = ArrayVec::<ProbeKey, MAX_MOVES>::new();
        let mut child = *position;
        for &mv in moves.iter() {
            let _ = child.make(level, prepared, mv);
            children.push(counter.probe_key(&child));
        }
        // This loop is separate for the reason given in `PerftTable::prefetch_keys`.
        for probe_key in &children {
            table.prefetch(probe_key);
        }
        counter.misses.clear();
        for (number, probe_key) in children.iter().enumerate() {
            let is_known = counter.add_known(probe_key, depth - 1);
            counter.misses.push(number, !is_known);
        }
    }
    let mut kept = 0;
    for number in counter.misses.numbers() {
        moves[kept] = moves[number];
        kept += 1;
    }
    moves.truncate(kept);
}

/// Counts the children of a position four plies above the leaf nodes, and removes their moves. The cache lines for the
/// children of each child are prefetched before the preceding child is counted.
#[kernel(common_only = T::COMMON_ONLY)]
fn look_ahead<L: Token, T: Tracker>(
    level: L,
    counter: &mut Hashed<'_>,
    position: &Position<T>,
    prepared: &<Position<T> as Game>::Prepared,
    moves: &mut MoveList,
) {
    let mut children = [(); 2].map(|()| PrefetchedChild {
        position: *position,
        prepared: *prepared,
        moves: MoveList::default(),
        keys: ChildKeys::new(),
    });
    let [now, next] = &mut children;
    let (mut now, mut next) = (now, next);
    for (number, &mv) in moves.iter().enumerate() {
        let _ = next.position.make(level, prepared, mv);
        prefetch(level, next, counter.table);
        if number > 0 {
            count_prefetched(level, now, counter);
        }
        (now, next) = (next, now);
        if counter.leaves.is_stopping() {
            break;
        }
    }
    if !moves.is_empty() {
        count_prefetched(level, now, counter);
    }
    moves.clear();
}

/// A position three plies above the leaf nodes, its moves, and the keys of its children.
struct PrefetchedChild<T: Tracker> {
    position: Position<T>,
    prepared: <Position<T> as Game>::Prepared,
    moves: MoveList,
    keys: ChildKeys,
}

/// Lists the moves of a position, and prefetches the cache lines of its children.
#[kernel(common_only = T::COMMON_ONLY)]
fn prefetch<L: Token, T: Tracker>(level: L, child: &mut PrefetchedChild<T>, table: &PerftTable) {
    let PrefetchedChild { position, prepared, moves, keys } = child;
    moves.clear();
    keys.clear();
    position.moves(level, moves);
    *prepared = position.prepare();
    Position::child_keys_after(level, prepared, moves, keys);
    table.prefetch_keys(keys);
}

/// Counts the leaf nodes three plies below a position, and stores the counts of the position and of its children.
#[kernel(common_only = T::COMMON_ONLY)]
fn count_prefetched<L: Token, T: Tracker>(level: L, child: &mut PrefetchedChild<T>, counter: &mut Hashed<'_>) {
    let PrefetchedChild { position, prepared, moves, keys } = child;
    let (table, before) = (counter.table, counter.total);
    // All probes come first: they are independent, so they overlap.
    counter.total += table.sum_of_known(keys, CUT, &mut counter.misses, &mut counter.tally);
    let family = Family::new(position.board());
    counter.leaves.scratch.found.pieces.forget();
    let mut child = *position;
    for number in counter.misses.numbers() {
        let (mv, key) = (moves[number], keys[number]);
        let mut replies = None;
        if L::FAST_VECTORS
            && let Some(last_move) = family.plain_move(mv, 1)
        {
            let mut parent = family.child(level, mv, last_move);
            let scratch = &mut *counter.leaves.scratch;
            scratch.queues.common = parent.common();
            replies = parent.replies(level, scratch, true);
        }
        let replies = replies.unwrap_or_else(|| {
            let _ = child.make(level, prepared, mv);
            count_subtree(level, child.board(), &mut counter.leaves.scratch)
        });
        counter.total += u128::from(replies);
        table.store_key(key, CUT, replies.into(), &mut counter.tally);
    }
    counter.store(position, CUT + 1, counter.total - before);
}

#[cfg(test)]
mod tests {
    use super::Hashed;
    use crate::TreeCounter;
    use crate::table::{EntryMatch, PerftTable};
    use perft_gate_chess::{Board, Fen};
    use perft_gate_simd::Level;
    use perft_gate_walk::{Control, Position, walk};
    use perft_gate_zobrist::{SchemeVisitor, Tracker, visit_fingerprint};

    const FENS: [&str; 9] = [
        Fen::START,
        Fen::KIWIPETE,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
        "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1",
        // En-passant captures: legal ones, and one that would expose the king.
        "4k3/2p1p3/8/3P4/3pP3/8/2P2P2/4K3 b - e3 0 1",
        "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
        // More pieces than set-wise counting supports.
        "4k3/8/8/8/8/8/NNNNNNNN/RNBQKBNR w KQ - 0 1",
    ];

    const IDENTITIES: [EntryMatch; 2] = [EntryMatch::Tag, EntryMatch::Position];

    fn leaves(level: Level, table: Option<&PerftTable>, board: &Board, depth: u32, control: &Control) -> u128 {
        TreeCounter { table: table.map(Into::into), ..TreeCounter::new(level) }.leaves(board, depth, control).nodes
    }

    /// Compares counts with and without a table, at depths 2 to 4. One table is large enough for all positions, another
    /// for hardly any. Each table is reused from one depth to the next.
    #[test]
    fn counts_with_a_table_are_those_without() {
        let control = Control::default();
        for level in Level::all() {
            for fen in FENS {
                let board = Fen::parse(fen).expect(fen);
                let expected: Vec<u128> = (2..=4).map(|depth| leaves(level, None, &board, depth, &control)).collect();
                for (bytes, identity) in IDENTITIES.into_iter().flat_map(|it| [(1 << 24, it), (1 << 10, it)]) {
                    let table = PerftTable::new(bytes, identity).expect("memory");
                    for round in 0..2 {
                        let found: Vec<u128> =
                            (2..=4).map(|depth| leaves(level, Some(&table), &board, depth, &control)).collect();
                        assert_eq!(found, expected, "{level}, {fen}, {bytes} bytes, {identity:?}, round {round}");
                    }
                    let tally = table.tally();
                    assert!(tally.hits > 0 && tally.stores > 0, "{fen}: {tally:?}");
                }
            }
        }
    }

    /// A walk of the whole tree that is cancelled at its `polls`-th poll. A cancelled walk has the result `None`.
    struct Walk<'t> {
        level: Level,
        board: Board,
        depth: u32,
        table: &'t PerftTable,
        polls: u64,
    }

    impl SchemeVisitor for Walk<'_> {
        type Output = Option<u128>;
        fn visit<T: Tracker>(self, tracker: T) -> Option<u128> {
            let Walk { level, board, depth, table, polls } = self;
            let control = Control::default().stopping_after(polls);
            let mut counter = Hashed::new(table, &control);
            walk(level, &mut Position::new(board, tracker), &mut counter, depth);
            counter.leaves.complete.then_some(counter.total)
        }
    }

    #[test]
    fn a_count_that_is_stopped_stores_nothing_incomplete() {
        for level in Level::all() {
            for (fen, identity) in FENS.into_iter().flat_map(|fen| IDENTITIES.map(|identity| (fen, identity))) {
                let board = Fen::parse(fen).expect(fen);
                let depth = if fen == Fen::KIWIPETE { 3 } else { 4 };
                let expected = leaves(level, None, &board, depth, &Control::default());
                let is_stopped = |polls: &u64| {
                    let table = &PerftTable::new(1 << 20, identity).expect("memory");
                    let [part, all] = [*polls, 0]
                        .map(|polls| visit_fingerprint(level, 0, Walk { level, board, depth, table, polls }));
                    assert_eq!(all, Some(expected), "{level}, {fen}, {identity:?}, stopped at poll {polls}");
                    part.is_none()
                };
                assert!((1..).take_while(is_stopped).count() > 1, "{level}, {fen}");
            }
        }
    }

    /// Each king can move only on three squares in a row, and no other piece can move. So a side can make k moves in
    /// 2^⌊k/2⌋ ways, and a tree deeper than any table entry stays small.
    #[test]
    fn a_tree_deeper_than_any_entry_is_counted_in_full() {
        let board = Fen::parse("4b2k/3p1p1p/3P1P1P/8/8/p1p1p3/P1P1P3/K2B4 w - - 0 1").expect("a position");
        for level in [Level::portable(), Level::detect()] {
            for identity in IDENTITIES {
                let table = &PerftTable::new(1 << 20, identity).expect("memory");
                for depth in [16_u32, 17, 18, 19, 20, 25] {
                    let expected = 1 << (depth.div_ceil(2) / 2 + depth / 2 / 2);
                    let walk = Walk { level, board, depth, table, polls: 0 };
                    assert_eq!(
                        visit_fingerprint(level, 0, walk),
                        Some(expected),
                        "{level}, {identity:?}, depth {depth}"
                    );
                }
                assert!(table.tally().too_large > 0, "{:?}", table.tally());
            }
        }
    }
}
