//! Machine benchmark: fixed workloads on one thread, two, four, … all, interleaved, with the count of each pass
//! checked.
//!
//! Workloads are bound by the core or by memory. Each kind is interleaved within itself, together with the yardstick: a
//! small program that never changes, which distinguishes a slower machine from slower code. Equal tasks on every
//! hardware thread, alone and with all others busy, show jitter, throttling and slow cores. On a machine with several kinds of
//! cores, every workload also runs on one thread of each kind.
//!
//! [`run`] returns a [`Record`]; [`RecordSummary`] evaluates it, [`diff`] compares two.

pub mod against;
mod clock_speed;
pub mod diff;
mod peer;
mod progress;
mod slices;
mod summary;
mod sustained;
mod tasks;
mod team;
mod workload;

pub use peer::{PeerError, PeerProcess, Program};
pub use progress::{BenchProgress, BenchStatus};
pub use slices::{PROTOCOL, PeerHello, serve};
pub use summary::{Drift, PERCENTILES, RecordSummary, Score, TaskLine, WorkloadLine, reference};
pub use team::{CoreOfKind, Team, cores, one_of_each_kind, placement};
pub use workload::{Bound, WORKLOADS, WORKLOADS_VERSION, Workload, YARDSTICK};

use crate::measure::{Miscount, Monotonic, RoundPlan, TimeSource, sample};
use crate::record::{self, Record, RecordSettings};
use clock_speed::{gigahertz, gigahertz_of_all};
use perft_gate_count::table::{EntryMatch, PerftTable};
use perft_gate_machine::Watch;
use perft_gate_simd::Level;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// Workloads to run; the yardstick always runs too.
    pub workloads: Vec<Workload>,
    /// Numbers of threads to run on.
    pub threads: Vec<usize>,
    /// Hardware threads on which to run alone, one of every kind of core; see [`one_of_each_kind`].
    pub kinds: Vec<CoreOfKind>,
    /// SIMD level.
    pub level: Level,
    /// True if this is a short run.
    pub quick: bool,
    /// Time for the parts of the run.
    pub budget: Budget,
    /// Time for a workload that shows what heat does, after everything else.
    pub sustained: Option<Duration>,
    /// Seed of the randomised slice order.
    pub seed: u64,
    /// Name of the machine as it is set up, in its owner's words.
    pub label: Option<String>,
    /// Further words of its owner.
    pub note: Option<String>,
}

/// Time for the parts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Time for workloads bound by the core.
    pub core: Duration,
    /// Time for workloads bound by memory.
    pub memory: Duration,
    /// Time for the equal tasks.
    pub tasks: Duration,
}

impl Budget {
    /// Budget of less than five minutes in all.
    pub const FULL: Budget = Budget::of_seconds(100, 150, 20);
    /// Budget of less than half a minute in all.
    pub const QUICK: Budget = Budget::of_seconds(16, 8, 3);

    const fn of_seconds(core: u64, memory: u64, tasks: u64) -> Budget {
        let seconds = Duration::from_secs;
        Budget { core: seconds(core), memory: seconds(memory), tasks: seconds(tasks) }
    }

    fn total(self) -> Duration {
        self.core + self.memory + self.tasks
    }

    /// Returns the budget without the parts that these workloads do not have.
    pub fn without_parts_beside(self, workloads: &[Workload]) -> Budget {
        let of = |bound: Bound, time: Duration| {
            let has = workloads.iter().any(|workload| workload.bound() == bound);
            if has { time } else { Duration::ZERO }
        };
        Budget { core: of(Bound::Core, self.core), memory: of(Bound::Memory, self.memory), ..self }
    }

    /// Returns the same shares of another total time.
    pub fn scaled_to(self, total: Duration) -> Budget {
        let factor = total.as_secs_f64() / self.total().as_secs_f64();
        let scaled = |part: Duration| part.mul_f64(factor);
        Budget { core: scaled(self.core), memory: scaled(self.memory), tasks: scaled(self.tasks) }
    }
}

impl BenchOptions {
    /// Returns the planned time of the run.
    pub fn total(&self) -> Duration {
        self.budget.total() + self.sustained.unwrap_or_default()
    }
}

/// Returns 1, 2, 4, … and all.
pub fn doublings(all: usize) -> Vec<usize> {
    let mut counts: Vec<usize> =
        std::iter::successors(Some(1), |&count| Some(2 * count)).take_while(|&count| count < all).collect();
    counts.push(all);
    counts
}

