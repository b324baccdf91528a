//! Verification of random games.

use super::due::{Missed, WalkKind, find_missed};
use super::finding::{CheckFinding, explain_mismatch};
use perft_gate_chess::Board;
use perft_gate_suite::Row;
use perft_gate_walk::{Control, Playouts, RowReport, Settings};

/// Verdict on the random games.
#[derive(Clone, Debug)]
pub struct PlayoutsVerdict {
    /// Number, length and seed of the games.
    pub playouts: Playouts,
    /// Sum of the reports of all rows.
    pub report: RowReport,
    /// Failed checks, each with the row its game started from.
    pub findings: Vec<(String, CheckFinding)>,
    /// Checks that made more or fewer comparisons than were due.
    pub missed: Vec<Missed>,
}

impl PlayoutsVerdict {
    /// Returns true if a check failed or was not made.
    pub fn is_wrong(&self) -> bool {
        !self.findings.is_empty() || !self.missed.is_empty()
    }
}

/// Verifies random games, spread evenly over the rows; `rows` comes with its length, which must not be 0.
pub fn judge_playouts(
    rows: (impl IntoIterator<Item = Row>, u64),
    playouts: Playouts,
    settings: Settings<'_>,
    control: &Control,
) -> PlayoutsVerdict {
    judge_games(rows, playouts, settings, |board, games| perft_gate_walk::playouts(board, games, settings, control))
}

/// Judges the games that `play` plays from each row's position.
pub fn judge_games(
    (rows, number): (impl IntoIterator<Item = Row>, u64),
    all: Playouts,
    settings: Settings<'_>,
    play: impl Fn(&Board, Playouts) -> RowReport,
) -> PlayoutsVerdict {
    let (mut sum, mut findings) = (None, Vec::new());
    let mut first = all.first;
    for (place, row) in (0..).zip(rows) {
        let games = all.games / number + u64::from(place < all.games % number);
        let report = play(row.board(), Playouts { games, first, ..all });
        first += games;
        for mismatch in &report.mismatches {
            findings.push((row.id.clone(), explain_mismatch(mismatch, row.board(), settings)));
        }
        sum = Some(match sum {
            None => report,
            Some(before) => report.join_after(before),
        });
    }
    let report = sum.expect("at least one row");
    let missed = if report.interrupted { Vec::new() } else { find_missed(&report, WalkKind::Playouts(all), settings) };
    PlayoutsVerdict { playouts: all, report, findings, missed }
}
