//! Interleaved timing: short slices in random palindromes, so that drift affects all works alike.
//!
//! A round runs every work once in a new random order and once in the reverse order (ABBA for two, ABCCBA for three).
//! The two slices of each work are at equal distances from the round's middle, so a steady drift of the clock speed
//! cancels out of every ratio. Every slice compares its nodes with the known count. A wrong count ends the run, because
//! the time of wrong work means nothing. No value is discarded, not even the time of a slow slice.

use perft_gate_machine::record::Round;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Minimum number of rounds for a verdict.
pub const MIN_ROUNDS: usize = 41;

/// Length of a slice, unless a single pass is longer. The speed of a shared machine can change by half within
/// milliseconds, so a large number of short slices finds a median more precisely than a few long ones.
const SLICE: Duration = Duration::from_millis(1);
/// How long each workload runs before it is timed.
const WARM_UP: Duration = Duration::from_millis(60);

/// Work to time, one pass at a time.
pub struct TimedWork<'a> {
    /// Known number of nodes per pass.
    pub nodes: u64,
    /// Untimed warm-up before each slice: similar to a pass, and long enough that caches and predictors forget the
    /// previous work.
    pub lead: Option<Box<dyn FnMut() + 'a>>,
    /// Runs a pass and returns the number of nodes it counted.
    pub pass: Box<dyn FnMut() -> u64 + 'a>,
    /// Runs `n` passes in a process that times itself. If set, it is called instead of `pass`.
    pub timed: Option<Box<dyn FnMut(u32) -> Slice + 'a>>,
}

