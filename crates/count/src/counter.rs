//! Counts leaf nodes as fast as possible and without checks, with or without a table, in one or several runs.

use crate::setwise::{self, Hashed, LeafCounter};
use crate::table::PerftTable;
use crate::transpositions::{MIN_DEPTH, PathCounter, STEPS, Sharing};
use perft_gate_chess::{Board, Color, Move, Role};
use perft_gate_simd::Level;
use perft_gate_walk::{Control, Position, RowReport, TaskPlan, board_after, moves, walk};
use perft_gate_zobrist::{SchemeVisitor, Tracker, visit_fingerprint};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// A record of finished units, so that a count that was killed can resume. Units are the parts of a tree, numbered in
/// tree order: see [`SPLIT_RULE`](perft_gate_walk::SPLIT_RULE).
pub trait Journal: Sync {
    /// Returns the number of leaf nodes of a unit, if it was finished earlier.
    fn finished_leaves(&self, unit: usize) -> Option<u128>;
    /// Records a finished unit and its number of leaf nodes.
    fn record(&self, unit: usize, leaves: u128);
}

/// Whether a count without a table merges different paths to the same position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paths {
    /// Positions reached by several paths are counted once, and the count is multiplied by the number of paths. Most
    /// such positions are found, but not all.
    Merged,
    /// Every path is visited, for comparison with programs that do so.
    Every,
}

/// The settings of a count.
#[derive(Clone, Copy)]
pub struct TreeCounter<'a> {
    /// The instruction-set level to use.
    pub level: Level,
    /// A table of positions whose counts are reused and stored.
    pub table: Option<TableUse<'a>>,
    /// A journal of finished units, which are not counted again.
    pub journal: Option<&'a dyn Journal>,
    /// Which paths are visited if there is no table.
    pub paths: Paths,
    /// The threads that count a tree whose paths are merged.
    pub sharing: Sharing,
}

/// A table, and the code that counts with it. A program that makes no `TableUse` does not contain that code.
#[derive(Clone, Copy)]
pub struct TableUse<'a> {
    table: &'a PerftTable,
    count: fn(Hashing<'_>) -> Vec<Unit>,
}

impl<'a> From<&'a PerftTable> for TableUse<'a> {
    /// Not inlined, because otherwise the counter would be compiled in the caller's crate, which might not be
    /// optimised.
    #[inline(never)]
    fn from(table: &'a PerftTable) -> TableUse<'a> {
        TableUse { table, count: |tree| visit_fingerprint(tree.counter.level, tree.table.seed(), tree) }
    }
}

/// The result of a count.
#[derive(Clone, Copy, Debug)]
pub struct LeafCount {
    /// Number of nodes in the last ply.
    pub nodes: u128,
    /// Wall time.
    pub time: Duration,
    /// True if the count was stopped early.
    pub interrupted: bool,
}

/// Counts the nodes of every ply with one call of [`leaves`] per ply.
pub fn count(board: &Board, depth: u32, level: Level, control: &Control) -> RowReport {
    let start = Instant::now();
    let nodes = (0..=depth).map(|depth| leaves(board, depth, level, control).nodes).collect();
    RowReport { nodes, ..RowReport::new(depth, start.elapsed(), control) }
}

/// Counts the nodes in the last ply of a tree, without a table or a journal.
pub fn leaves(board: &Board, depth: u32, level: Level, control: &Control) -> LeafCount {
    TreeCounter::new(level).leaves(board, depth, control)
}

