//! A run of the gate: all rows together, and the one verdict.

use super::{Options, Outcome, PlayoutsVerdict, RowVerdict};
use perft_gate_walk::walk::Checks;
use std::collections::BTreeSet;
use std::time::Duration;

/// All that a run of the gate knows, finished or not.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// What was judged: a suite's name or file, or `fen`.
    pub suite: String,
    /// How.
    pub options: Options<'a>,
    /// Worker threads.
    pub threads: usize,
    /// How many rows there are in all.
    pub rows: usize,
    /// What came of the rows that are done.
    pub tally: RunTotals,
    /// The rows that are done, in order; none where no document lists them, for there may be millions.
    pub verdicts: Vec<RowVerdict>,
    /// Random games, if any were asked for.
    pub playouts: Option<PlayoutsVerdict>,
    /// Has it come to its end? A file of a killed run says no.
    pub finished: bool,
}

/// Sums over rows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunTotals {
    /// Rows whose every comparison was right.
    pub passed: usize,
    /// Rows with something wrong.
    pub failed: usize,
    /// Rows that were not walked.
    pub skipped: usize,
    /// Rows that were stopped.
    pub interrupted: usize,
    /// Nodes that were walked.
    pub nodes: u128,
    /// Time of the walks.
    pub time: Duration,
    /// Comparisons of counts that were made (V1).
    pub counts_compared: u64,
    /// How many comparisons each check made.
    pub checks: Checks,
    /// Positions that V5 compared.
    pub identities: u64,
    /// Schemes of which something is wrong.
    pub wrong_schemes: BTreeSet<String>,
}

impl RunTotals {
    /// The sums over these rows.
    pub fn of(verdicts: &[RowVerdict]) -> RunTotals {
        let mut tally = RunTotals::default();
        verdicts.iter().for_each(|verdict| tally.add(verdict));
        tally
    }

    /// Adds a row.
    pub fn add(&mut self, verdict: &RowVerdict) {
        match verdict.outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Skipped(_) => self.skipped += 1,
            Outcome::Interrupted => self.interrupted += 1,
        }
        if let Some(report) = &verdict.report {
            self.nodes += report.total();
            self.time += report.time;
            self.checks.add(&report.checks);
        }
        self.counts_compared += verdict.counts_compared;
        self.identities += verdict.identities.iter().map(|found| found.compared).sum::<u64>();
        let wrong = verdict.findings.iter().map(|finding| &finding.scheme);
        let clashing = verdict.identities.iter().filter(|found| found.is_wrong()).map(|found| &found.scheme);
        let missed = verdict.identities_missed.iter().map(|(scheme, _)| scheme);
        self.wrong_schemes.extend(wrong.chain(clashing).chain(missed).cloned());
    }

    /// How many rows are done.
    pub fn rows(&self) -> usize {
        self.passed + self.failed + self.skipped + self.interrupted
    }
}

impl Run<'_> {
    /// Is anything wrong?
    pub fn failed(&self) -> bool {
        let playouts = self.playouts.as_ref().is_some_and(PlayoutsVerdict::is_wrong);
        playouts || self.tally.failed > 0
    }

    /// Was it stopped before its end?
    pub fn interrupted(&self) -> bool {
        let playouts = self.playouts.as_ref().is_some_and(|playouts| playouts.report.interrupted);
        playouts || self.tally.interrupted > 0
    }

    /// Was nothing compared?
    pub fn is_empty(&self) -> bool {
        self.playouts.is_none() && self.tally.skipped == self.tally.rows()
    }

    /// `passed`, `failed`, `interrupted`, `nothing-compared`; `incomplete` before the end.
    pub fn verdict(&self) -> &'static str {
        match () {
            () if self.failed() => "failed",
            () if self.interrupted() => "interrupted",
            () if !self.finished => "incomplete",
            () if self.is_empty() => "nothing-compared",
            () => "passed",
        }
    }
}