impl<'a> TimedWork<'a> {
    /// Returns work without a warm-up.
    pub fn new(nodes: u64, pass: impl FnMut() -> u64 + 'a) -> TimedWork<'a> {
        TimedWork { nodes, lead: None, pass: Box::new(pass), timed: None }
    }

    pub fn elsewhere(nodes: u64, timed: impl FnMut(u32) -> Slice + 'a) -> TimedWork<'a> {
        TimedWork { timed: Some(Box::new(timed)), ..TimedWork::new(nodes, || 0) }
    }
}

/// Source of the works of each round.
pub trait Works {
    /// Calls `round` with the works. `place` is random for each round. Movable works use `place` to choose their
    /// address, so that placement shows as noise. The pass may differ between rounds, but is the same for all works.
    fn lend(&mut self, place: u64, round: &mut dyn FnMut(&mut [TimedWork<'_>]));
}

/// Works that do not move.
impl Works for [TimedWork<'_>] {
    fn lend(&mut self, _: u64, round: &mut dyn FnMut(&mut [TimedWork<'_>])) {
        round(self);
    }
}

/// Plan of the sampling.
#[derive(Clone, Copy, Debug)]
pub struct RoundPlan {
    /// Length of a slice.
    pub slice: Duration,
    /// Total time. The first round always runs. A later round starts only if it will probably end in time.
    pub budget: Duration,
    /// Seed of the randomised slice order.
    pub seed: u64,
}

impl RoundPlan {
    /// Returns a plan with slices of the usual length, and with as many rounds as fit into the time.
    pub fn within(budget: Duration, seed: u64) -> RoundPlan {
        RoundPlan { slice: SLICE, budget, seed }
    }
}

/// A slice: the passes of one work in one half of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slice {
    /// Number of nodes counted.
    pub nodes: u64,
    pub time: Duration,
}

/// Results of the sampling.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    pub rounds: Vec<Round>,
    /// True if the sampling was stopped.
    pub interrupted: bool,
}

impl Samples {
    /// Returns the nanoseconds per node of a work, one value per round.
    pub fn ns_per_node(&self, work: usize) -> Vec<f64> {
        let of = |[first, last]: [(u64, u64); 2]| (first.1 + last.1) as f64 / (first.0 + last.0) as f64;
        self.rounds.iter().map(|round| of(round.slices[work])).collect()
    }

    /// Returns the ratio of a work's time to that of the reference, one value per round.
    pub fn ratios(&self, work: usize, reference: usize) -> Vec<f64> {
        self.pairs(work, reference).map(|(work, reference)| work / reference).collect()
    }

    /// Returns a work's time minus that of the reference, in nanoseconds per node, one value per round.
    pub fn differences(&self, work: usize, reference: usize) -> Vec<f64> {
        self.pairs(work, reference).map(|(work, reference)| work - reference).collect()
    }

    fn pairs(&self, work: usize, reference: usize) -> impl Iterator<Item = (f64, f64)> {
        self.ns_per_node(work).into_iter().zip(self.ns_per_node(reference))
    }
}

/// A pass counted a wrong number of nodes.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("expected {expected} nodes, found {found}")]
pub struct Miscount {
    /// Index of the work.
    pub work: usize,
    /// Known number of nodes.
    pub expected: u64,
    /// Number of nodes counted.
    pub found: u64,
}

/// Runs works alternately until the time is up, or until `enough` returns true. `enough` is called after every
/// [`MIN_ROUNDS`] rounds.
///
/// **Errors**: if a count is wrong.
pub fn sample(
    works: &mut (impl Works + ?Sized),
    plan: RoundPlan,
    clock: Clock<'_>,
    stop: &AtomicBool,
    mut enough: impl FnMut(&Samples) -> bool,
) -> Result<Samples, Miscount> {
    let start = clock();
    let mut random = ChaCha20Rng::seed_from_u64(plan.seed);
    let mut passes = Ok(Vec::new());
    works.lend(random.next_u64(), &mut |works| {
        let running = (0..works.len()).take_while(|_| !stop.load(Ordering::Relaxed));
        passes = running.map(|number| calibrate(works, number, plan.slice, clock)).collect();
    });
    let passes = passes?;
    let mut samples = Samples { interrupted: stop.load(Ordering::Relaxed), ..Samples::default() };
    if samples.interrupted {
        return Ok(samples);
    }
    let mut longest = Duration::ZERO;
    loop {
        let begun = clock();
        if !samples.rounds.is_empty() && begun + longest > start + plan.budget {
            return Ok(samples);
        }
        let order = shuffle(passes.len(), &mut random);
        let mut taken = Ok(None);
        works.lend(random.next_u64(), &mut |works| taken = run_round(works, &order, &passes, clock, stop));
        let Some(round) = taken? else {
            samples.interrupted = true;
            return Ok(samples);
        };
        samples.rounds.push(round);
        longest = longest.max(clock() - begun);
        if samples.rounds.len().is_multiple_of(MIN_ROUNDS) && enough(&samples) {
            return Ok(samples);
        }
    }
}

/// Runs two slices of every work: one in the given order, then one in reverse order. Returns `None` if stopped.
fn run_round(
    works: &mut [TimedWork<'_>],
    order: &[usize],
    passes: &[u32],
    clock: Clock<'_>,
    stop: &AtomicBool,
) -> Result<Option<Round>, Miscount> {
    let mut taken = vec![Vec::new(); works.len()];
    for &number in order.iter().chain(order.iter().rev()) {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let slice = run_slice(works, number, passes[number], clock);
        // A stop also ends work in another process, whose count is then incomplete, not wrong.
        if slice.is_err() && works[number].timed.is_some() && stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let Slice { nodes, time } = slice?;
        taken[number].push((nodes, time.as_nanos() as u64));
    }
    let slices = taken.iter().map(|slices| [slices[0], slices[1]]).collect();
    Ok(Some(Round { order: order.to_vec(), slices }))
}

/// Warms up a work, and returns its number of passes per slice.
fn calibrate(works: &mut [TimedWork<'_>], number: usize, wanted: Duration, clock: Clock<'_>) -> Result<u32, Miscount> {
    let start = clock();
    let mut fastest = Duration::MAX;
    while fastest == Duration::MAX || clock() - start < WARM_UP {
        fastest = fastest.min(run_slice(works, number, 1, clock)?.time);
    }
    let passes = wanted.as_secs_f64() / fastest.max(Duration::from_nanos(1)).as_secs_f64();
    Ok(passes.round().max(1.0) as u32)
}

fn run_slice(works: &mut [TimedWork<'_>], number: usize, passes: u32, clock: Clock<'_>) -> Result<Slice, Miscount> {
    let work = &mut works[number];
    let expected = work.nodes * u64::from(passes);
    if let Some(lead) = &mut work.lead {
        lead();
    }
    let start = clock();
    let slice = match &mut work.timed {
        Some(timed) => timed(passes),
        None => {
            let nodes = (0..passes).map(|_| (work.pass)()).sum();
            Slice { nodes, time: clock() - start }
        }
    };
    if slice.nodes == expected { Ok(slice) } else { Err(Miscount { work: number, expected, found: slice.nodes }) }
}

/// Returns the numbers below `count` in random order. Source: Fisher and Yates.
fn shuffle(count: usize, random: &mut ChaCha20Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
    }
    order
}

/// A clock that never goes back: [`Instant::now`], or a clock controlled by a test.
pub type Clock<'a> = &'a dyn Fn() -> Instant;
