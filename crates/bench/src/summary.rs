//! Summary of a record: rates with intervals, scaling, drift, percentiles, scores.

use super::workload::YARDSTICK;
use perft_gate_lab::measure::{Interval, Samples, deviation, median};
use perft_gate_machine::record::{Record, Tasks, Work};
use serde::Serialize;
use std::collections::HashSet;

/// Rates and scores of a record.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct RecordSummary {
    /// One result for each combination of workload and thread count.
    pub lines: Vec<WorkloadLine>,
    /// Task times by hardware thread.
    pub tasks: Vec<TaskLine>,
    /// Scores on one thread and on all threads, each the geometric mean of the workloads' scores.
    pub scores: Vec<Score>,
    /// Reasons why the scores may not be comparable.
    pub warnings: Vec<String>,
}

/// Result of one workload at one thread count.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct WorkloadLine {
    /// Workload and threads.
    pub work: Work,
    /// Number of rounds.
    pub rounds: usize,
    /// Rate in units per second.
    pub rate: Interval,
    /// Median absolute deviation of the rounds' times, as a fraction of the median time.
    pub deviation: f64,
    /// Drift during the run.
    pub drift: Drift,
    /// Ratio of the rate to the rate on one thread.
    pub scaling: Option<f64>,
    /// Ratio of the rate to the reference record's rate, times 100.
    pub score: Option<f64>,
}

/// Drift of a run. The run is divided into parts. The drift is the difference between the largest and the smallest of
/// the parts' medians, as a fraction of the smallest.
#[perft_gate_chess::document(Serialize, Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Drift(pub f64);

/// Times of equal tasks on a hardware thread, in nanoseconds.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct TaskLine {
    /// Number of the hardware thread.
    pub core: Option<usize>,
    /// True if all other threads were busy.
    pub loaded: bool,
    /// Number of tasks.
    pub count: u64,
    /// Times at [`PERCENTILES`].
    pub percentiles: [u64; PERCENTILES.len()],
    /// Longest time.
    pub longest: u64,
}

/// Percentiles of the tasks' times.
pub const PERCENTILES: [f64; 4] = [0.5, 0.9, 0.99, 0.999];

/// Speed of a machine relative to the reference.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct Score {
    /// Number of threads used on this machine.
    pub threads: usize,
    /// Score, where 100 means as fast as the reference.
    pub score: f64,
    /// Number of workloads in it.
    pub workloads: usize,
}

/// Number of parts into which a run is divided, in order to compare the medians of the parts.
const PARTS: usize = 4;

impl Drift {
    /// Minimum number of values from which a drift can be computed.
    pub const MIN_VALUES: usize = 2 * PARTS;

    /// Returns the drift of values listed in the order of the run, or 0 if there are fewer than [`Drift::MIN_VALUES`].
    pub fn new(values: &[f64]) -> Drift {
        let part = values.len() / PARTS;
        if values.len() < Drift::MIN_VALUES {
            return Drift(0.0);
        }
        let medians: Vec<f64> = values.chunks_exact(part).take(PARTS).map(median).collect();
        let (low, high) = medians.iter().fold((f64::MAX, 0.0_f64), |(low, high), &at| (low.min(at), high.max(at)));
        Drift(high / low - 1.0)
    }
}

impl RecordSummary {
    /// Summarises a record, with scores if there is a reference.
    pub fn new(record: &Record, reference: Option<&Record>) -> RecordSummary {
        let mut lines = lines(record);
        let is_comparable = |reference: &&Record| reference.workloads_version() == record.workloads_version();
        let reference = reference.filter(is_comparable).map_or(Vec::new(), self::lines);
        let mut scores = Vec::new();
        let all = max_threads(&lines);
        // A machine with one thread has only one score.
        for [threads, known] in [[1, 1], [all, max_threads(&reference)]].into_iter().take(all.min(2)) {
            let scored: Vec<f64> =
                lines.iter_mut().filter_map(|line| line.set_score(threads, &reference, known)).collect();
            if !scored.is_empty() {
                let mean = scored.iter().map(|score| score.ln()).sum::<f64>() / scored.len() as f64;
                scores.push(Score { threads, score: mean.exp(), workloads: scored.len() });
            }
        }
        let has_times = |line: &TaskLine| line.count > 0;
        let tasks = record.tasks.iter().map(TaskLine::new).filter(has_times).collect();
        let warnings = record.conditions.iter().flat_map(|conditions| conditions.warnings.clone()).collect();
        RecordSummary { lines, tasks, scores, warnings }
    }
}

/// Returns the reference record for scores, measured on two hardware threads of an AMD Zen 5 server.
pub fn reference() -> Record {
    serde_json::from_str(include_str!("reference.json")).expect("it is built in")
}

fn max_threads(lines: &[WorkloadLine]) -> usize {
    lines.iter().map(|line| line.work.threads).max().unwrap_or(0)
}

/// Returns a line for every work measured in a record.
fn lines(record: &Record) -> Vec<WorkloadLine> {
    let mut lines = Vec::new();
    let works: usize = record.stages.iter().map(|stage| stage.works.len()).sum();
    for stage in record.stages.iter().filter(|stage| !stage.rounds.is_empty()) {
        let samples = Samples { rounds: stage.rounds.clone(), interrupted: false };
        for (place, work) in stage.works.iter().enumerate() {
            let times = samples.ns_per_node(place);
            let Interval { low, median: middle, high } = Interval::of_median(&times, works);
            lines.push(WorkloadLine {
                work: work.clone(),
                rounds: times.len(),
                rate: Interval { low: 1e9 / high, median: 1e9 / middle, high: 1e9 / low },
                deviation: deviation(&times) / middle,
                drift: Drift::new(&times),
                scaling: None,
                score: None,
            });
        }
    }
    // The yardstick runs in every stage. Only the lines of its first stage are kept.
    let mut seen = HashSet::new();
    lines.retain(|line| seen.insert((line.work.workload.clone(), line.work.threads)));
    let alone: Vec<WorkloadLine> = lines.iter().filter(|line| line.work.threads == 1).cloned().collect();
    for line in &mut lines {
        let one = alone.iter().find(|one| one.work.workload == line.work.workload);
        line.scaling = one.map(|one| line.rate.median / one.rate.median);
    }
    lines
}

