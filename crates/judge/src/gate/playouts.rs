//! Verification of random games.

use super::finding::{CheckFinding, Missed, explain_mismatch, find_missed};
use perft_gate_chess::Board;
use perft_gate_suite::Row;
use perft_gate_walk::{Playouts, RowReport, Settings};

/// A failed check of a random game.
#[perft_gate_chess::document(Clone, Debug)]
pub struct PlayoutFinding {
    /// Name of the row that the game started from.
    pub row: String,
    /// The failed check.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub finding: CheckFinding,
}

/// Verdict on the random games.
#[perft_gate_chess::document(Clone, Debug)]
pub struct PlayoutsVerdict {
    /// Number, length and seed of the games.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub playouts: Playouts,
    /// Sum of the reports of all rows.
    #[cfg_attr(feature = "serde", serde(rename = "checks", serialize_with = "serialize_checks"))]
    #[cfg_attr(feature = "schema", schemars(with = "perft_gate_walk::Checks"))]
    pub report: RowReport,
    /// Failed checks.
    #[cfg_attr(feature = "serde", serde(rename = "mismatches"))]
    pub findings: Vec<PlayoutFinding>,
    /// Checks that made more or fewer comparisons than were due.
    pub missed: Vec<Missed>,
}

/// Serializes only the report's checks; games have no counts to compare.
#[cfg(feature = "serde")]
fn serialize_checks<S: serde::Serializer>(report: &RowReport, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&report.checks, serializer)
}

impl PlayoutsVerdict {
    /// Returns true if a check failed or made the wrong number of comparisons.
    pub fn is_wrong(&self) -> bool {
        !self.findings.is_empty() || !self.missed.is_empty()
    }
}

/// Judges random games, spread evenly over the rows. `rows` are the rows to start from, and `number` is how many there
/// are, which must not be 0. `play` plays games from a row's position, and verifies them.
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
            let finding = explain_mismatch(mismatch, row.board(), settings);
            findings.push(PlayoutFinding { row: row.id.clone(), finding });
        }
        sum = Some(if let Some(before) = sum { report.join_after(before) } else { report });
    }
    let report = sum.expect("at least one row");
    let missed = if report.interrupted { Vec::new() } else { find_missed(&report, Some(all.games), settings) };
    PlayoutsVerdict { playouts: all, report, findings, missed }
}
