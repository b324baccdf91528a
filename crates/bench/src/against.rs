//! Compares two builds of the program, interleaved, workload by workload.
//!
//! Both builds run as processes ([`PeerProcess`]) and time their own passes of the workload. The placement of code,
//! stack and tables in memory affects the speed. So every round restarts both processes with a new placement. The
//! effect of placement then shows up as noise, not as a difference between the builds (after Curtsinger and Berger
//! 2013, "Stabilizer"). A round runs each build twice, first in a random order and then in the reverse order.

use super::diff::{PairedWork, WorkName};
use super::options::BenchProgress;
use super::peer::{PeerProcess, Program};
use super::protocol::{BenchError, PeerError, PeerHello};
use super::workload::Workload;
use perft_gate_lab::measure::{CostVerdict, Floor, Interval, MIN_ROUNDS, RoundPlan, TimedWork, Works, median, sample};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct AgainstOptions {
    /// This build, and the other one.
    pub programs: [Program; 2],
    /// Workloads to compare. Each of them runs on every number of threads in `threads`.
    pub workloads: Vec<Workload>,
    pub threads: Vec<usize>,
    /// Time for the whole comparison.
    pub budget: Duration,
    /// Seed of the randomised order.
    pub seed: u64,
}

/// Comparison of two builds.
#[derive(Clone, Debug)]
pub struct Against {
    /// Each build's description of itself.
    pub builds: [PeerHello; 2],
    /// One comparison for each combination of workload and thread count. This build is treated as the new one.
    pub rows: Vec<PairedWork>,
    /// True if the comparison was stopped early.
    pub interrupted: bool,
}

/// Length of a slice (the passes timed as one), which is enough for several passes of the quickest workload.
const SLICE: Duration = Duration::from_millis(4);

impl AgainstOptions {
    fn pairs(&self) -> impl Iterator<Item = (Workload, usize)> + '_ {
        self.workloads.iter().flat_map(|&workload| self.threads.iter().map(move |&threads| (workload, threads)))
    }
}

/// Compares two builds. **Errors**: a program does not speak the protocol, fails or counts wrongly, or the time is too
/// short for a round.
pub fn run(options: &AgainstOptions, stop: &AtomicBool, progress: &BenchProgress) -> Result<Against, BenchError> {
    // First check that each program can be measured at all.
    let first = options.pairs().next().unwrap_or((Workload::Queens, 1));
    let hello = |program: &Program| PeerProcess::start(program, first.0, first.1)?.hello(stop);
    let [this, other] = &options.programs;
    let builds = [hello(this)?, hello(other)?];
    let (mut rows, mut interrupted) = (Vec::new(), false);
    for (workload, threads) in options.pairs() {
        progress.begin(vec![format!("{}, two builds alternating", workload.title(threads))]);
        let (row, was_stopped) = compare_workload(options, workload, threads, stop)?;
        rows.extend(row);
        interrupted |= was_stopped;
        if interrupted {
            break;
        }
    }
    Ok(Against { builds, rows, interrupted })
}

/// Compares one workload. Also returns whether the comparison was stopped.
fn compare_workload(
    options: &AgainstOptions,
    workload: Workload,
    threads: usize,
    stop: &AtomicBool,
) -> Result<(Option<PairedWork>, bool), BenchError> {
    let comparisons = options.pairs().count();
    let budget = options.budget / comparisons.max(1) as u32;
    let plan = RoundPlan { slice: SLICE, ..RoundPlan::within(budget, options.seed) };
    let mut peers = Peers { options, workload, threads, stop, error: None };
    let sampled = sample(&mut peers, plan, &Instant::now, stop, |_| false);
    if let Some(error) = peers.error.take().filter(|error| *error != PeerError::Stopped) {
        return Err(error.into());
    }
    if stop.load(std::sync::atomic::Ordering::Relaxed) && sampled.is_err() {
        return Ok((None, true));
    }
    let samples = sampled.map_err(|count| {
        let program = options.programs[count.work].path.display();
        BenchError::Wrong { work: format!("{program}: {}", workload.title(threads)), count }
    })?;
    if samples.rounds.is_empty() {
        return Ok((None, true));
    }
    let ratio = Interval::of_median(&samples.ratios(0, 1), comparisons);
    let (rounds, floor) = (samples.rounds.len(), Floor::MIN);
    let is_enough = rounds >= MIN_ROUNDS;
    let row = PairedWork {
        work: WorkName { workload: workload.name().into(), threads },
        bound: workload.bound().name().into(),
        rounds: [rounds; 2],
        rates: [1, 0].map(|program| 1e9 / median(&samples.ns_per_node(program))),
        ratio,
        adjusted: None,
        floor,
        smallest_visible: is_enough.then(|| CostVerdict::smallest_visible(ratio, floor)),
        verdict: Some(if is_enough { CostVerdict::new(ratio, floor) } else { CostVerdict::Undecided }),
    };
    Ok((Some(row), samples.interrupted))
}

/// The two programs. Every round restarts them.
struct Peers<'a> {
    options: &'a AgainstOptions,
    workload: Workload,
    threads: usize,
    stop: &'a AtomicBool,
    /// The error of a program, kept here because `sample` cannot return it.
    error: Option<PeerError>,
}

impl Peers<'_> {
    /// Starts both programs and waits until they have warmed up.
    fn start(&self) -> Result<[PeerProcess; 2], PeerError> {
        let [this, other] = &self.options.programs;
        let start = |program| PeerProcess::start(program, self.workload, self.threads);
        let mut peers = [start(this)?, start(other)?];
        for peer in &mut peers {
            peer.hello(self.stop)?;
            peer.wait(self.stop)?;
        }
        Ok(peers)
    }
}

impl Works for Peers<'_> {
    fn lend(&mut self, _: u64, round: &mut dyn FnMut(&mut [TimedWork<'_>])) {
        let peers = match self.start() {
            Ok(peers) => peers,
            Err(error) => return self.error = Some(error),
        };
        let (units, stop) = (self.workload.units(self.threads), self.stop);
        let error = std::cell::RefCell::new(None);
        let error_of = &error;
        let work = |mut peer: PeerProcess| {
            TimedWork::elsewhere(units, move |passes| match peer.slice(passes, stop) {
                Ok(slice) => slice,
                Err(found) => {
                    error_of.borrow_mut().get_or_insert(found);
                    // Returns a count that cannot be right, which ends the sampling.
                    perft_gate_lab::measure::Slice { nodes: 0, time: Duration::ZERO }
                }
            })
        };
        round(&mut peers.map(work));
        self.error = error.into_inner();
    }
}
