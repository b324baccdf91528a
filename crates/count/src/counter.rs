//! Counting leaf nodes, without checks: as fast as possible, with or without a table, in one run or over several.

use crate::setwise::{self, Hashed, LeafCounter};
use crate::table::PerftTable;
use perft_gate_chess::{Board, Move};
use perft_gate_simd::Level;
use perft_gate_walk::{Control, TaskPlan, Visitor};
use perft_gate_walk::{Position, RowReport, board_after, moves};
use perft_gate_zobrist::{SchemeVisitor, Tracker, visit_fingerprint};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A record of finished units, so that a count that was killed can go on. The units of a tree are numbered in tree order,
/// see [`SPLIT_RULE`](perft_gate_walk::SPLIT_RULE).
pub trait Journal: Sync {
    /// Returns the leaf nodes of a unit, if it was finished before.
    fn finished_leaves(&self, unit: usize) -> Option<u128>;
    /// Records a finished unit and its leaf nodes.
    fn record(&self, unit: usize, leaves: u128);
}

/// The settings of a count.
#[derive(Clone, Copy)]
pub struct TreeCounter<'a> {
    /// The instruction-set level to use.
    pub level: Level,
    /// A table of positions that are not counted again.
    pub table: Option<&'a PerftTable>,
    /// A journal of units that are not counted again.
    pub journal: Option<&'a dyn Journal>,
}

/// The result of a count.
#[derive(Clone, Copy, Debug)]
pub struct LeafCount {
    /// Nodes of the last ply.
    pub nodes: u128,
    /// Wall time.
    pub time: Duration,
    /// True if the count was stopped early.
    pub interrupted: bool,
}

/// Counts the nodes of every ply, each ply separately and as fast as possible: see [`leaves`].
pub fn count(board: &Board, depth: u32, level: Level, control: &Control) -> RowReport {
    let start = Instant::now();
    let nodes = (0..=depth).map(|depth| leaves(board, depth, level, control).nodes).collect();
    RowReport { nodes, ..RowReport::new(depth, start.elapsed(), control) }
}

/// Counts the last ply of a tree, without table or journal.
pub fn leaves(board: &Board, depth: u32, level: Level, control: &Control) -> LeafCount {
    TreeCounter::new(level).leaves(board, depth, control)
}

impl<'a> TreeCounter<'a> {
    /// Makes a counter without table or journal.
    pub fn new(level: Level) -> TreeCounter<'a> {
        TreeCounter { level, table: None, journal: None }
    }

    /// Counts the last ply of a tree: set-wise if the level has vectors, else in bulk.
    pub fn leaves(self, board: &Board, depth: u32, control: &Control) -> LeafCount {
        let start = Instant::now();
        let nodes = match depth {
            0 => 1,
            1 => self.moves(board).len() as u128,
            _ => self.units(board, depth, control).iter().filter_map(|unit| unit.leaves).sum(),
        };
        LeafCount { nodes, time: start.elapsed(), interrupted: control.stop.load(Ordering::Relaxed) }
    }

    /// Counts the leaf nodes below each root move, for a depth of at least one, in the order of the moves' UCI names. After a
    /// stop only the moves that are complete are returned.
    pub fn divide(self, board: &Board, depth: u32, control: &Control) -> Vec<(Move, u128)> {
        let mut moves = self.moves(board);
        moves.sort_by_cached_key(|mv| mv.uci().to_string());
        let plan = TaskPlan::new(Position::new(*board, ()), depth, setwise::CUT, control.split);
        if plan.trunk == 0 {
            let below = |&mv: &Move| {
                let leaves = TreeCounter { journal: None, ..self }.leaves(&board_after(board, mv), depth - 1, control);
                (!leaves.interrupted).then_some((mv, leaves.nodes))
            };
            return moves.iter().filter_map(below).collect();
        }
        // A move is complete if all of its units are.
        let mut totals: HashMap<Move, Option<u128>> = moves.iter().map(|&mv| (mv, Some(0))).collect();
        for unit in self.units(board, depth, control) {
            if let Some(total) = unit.first.and_then(|first| totals.get_mut(&first)) {
                *total = total.zip(unit.leaves).map(|(total, leaves)| total + leaves);
            }
        }
        moves.into_iter().filter_map(|mv| Some((mv, totals[&mv]?))).collect()
    }

    fn moves(self, board: &Board) -> Vec<Move> {
        moves(self.level, &Position::new(*board, ())).to_vec()
    }

    /// Counts the tree, unit by unit.
    fn units(self, board: &Board, depth: u32, control: &Control) -> Vec<Unit> {
        let tree = CountedTree { counter: self, board, depth, control };
        match self.table {
            Some(table) => visit_fingerprint(self.level, Hashing { tree, table }),
            None => {
                tree.units((), || LeafCounter::new(&control.stop), |counted| (counted.complete, counted.total.into()))
            }
        }
    }
}

/// A part of a tree.
struct Unit {
    /// The root move that leads to the unit; none if the tree is not split.
    first: Option<Move>,
    /// Number of leaf nodes, if the unit is complete.
    leaves: Option<u128>,
}

/// A tree of at least two plies.
struct CountedTree<'a> {
    counter: TreeCounter<'a>,
    board: &'a Board,
    depth: u32,
    control: &'a Control,
}

impl CountedTree<'_> {
    /// Counts the units that the journal lacks, each with a visitor of its own; `counted` says whether it finished, and
    /// its leaf nodes.
    fn units<T: Tracker, V: Visitor<Position<T>>>(
        self,
        tracker: T,
        visitor: impl Fn() -> V + Sync,
        counted: impl Fn(V) -> (bool, u128) + Sync,
    ) -> Vec<Unit> {
        let CountedTree { counter: TreeCounter { level, journal, .. }, board, depth, control } = self;
        let plan = TaskPlan::new(Position::new(*board, tracker), depth, setwise::CUT, control.split);
        let finished = |unit| journal.and_then(|journal| journal.finished_leaves(unit));
        let record = |unit, (complete, leaves): (bool, u128)| {
            if let (Some(journal), true) = (journal, complete) {
                journal.record(unit, leaves);
            }
            complete.then_some(leaves)
        };
        let leaves: Vec<_> = plan.run(
            level,
            control,
            |unit, _| finished(unit).is_none().then(&visitor),
            |unit, visitor| record(unit, counted(visitor)),
        );
        let units = leaves.into_iter().zip(&plan.tasks).enumerate();
        units
            .map(|(unit, (leaves, (path, _)))| Unit {
                first: path.first().copied(),
                leaves: leaves.flatten().or_else(|| finished(unit)),
            })
            .collect()
    }
}

/// A tree that is counted with a table, before the tracker of the table's keys is chosen.
struct Hashing<'a> {
    tree: CountedTree<'a>,
    table: &'a PerftTable,
}

impl SchemeVisitor for Hashing<'_> {
    type Output = Vec<Unit>;

    fn visit<T: Tracker>(self, tracker: T) -> Vec<Unit> {
        let Hashing { tree, table } = self;
        let stop = &tree.control.stop;
        tree.units(tracker, || Hashed::new(table, stop), |counted| (counted.is_complete(), counted.total))
    }
}
