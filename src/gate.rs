//! The judge: a position, a scheme and a depth in, a [`RowReport`] out.

use crate::chess::{Board, Move};
use crate::cpu::Level;
use crate::keys::{Preset, SchemeVisitor, Tracker};
use crate::position::Position;
use crate::walk::{self, Checks, Classify, Control, Count, Game, Mismatch, Statistics, Verify};
use std::time::{Duration, Instant};

/// How to walk.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// The scheme whose keys are checked.
    pub scheme: &'a Preset,
    /// The seed of its words.
    pub seed: u64,
    /// The instructions to use.
    pub level: Level,
    /// Which nodes V6 takes: those whose hash is zero under this mask.
    pub sample_mask: u64,
}

/// What came of a position.
#[derive(Clone, Debug)]
pub struct RowReport {
    /// Nodes by ply, 0 = the root.
    pub nodes: Vec<u128>,
    /// How often each check ran.
    pub checks: Checks,
    /// Those that failed, at most ten, in tree order.
    pub mismatches: Vec<Mismatch<Move>>,
    /// Wall time.
    pub time: Duration,
    /// Was the walk stopped early?
    pub interrupted: bool,
}

impl RowReport {
    fn new(depth: u32, time: Duration, control: &Control) -> RowReport {
        RowReport {
            nodes: vec![0; depth as usize + 1],
            checks: Checks::default(),
            mismatches: Vec::new(),
            time,
            interrupted: control.stop.load(std::sync::atomic::Ordering::Relaxed),
        }
    }

    /// Nodes in all, root included.
    pub fn total(&self) -> u128 {
        self.nodes.iter().sum()
    }

    /// Depths whose count differs from the expected one: depth, expected, found.
    pub fn wrong_counts(&self, expected: &[Option<u128>]) -> Vec<(usize, u128, u128)> {
        let found = self.nodes.iter().copied().enumerate().skip(1);
        let pairs = found.zip(expected).filter_map(|((depth, found), &expected)| Some((depth, expected?, found)));
        pairs.filter(|(_, expected, found)| expected != found).collect()
    }
}

/// Adds a part's nodes to the totals, `ply` plies below the root.
fn add_nodes(totals: &mut [u128], part: &[u64], ply: usize) {
    for (total, &nodes) in totals[ply..].iter_mut().zip(part) {
        *total += u128::from(nodes);
    }
}

/// Walks and verifies every node.
pub fn verify(board: &Board, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport {
    struct Walk<'a>(&'a Board, u32, Settings<'a>, &'a Control);
    impl SchemeVisitor for Walk<'_> {
        type Output = RowReport;
        fn visit<T: Tracker>(self, tracker: T) -> RowReport {
            let Walk(board, depth, settings, control) = self;
            verify_game(Position::new(*board, tracker), depth, settings, control)
        }
    }
    settings.scheme.visit(settings.seed, Walk(board, depth, settings, control))
}

/// Walks and verifies every node of any game with chess moves.
pub(crate) fn verify_game<G: Game<Move = Move>>(
    root: G,
    depth: u32,
    settings: Settings<'_>,
    control: &Control,
) -> RowReport {
    let start = Instant::now();
    let parts = walk::run(settings.level, root, depth, control, |path, below| {
        Verify::new(path, below, settings.sample_mask, &control.stop)
    });
    let mut report = RowReport::new(depth, start.elapsed(), control);
    for (ply, part) in parts {
        add_nodes(&mut report.nodes, &part.nodes, ply);
        report.checks.add(&part.checks);
        report.mismatches.extend(part.mismatches);
    }
    report.mismatches.truncate(10);
    report
}

/// Counts by bulk counting, without keys or checks.
pub fn count(board: &Board, depth: u32, level: Level, control: &Control) -> RowReport {
    let start = Instant::now();
    let root = Position::new(*board, ());
    let parts = walk::run(level, root, depth, control, |_, below| Count::new(below, &control.stop));
    let mut report = RowReport::new(depth, start.elapsed(), control);
    for (ply, part) in parts {
        add_nodes(&mut report.nodes, &part.nodes, ply);
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
        add_nodes(&mut report.nodes, &part.nodes, ply);
        // The trunk's last ply is not the tree's.
        if ply > 0 || report.nodes.len() == part.nodes.len() {
            statistics.add(&part.statistics);
        }
    }
    (report, statistics)
}
