//! Two builds of the program by turns, workload by workload.
//!
//! Both run as processes ([`PeerProcess`]) and time their slices themselves. Every round starts both anew: where the system puts their
//! code, stack and tables makes a difference of its own, and so it is drawn again in each round and shows as noise instead of
//! as a difference (after Curtsinger and Berger 2013, "Stabilizer"). A round runs each twice, in a random order and back.

use super::peer::{PeerError, PeerProcess, Program};
use super::progress::BenchProgress;
use super::slices::PeerHello;
use super::workload::Workload;
use perft_gate_lab::measure::{
    Confidence, CostVerdict, Floor, Interval, MIN_ROUNDS, Miscount, Monotonic, RoundPlan, TimedWork, Works, median,
    sample,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is compared.
#[derive(Clone, Debug)]
pub struct AgainstOptions {
    /// This build, and the other one.
    pub programs: [Program; 2],
    /// Workloads, each on each number of threads.
    pub workloads: Vec<Workload>,
    /// Numbers of threads.
    pub threads: Vec<usize>,
    /// Time for all of it.
    pub budget: Duration,
    /// Seed of the randomised order.
    pub seed: u64,
}

/// Comparison of two builds.
#[derive(Clone, Debug)]
pub struct Against {
    /// What the two say of themselves.
    pub builds: [PeerHello; 2],
    /// A row for each workload and number of threads.
    pub rows: Vec<AgainstRow>,
    /// True if it was stopped before its end.
    pub interrupted: bool,
}

/// Comparison of a workload on a number of threads.
#[derive(Clone, Debug)]
pub struct AgainstRow {
    /// The workload.
    pub workload: Workload,
    /// Number of worker threads.
    pub threads: usize,
    /// Number of rounds.
    pub rounds: usize,
    /// Median rates of this build and of the other, in units a second.
    pub rates: [f64; 2],
    /// Ratio of this build's time to the other's.
    pub ratio: Interval,
    /// Noise floor that a difference must exceed.
    pub floor: Floor,
    /// Verdict on this build.
    pub verdict: CostVerdict,
}

/// Error that ends a comparison.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum AgainstError {
    /// A program cannot be measured.
    #[error("{0}")]
    Peer(#[from] PeerError),
    /// A program counted a wrong number.
    #[error("{program}: {workload} on {threads} threads: {count}")]
    Wrong {
        /// The program.
        program: String,
        /// Name of the workload.
        workload: &'static str,
        /// Number of threads.
        threads: usize,
        /// Counts, expected and found.
        count: Miscount,
    },
}

/// Length of a slice: some passes of the quickest workload.
const SLICE: Duration = Duration::from_millis(4);

impl AgainstOptions {
    fn pairs(&self) -> impl Iterator<Item = (Workload, usize)> + '_ {
        self.workloads.iter().flat_map(|&workload| self.threads.iter().map(move |&threads| (workload, threads)))
    }

    fn row_budget(&self) -> Duration {
        self.budget / self.pairs().count().max(1) as u32
    }
}

impl AgainstRow {
    /// Returns the smallest difference that would have been seen, as a fraction of the time; `None` if there are too few
    /// rounds for any.
    pub fn smallest_visible(&self) -> Option<f64> {
        (self.rounds >= MIN_ROUNDS).then(|| CostVerdict::smallest_visible(self.ratio, self.floor))
    }
}

/// Compares two builds. **Errors**: a program does not speak the protocol, fails or counts wrongly, or there is no time for a
/// round.
pub fn run(options: &AgainstOptions, stop: &AtomicBool, progress: &BenchProgress) -> Result<Against, AgainstError> {
    // The first thing to know of a program is whether it can be measured at all.
    let first = options.pairs().next().unwrap_or((Workload::Queens, 1));
    let hello = |program: &Program| PeerProcess::start(program, first.0, first.1)?.hello(stop);
    let [this, other] = &options.programs;
    let builds = [hello(this)?, hello(other)?];
    let confidence = Confidence::of_comparisons(options.pairs().count());
    let (mut rows, mut interrupted) = (Vec::new(), false);
    for (workload, threads) in options.pairs() {
        let what = format!("{}, two builds by turns", workload.title(threads));
        progress.begin(vec![what], options.row_budget());
        let (row, was_stopped) = compare_workload(options, workload, threads, confidence, stop)?;
        rows.extend(row);
        interrupted |= was_stopped;
        if interrupted {
            break;
        }
    }
    Ok(Against { builds, rows, interrupted })
}

/// Compares one workload; returns true too if it was stopped.
fn compare_workload(
    options: &AgainstOptions,
    workload: Workload,
    threads: usize,
    confidence: Confidence,
    stop: &AtomicBool,
) -> Result<(Option<AgainstRow>, bool), AgainstError> {
    let plan = RoundPlan { slice: SLICE, ..RoundPlan::within(options.row_budget(), options.seed) };
    let mut peers = Peers { options, workload, threads, stop, error: None };
    let sampled = sample(&mut peers, plan, &Monotonic::default(), stop, |_| false);
    if let Some(error) = peers.error.take().filter(|error| *error != PeerError::Stopped) {
        return Err(error.into());
    }
    if stop.load(std::sync::atomic::Ordering::Relaxed) && sampled.is_err() {
        return Ok((None, true));
    }
    let samples = sampled.map_err(|count| AgainstError::Wrong {
        program: options.programs[count.work].path.display().to_string(),
        workload: workload.name(),
        threads,
        count,
    })?;
    if samples.rounds.is_empty() {
        return Ok((None, true));
    }
    let ratio = Interval::of_median(&samples.ratios(0, 1), confidence);
    let (rounds, floor) = (samples.rounds.len(), Floor::MIN);
    let verdict = if rounds < MIN_ROUNDS { CostVerdict::Undecided } else { CostVerdict::of(ratio, floor) };
    let rates = [0, 1].map(|program| 1e9 / median(&samples.ns_per_node(program)));
    Ok((Some(AgainstRow { workload, threads, rounds, rates, ratio, floor, verdict }), samples.interrupted))
}

/// The two programs, which are started for every round.
struct Peers<'a> {
    options: &'a AgainstOptions,
    workload: Workload,
    threads: usize,
    stop: &'a AtomicBool,
    /// Error of a program; the sampling knows only that it ended.
    error: Option<PeerError>,
}

impl Peers<'_> {
    /// Starts both and waits until both are warm.
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
            Err(error) => {
                self.error = Some(error);
                return;
            }
        };
        let (units, stop) = (self.workload.units(self.threads), self.stop);
        let error = std::cell::RefCell::new(None);
        let error_of = &error;
        let work = |mut peer: PeerProcess| {
            TimedWork::elsewhere(units, move |passes| match peer.slice(passes, stop) {
                Ok(slice) => slice,
                Err(found) => {
                    error_of.borrow_mut().get_or_insert(found);
                    // A count that cannot be right ends the sampling.
                    perft_gate_lab::measure::Slice { nodes: 0, time: Duration::ZERO }
                }
            })
        };
        round(&mut peers.map(work));
        self.error = error.into_inner();
    }
}
