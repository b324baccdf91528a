//! The benchmark of machines: fixed workloads on one thread, two, four, … all, by turns, each pass with its count checked.
//!
//! Workloads are bound by the core or by memory, and each kind takes turns within itself, with the yardstick among them: a
//! small program that never changes, which tells a slower machine from slower code. Equal tasks on every hardware thread,
//! alone and with all others busy, show jitter, throttling and slow cores.
//!
//! [`run`] yields a [`Record`]; [`Summary`] is what one reads from it, [`diff`] compares two.

pub mod diff;
mod summary;
mod tasks;
mod team;
mod workload;

pub use summary::{Drift, Line, PERCENTILES, Score, Summary, TaskLine, reference};
pub use team::{Team, cores};
pub use workload::{Bound, WORKLOADS, Workload, YARDSTICK};

use crate::measure::{Clock, Monotonic, RoundPlan, WrongCount, sample};
use crate::record::{self, Record, RecordSettings};
use perft_gate_count::table::{EntryMatch, PerftTable};
use perft_gate_simd::Level;
use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How to run the benchmark.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to run; the yardstick runs beside it.
    pub workloads: Vec<Workload>,
    /// On how many threads.
    pub threads: Vec<usize>,
    /// The instructions to use.
    pub level: Level,
    /// A short run?
    pub quick: bool,
    /// How long.
    pub budget: Budget,
    /// Of the orders.
    pub seed: u64,
}

/// Time for the parts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Workloads that are bound by the core.
    pub core: Duration,
    /// Workloads that are bound by memory.
    pub memory: Duration,
    /// Equal tasks.
    pub tasks: Duration,
}

impl Budget {
    /// All in less than five minutes.
    pub const FULL: Budget = Budget::of_seconds(100, 150, 20);
    /// All in less than half a minute.
    pub const QUICK: Budget = Budget::of_seconds(16, 8, 3);

    const fn of_seconds(core: u64, memory: u64, tasks: u64) -> Budget {
        let seconds = Duration::from_secs;
        Budget { core: seconds(core), memory: seconds(memory), tasks: seconds(tasks) }
    }

    fn total(self) -> Duration {
        self.core + self.memory + self.tasks
    }

    /// The same shares of another time.
    pub fn scaled_to(self, total: Duration) -> Budget {
        let factor = total.as_secs_f64() / self.total().as_secs_f64();
        let scaled = |part: Duration| part.mul_f64(factor);
        Budget { core: scaled(self.core), memory: scaled(self.memory), tasks: scaled(self.tasks) }
    }
}

/// 1, 2, 4, … and all.
pub fn doublings(all: usize) -> Vec<usize> {
    let mut counts: Vec<usize> =
        std::iter::successors(Some(1), |&count| Some(2 * count)).take_while(|&count| count < all).collect();
    counts.push(all);
    counts
}

/// Why there is no record.
#[derive(Debug)]
pub enum BenchError {
    /// A workload counted something else than is known.
    Wrong {
        /// Which workload.
        workload: &'static str,
        /// On how many threads.
        threads: usize,
        /// What was counted.
        count: WrongCount,
    },
    /// The system did not give threads or memory.
    System(String),
    /// A stage was over before its first round.
    TooShort {
        /// The stage.
        bound: &'static str,
        /// How long the whole run is to be, at least.
        expected: Duration,
    },
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Wrong { workload, threads, count } => write!(f, "{workload} on {threads} threads: {count}"),
            BenchError::System(message) => f.write_str(message),
            BenchError::TooShort { bound, expected } => {
                let seconds = expected.as_secs_f64().ceil();
                write!(f, "found no time for a round of the stage '{bound}', expected at least {seconds} s")
            }
        }
    }
}

impl std::error::Error for BenchError {}

/// A stage's time by that of its warm-up alone.
const WARM_UP_AND_A_ROUND: f64 = 1.5;

/// Runs the benchmark; `part` is told what begins.
///
/// **Errors**: a count is wrong, the system gives no threads or memory, or there is no time for a round.
pub fn run(
    options: &Options,
    build: record::Build,
    started: String,
    stop: &AtomicBool,
    mut part: impl FnMut(&str),
) -> Result<Record, BenchError> {
    let teams: Result<Vec<Team>, BenchError> = options.threads.iter().map(|&threads| Team::new(threads)).collect();
    let teams = teams?;
    let (clock, mut stages) = (Monotonic::default(), Vec::new());
    let mut too_short: Option<BenchError> = None;
    for (bound, budget) in [(Bound::Core, options.budget.core), (Bound::Memory, options.budget.memory)] {
        let workloads: Vec<Workload> =
            options.workloads.iter().copied().filter(|workload| workload.bound() == bound).collect();
        if !workloads.is_empty() && !stop.load(Ordering::Relaxed) {
            part(bound.name());
            let start = clock.now();
            let stage = stage(bound, &workloads, budget, options, &teams, &clock, stop)?;
            if stage.rounds.is_empty() && !stop.load(Ordering::Relaxed) {
                let part = (clock.now() - start).as_secs_f64() / budget.as_secs_f64().max(1e-9);
                let expected = options.budget.total().mul_f64(part * WARM_UP_AND_A_ROUND);
                too_short = match too_short {
                    Some(BenchError::TooShort { expected: other, .. }) if other >= expected => too_short,
                    _ => Some(BenchError::TooShort { bound: bound.name(), expected }),
                };
            }
            stages.push(stage);
        }
    }
    if let Some(error) = too_short {
        return Err(error);
    }
    part("tasks");
    let tasks = tasks::run(options, stop)?;
    let settings = RecordSettings {
        quick: options.quick,
        level: options.level.to_string(),
        seed: options.seed,
        interrupted: stop.load(Ordering::Relaxed),
    };
    let machine = record::Machine::this();
    Ok(Record { schema: record::SCHEMA.into(), stages, tasks, started, settings, build, machine })
}

