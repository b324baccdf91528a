//! The entries into the walk: one compiled function for each way to walk a position, whatever its scheme and level.

use crate::chess::{Board, EnPassantPolicy, Move};
use crate::position::Position;
use crate::walk::{self, Check, Checks, Classify, Control, Count, Game, Mismatch, Occasions, Statistics, Verify};
use crate::zobrist::{PRESETS, Scheme, SchemeVisitor, Secondary, Tracker, WrongEntry, all_presets};
use perft_gate_simd::{Kernel, Level, Token, V1};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How to walk.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// The scheme whose keys are checked.
    pub scheme: &'a Scheme,
    /// Keys of some of the men, kept and checked beside the position's.
    pub secondary: &'a [Secondary],
    /// The seed of its words.
    pub seed: u64,
    /// The instructions to use.
    pub level: Level,
    /// Which nodes V6 takes: those whose hash is zero under this mask.
    pub sample_mask: u64,
}

impl Settings<'_> {
    /// Runs `visitor` with the tracker of all keys that are kept: the scheme's own on the common level, else, and with
    /// secondary keys, the data-driven one.
    fn visit<V: SchemeVisitor>(self, visitor: V) -> V::Output {
        match self.secondary {
            [] => self.scheme.visit(self.level, self.seed, visitor),
            wanted => self.scheme.visit_several(self.seed, wanted, visitor),
        }
    }
}

/// What came of a walk.
#[derive(Clone, Debug)]
pub struct RowReport<M = Move> {
    /// Nodes by ply, 0 = the root.
    pub nodes: Vec<u128>,
    /// How many comparisons each check made.
    pub checks: Checks,
    /// From which follows how many had to be made.
    pub occasions: Occasions,
    /// Those that failed, at most ten, in tree order.
    pub mismatches: Vec<Mismatch<M>>,
    /// Wall time.
    pub time: Duration,
    /// Was the walk stopped early?
    pub interrupted: bool,
    /// How often the tree was walked: once, but with all schemes once a policy.
    pub walks: u64,
    /// How many schemes' keys are compared at every node, over all walks.
    pub schemes: u64,
}

/// How many mismatches a report keeps.
const KEPT: usize = 10;

impl<M: Copy + Default + PartialEq> RowReport<M> {
    pub fn new(depth: u32, time: Duration, control: &Control) -> RowReport<M> {
        RowReport {
            nodes: vec![0; depth as usize + 1],
            checks: Checks::default(),
            occasions: Occasions::default(),
            mismatches: Vec::new(),
            time,
            interrupted: control.stop.load(Ordering::Relaxed),
            walks: 1,
            schemes: 1,
        }
    }

    /// Nodes in all, root included.
    pub fn total(&self) -> u128 {
        self.nodes.iter().sum()
    }

    /// This report and one before it, of another tree, as one.
    pub fn joined(mut self, before: RowReport<M>) -> RowReport<M> {
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

    /// This report and one of the same tree by other schemes. A tree that differs shows as a wrong count.
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

    /// Adds a part whose root lies `ply` plies below the root.
    fn add_nodes(&mut self, part: &[u64], ply: usize) {
        for (total, &nodes) in self.nodes[ply..].iter_mut().zip(part) {
            *total += u128::from(nodes);
        }
    }

    pub(crate) fn add_verified(&mut self, part: Verify<'_, M>, ply: usize) {
        self.add_nodes(&part.nodes, ply);
        self.checks.add(&part.checks);
        self.occasions.add(&part.occasions);
        for mismatch in part.mismatches {
            // A fault above the split shows again in every task below it.
            let inherited = |kept: &Mismatch<M>| kept.check == mismatch.check && mismatch.path.starts_with(&kept.path);
            if self.mismatches.len() < KEPT && !self.mismatches.iter().any(inherited) {
                self.mismatches.push(mismatch);
            }
        }
    }
}

/// Walks and verifies every node.
pub fn verify(board: &Board, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport {
    if settings.scheme.is_all() {
        return verify_all(board, depth, settings, control);
    }
    settings.visit(Course { board, way: Tree(depth), settings, control })
}

/// Every preset that has a key, one after the other.
pub(crate) fn each_alone(settings: Settings<'_>, run: impl Fn(Settings<'_>) -> RowReport) -> RowReport {
    let schemes = PRESETS.iter().filter(|scheme| scheme.words() > 0);
    let reports = schemes.map(|scheme| run(Settings { scheme, ..settings }));
    reports.reduce(RowReport::with_schemes_of).expect("there are presets")
}

/// Every preset: all those of a policy in one walk, which costs less than a walk each.
///
/// Of a mismatch the report keeps what it shows; the judge walks each scheme alone to explain it.
fn verify_all(board: &Board, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport {
    let walks = EnPassantPolicy::ALL.into_iter().map(|policy| {
        let course = Course { board, way: Tree(depth), settings, control };
        let mut report = all_presets::visit(policy, settings.seed, course);
        report.schemes = all_presets::of_policy(policy).len() as u64;
        report.checks.keys *= report.schemes;
        report.checks.null_keys *= report.schemes;
        report
    });
    walks.reduce(RowReport::with_schemes_of).expect("there are policies")
}

/// A verification, before the tracker is chosen.
pub(crate) struct Course<'a, W> {
    pub(crate) board: &'a Board,
    pub(crate) way: W,
    pub(crate) settings: Settings<'a>,
    pub(crate) control: &'a Control,
}

/// All lines of so many plies.
struct Tree(u32);

impl SchemeVisitor for Course<'_, Tree> {
    type Output = RowReport;
    fn visit<T: Tracker>(self, tracker: T) -> RowReport {
        verify_game(Position::new(*self.board, tracker), self.way.0, self.settings, self.control)
    }
}

