//! The entry points for walking a tree with any scheme and level: verifying, counting and collecting statistics.

use crate::checks::{Check, Checks, Mismatch, Occasions};
use crate::count::Count;
use crate::game::Game;
use crate::one_move::make_move;
use crate::position::Position;
use crate::statistics::{Classify, Statistics};
use crate::tasks::{Control, run_tasks, walk};
use crate::visitors::{KEPT, Verified, Verify};
use perft_gate_chess::{Board, EnPassantPolicy, Move};
use perft_gate_simd::Level;
use perft_gate_zobrist::{
    PRESETS, Scheme, SchemeVisitor, Secondary, Tracker, WrongEntry, presets_of_policy, visit_presets,
};
use std::time::{Duration, Instant};

/// The settings of a walk.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// The scheme whose keys are checked.
    pub scheme: &'a Scheme,
    /// Secondary keys (which cover only some of the pieces) that are kept and checked along with the position's key.
    pub secondary: &'a [Secondary],
    pub seed: u64,
    pub level: Level,
    /// Mask that selects the nodes for V6 (round trip through FEN) by hash: about one node in `sample_mask` + 1.
    pub sample_mask: u64,
}

impl Settings<'_> {
    /// Runs `visitor` with a tracker of all keys: a dedicated one if only the default scheme's key is wanted and the
    /// level is the common one, otherwise a data-driven one.
    fn visit<V: SchemeVisitor>(self, visitor: V) -> V::Output {
        match self.secondary {
            [] => self.scheme.visit(self.level, self.seed, visitor),
            wanted => self.scheme.visit_several(self.seed, wanted, visitor),
        }
    }
}

/// The result of a walk. The default value is the result of walking nothing.
#[perft_gate_chess::document(Clone, Default, Debug)]
pub struct RowReport<M = Move> {
    /// Number of nodes by ply, the root first.
    pub nodes: Vec<u128>,
    /// Number of comparisons of each check.
    pub checks: Checks,
    /// Counts from which the expected number of comparisons is computed.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub occasions: Occasions,
    /// The comparisons that failed, at most ten, in tree order.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub mismatches: Vec<Mismatch<M>>,
    /// Wall time.
    #[cfg_attr(feature = "serde", serde(rename = "seconds", with = "perft_gate_chess::json::Seconds"))]
    pub time: Duration,
    /// True if the walk was stopped early.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub interrupted: bool,
    /// Number of times the tree is walked: once for a single scheme, or once per policy if all schemes are verified.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub walks: u64,
    /// Number of schemes whose keys are compared at every node, added up over all walks.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub schemes: u64,
}

impl<M: Copy + Default + PartialEq> RowReport<M> {
    pub fn new(depth: u32, time: Duration, control: &Control) -> RowReport<M> {
        let (nodes, interrupted) = (vec![0; depth as usize + 1], control.is_stopped());
        RowReport { nodes, time, interrupted, walks: 1, schemes: 1, ..RowReport::default() }
    }

    /// Returns the number of all nodes, the root included.
    pub fn total(&self) -> u128 {
        self.nodes.iter().sum()
    }

    /// Adds the report of the preceding tree. In the result, the mismatches of that tree come first.
    pub fn join_after(mut self, before: RowReport<M>) -> RowReport<M> {
        for (total, nodes) in self.nodes.iter_mut().zip(before.nodes) {
            *total += nodes;
        }
        self.checks.add(&before.checks);
        self.occasions.add(&before.occasions);
        self.mismatches.splice(..0, before.mismatches);
        self.time += before.time;
        self.interrupted |= before.interrupted;
        self
    }

    /// Adds another report of the same tree, walked with other schemes. If the two reports have different node counts
    /// for a ply, the joined count is set to 0, so that it is reported as wrong.
    fn with_schemes_of(mut self, other: RowReport<M>) -> RowReport<M> {
        for (nodes, others) in self.nodes.iter_mut().zip(&other.nodes) {
            *nodes = if nodes == others { *nodes } else { 0 };
        }
        self.checks.add(&other.checks);
        self.occasions.add(&other.occasions);
        self.mismatches.extend(other.mismatches);
        self.time += other.time;
        self.interrupted |= other.interrupted;
        self.walks += other.walks;
        self.schemes += other.schemes;
        self
    }

    /// Adds the node counts of a part of the tree whose root is `ply` plies below the root of the tree.
    fn add_nodes(&mut self, part: &[u64], ply: usize) {
        for (total, &nodes) in self.nodes[ply..].iter_mut().zip(part) {
            *total += u128::from(nodes);
        }
    }

    pub(crate) fn add_verified(&mut self, part: Verified<M>, ply: usize) {
        self.add_nodes(&part.nodes, ply);
        self.checks.add(&part.checks);
        self.occasions.add(&part.occasions);
        for mismatch in part.mismatches {
            // A fault above the roots of the tasks shows up again in every task below the faulty node.
            let inherited = |kept: &Mismatch<M>| kept.check == mismatch.check && mismatch.path.starts_with(&kept.path);
            if self.mismatches.len() < KEPT && !self.mismatches.iter().any(inherited) {
                self.mismatches.push(mismatch);
            }
        }
    }
}

/// Walks a position's tree and verifies every node.
pub fn verify(board: &Board, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport {
    if settings.scheme.is_all() {
        return verify_all(board, depth, settings, control);
    }
    settings.visit(Course { board, way: TreeOfDepth(depth), settings, control })
}

/// Calls `run` for each preset that has a key, one after another, and joins the reports.
pub(crate) fn each_alone(settings: Settings<'_>, run: impl Fn(Settings<'_>) -> RowReport) -> RowReport {
    let schemes = PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0);
    let reports = schemes.map(|scheme| run(Settings { scheme, ..settings }));
    reports.reduce(RowReport::with_schemes_of).expect("there are presets")
}

