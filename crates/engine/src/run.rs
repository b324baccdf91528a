//! Runs a suite through one or more processes of an engine.
//!
//! A process gets one row (a position) at a time. The results are reported in row order. A failed process is restarted
//! for the next row. After several consecutive failures, or many in total, the remaining rows are skipped.

use crate::dialect::Dialect;
use crate::expected::{ExpectedFailures, ExpectedFault};
use crate::judge::judge;
use crate::keys::{KeyConventions, KeyFinding, RunKeys};
use crate::learned::Learned;
use crate::outcome::{EngineFailure, FailureKind, Result, RowOutcome};
use crate::settings::EngineSettings;
use crate::trial::{learn, start_with};
use crate::uci::Engine;
use crate::verdict::EngineVerdict;
use perft_gate_chess::json::Seconds;
use perft_gate_judge::gate::{self, RowPlan};
use perft_gate_suite::Row;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Number of consecutive failures after which the remaining rows are skipped.
const MAX_IN_A_ROW: usize = 3;
/// Number of failures in total after which the remaining rows are skipped.
const MAX_IN_TOTAL: usize = 8;

/// Result of running a suite through an engine.
#[perft_gate_chess::document(sparse, Clone, Default, Debug, serde::Serialize)]
pub struct EngineRunSummary {
    /// Verdicts on the rows, in order.
    #[serde(rename = "rows")]
    pub verdicts: Vec<EngineVerdict>,
    /// Number of rows that passed in an earlier run and were not given to the engine again.
    #[serde(rename = "passed_before")]
    pub before: usize,
    /// Wall time.
    #[serde(rename = "seconds", with = "Seconds")]
    pub time: Duration,
    /// Time spent waiting for the engine, summed over all processes.
    #[serde(rename = "engine_seconds", with = "Seconds")]
    pub waited: Duration,
    /// Time spent in our own counter, summed over all processes.
    #[serde(rename = "counting_seconds", with = "Seconds")]
    pub counting: Duration,
    /// Time spent on rows (counting, reading, checking), except waiting for the engine, summed over all processes.
    #[serde(rename = "own_seconds", with = "Seconds")]
    pub own: Duration,
    /// Properties of the keys, if the engine prints them and they are checked.
    #[serde(rename = "keys")]
    pub conventions: Option<KeyConventions>,
    /// Faults of the engine's keys that the user expects in the whole run, not in a certain row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expected_faults: Vec<ExpectedFault>,
    /// Reason why no row was given to the engine, if it did not start or its answers were not understood.
    pub failure: Option<EngineFailure>,
}

impl EngineRunSummary {
    /// Returns the outcome so far, for a suite that has `rows` rows.
    pub fn outcome(&self, rows: usize) -> EngineRunOutcome {
        if let Some(failure) = &self.failure {
            return match failure.kind {
                FailureKind::NoPerft => EngineRunOutcome::NoPerft,
                _ => EngineRunOutcome::EngineFailed,
            };
        }
        let any = |wanted: fn(RowOutcome) -> bool| {
            self.verdicts.iter().any(|verdict| wanted(verdict.outcome) && !verdict.is_excused())
        };
        let is_asked = |verdict: &EngineVerdict| verdict.outcome != RowOutcome::Skipped;
        let wrong_keys = self.key_findings().next().is_some();
        match () {
            () if any(RowOutcome::is_wrong) || wrong_keys => EngineRunOutcome::Failed,
            () if any(|outcome| outcome == RowOutcome::Interrupted) => EngineRunOutcome::Interrupted,
            () if self.verdicts.len() + self.before < rows => EngineRunOutcome::Incomplete,
            () if any(RowOutcome::is_failure) => EngineRunOutcome::EngineFailed,
            () if self.before == 0 && !self.verdicts.iter().any(is_asked) => EngineRunOutcome::NothingCompared,
            () => EngineRunOutcome::Passed,
        }
    }

    /// Returns the unexpected key errors of the whole run, which depend on no row.
    pub fn key_findings(&self) -> impl Iterator<Item = &KeyFinding> {
        let findings = self.conventions.iter().flat_map(|conventions| &conventions.findings);
        findings.filter(|finding| !self.expected_faults.iter().any(|expected| expected.fault == finding.fault))
    }
}

perft_gate_chess::named! {
    /// Outcome of an engine's run. It is the verdict in every document and determines the exit code.
    #[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
    pub enum EngineRunOutcome {
        /// All comparisons are equal.
        Passed = "passed",
        /// A count or a key is wrong.
        Failed = "failed",
        /// The engine gave no answer to a row, or could not be asked.
        EngineFailed = "engine-failed",
        /// The engine has no perft command that works.
        NoPerft = "no-perft",
        /// The run was stopped before its end.
        Interrupted = "interrupted",
        /// The run has not ended yet.
        Incomplete = "incomplete",
        /// Every row was skipped.
        NothingCompared = "nothing-compared",
    }
}

