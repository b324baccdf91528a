//! What came of random games.

use super::due::{Missed, Walked, missed};
use super::{CheckFinding, explain};
use crate::suite::Row;
use perft_gate_walk::chess::Board;
use perft_gate_walk::walk::Control;
use perft_gate_walk::{Playouts, RowReport, Settings};

/// What came of the random games.
#[derive(Clone, Debug)]
pub struct PlayoutsVerdict {
    /// How they were played.
    pub playouts: Playouts,
    /// The sum over all rows.
    pub report: RowReport,
    /// Failed checks, with the row each game started from.
    pub findings: Vec<(String, CheckFinding)>,
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
    judge_played(rows, playouts, settings, |board, games| perft_gate_walk::playouts(board, games, settings, control))
}

/// Judges games that `play` plays from each row's position.
pub fn judge_played(
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
