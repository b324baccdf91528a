//! A benchmark run: a stage for each kind of workload, the tasks of equal size and, if requested, a long run of one
//! workload. The conditions of the machine are sampled throughout.

use super::options::{BenchOptions, BenchProgress};
use super::protocol::BenchError;
use super::tasks;
use super::team::Team;
use super::workload::{Bound, WORKLOADS_VERSION, Workload, YARDSTICK, hashed_table};
use perft_gate_lab::measure::{Miscount, RoundPlan, sample};
use perft_gate_lab::timed::gigahertz;
use perft_gate_machine::pinning::placement;
use perft_gate_machine::record::{Build, Record, RecordSettings, SCHEMA, Stage, Stretch, Sustained, Work};
use perft_gate_machine::{Machine, Sensors, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Runs the benchmark.
///
/// **Errors**: a count is wrong, or the system provides no threads or memory.
pub fn run(
    options: &BenchOptions,
    build: Build,
    started: String,
    stop: &AtomicBool,
    progress: &BenchProgress,
) -> Result<Record, BenchError> {
    let watch = Watch::start();
    let teams = options.threads.iter().map(|&threads| Team::new(threads)).collect::<Result<Vec<_>, _>>()?;
    let run = BenchRun { options, teams: &teams, watch: &watch, stop, progress };
    run.measure_clocks();
    let stages = run.stages()?;
    progress.begin(vec!["equal tasks on every hardware thread".into()]);
    let tasks = tasks::run(options, stop)?;
    run.measure_clocks();
    let sustained = run.sustained()?;
    let settings = RecordSettings {
        quick: options.quick,
        level: options.level.to_string(),
        seed: options.seed,
        interrupted: stop.load(Ordering::Relaxed),
    };
    let machine = Machine::detect();
    Ok(Record {
        schema: SCHEMA.into(),
        stages,
        tasks,
        sustained,
        label: options.label.clone(),
        note: options.note.clone(),
        workloads_version: Some(WORKLOADS_VERSION),
        started,
        placement: Some(placement(machine.hardware.smt)),
        conditions: Some(watch.finish()),
        settings,
        build,
        machine,
    })
}

struct BenchRun<'a> {
    options: &'a BenchOptions,
    teams: &'a [Team],
    watch: &'a Watch,
    stop: &'a AtomicBool,
    progress: &'a BenchProgress,
}

