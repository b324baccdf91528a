//! A run over all rows of a suite, and its outcome.
//!
//! Rows with large trees run one at a time on all threads. Rows with small trees run together, one per thread.

use super::playouts::PlayoutsVerdict;
use super::verdict::{Options, Outcome, PlannedWalk, RowPlan, RowVerdict, plan};
use perft_gate_suite::Row;
use perft_gate_walk::Checks;
use rayon::{BroadcastContext, ThreadPool};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// State of a run over all rows of a suite, finished or not.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Name of a built-in suite or of the suite's file, or `fen` for a single position.
    pub suite: String,
    pub options: Options<'a>,
    pub threads: usize,
    /// Total number of rows.
    pub rows: usize,
    /// Number of rows that passed in an earlier run and were not walked again.
    pub before: usize,
    /// Totals over the rows judged so far.
    pub tally: RunTotals,
    /// Verdicts on the rows judged so far, in order. Kept only if a document lists them, because there may be millions.
    pub verdicts: Vec<RowVerdict>,
    /// Verdict on the random games, if requested.
    pub playouts: Option<PlayoutsVerdict>,
    /// True if any row lists a count within the depth. Otherwise the run cannot pass, because it compared no listed
    /// count.
    pub has_listed_counts: bool,
    /// True if the run reached its end. It remains false in the file left behind by a run that was killed.
    pub finished: bool,
}

perft_gate_chess::named! {
    /// Outcome of a run. It is the verdict in every document and determines the exit code.
    #[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Debug)]
    pub enum RunOutcome {
        /// All comparisons are equal.
        Passed = "passed",
        /// A count or a key is wrong, or another check failed.
        Failed = "failed",
        /// The run was stopped before its end.
        Interrupted = "interrupted",
        /// The run has not finished yet.
        Incomplete = "incomplete",
        /// Every row was skipped.
        NothingCompared = "nothing-compared",
        /// Nothing is wrong, but the suite lists no count up to the depth.
        NoCounts = "no-counts",
    }
}

impl RunOutcome {
    pub const fn exit_code(self) -> u8 {
        match self {
            RunOutcome::Passed => 0,
            RunOutcome::Failed => 1,
            RunOutcome::NothingCompared | RunOutcome::NoCounts => 2,
            RunOutcome::Incomplete => 3,
            RunOutcome::Interrupted => 130,
        }
    }
}

/// Sums over the rows of a run.
#[perft_gate_chess::document(Clone, PartialEq, Debug, Default)]
pub struct RunTotals {
    /// Number of rows in which every comparison was right.
    pub passed: usize,
    /// Number of rows with an error.
    pub failed: usize,
    /// Number of rows not walked.
    pub skipped: usize,
    /// Number of rows stopped before their end.
    pub interrupted: usize,
    /// Number of nodes walked.
    pub nodes: u128,
    /// Time of the walks, added up over the rows. It can exceed the wall time, because several small rows run at once.
    #[cfg_attr(feature = "serde", serde(rename = "seconds", with = "perft_gate_chess::json::Seconds"))]
    pub time: Duration,
    /// Time of the other counter, added up in the same way.
    #[cfg_attr(feature = "serde", serde(rename = "counter_seconds", with = "perft_gate_chess::json::Seconds"))]
    pub counter_time: Duration,
    /// Time of the identity check (V5), added up in the same way.
    #[cfg_attr(feature = "serde", serde(rename = "identity_seconds", with = "perft_gate_chess::json::Seconds"))]
    pub identity_time: Duration,
    /// Number of counts compared (V1).
    pub counts_compared: u64,
    /// Number of comparisons of each check.
    pub checks: Checks,
    /// Number of positions in the identity check (V5).
    pub identities: u64,
    /// Names of the schemes with errors.
    pub wrong_schemes: BTreeSet<String>,
}