/// Walks and verifies every node of any game.
pub fn verify_game<G: Game>(root: G, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport<G::Move> {
    let start = Instant::now();
    let parts = walk::run(settings.level, root.clone(), depth, control, |path, below| {
        Verify::new(path, below, settings.sample_mask, root.batch(), &control.stop)
    });
    let mut report = RowReport::new(depth, start.elapsed(), control);
    for (ply, mut part) in parts {
        if let Some(wrong) = part.suspect {
            part.mismatches = replayed(&root, part.above(), part.depth(), settings, wrong);
        }
        report.add_verified(part, ply);
    }
    report
}

/// Walks a task again whose batches held a wrong key, each key now compared at its node, to find where it arose.
fn replayed<G: Game>(
    root: &G,
    above: &[G::Move],
    depth: u32,
    settings: Settings<'_>,
    wrong: WrongEntry,
) -> Vec<Mismatch<G::Move>> {
    let mut game = root.clone();
    for &mv in above {
        made(&mut game, mv);
    }
    let control = Control::default();
    let mut visitor = Verify::new(above, depth, settings.sample_mask, None, &control.stop);
    walk::walk(settings.level, &mut game, &mut visitor, depth);
    let found = visitor
        .mismatches
        .iter()
        .any(|mismatch| matches!(mismatch.check, Check::Keys | Check::NullMove | Check::Boards));
    if !found {
        visitor.mismatches.push(Mismatch {
            check: Check::Keys,
            path: above.to_vec(),
            position: format!("key number {} of the walk below, squares {:016x?}", wrong.ordinal, wrong.mailbox),
            expected: "the same result when the walk is repeated".into(),
            found: "a wrong key once and not again: not reproduced (memory or hardware?)".into(),
            wrong_key: None,
        });
    }
    visitor.mismatches
}

/// Counts any game; with `CUT` 0 by walking every node.
pub fn count_game<G: Game, const CUT: u32>(root: G, depth: u32, level: Level, control: &Control) -> RowReport<G::Move> {
    let start = Instant::now();
    let parts = walk::run(level, root, depth, control, |_, below| Count::<CUT>::new(below, &control.stop));
    let mut report = RowReport::new(depth, start.elapsed(), control);
    for (ply, part) in parts {
        report.add_nodes(&part.nodes, ply);
    }
    report
}

/// Counts the kinds of moves into the last ply.
pub fn statistics(board: &Board, depth: u32, level: Level, control: &Control) -> (RowReport, Statistics) {
    let start = Instant::now();
    let root = Position::new(*board, ());
    let parts = walk::run(level, root, depth, control, |_, below| Classify::new(below, &control.stop));
    let mut report = RowReport::new(depth, start.elapsed(), control);
    let mut statistics = Statistics::default();
    for (ply, part) in parts {
        report.add_nodes(&part.nodes, ply);
        // The trunk's last ply is not the tree's.
        if ply > 0 || report.nodes.len() == part.nodes.len() {
            statistics.add(&part.statistics);
        }
    }
    (report, statistics)
}

/// The legal moves of a position.
pub fn moves<G: Game>(level: Level, game: &G) -> G::Moves {
    level.dispatch(Moves(game))
}

/// Makes a move for good.
pub fn made<G: Game>(game: &mut G, mv: G::Move) {
    V1::token().call(Make(game, mv));
}

/// Makes a null move for good, where there is one.
pub fn passed<G: Game>(game: &mut G) {
    V1::token().call(Pass(game));
}

/// The legal moves, compiled for the level.
struct Moves<'a, G>(&'a G);

impl<G: Game> Kernel for Moves<'_, G> {
    type Output = G::Moves;
    const COMMON_ONLY: bool = G::COMMON_ONLY;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> G::Moves {
        let mut moves = G::Moves::default();
        self.0.moves(level, &mut moves);
        moves
    }
}

/// Makes a move for good.
struct Make<'a, G: Game>(&'a mut G, G::Move);

impl<G: Game> Kernel for Make<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        let _ = self.0.play(level, self.1);
    }
}

/// Makes a null move for good, where there is one.
struct Pass<'a, G>(&'a mut G);

impl<G: Game> Kernel for Pass<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        let _ = self.0.make_null(level);
    }
}