/// Error that ends a run without a record.
#[derive(thiserror::Error, Debug)]
pub enum BenchError {
    /// A workload counted a wrong number.
    #[error("{workload} on {threads} threads: {count}")]
    Wrong {
        /// Name of the workload.
        workload: &'static str,
        /// Number of threads.
        threads: usize,
        /// Counts, expected and found.
        count: Miscount,
    },
    /// The system did not provide threads or memory.
    #[error("{0}")]
    System(String),
    /// A stage ended before its first round.
    #[error(
        "found no time for a round of the stage '{bound}', expected at least {} s",
        expected.as_secs_f64().ceil()
    )]
    TooShort {
        /// Name of the stage.
        bound: &'static str,
        /// Minimum time of the whole run.
        expected: Duration,
    },
}

/// Ratio of a stage's time to that of its warm-up alone.
const WARM_UP_AND_A_ROUND: f64 = 1.5;

/// Runs the benchmark; `progress` is that of [`BenchOptions::total`].
///
/// **Errors**: a count is wrong, the system provides no threads or memory, or there is no time for a round.
pub fn run(
    options: &BenchOptions,
    build: record::Build,
    started: String,
    stop: &AtomicBool,
    progress: &BenchProgress,
) -> Result<Record, BenchError> {
    let watch = Watch::start();
    let teams: Result<Vec<Team>, BenchError> = options.threads.iter().map(|&threads| Team::new(threads)).collect();
    let mut teams = teams?;
    for kind in &options.kinds {
        teams.extend(Team::on_kind(kind)?);
    }
    let measure_clocks = || {
        let [smallest, largest] = [teams.first(), teams.iter().max_by_key(|team| team.threads)];
        let all = largest.filter(|team| team.threads > 1).and_then(gigahertz_of_all);
        watch.add_clocks([smallest.and_then(|team| team.install(gigahertz)), all]);
    };
    measure_clocks();
    let stages = stages(BenchRun { options, teams: &teams, stop, progress }, measure_clocks)?;
    progress.begin(vec!["equal tasks on every hardware thread".into()], options.budget.tasks);
    let tasks = tasks::run(options, stop)?;
    measure_clocks();
    let mut sustained = Vec::new();
    if let Some(time) = options.sustained.filter(|_| !stop.load(Ordering::Relaxed)) {
        let workload = sustained::workload(&options.workloads);
        let team = Team::new(options.threads.iter().copied().max().unwrap_or(1))?;
        sustained.push(sustained::run(workload, &team, options.level, time, &watch, progress, stop)?);
        measure_clocks();
    }
    let settings = RecordSettings {
        quick: options.quick,
        level: options.level.to_string(),
        seed: options.seed,
        interrupted: stop.load(Ordering::Relaxed),
    };
    let machine = perft_gate_machine::Machine::this();
    Ok(Record {
        schema: record::SCHEMA.into(),
        stages,
        tasks,
        sustained,
        label: options.label.clone(),
        note: options.note.clone(),
        workloads_version: Some(WORKLOADS_VERSION),
        started,
        placement: Some(placement(&machine.hardware)),
        conditions: Some(watch.finish()),
        settings,
        build,
        machine,
    })
}

/// A run, for its stages.
#[derive(Clone, Copy)]
struct BenchRun<'a> {
    options: &'a BenchOptions,
    teams: &'a [Team],
    stop: &'a AtomicBool,
    progress: &'a BenchProgress,
}

/// Runs the stages; calls `after` after each.
fn stages(run: BenchRun<'_>, after: impl Fn()) -> Result<Vec<record::Stage>, BenchError> {
    let BenchRun { options, stop, .. } = run;
    let (clock, mut stages) = (Monotonic::default(), Vec::new());
    let mut too_short: Option<BenchError> = None;
    for (bound, budget) in [(Bound::Core, options.budget.core), (Bound::Memory, options.budget.memory)] {
        let workloads: Vec<Workload> =
            options.workloads.iter().copied().filter(|workload| workload.bound() == bound).collect();
        if !workloads.is_empty() && !stop.load(Ordering::Relaxed) {
            let start = clock.now();
            let stage = stage(run, bound, &workloads, budget, &clock)?;
            if stage.rounds.is_empty() && !stop.load(Ordering::Relaxed) {
                let part = (clock.now() - start).as_secs_f64() / budget.as_secs_f64().max(1e-9);
                let expected = options.budget.total().mul_f64(part * WARM_UP_AND_A_ROUND);
                too_short = match too_short {
                    Some(BenchError::TooShort { expected: other, .. }) if other >= expected => too_short,
                    _ => Some(BenchError::TooShort { bound: bound.name(), expected }),
                };
            }
            stages.push(stage);
            after();
        }
    }
    too_short.map_or(Ok(stages), Err)
}