impl<'a> TreeCounter<'a> {
    /// Makes a counter without a table or a journal.
    pub fn new(level: Level) -> TreeCounter<'a> {
        TreeCounter { level, table: None, journal: None, paths: Paths::Merged, sharing: Sharing::AllThreads }
    }

    /// Counts the nodes in the last ply of a tree: set-wise if the level has fast vectors, otherwise in bulk.
    pub fn leaves(self, board: &Board, depth: u32, control: &Control) -> LeafCount {
        let start = Instant::now();
        let nodes = self.nodes(board, depth, control);
        LeafCount { nodes, time: start.elapsed(), interrupted: control.is_stopped() }
    }

    /// Like [`TreeCounter::leaves`], but without timing.
    pub fn nodes(self, board: &Board, depth: u32, control: &Control) -> u128 {
        match depth {
            0 => 1,
            1 => self.moves(board).len() as u128,
            _ if self.merges(board, depth) && self.journal.is_none() => {
                control.begin(STEPS);
                PathCounter::new(self.level, control, self.sharing).leaves(board, depth, STEPS)
            }
            _ => self.units(board, depth, control).iter().filter_map(|unit| unit.leaves).sum(),
        }
    }

    /// Returns true if paths of a tree of this depth are merged.
    pub fn merges(self, board: &Board, depth: u32) -> bool {
        let is_wanted = self.paths == Paths::Merged && self.table.is_none() && depth >= MIN_DEPTH;
        is_wanted && fits(board, depth)
    }

    /// Counts the leaf nodes below each root move, without timing. The moves are sorted by UCI name. `depth` is at
    /// least one. If the count is stopped, returns only the moves that were counted completely.
    pub fn divide(self, board: &Board, depth: u32, control: &Control) -> Vec<(Move, u128)> {
        let mut moves = self.moves(board);
        moves.sort_by_cached_key(|mv| mv.uci().to_string());
        if self.merges(board, depth - 1) && self.journal.is_none() {
            // Paths are merged separately below each move.
            let counter = PathCounter::new(self.level, control, self.sharing);
            let steps = STEPS / moves.len().max(1) as u64;
            control.begin(steps * moves.len() as u64);
            let below = |&mv: &Move| {
                let leaves = counter.leaves(&board_after(board, mv), depth - 1, steps);
                (!control.is_stopped()).then_some((mv, leaves))
            };
            return moves.iter().filter_map(below).collect();
        }
        let plan = TaskPlan::new(Position::new(*board, ()), depth, setwise::CUT, control.split);
        if plan.trunk == 0 {
            let below = |&mv: &Move| {
                let nodes = TreeCounter { journal: None, ..self }.nodes(&board_after(board, mv), depth - 1, control);
                (!control.is_stopped()).then_some((mv, nodes))
            };
            return moves.iter().filter_map(below).collect();
        }
        // A move is complete if all its units are.
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

    fn units(self, board: &Board, depth: u32, control: &Control) -> Vec<Unit> {
        if let Some(TableUse { table, count }) = self.table {
            return count(Hashing { counter: self, table, board, depth, control });
        }
        self.units_by(board, depth, control, (), |root, below| {
            if self.merges(root.board(), below) {
                // The units run in parallel.
                let leaves = PathCounter::new(self.level, control, Sharing::OneThread).leaves(root.board(), below, 0);
                return (!control.is_stopped()).then_some(leaves);
            }
            let mut leaves = LeafCounter::new(control);
            walk(self.level, &mut root.clone(), &mut leaves, below);
            leaves.complete.then_some(leaves.total.into())
        })
    }

    /// Counts the units that are not in the journal. `count` takes a unit's root and the number of plies below it. It
    /// returns the number of leaf nodes, or `None` if it was stopped.
    fn units_by<T: Tracker>(
        self,
        board: &Board,
        depth: u32,
        control: &Control,
        tracker: T,
        count: impl Fn(&Position<T>, u32) -> Option<u128> + Sync,
    ) -> Vec<Unit> {
        let plan = TaskPlan::new(Position::new(*board, tracker), depth, setwise::CUT, control.split);
        let finished = |unit| self.journal.and_then(|journal| journal.finished_leaves(unit));
        let leaves = plan.run(control, |unit, _, root| {
            if finished(unit).is_some() {
                return None;
            }
            let leaves = count(root, plan.below)?;
            self.journal.inspect(|journal| journal.record(unit, leaves));
            Some(leaves)
        });
        let units = leaves.into_iter().zip(&plan.tasks).enumerate();
        units
            .map(|(unit, (leaves, (path, _)))| Unit {
                first: path.first().copied(),
                leaves: leaves.or_else(|| finished(unit)),
            })
            .collect()
    }
}

/// Returns true if no tree of this depth has 2^128 leaf nodes, given the most moves that the pieces can ever have.
fn fits(board: &Board, depth: u32) -> bool {
    // A pawn can become a queen, and a king can castle on two sides.
    let most = [
        (Role::Pawn, 27),
        (Role::Knight, 8),
        (Role::Bishop, 13),
        (Role::Rook, 14),
        (Role::Queen, 27),
        (Role::King, 10),
    ];
    let moves = |color| most.iter().map(|&(role, most)| most * board.pieces(color, role).count()).sum::<u64>();
    let most = moves(Color::White).max(moves(Color::Black));
    f64::from(depth) * (most as f64).log2() < 128.0
}

/// A part of a tree.
struct Unit {
    /// The root move that leads to the unit, or `None` if the tree is not split.
    first: Option<Move>,
    /// Number of leaf nodes, if the unit is complete.
    leaves: Option<u128>,
}

/// A tree to be counted with a table. `visit` receives the tracker that computes the table's keys.
struct Hashing<'a> {
    counter: TreeCounter<'a>,
    table: &'a PerftTable,
    board: &'a Board,
    depth: u32,
    control: &'a Control,
}

impl SchemeVisitor for Hashing<'_> {
    type Output = Vec<Unit>;

    fn visit<T: Tracker>(self, tracker: T) -> Vec<Unit> {
        let Hashing { counter, table, board, depth, control } = self;
        counter.units_by(board, depth, control, tracker, |root, below| {
            let mut hashed = Hashed::new(table, control);
            walk(counter.level, &mut root.clone(), &mut hashed, below);
            hashed.leaves.complete.then_some(hashed.total)
        })
    }
}

/// Stops a count at each of its polls in turn, and checks that nothing incomplete is recorded, listed or stored.
#[cfg(test)]
pub(crate) mod tests {
    use super::fits;
    use crate::table::{EntryMatch, PerftTable};
    use crate::{Journal, Paths, TreeCounter};
    use perft_gate_chess::{Fen, Move};
    use perft_gate_simd::Level;
    use perft_gate_walk::{Control, Split};
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    /// A journal that keeps everything in memory.
    #[derive(Default)]
    pub(crate) struct Kept(Mutex<BTreeMap<usize, u128>>);