impl RunTotals {
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
        self.counter_time += verdict.counter_time;
        self.identity_time += verdict.identity_time;
        self.counts_compared += verdict.counts_compared;
        self.identities += verdict.identities.iter().map(|found| found.positions).sum::<u64>();
        let wrong = verdict.findings.iter().map(|finding| &finding.scheme);
        let clashing = verdict.identities.iter().filter(|found| found.is_wrong).map(|found| &found.scheme);
        let missed = verdict.identities_missed.iter().map(|missed| &missed.scheme);
        self.wrong_schemes.extend(wrong.chain(clashing).chain(missed).cloned());
    }

    pub fn rows(&self) -> usize {
        self.passed + self.failed + self.skipped + self.interrupted
    }
}

impl Run<'_> {
    pub fn is_interrupted(&self) -> bool {
        let playouts = self.playouts.as_ref().is_some_and(|playouts| playouts.report.interrupted);
        playouts || self.tally.interrupted > 0
    }

    pub fn outcome(&self) -> RunOutcome {
        let playouts = self.playouts.as_ref().is_some_and(PlayoutsVerdict::is_wrong);
        let is_empty = self.before == 0 && self.playouts.is_none() && self.tally.skipped == self.tally.rows();
        match () {
            () if playouts || self.tally.failed > 0 => RunOutcome::Failed,
            () if self.is_interrupted() => RunOutcome::Interrupted,
            () if !self.finished => RunOutcome::Incomplete,
            () if is_empty => RunOutcome::NothingCompared,
            () if !self.has_listed_counts => RunOutcome::NoCounts,
            () => RunOutcome::Passed,
        }
    }
}

/// Minimum number of leaves of a large row.
const LARGE: u128 = 50_000;
/// Maximum number of rows in a batch. The verdicts on a batch appear together.
const MAX_ROWS: usize = 256;

/// Rows judged at the same time, each with its plan.
#[derive(Debug)]
pub struct Batch(Vec<(RowPlan, Row)>);

/// Splits rows into batches: one large row, or consecutive small rows.
pub fn batches(rows: impl Iterator<Item = Row>, options: Options<'_>) -> impl Iterator<Item = Batch> {
    let mut rows = rows.map(move |row| (plan(&row, options.depth, options.max_nodes), row)).peekable();
    std::iter::from_fn(move || {
        let mut batch = vec![rows.next()?];
        while batch.len() < MAX_ROWS && batch.last().is_some_and(is_small) {
            let Some(next) = rows.next_if(is_small) else { break };
            batch.push(next);
        }
        Some(Batch(batch))
    })
}

fn is_small((plan, row): &(RowPlan, Row)) -> bool {
    match plan {
        RowPlan::Walk(depth, _) => row.count(*depth).map_or(*depth <= 2, |leaves| leaves < LARGE),
        RowPlan::Skip(_) => true,
    }
}

impl Batch {
    pub fn name(&self) -> &str {
        &self.0[0].1.id
    }

    /// Returns the verdicts in row order. Calls `walk` to judge each row that is not skipped.
    pub fn judge(
        &self,
        options: Options<'_>,
        pool: &ThreadPool,
        walk: impl Fn(PlannedWalk<'_>) -> RowVerdict + Sync,
    ) -> Vec<RowVerdict> {
        let judge = |(plan, row): &(RowPlan, Row)| RowVerdict::by_plan(plan, row, options, &walk);
        if let [row] = &self.0[..] {
            return vec![pool.install(|| judge(row))];
        }
        // Each idle worker takes the next row. If rows were pool tasks, a worker could start one inside another.
        let next = AtomicUsize::new(0);
        let work = |_: BroadcastContext<'_>| -> Vec<(usize, RowVerdict)> {
            let rows = std::iter::from_fn(|| {
                let place = next.fetch_add(1, Relaxed);
                Some((place, self.0.get(place)?))
            });
            rows.map(|(place, row)| (place, judge(row))).collect()
        };
        let mut verdicts = pool.broadcast(work).concat();
        verdicts.sort_unstable_by_key(|(place, _)| *place);
        verdicts.into_iter().map(|(_, verdict)| verdict).collect()
    }
}
