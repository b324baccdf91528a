//! Verdict on a row that an engine was asked for.

use crate::comparison::SubtotalDifference;
use crate::descent::WrongPosition;
use crate::expected::{ExpectedFailures, FailureExpectation};
use crate::failure::EngineFailure;
use crate::keys::{KeyReport, RunKeys};
use crate::outcome::RowOutcome;
use perft_gate_suite::{Class, Row};
use std::time::Duration;

/// Shortest answer whose rate is told.
const MIN_TIMED: Duration = Duration::from_millis(5);

/// A count of the list that is not ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongListed {
    /// Number of plies.
    pub depth: u32,
    /// The count in the list.
    pub listed: u128,
    /// Number of leaves by our counter.
    pub counted: u128,
}

/// Part of an engine's count that was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparedPart {
    /// The root moves, the leaves below each, and the total if there is one.
    Moves,
    /// The total alone: no root moves were listed, or the list was not understood.
    Total,
}

impl ComparedPart {
    /// Returns `moves` or `total`.
    pub const fn name(self) -> &'static str {
        match self {
            ComparedPart::Moves => "moves",
            ComparedPart::Total => "total",
        }
    }
}

/// Verdict on one row.
#[derive(Clone, Debug)]
pub struct EngineVerdict {
    /// The row.
    pub row: Row,
    /// Number of plies counted; the shallowest that is wrong.
    pub depth: u32,
    /// Result.
    pub outcome: RowOutcome,
    /// Number of leaves by our counter, and by the engine.
    pub counts: Option<[u128; 2]>,
    /// Part that was compared, if any.
    pub compared: Option<ComparedPart>,
    /// First line of the answer that was not understood, if moves are missing or were not compared.
    pub not_understood: Option<String>,
    /// True if moves are listed without what tells them apart, such as promotions without their pieces: their counts were
    /// compared as sets.
    pub as_sets: bool,
    /// Counts of the list that are not ours.
    pub wrong_listed: Vec<WrongListed>,
    /// Subtotals that differ.
    pub differences: Vec<SubtotalDifference>,
    /// Sum of the subtotals, if the printed total differs from it.
    pub other_sum: Option<u128>,
    /// Position where the moves are wrong.
    pub wrong_position: Option<Box<WrongPosition>>,
    /// Position that the engine shows instead of the row's.
    pub refused: Option<String>,
    /// Report on the keys, if they were checked.
    pub keys: Option<Box<KeyReport>>,
    /// Reason why there is no answer, or none during the descent.
    pub failure: Option<Box<EngineFailure>>,
    /// Wall time.
    pub time: Duration,
    /// Part of the time that was spent waiting for the engine.
    pub waited: Duration,
    /// Part of the time that was spent waiting for the deepest answer, if something marks its end.
    pub answer_time: Option<Duration>,
    /// The outcome beside what was expected of the row.
    pub expectation: FailureExpectation,
}

impl EngineVerdict {
    pub(super) fn new(row: &Row, depth: u32, outcome: RowOutcome) -> EngineVerdict {
        EngineVerdict {
            row: row.clone(),
            depth,
            outcome,
            counts: None,
            compared: None,
            not_understood: None,
            as_sets: false,
            wrong_listed: Vec::new(),
            differences: Vec::new(),
            other_sum: None,
            wrong_position: None,
            refused: None,
            keys: None,
            failure: None,
            time: Duration::ZERO,
            waited: Duration::ZERO,
            answer_time: None,
            expectation: FailureExpectation::NotListed,
        }
    }

    /// Returns true if the row failed, and is not excused.
    pub fn has_failed(&self) -> bool {
        (self.outcome.is_wrong() || self.outcome.is_failure()) && !self.is_excused()
    }

    /// Returns true for a failure that is no error of the engine, or a known one.
    pub fn is_excused(&self) -> bool {
        self.expectation == FailureExpectation::Met || self.is_tolerated_refusal()
    }

    /// Returns true if the engine refuses a position that strict programs refuse.
    pub fn is_tolerated_refusal(&self) -> bool {
        self.outcome == RowOutcome::FenRejected && is_tolerated(&self.row)
    }

    /// Returns the engine's leaves per second, if they were timed and the time is long enough to mean something.
    pub fn nodes_per_second(&self) -> Option<f64> {
        let time = self.answer_time.filter(|time| *time >= MIN_TIMED)?;
        self.counts.map(|[_, found]| found as f64 / time.as_secs_f64())
    }

    /// Compares the keys of the row with those of the rows before.
    pub(super) fn compare_keys(&mut self, seen: &mut RunKeys, expected: &ExpectedFailures) {
        let Some(report) = &mut self.keys else { return };
        seen.add(report);
        if !report.findings.is_empty() && self.outcome == RowOutcome::Pass {
            self.outcome = RowOutcome::WrongKey;
            self.expectation = expected.compare(&self.row, &self.outcome);
        }
    }

    /// Returns the verdict on an engine that gave no answer.
    pub(super) fn failed(row: &Row, depth: u32, failure: EngineFailure) -> EngineVerdict {
        EngineVerdict {
            failure: Some(Box::new(failure.clone())),
            ..EngineVerdict::new(row, depth, failure.kind.into())
        }
    }
}

/// Returns true for a position on which programs may differ.
pub(super) fn is_tolerated(row: &Row) -> bool {
    row.class().0 == Class::Tolerated
}