    impl Journal for Kept {
        fn finished_leaves(&self, unit: usize) -> Option<u128> {
            self.0.lock().expect("no panic").get(&unit).copied()
        }
        fn record(&self, unit: usize, leaves: u128) {
            self.0.lock().expect("no panic").insert(unit, leaves);
        }
    }

    /// If this tree is split at its first ply, each unit has five plies, which is the minimum depth for merging.
    const FEN: &str = "4k3/4p3/8/8/8/8/3P4/4K3 w - - 0 1";
    const DEPTH: u32 = 6;

    fn control(polls: u64) -> Control {
        Control::splitting(Split::AT_ONCE).stopping_after(polls)
    }

    /// A counting mode: which paths it visits, and the match rule of its table, if it uses one.
    type Way = (Paths, Option<EntryMatch>);

    const WAYS: [Way; 4] = [
        (Paths::Every, None),
        (Paths::Merged, None),
        (Paths::Merged, Some(EntryMatch::Tag)),
        (Paths::Merged, Some(EntryMatch::Position)),
    ];

    /// Calls `stop` with a counter and a control that stops at the first poll, then at the second, and so on until
    /// `stop` returns false. Returns the number of stops.
    fn stop_everywhere(level: Level, (paths, identity): Way, stop: impl Fn(TreeCounter<'_>, &Control) -> bool) -> u64 {
        let is_stopped = |polls: &u64| {
            let table = identity.map(|identity| PerftTable::new(1 << 16, identity).expect("memory"));
            let table = table.as_ref().map(Into::into);
            stop(TreeCounter { table, paths, ..TreeCounter::new(level) }, &control(*polls))
        };
        (1..).take_while(is_stopped).count() as u64
    }

    #[test]
    fn a_tree_whose_count_might_overflow_is_not_merged() {
        let [kings, start] = ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", Fen::START].map(|fen| Fen::parse(fen).expect(fen));
        for (board, most) in [(kings, 38), (start, 15)] {
            assert_eq!([most, most + 1].map(|depth| fits(&board, depth)), [true, false]);
        }
    }

    #[test]
    fn a_count_that_is_stopped_records_no_incomplete_unit() {
        let board = Fen::parse(FEN).expect(FEN);
        for (level, way) in Level::all().into_iter().flat_map(|level| WAYS.map(|way| (level, way))) {
            let whole = Kept::default();
            let journaled = TreeCounter { journal: Some(&whole), ..TreeCounter::new(level) };
            let expected = journaled.leaves(&board, DEPTH, &control(0)).nodes;
            let stops = stop_everywhere(level, way, |counter, control| {
                let kept = Kept::default();
                let counter = TreeCounter { journal: Some(&kept), ..counter };
                let stopped = counter.leaves(&board, DEPTH, control);
                for (unit, leaves) in kept.0.lock().expect("no panic").iter() {
                    assert_eq!(
                        Some(*leaves),
                        whole.finished_leaves(*unit),
                        "{level}, {way:?}, {control:?}: unit {unit}"
                    );
                }
                assert!(stopped.interrupted || stopped.nodes == expected, "{level}, {way:?}, {control:?}");
                let resumed = counter.leaves(&board, DEPTH, &self::control(0));
                assert_eq!(resumed.nodes, expected, "{level}, {way:?}, {control:?}");
                stopped.interrupted
            });
            let units = whole.0.lock().expect("no panic").len() as u64;
            assert!(stops > 5 * units, "{level}, {way:?}: {stops} stops in {units} units");
            // A count that visits every path polls twice per unit, once per node at plies 2 and 3, and once at the end.
            let [second, third] =
                [2, 3].map(|depth| TreeCounter::new(level).leaves(&board, depth, &Control::default()).nodes);
            let every = 2 * units + (second + third) as u64 + 1;
            assert_eq!(stops == every, way.0 == Paths::Every, "{level}, {way:?}: {stops} stops, {every} by every path");
        }
    }

    #[test]
    fn moves_that_are_listed_after_a_stop_are_complete() {
        let board = Fen::parse(FEN).expect(FEN);
        // Trees of four plies are not split: each move is counted separately.
        for (depth, way) in [4, DEPTH].into_iter().flat_map(|depth| WAYS.map(|way| (depth, way))) {
            let whole: Vec<(Move, u128)> = TreeCounter::new(Level::detect()).divide(&board, depth, &control(0));
            for is_journaled in [false, true] {
                stop_everywhere(Level::detect(), way, |counter, control| {
                    let kept = Kept::default();
                    let journal = is_journaled.then_some(&kept as &dyn Journal);
                    let listed = TreeCounter { journal, ..counter }.divide(&board, depth, control);
                    assert!(
                        listed.iter().all(|row| whole.contains(row)),
                        "{way:?}, {control:?}: {listed:?} of {whole:?}"
                    );
                    listed.len() < whole.len()
                });
            }
        }
    }
}