impl BenchRun<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn largest_team(&self) -> Option<&Team> {
        self.teams.iter().max_by_key(|team| team.threads)
    }

    fn measure_clocks(&self) {
        let all = self.largest_team().filter(|team| team.threads > 1).and_then(gigahertz_of_all);
        self.watch.add_clocks([self.teams.first().and_then(|team| team.pool.install(gigahertz)), all]);
    }

    fn stages(&self) -> Result<Vec<Stage>, BenchError> {
        let BenchOptions { workloads, budget: total, .. } = self.options;
        let mut stages = Vec::new();
        for (bound, budget) in [(Bound::Core, total.core), (Bound::Memory, total.memory)] {
            let workloads: Vec<Workload> =
                workloads.iter().copied().filter(|workload| workload.bound() == bound).collect();
            if !workloads.is_empty() && !self.is_stopped() {
                stages.push(self.stage(bound, &workloads, budget)?);
                self.measure_clocks();
            }
        }
        Ok(stages)
    }

    /// Runs the workloads and the yardstick interleaved, each on every team of worker threads.
    fn stage(&self, bound: Bound, workloads: &[Workload], budget: Duration) -> Result<Stage, BenchError> {
        let BenchRun { options, teams, stop, progress, .. } = *self;
        let largest = self.largest_team().filter(|_| workloads.contains(&Workload::Hashed));
        let table = largest.map(hashed_table).transpose()?;
        let others = workloads.iter().copied().filter(|&workload| workload != YARDSTICK);
        let all = std::iter::once(YARDSTICK).chain(others);
        let pairs = all.flat_map(|workload| teams.iter().map(move |team| (workload, team)));
        let pairs: Vec<(Workload, &Team)> = pairs.collect();
        let mut works: Vec<_> =
            pairs.iter().map(|&(workload, team)| workload.on(team, options.level, table.as_ref())).collect();
        progress.begin(pairs.iter().map(|(workload, team)| workload.title(team.threads)).collect());
        for (number, work) in works.iter_mut().enumerate() {
            // The index of the work is stored before each slice, outside the timed section.
            work.lead = Some(Box::new(move || progress.show_work(number)));
        }
        let recorded = pairs.iter().zip(&works).map(|((workload, team), work)| Work {
            workload: workload.name().into(),
            version: workload.version(),
            unit: workload.unit().into(),
            threads: team.threads,
            cores: team.cores.clone(),
            pinned: team.pinned,
            nodes: work.nodes,
        });
        let recorded = recorded.collect();
        let plan = RoundPlan::within(budget, options.seed);
        // Unless stopped, a stage always uses its whole budget, because later comparisons need many rounds.
        let samples = sample(&mut works[..], plan, &Instant::now, stop, |_| false).map_err(|count| {
            let (workload, team) = pairs[count.work];
            BenchError::Wrong { work: workload.title(team.threads), count }
        })?;
        Ok(Stage { bound: bound.name().into(), works: recorded, rounds: samples.rounds })
    }

    /// Runs one workload on all threads for the requested time, if any. Ends early if stopped.
    fn sustained(&self) -> Result<Vec<Sustained>, BenchError> {
        let options = self.options;
        let Some(time) = options.sustained.filter(|_| !self.is_stopped()) else { return Ok(Vec::new()) };
        // The workloads that load the core most come first.
        let wanted = [Workload::SetWise, Workload::Bulk, Workload::Verify];
        let of_run = wanted.into_iter().find(|workload| options.workloads.contains(workload));
        let workload = of_run.unwrap_or(Workload::SetWise);
        let team = Team::new(options.threads.iter().copied().max().unwrap_or(1))?;
        self.progress.begin(vec![format!("{}, sustained", workload.title(team.threads))]);
        let mut work = workload.on(&team, options.level, None);
        let length = MIN_STRETCH.max(time / MAX_STRETCHES);
        let (sensors, begun, mut stretches) = (Sensors::find(), Instant::now(), Vec::new());
        while begun.elapsed() < time && !self.is_stopped() {
            let (start, mut nodes) = (Instant::now(), 0);
            while start.elapsed() < length && !self.is_stopped() {
                let found = (work.pass)();
                if found != work.nodes {
                    let count = Miscount { work: 0, expected: work.nodes, found };
                    return Err(BenchError::Wrong { work: workload.title(team.threads), count });
                }
                nodes += found;
            }
            if nodes > 0 {
                let ns = start.elapsed().as_nanos() as u64;
                let at_ms = (start - begun).as_millis() as u64;
                stretches.push(Stretch { at_ms, nodes, ns, celsius: sensors.celsius() });
            }
        }
        self.measure_clocks();
        let (version, unit, threads) = (workload.version(), workload.unit().into(), team.threads);
        Ok(vec![Sustained { workload: workload.name().into(), version, unit, threads, stretches }])
    }
}

/// Returns the clock speed of a team's slowest worker while all workers are busy.
fn gigahertz_of_all(team: &Team) -> Option<f64> {
    let speeds: Option<Vec<f64>> = team.each(|_| gigahertz()).into_iter().collect();
    speeds?.into_iter().min_by(f64::total_cmp)
}

/// Maximum number of stretches into which a sustained run is divided.
const MAX_STRETCHES: u32 = 600;
/// Minimum length of a stretch of a sustained run.
const MIN_STRETCH: Duration = Duration::from_secs(1);
