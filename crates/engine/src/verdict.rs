//! Verdict on a row given to an engine.

use crate::descent::WrongPosition;
use crate::expected::{ExpectedFailures, FailureExpectation};
use crate::keys::{KeyReport, RunKeys};
use crate::outcome::{EngineFailure, RowOutcome};
use perft_gate_chess::json::Seconds;
use perft_gate_listing::{Comparison, Listing};
use perft_gate_suite::{Class, Row};
use std::time::Duration;

/// A count listed in the suite that differs from ours.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WrongListed {
    /// Number of plies.
    pub depth: u32,
    /// The listed count.
    pub listed: u128,
    /// Number of leaves, according to our counter.
    pub counted: u128,
}

/// Verdict on one row.
#[perft_gate_chess::document(sparse, Clone, Debug, serde::Serialize)]
pub struct EngineVerdict {
    /// The row.
    #[serde(flatten)]
    pub row: Row,
    /// Class of the position. An engine may refuse a position whose class is `Tolerated`.
    pub class: Class,
    /// Depth that was counted. If a count is wrong, the smallest depth with a wrong count.
    pub depth: u32,
    /// Result.
    #[serde(rename = "verdict")]
    pub outcome: RowOutcome,
    /// Why the row was skipped, if it was.
    #[serde(rename = "reason")]
    pub skipped: Option<String>,
    /// Comparison of the engine's last answer with our counts, if the engine gave an answer.
    #[serde(flatten)]
    pub comparison: Option<Comparison>,
    /// First line of the answer that was not understood. Recorded only if moves are missing or were not compared.
    pub not_understood: Option<String>,
    /// Listed counts that differ from ours.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong_listed: Vec<WrongListed>,
    /// Position in which the engine's moves are wrong, if one was found.
    #[serde(rename = "wrong_move")]
    pub wrong_position: Option<Box<WrongPosition>>,
    /// How the engine refuses the position, if it does.
    pub refused: Option<String>,
    /// Report on the keys, if they were checked.
    pub keys: Option<Box<KeyReport>>,
    /// Reason why the engine gave no answer, either for the row itself or while the wrong position was searched for.
    pub failure: Option<Box<EngineFailure>>,
    /// Wall time.
    #[serde(rename = "seconds", with = "Seconds")]
    pub time: Duration,
    /// Part of `time` that was spent waiting for the engine.
    #[serde(skip)]
    pub waited: Duration,
    /// Speed of the deepest answer. `None` if nothing marks the answer's end, or the answer was too quick to measure.
    pub nodes_per_second: Option<f64>,
    /// Whether the outcome agrees with the list of expected failures.
    #[serde(rename = "expected_failure", skip_serializing_if = "FailureExpectation::is_unlisted")]
    pub expectation: FailureExpectation,
}

/// Reason for skipping a Chess960 row.
pub(super) const NO_CHESS960: &str = "a Chess960 position, and the engine has no option UCI_Chess960";
/// Reason for skipping a Chess960 row if the program does not use UCI.
pub(super) const NO_OPTION: &str = "a Chess960 position, which cannot be announced without UCI";

impl EngineVerdict {
    pub(super) fn new(row: &Row, depth: u32, outcome: RowOutcome) -> EngineVerdict {
        EngineVerdict {
            row: row.clone(),
            class: row.class().0,
            depth,
            outcome,
            skipped: None,
            comparison: None,
            not_understood: None,
            wrong_listed: Vec::new(),
            wrong_position: None,
            refused: None,
            keys: None,
            failure: None,
            time: Duration::ZERO,
            waited: Duration::ZERO,
            nodes_per_second: None,
            expectation: FailureExpectation::NotListed,
        }
    }

    /// Returns true if only the total was compared.
    pub fn is_total_only(&self) -> bool {
        self.comparison.as_ref().is_some_and(|comparison| comparison.listing == Listing::Total)
    }

    /// Returns true if the row was skipped because the engine does not play Chess960.
    pub fn lacks_chess960(&self) -> bool {
        self.skipped.as_ref().is_some_and(|reason| [NO_CHESS960, NO_OPTION].contains(&&**reason))
    }

    /// Returns true for a failed row that is not excused.
    pub fn has_failed(&self) -> bool {
        self.outcome.has_failed() && !self.is_excused()
    }

    /// Returns true for a known failure or a tolerated refusal.
    pub fn is_excused(&self) -> bool {
        self.expectation == FailureExpectation::Met || self.is_tolerated_refusal()
    }

    /// Returns true if the engine refused a position of a kind that strict programs refuse.
    pub fn is_tolerated_refusal(&self) -> bool {
        self.outcome == RowOutcome::FenRejected && self.class == Class::Tolerated
    }

    /// Compares the keys of the row with those of earlier rows.
    pub(super) fn compare_keys(&mut self, seen: &mut RunKeys, expected: &ExpectedFailures) {
        let Some(report) = &mut self.keys else { return };
        seen.add(report);
        if !report.findings.is_empty() && self.outcome == RowOutcome::Pass {
            self.outcome = RowOutcome::WrongKey;
            self.expectation = expected.compare(&self.row, self.outcome);
        }
    }
}