impl EngineRunOutcome {
    /// Returns the exit code of a program that ends with this outcome.
    pub const fn exit_code(self) -> u8 {
        match self {
            EngineRunOutcome::Passed => 0,
            EngineRunOutcome::Failed => 1,
            EngineRunOutcome::NothingCompared => 2,
            EngineRunOutcome::EngineFailed | EngineRunOutcome::NoPerft | EngineRunOutcome::Incomplete => 3,
            EngineRunOutcome::Interrupted => 130,
        }
    }
}

/// Task of a run: how to count the rows.
#[derive(Clone, Copy, Debug)]
pub struct EngineTask<'a> {
    /// Number of rows that passed in an earlier run, which are not counted again.
    pub before: usize,
    /// Number of plies. A row without a count at that depth is counted to its next shallower listed depth.
    pub depth: u32,
    /// Maximum number of leaves per row. Rows with more are skipped.
    pub max_nodes: Option<u128>,
    /// Number of processes.
    pub jobs: usize,
    /// Number of failed rows after which the remaining rows are skipped. Rows with wrong results count as failed. If
    /// `None`, built-in limits apply, and only rows without an answer are counted.
    pub max_failures: Option<usize>,
    /// Known failures.
    pub expected: &'a ExpectedFailures,
}

/// A started engine that answers.
#[derive(Debug)]
pub struct EngineSession<'a> {
    engine: Engine<'a>,
    /// How the engine is asked, and how it answers.
    pub learned: Learned,
    /// Properties of the engine's keys, if they are checked.
    pub conventions: Option<KeyConventions>,
}

impl<'a> EngineSession<'a> {
    /// Starts the first process. **Errors**: if the engine does not start, or its answers are not understood.
    pub fn start(settings: &'a EngineSettings) -> Result<EngineSession<'a>> {
        let mut engine = learn(settings)?;
        settings.activity.set("learning its perft command");
        let learned = Learned::learn(&mut engine)?;
        settings.activity.set("learning its keys");
        let conventions = if settings.checks_keys { KeyConventions::learn(&mut engine)? } else { None };
        Ok(EngineSession { engine, learned, conventions })
    }

    /// Returns the name that the engine gives itself.
    pub fn name(&self) -> &str {
        &self.engine.name
    }

    /// Describes each UCI option that the user set but that the engine does not have and would silently ignore.
    pub fn unknown_options(&self) -> Vec<String> {
        let Engine { settings, options, .. } = &self.engine;
        let named = settings.options.iter().map(|(name, _)| name);
        let unknown = named.filter(|name| !options.contains_key(&name.to_ascii_lowercase()));
        let known = options.values().map(String::as_str).collect::<Vec<_>>().join(", ");
        let expected =
            if known.is_empty() { "but the engine lists none".into() } else { format!("expected one of {known}") };
        unknown.map(|name| format!("found '{name}', {expected}")).collect()
    }

    /// Returns the summary as it is before any row is judged.
    pub fn summary(&self) -> EngineRunSummary {
        EngineRunSummary { conventions: self.conventions.clone(), ..EngineRunSummary::default() }
    }

    /// Judges all rows. Calls `each` with the summary so far after every row, in row order.
    pub fn run(
        self,
        rows: impl Iterator<Item = Row> + Send,
        task: EngineTask<'_>,
        mut each: impl FnMut(&EngineRunSummary),
    ) -> EngineRunSummary {
        let start = Instant::now();
        let mut summary = EngineRunSummary { before: task.before, ..self.summary() };
        let findings = summary.conventions.as_ref().map_or(&[][..], |conventions| &conventions.findings);
        summary.expected_faults = task.expected.compare_run(findings);
        let EngineSession { engine: first, conventions, .. } = self;
        let (settings, dialect) = (first.settings, first.dialect.clone());
        let failures = Failures { max: task.max_failures, ..Failures::default() };
        let (next, (sender, judge_row)) = (Mutex::new(rows.enumerate()), channel());
        // Verdicts that arrived early and wait for the verdicts on earlier rows.
        let mut early: BTreeMap<usize, EngineVerdict> = BTreeMap::new();
        let mut seen = RunKeys::new(conventions.as_ref().map_or(0, |conventions| conventions.numbers.bits));
        let (waited, counting) = thread::scope(|scope| {
            let mut first = Some(first);
            let workers: Vec<_> = (0..task.jobs.max(1))
                .map(|_| {
                    let (engine, sender) = (first.take(), sender.clone());
                    let (next, failures, conventions, dialect) = (&next, &failures, conventions.as_ref(), &dialect);
                    scope.spawn(move || {
                        let (waited, counting) = (Duration::ZERO, Duration::ZERO);
                        let mut worker = RowJudge { settings, engine, dialect, conventions, waited, counting };
                        loop {
                            let row = next.lock().unwrap_or_else(PoisonError::into_inner).next();
                            let Some((number, row)) = row else { break };
                            let mut verdict = worker.judge(&row, task, failures);
                            verdict.expectation = task.expected.compare(&row, verdict.outcome);
                            failures.add(&verdict);
                            if sender.send((number, verdict)).is_err() {
                                break;
                            }
                        }
                        worker.stop();
                        (worker.waited, worker.counting)
                    })
                })
                .collect();
            drop(sender);
            for (number, verdict) in judge_row {
                early.insert(number, verdict);
                while let Some(mut verdict) = early.remove(&summary.verdicts.len()) {
                    verdict.compare_keys(&mut seen, task.expected);
                    summary.waited += verdict.waited;
                    summary.own += verdict.time.saturating_sub(verdict.waited);
                    summary.time = start.elapsed();
                    summary.verdicts.push(verdict);
                    each(&summary);
                }
            }
            let times = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
            times.fold((Duration::ZERO, Duration::ZERO), |(a, b), (waited, counting)| (a + waited, b + counting))
        });
        EngineRunSummary { time: start.elapsed(), waited, counting, ..summary }
    }
}

/// Failures of all processes together.
#[derive(Default)]
struct Failures {
    /// Number of failed rows after which the remaining rows are skipped, if the user set such a limit.
    max: Option<usize>,
    in_a_row: AtomicUsize,
    in_total: AtomicUsize,
}

impl Failures {
    /// Counts a judged row as failed or not.
    fn add(&self, verdict: &EngineVerdict) {
        let is_counted = verdict.has_failed() && (self.max.is_some() || verdict.failure.is_some());
        match verdict.outcome {
            RowOutcome::Skipped | RowOutcome::Interrupted => {}
            _ if is_counted => {
                self.in_a_row.fetch_add(1, Ordering::Relaxed);
                self.in_total.fetch_add(1, Ordering::Relaxed);
            }
            _ => self.in_a_row.store(0, Ordering::Relaxed),
        }
    }