fn stage(
    bound: Bound,
    workloads: &[Workload],
    budget: Duration,
    options: &Options,
    teams: &[Team],
    clock: &dyn Clock,
    stop: &AtomicBool,
) -> Result<record::Stage, BenchError> {
    let table = match workloads.contains(&Workload::Hashed) {
        true => Some(teams[teams.len() - 1].install(|| PerftTable::new(workload::TABLE_BYTES, EntryMatch::Tag))),
        false => None,
    };
    let table = table
        .transpose()
        .map_err(|error| BenchError::System(format!("the table of hashed: {error}")))?
        .map(RefCell::new);
    let pairs: Vec<(Workload, &Team)> = [YARDSTICK]
        .iter()
        .chain(workloads.iter().filter(|workload| **workload != YARDSTICK))
        .flat_map(|&workload| teams.iter().map(move |team| (workload, team)))
        .collect();
    let mut works: Vec<_> =
        pairs.iter().map(|&(workload, team)| workload.on(team, options.level, table.as_ref())).collect();
    let described = pairs.iter().zip(&works).map(|((workload, team), work)| record::Work {
        workload: workload.name().into(),
        version: workload.version(),
        unit: workload.unit().into(),
        threads: team.threads,
        cores: team.cores.clone(),
        pinned: team.pinned,
        nodes: work.nodes,
    });
    let described = described.collect();
    let plan = RoundPlan::within(budget, options.seed);
    // The budget alone ends a stage: rounds are what a later comparison needs.
    let samples = sample(&mut works[..], plan, clock, stop, |_| false).map_err(|count| {
        let (workload, team) = pairs[count.work];
        BenchError::Wrong { workload: workload.name(), threads: team.threads, count }
    })?;
    Ok(record::Stage {
        bound: bound.name().into(),
        works: described,
        rounds: samples.rounds.iter().map(Into::into).collect(),
    })
}

/// A made-up record of the yardstick and one workload, on one thread and on two; `cost` is that of the workload's nodes.
#[cfg(test)]
pub fn example(cost: f64) -> Record {
    let work = |workload: Workload, threads: usize| record::Work {
        workload: workload.name().into(),
        version: workload.version(),
        unit: workload.unit().into(),
        threads,
        cores: (0..threads).collect(),
        pinned: threads,
        nodes: 1000,
    };
    let works =
        [YARDSTICK, Workload::SetWise].into_iter().flat_map(|workload| [1, 2].map(|threads| work(workload, threads)));
    let round = |number: u64| {
        // A few parts in ten thousand of noise, which repeats.
        let ns = |cost: f64, slice: u64| (1e7 * cost * (1.0 + ((7 * number + 3 * slice) % 5) as f64 * 1e-4)) as u64;
        let costs = [1.0, 0.5, cost, cost / 2.0];
        record::Round {
            order: vec![2, 0, 3, 1],
            slices: costs.map(|cost| [0, 1].map(|slice| (1_000_000, ns(cost, slice)))).to_vec(),
        }
    };
    Record {
        schema: record::SCHEMA.into(),
        stages: vec![record::Stage {
            bound: Bound::Core.name().into(),
            works: works.collect(),
            rounds: (0..48).map(round).collect(),
        }],
        tasks: vec![record::Tasks {
            core: Some(0),
            loaded: false,
            nodes: 97_862,
            longest_ns: 40_000,
            times: vec![(20_000, 90), (40_000, 10)],
        }],
        started: "2026-01-02T03:04:05Z".into(),
        settings: RecordSettings { quick: false, level: "v3".into(), seed: 0, interrupted: false },
        build: record::Build::unknown(),
        machine: record::Machine::this(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_counts_double_up_to_all() {
        assert_eq!([1, 2, 6, 8].map(doublings), [vec![1], vec![1, 2], vec![1, 2, 4, 6], vec![1, 2, 4, 8]]);
    }
}
