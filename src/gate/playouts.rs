//! Random games: the checks of a walk along single lines, as deep as a tree never reaches, and what came of them.

use super::due::{Missed, Walked, missed};
use super::{Course, Finding, RowReport, Settings, each_alone, explain};
use crate::chess::{Board, Move};
use crate::keys::{SchemeVisitor, Tracker};
use crate::position::Position;
use crate::suite::Row;
use crate::walk::{self, Control, Game, Verify};
use rayon::prelude::*;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Random games to verify.
#[derive(Clone, Copy, Debug)]
pub struct Playouts {
    /// How many.
    pub games: u64,
    /// The number of the first: games of different numbers differ.
    pub first: u64,
    /// At most so long, up to [`walk::LONGEST_PLAYOUT`].
    pub plies: u32,
    /// Of the choice of moves.
    pub seed: u64,
}

/// What came of the random games.
#[derive(Clone, Debug)]
pub struct PlayoutsVerdict {
    /// How they were played.
    pub playouts: Playouts,
    /// The sum over all rows.
    pub report: RowReport,
    /// Failed checks, with the row each game started from.
    pub findings: Vec<(String, Finding)>,
    /// Comparisons that were due and not made.
    pub missed: Vec<Missed>,
}

impl PlayoutsVerdict {
    /// Returns true if a check failed, or was not made.
    pub fn is_wrong(&self) -> bool {
        !self.findings.is_empty() || !self.missed.is_empty()
    }
}

/// Verifies random games, spread over the rows, which are given with their number; at least one.
pub fn judge_playouts(
    rows: (impl IntoIterator<Item = Row>, u64),
    playouts: Playouts,
    settings: Settings<'_>,
    control: &Control,
) -> PlayoutsVerdict {
    judge_played(rows, playouts, settings, |board, games| self::playouts(board, games, settings, control))
}

/// Judges games that `play` plays from each row's position.
pub(crate) fn judge_played(
    (rows, number): (impl IntoIterator<Item = Row>, u64),
    all: Playouts,
    settings: Settings<'_>,
    play: impl Fn(&Board, Playouts) -> RowReport,
) -> PlayoutsVerdict {
    let (mut sum, mut findings) = (None, Vec::new());
    let mut first = all.first;
    for (place, row) in (0..).zip(rows) {
        let games = all.games / number + u64::from(place < all.games % number);
        let report = play(&row.board, Playouts { games, first, ..all });
        first += games;
        for mismatch in &report.mismatches {
            findings.push((row.id.clone(), explain(mismatch, &row.board, settings)));
        }
        sum = Some(match sum {
            None => report,
            Some(before) => report.joined(before),
        });
    }
    let report = sum.expect("at least one row");
    let missed = if report.interrupted { Vec::new() } else { missed(&report, Walked::Playouts(all), settings) };
    PlayoutsVerdict { playouts: all, report, findings, missed }
}

/// Verifies random games from a position: the same checks as [`verify`](super::verify), along `playouts.games` lines.
pub fn playouts(board: &Board, playouts: Playouts, settings: Settings<'_>, control: &Control) -> RowReport {
    if settings.scheme.is_all() {
        return each_alone(settings, |settings| self::playouts(board, playouts, settings, control));
    }
    // A game is mostly move generation: the data-driven tracker serves all schemes.
    let course = Course { board, way: playouts, settings, control };
    settings.scheme.visit_several(settings.seed, settings.secondary, course)
}

impl SchemeVisitor for Course<'_, Playouts> {
    type Output = RowReport;
    fn visit<T: Tracker>(self, tracker: T) -> RowReport {
        playouts_of(Position::new(*self.board, tracker), self.way, self.settings, self.control)
    }
}

pub(crate) fn playouts_of<G: Game<Move = Move>>(
    root: G,
    playouts: Playouts,
    settings: Settings<'_>,
    control: &Control,
) -> RowReport {
    let start = Instant::now();
    let play = |number| {
        let mut visitor = Verify::new(&[], playouts.plies, settings.sample_mask, None, &control.stop);
        if !control.stop.load(Ordering::Relaxed) {
            walk::playout(settings.level, root.clone(), &mut visitor, playouts.plies, playouts.seed, number);
        }
        visitor
    };
    let games: Vec<_> = (playouts.first..playouts.first + playouts.games).into_par_iter().map(play).collect();
    let mut report = RowReport::new(playouts.plies, start.elapsed(), control);
    for game in games {
        report.add_verified(game, 0);
    }
    report.time = start.elapsed();
    report
}