/// Verifies every preset. All presets of a policy share one walk, which costs less than separate walks.
///
/// The report shows only that some keys are wrong. To explain a mismatch, the judge walks the tree again with each
/// scheme alone.
fn verify_all(board: &Board, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport {
    let walks = EnPassantPolicy::ALL.into_iter().map(|policy| {
        let course = Course { board, way: TreeOfDepth(depth), settings, control };
        let mut report = visit_presets(policy, settings.seed, course);
        report.schemes = presets_of_policy(policy).len() as u64;
        report.checks.keys *= report.schemes;
        report.checks.null_keys *= report.schemes;
        report
    });
    walks.reduce(RowReport::with_schemes_of).expect("there are policies")
}

/// A verification whose tracker has not been chosen yet.
pub(crate) struct Course<'a, W> {
    pub(crate) board: &'a Board,
    pub(crate) way: W,
    pub(crate) settings: Settings<'a>,
    pub(crate) control: &'a Control,
}

/// The `way` that verifies the whole tree to this depth, in plies.
struct TreeOfDepth(u32);

impl SchemeVisitor for Course<'_, TreeOfDepth> {
    type Output = RowReport;
    fn visit<T: Tracker>(self, tracker: T) -> RowReport {
        verify_game(Position::new(*self.board, tracker), self.way.0, self.settings, self.control)
    }
}

/// Walks any game's tree and verifies every node.
pub fn verify_game<G: Game>(root: G, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport<G::Move> {
    let start = Instant::now();
    let visitor = |path: &[G::Move], below| Verify::new(path, below, settings.sample_mask, root.batch(), control);
    let parts = run_tasks(settings.level, root.clone(), depth, control, visitor, |visitor| visitor.found);
    let mut report = RowReport::new(depth, start.elapsed(), control);
    for (ply, mut part) in parts {
        if let Some(wrong) = part.suspect {
            part.mismatches = replay_task(&root, &part.above, part.depth, settings, wrong);
        }
        report.add_verified(part, ply);
    }
    report
}

/// Walks a task again after one of its batches contained a wrong key. This time, each key is compared at its node to
/// find the first wrong one.
fn replay_task<G: Game>(
    root: &G,
    above: &[G::Move],
    depth: u32,
    settings: Settings<'_>,
    wrong: WrongEntry,
) -> Vec<Mismatch<G::Move>> {
    let mut game = root.clone();
    above.iter().for_each(|&mv| make_move(&mut game, mv));
    let control = Control::default();
    let mut visitor = Verify::new(above, depth, settings.sample_mask, None, &control);
    walk(settings.level, &mut game, &mut visitor, depth);
    let mut mismatches = visitor.found.mismatches;
    let found =
        mismatches.iter().any(|mismatch| matches!(mismatch.check, Check::Keys | Check::NullMove | Check::Boards));
    if !found {
        mismatches.push(Mismatch {
            check: Check::Keys,
            path: above.to_vec(),
            position: format!("key number {} of the walk below, squares {:016x?}", wrong.ordinal, wrong.mailbox),
            expected: "the same result when the walk is repeated".into(),
            found: "a wrong key that did not recur (memory or hardware?)".into(),
            wrong_key: None,
        });
    }
    mismatches
}

/// Counts the nodes of any game: with `CUT` 0 by walking every node, with `CUT` 1 in bulk.
pub fn count_game<G: Game, const CUT: u32>(root: G, depth: u32, level: Level, control: &Control) -> RowReport<G::Move> {
    let start = Instant::now();
    let parts = run_tasks(level, root, depth, control, |_, below| Count::<CUT>::new(below, control), |part| part);
    let mut report = RowReport::new(depth, start.elapsed(), control);
    for (ply, part) in parts {
        report.add_nodes(&part.nodes, ply);
    }
    report
}

/// Counts the nodes of a board's tree by walking every node. This instance of `count_game` is compiled only here.
pub fn count_each(board: &Board, depth: u32, level: Level, control: &Control) -> RowReport {
    count_game::<_, 0>(Position::new(*board, ()), depth, level, control)
}

/// Counts the nodes of a board's tree in bulk. This instance of `count_game` is compiled only here.
pub fn count_in_bulk(board: &Board, depth: u32, level: Level, control: &Control) -> RowReport {
    count_game::<_, 1>(Position::new(*board, ()), depth, level, control)
}

/// Counts the moves that lead to the last ply, by kind.
pub fn statistics(board: &Board, depth: u32, level: Level, control: &Control) -> (RowReport, Statistics) {
    let start = Instant::now();
    let (report, statistics) = classify(board, depth, level, control);
    (RowReport { time: start.elapsed(), ..report }, statistics)
}

/// Counts the moves that lead to the last ply, by kind, without timing.
pub fn classify(board: &Board, depth: u32, level: Level, control: &Control) -> (RowReport, Statistics) {
    let root = Position::new(*board, ());
    let parts = run_tasks(level, root, depth, control, |_, below| Classify::new(below, control), |part| part);
    let mut report = RowReport::new(depth, Duration::ZERO, control);
    let mut statistics = Statistics::default();
    for (ply, part) in parts {
        let nodes = &part.count.nodes;
        report.add_nodes(nodes, ply);
        // The plies above the tasks are left out, because they do not include the last ply of the tree.
        if ply > 0 || report.nodes.len() == nodes.len() {
            statistics.add(&part.statistics);
        }
    }
    (report, statistics)
}
