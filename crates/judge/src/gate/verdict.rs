//! Verdict on one row: what was compared, and what is wrong.

use super::count_hint::CountHint;
use super::descent::FirstWrong;
use super::due::Missed;
use super::finding::CheckFinding;
use super::options::Options;
use super::plan::{Expectation, RowPlan, plan};
use perft_gate_suite::Row;
use perft_gate_unique::identity::Identity;
use perft_gate_walk::{RowReport, Statistics};
use std::time::Duration;

/// Result of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All comparisons are equal.
    Passed,
    /// A count, a key or another check is wrong.
    Failed,
    /// Not walked, for this reason.
    Skipped(String),
    /// Stopped before its end.
    Interrupted,
}

/// A count that differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongCount {
    /// Number of plies from the root.
    pub depth: usize,
    /// Source of the expected count.
    pub expectation: Expectation,
    /// Expected count.
    pub expected: u128,
    /// Count found.
    pub found: u128,
}

/// Verdict on one row.
#[derive(Clone, Debug)]
pub struct RowVerdict {
    /// The row.
    pub row: Row,
    /// Depth asked for.
    pub requested: u32,
    /// Depth walked.
    pub depth: u32,
    /// Source of the expected counts.
    pub expectation: Expectation,
    /// Result.
    pub outcome: Outcome,
    /// Report of the walk; `None` if skipped.
    pub report: Option<RowReport>,
    /// Counts that differ from the suite's or the other counter's.
    pub wrong_counts: Vec<WrongCount>,
    /// What the first count that differs from the suite's is equal to.
    pub count_hint: Option<CountHint>,
    /// Number of counts compared (V1).
    pub counts_compared: u64,
    /// Checks that made more or fewer comparisons than were due.
    pub missed: Vec<Missed>,
    /// Failed checks.
    pub findings: Vec<CheckFinding>,
    /// Time of the other counter.
    pub counter_time: Duration,
    /// Time of the identity check (V5), of all schemes.
    pub identity_time: Duration,
    /// Identity check (V5) of each scheme.
    pub identities: Vec<Identity>,
    /// Schemes whose identity check (V5) could not be made, with the reason.
    pub identities_missed: Vec<(String, String)>,
    /// Position of the wrong move, if the two counters differ.
    pub first_wrong: Option<FirstWrong>,
    /// Statistics, in [`Mode::Stats`](super::Mode::Stats).
    pub statistics: Option<Statistics>,
}

impl RowVerdict {
    pub(super) fn new(row: &Row, requested: u32, depth: u32, expectation: Expectation, outcome: Outcome) -> RowVerdict {
        RowVerdict {
            row: row.clone(),
            requested,
            depth,
            expectation,
            outcome,
            report: None,
            wrong_counts: Vec::new(),
            count_hint: None,
            counts_compared: 0,
            missed: Vec::new(),
            findings: Vec::new(),
            counter_time: Duration::ZERO,
            identity_time: Duration::ZERO,
            identities: Vec::new(),
            identities_missed: Vec::new(),
            first_wrong: None,
            statistics: None,
        }
    }

    /// Returns the verdict on a row that has no plan.
    pub(crate) fn skip(row: &Row, options: Options<'_>) -> RowVerdict {
        let reason = match plan(row, options.depth, options.max_nodes) {
            RowPlan::Skip(reason) => reason,
            RowPlan::Walk(..) => unreachable!("a row with a plan is walked"),
        };
        RowVerdict::new(row, options.depth, options.depth, Expectation::Suite, Outcome::Skipped(reason))
    }

    /// Returns true if something is wrong or was not compared.
    pub(super) fn is_wrong(&self) -> bool {
        !self.wrong_counts.is_empty()
            || !self.findings.is_empty()
            || !self.missed.is_empty()
            || !self.identities_missed.is_empty()
            || self.identities.iter().any(Identity::is_wrong)
    }

    /// Returns the expected count at the walked depth: the suite's, or the other counter's.
    pub fn expected(&self) -> Option<u128> {
        let other = || self.wrong_counts.iter().find(|wrong| wrong.depth == self.depth as usize);
        match (self.row.count(self.depth), &self.report) {
            (Some(count), _) => Some(count),
            (None, Some(report)) if self.outcome != Outcome::Interrupted => {
                other().map(|wrong| wrong.expected).or(report.nodes.last().copied())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;

    #[test]
    fn what_was_not_compared_is_no_pass() {
        let row = Row::unknown("start", Fen::parse(Fen::START).expect("a position"));
        let verdict = || RowVerdict::new(&row, 1, 1, Expectation::Suite, Outcome::Passed);
        assert!(!verdict().is_wrong());
        let mut without_keys = verdict();
        without_keys.missed.push(Missed { check: "V2 keys".into(), due: 1, made: 0 });
        let mut without_identity = verdict();
        without_identity.identities_missed.push(("cpw793".into(), "no memory".into()));
        assert!(without_keys.is_wrong() && without_identity.is_wrong());
    }
}