impl WorkloadLine {
    /// If this line is for `threads` threads, sets and returns its score relative to the reference's line for the same
    /// workload on `known` threads. The yardstick's score is not returned, because the overall score leaves it out.
    fn set_score(&mut self, threads: usize, reference: &[WorkloadLine], known: usize) -> Option<f64> {
        let same = |line: &&WorkloadLine| {
            line.work.workload == self.work.workload
                && line.work.version == self.work.version
                && line.work.threads == known
        };
        let reference = reference.iter().find(same).filter(|_| self.work.threads == threads)?;
        self.score = Some(100.0 * self.rate.median / reference.rate.median);
        self.score.filter(|_| self.work.workload != YARDSTICK.name())
    }
}

impl TaskLine {
    fn new(tasks: &Tasks) -> TaskLine {
        let count = tasks.times.iter().map(|(_, count)| count).sum();
        let at = |part: f64| {
            let wanted = (part * count as f64).ceil() as u64;
            let mut below = 0;
            let is_reached = |&&(_, count): &&(u64, u64)| {
                below += count;
                below >= wanted
            };
            tasks.times.iter().find(is_reached).map_or(0, |(time, _)| *time)
        };
        let Tasks { core, loaded, longest_ns: longest, .. } = *tasks;
        TaskLine { core, loaded, count, percentiles: PERCENTILES.map(at), longest }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::workload::{Bound, Workload};
    use perft_gate_machine::record::{Round, Stage};

    /// Returns a made-up record of the yardstick and one workload, each on one thread and on two. `cost` is the time
    /// per node of the workload, relative to the yardstick's.
    pub fn example(cost: f64) -> Record {
        let work = |workload: Workload, threads: usize| Work {
            workload: workload.name().into(),
            version: workload.version(),
            unit: workload.unit().into(),
            threads,
            cores: (0..threads).collect(),
            pinned: threads,
            nodes: 1000,
        };
        let works = [YARDSTICK, Workload::SetWise]
            .into_iter()
            .flat_map(|workload| [1, 2].map(|threads| work(workload, threads)));
        let round = |number: u64| {
            // Repeating noise of a few parts in ten thousand.
            let ns = |cost: f64, slice: u64| (1e7 * cost * (1.0 + ((7 * number + 3 * slice) % 5) as f64 * 1e-4)) as u64;
            let costs = [1.0, 0.5, cost, cost / 2.0];
            Round {
                order: vec![2, 0, 3, 1],
                slices: costs.map(|cost| [0, 1].map(|slice| (1_000_000, ns(cost, slice)))).to_vec(),
            }
        };
        let rounds = (0..48).map(round).collect();
        let stage = Stage { bound: Bound::Core.name().into(), works: works.collect(), rounds };
        Record { stages: vec![stage], ..reference() }
    }

    #[test]
    fn drift_is_between_parts_and_not_within() {
        let jitter = |level: f64| [level * 0.9, level, level * 1.1, level];
        assert_eq!(Drift::new(&[jitter(1.0), jitter(1.0), jitter(1.0), jitter(1.0)].concat()), Drift(0.0));
        let slower = Drift::new(&[jitter(1.0), jitter(1.0), jitter(1.5), jitter(1.2)].concat());
        assert!((slower.0 - 0.5).abs() < 1e-9);
        assert_eq!(Drift::new(&[1.0, 9.0]), Drift(0.0));
    }

    #[test]
    fn a_machine_twice_as_fast_scores_200() {
        let (reference, faster) = (example(1.0), example(0.5));
        let summary = RecordSummary::new(&faster, Some(&reference));
        let scores: Vec<(usize, i64, usize)> =
            summary.scores.iter().map(|score| (score.threads, score.score.round() as i64, score.workloads)).collect();
        // Each score covers one workload, because the yardstick is left out of the scores.
        assert_eq!(scores, [(1, 200, 1), (2, 200, 1)]);
        assert!(RecordSummary::new(&faster, None).scores.is_empty());
    }

    #[test]
    fn work_of_another_version_has_no_score() {
        let (mut reference, record) = (example(1.0), example(1.0));
        for work in reference.stages.iter_mut().flat_map(|stage| &mut stage.works) {
            work.version += 1;
        }
        let summary = RecordSummary::new(&record, Some(&reference));
        assert!(summary.scores.is_empty() && summary.lines.iter().all(|line| line.score.is_none()));
        let other_set = Record { workloads_version: Some(2), ..example(1.0) };
        assert!(RecordSummary::new(&other_set, Some(&example(1.0))).scores.is_empty());
    }

    #[test]
    fn percentiles_are_times_that_so_many_tasks_did_not_exceed() {
        let tasks = Tasks {
            core: None,
            loaded: false,
            nodes: 1,
            longest_ns: 901,
            times: vec![(10, 899), (20, 91), (30, 9), (900, 1)],
        };
        let line = TaskLine::new(&tasks);
        assert_eq!((line.count, line.percentiles, line.longest), (1000, [10, 20, 20, 30], 901));
    }
}