    /// Returns the reason for skipping the remaining rows, if there is one.
    fn too_many(&self) -> Option<String> {
        let (in_a_row, in_total) = (self.in_a_row.load(Ordering::Relaxed), self.in_total.load(Ordering::Relaxed));
        if let Some(max) = self.max {
            return (in_total >= max).then(|| match max {
                1 => "a row failed".into(),
                max => format!("{max} rows failed"),
            });
        }
        match (in_a_row, in_total) {
            (MAX_IN_A_ROW.., _) => Some(format!("the engine failed {MAX_IN_A_ROW} times in a row")),
            (_, MAX_IN_TOTAL..) => Some(format!("the engine failed {MAX_IN_TOTAL} times in total")),
            _ => None,
        }
    }
}

/// Judges rows with one process of the engine.
struct RowJudge<'a> {
    settings: &'a EngineSettings,
    engine: Option<Engine<'a>>,
    dialect: &'a Dialect,
    conventions: Option<&'a KeyConventions>,
    waited: Duration,
    counting: Duration,
}

impl RowJudge<'_> {
    fn judge(&mut self, row: &Row, task: EngineTask<'_>, failures: &Failures) -> EngineVerdict {
        let skipped =
            |reason| EngineVerdict { skipped: Some(reason), ..EngineVerdict::new(row, 0, RowOutcome::Skipped) };
        self.settings.activity.set(&*row.id);
        if self.settings.control.stop.load(Ordering::Relaxed) {
            return EngineVerdict::new(row, 0, RowOutcome::Interrupted);
        }
        if let Some(reason) = failures.too_many() {
            return skipped(reason);
        }
        let depth = match gate::plan(row, task.depth, task.max_nodes) {
            RowPlan::Walk(depth, _) => depth.max(1),
            RowPlan::Skip(reason) => return skipped(reason),
        };
        let engine = match start_with(self.engine.take(), self.dialect.clone(), self.settings) {
            Ok(engine) => self.engine.insert(engine),
            Err(failure) => {
                let verdict = EngineVerdict::new(row, depth, failure.kind.into());
                return EngineVerdict { failure: Some(Box::new(failure)), ..verdict };
            }
        };
        let verdict = judge(engine, (row, depth), self.conventions);
        if verdict.failure.is_some() {
            self.stop();
        }
        verdict
    }

    fn stop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.waited += engine.waited;
            self.counting += engine.reference.time;
            engine.quit();
        }
    }
}