fn stage(
    BenchRun { options, teams, stop, progress }: BenchRun<'_>,
    bound: Bound,
    workloads: &[Workload],
    budget: Duration,
    clock: &dyn TimeSource,
) -> Result<record::Stage, BenchError> {
    let table = match workloads.contains(&Workload::Hashed) {
        true => {
            let largest = teams.iter().max_by_key(|team| team.threads);
            largest.map(|team| team.install(|| PerftTable::new(workload::TABLE_BYTES, EntryMatch::Tag)))
        }
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
    let named = |&(workload, team): &(Workload, &Team)| {
        let threads = if team.threads == 1 { "thread" } else { "threads" };
        format!("{} on {} {threads}", workload.name(), team.threads)
    };
    progress.begin(pairs.iter().map(named).collect(), budget);
    for (number, work) in works.iter_mut().enumerate() {
        // Before each slice, and not timed.
        work.lead = Some(Box::new(move || progress.at(number)));
    }
    let described = pairs.iter().zip(&works).map(|((workload, team), work)| record::Work {
        workload: workload.name().into(),
        version: workload.version(),
        unit: workload.unit().into(),
        threads: team.threads,
        kind: team.kind.clone(),
        cores: team.cores.clone(),
        pinned: team.pinned,
        nodes: work.nodes,
    });
    let described = described.collect();
    let plan = RoundPlan::within(budget, options.seed);
    // Only the budget ends a stage: a later comparison needs the rounds.
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

/// Returns a made-up record of the yardstick and one workload, on one thread and on two; `cost` is that of the
/// workload's nodes.
#[cfg(test)]
pub fn example(cost: f64) -> Record {
    let work = |workload: Workload, threads: usize| record::Work {
        workload: workload.name().into(),
        version: workload.version(),
        unit: workload.unit().into(),
        threads,
        kind: None,
        cores: (0..threads).collect(),
        pinned: threads,
        nodes: 1000,
    };
    let works =
        [YARDSTICK, Workload::SetWise].into_iter().flat_map(|workload| [1, 2].map(|threads| work(workload, threads)));
    let round = |number: u64| {
        // Noise of a few parts in ten thousand, which repeats.
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
        sustained: Vec::new(),
        label: None,
        note: None,
        workloads_version: None,
        started: "2026-01-02T03:04:05Z".into(),
        placement: None,
        conditions: None,
        settings: RecordSettings { quick: false, level: "v3".into(), seed: 0, interrupted: false },
        build: unknown_build(),
        machine: perft_gate_machine::Machine::this(),
    }
}

/// Returns an unknown build, for examples.
#[cfg(test)]
fn unknown_build() -> record::Build {
    let text = String::new;
    record::Build {
        version: text(),
        revision: None,
        dirty: None,
        compiler: text(),
        target: text(),
        opt_level: text(),
        flags: text(),
        debug_assertions: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_for_the_parts_that_run() {
        let second = Duration::from_secs(1);
        let of = |workloads: &[Workload]| Budget::FULL.without_parts_beside(workloads);
        assert_eq!(of(&WORKLOADS), Budget::FULL);
        assert_eq!(of(&[Workload::Bulk]), Budget { memory: Duration::ZERO, ..Budget::FULL });
        assert_eq!(of(&[Workload::Unique]), Budget { core: Duration::ZERO, ..Budget::FULL });
        assert_eq!(of(&[Workload::Bulk]).scaled_to(60 * second).core, 50 * second);
        assert!(Budget::FULL.total() < 300 * second && Budget::QUICK.total() < 30 * second);
    }

    #[test]
    fn thread_counts_double_up_to_all() {
        assert_eq!([1, 2, 6, 8].map(doublings), [vec![1], vec![1, 2], vec![1, 2, 4, 6], vec![1, 2, 4, 8]]);
    }
}
