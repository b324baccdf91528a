//! A leaf counter with a transposition table.
//!
//! Transpositions are counted once, as long as the table holds them. Every node above the plies that are counted set-wise
//! is probed and stored. A probe costs one access to memory, so the cache lines of all children are prefetched before the
//! first child is probed. Their keys follow from the moves alone; a board is made only of a child that is not in the table.

use super::{CUT, LeafCounter};
use crate::table::{EntryMatch, PerftTable, TableStats, Wanted};
use arrayvec::ArrayVec;
use perft_gate_simd::{Kernel, Token};
use perft_gate_walk::chess::{MAX_MOVES, Move, MoveList};
use perft_gate_walk::walk::{Children, Game, Visitor};
use perft_gate_walk::zobrist::{Key, Tracker};
use perft_gate_walk::{ChildKeys, Position, TakeKey};
use std::sync::atomic::AtomicBool;

/// Depth in plies of the subtrees after which table statistics are reported, if it is exceeded: such subtrees are few.
const REPORTED: u32 = 5;

/// A counter of the leaf nodes of a tree of two plies or more, with a table.
pub struct Hashed<'c> {
    /// Number of leaf nodes so far. With a table, trees of more than 2^64 leaf nodes can be counted.
    pub total: u128,
    tally: TableStats,
    leaves: LeafCounter<'c>,
    table: &'c PerftTable,
}

impl<'c> Hashed<'c> {
    /// Makes a counter for one tree.
    pub fn new(table: &'c PerftTable, stop: &'c AtomicBool) -> Hashed<'c> {
        Hashed { total: 0, tally: TableStats::default(), leaves: LeafCounter::new(stop), table }
    }

    /// Returns true if the whole tree was counted.
    pub fn complete(&self) -> bool {
        self.leaves.complete
    }

    #[inline(always)]
    fn wanted<T: Tracker>(&self, position: &Position<T>) -> Wanted {
        self.table.wanted(position.key().expect("a tracker that keeps a key"), position.board())
    }

    /// Adds the count of a position that is in the table; returns true if it is.
    #[inline(always)]
    fn add_known(&mut self, wanted: &Wanted, depth: u32) -> bool {
        let found = self.table.probe(wanted, depth, &mut self.tally);
        self.total += u128::from(found.unwrap_or(0));
        found.is_some()
    }

    #[inline(always)]
    fn store<T: Tracker>(&mut self, position: &Position<T>, depth: u32, count: u128) {
        self.table.store(&self.wanted(position), depth, count, &mut self.tally);
    }

    #[inline(always)]
    fn was_stopped(&self) -> bool {
        <LeafCounter<'_> as Visitor<Position<()>>>::stopped(&self.leaves)
    }
}

impl<T: Tracker> Visitor<Position<T>> for Hashed<'_> {
    const CUT: u32 = CUT;
    /// The total before the node.
    type Frame = u128;

    #[inline(always)]
    fn enter<L: Token>(&mut self, _: L, _: &mut Position<T>, _: u32, _: Option<(&u128, Move)>) {}
    #[inline(always)]
    fn open(&mut self, _: &Position<T>) -> u128 {
        self.total
    }
    #[inline(always)]
    fn is_known<L: Token>(&mut self, _: L, root: &Position<T>, depth: u32) -> bool {
        let wanted = self.wanted(root);
        self.add_known(&wanted, depth)
    }
    #[inline(always)]
    fn prune<L: Token>(
        &mut self,
        level: L,
        position: &Position<T>,
        prepared: &<Position<T> as Game>::Prepared,
        moves: &mut MoveList,
        depth: u32,
    ) {
        // A function of its own, so that its arrays leave the stack before the children are walked.
        level.call(AddKnown { counter: self, position, prepared, moves, depth });
    }
    #[inline(always)]
    fn close<L: Token>(&mut self, _: L, position: &Position<T>, before: &u128, depth: u32, _: Children) {
        // After a stop the counts of open nodes are incomplete.
        if !self.was_stopped() {
            self.store(position, depth, self.total - before);
        }
        if depth > REPORTED {
            self.table.report(&mut self.tally);
        }
    }
    #[inline(always)]
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
    #[inline(always)]
    fn stopped(&self) -> bool {
        self.was_stopped()
    }
}

/// Adds the counts of the children that are in the table, and drops the moves that lead to them.
struct AddKnown<'a, 'c, T: Tracker> {
    counter: &'a mut Hashed<'c>,
    position: &'a Position<T>,
    prepared: &'a <Position<T> as Game>::Prepared,
    moves: &'a mut MoveList,
    /// Plies below the position.
    depth: u32,
}

impl<T: Tracker> Kernel for AddKnown<'_, '_, T> {
    type Output = ();
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        let AddKnown { counter, position, prepared, moves, depth } = self;
        let table = counter.table;
        let mut unknown = ArrayVec::<bool, MAX_MOVES>::new();
        if table.identity() == EntryMatch::Tag {
            let mut children = Prefetched { table, keys: ChildKeys::new() };
            Position::child_keys_after(level, prepared, moves, &mut children);
            for &key in &children.keys {
                let found = table.probe_key(key, depth - 1, &mut counter.tally);
                counter.total += u128::from(found.unwrap_or(0));
                unknown.push(found.is_none());
            }
        } else {
            let mut children = ArrayVec::<Wanted, MAX_MOVES>::new();
            let mut child = *position;
            for &mv in moves.iter() {
                let _ = child.make(level, prepared, mv);
                children.push(counter.wanted(&child));
            }
            // A loop of its own lets many prefetches run at once; between moves the processor would wait for each in turn.
            for wanted in &children {
                table.prefetch(wanted);
            }
            for wanted in &children {
                unknown.push(!counter.add_known(wanted, depth - 1));
            }
        }
        moves.keep(&unknown);
    }
}

/// Keys whose buckets are prefetched as soon as they are known. Keys follow each other quickly enough for many prefetches to
/// run at once, beside the computation of the next ones.
struct Prefetched<'t> {
    table: &'t PerftTable,
    keys: ChildKeys,
}

impl TakeKey for Prefetched<'_> {
    #[inline(always)]
    fn take(&mut self, key: Key) {
        self.table.prefetch_key(key);
        self.keys.push(key);
    }
}
