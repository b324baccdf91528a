//! Work by turns: short slices in random palindromes, so that what drifts touches all alike.
//!
//! A round runs every work once in an order drawn anew and once in the reverse order (ABBA for two, ABCCBA for three): the
//! two slices of each lie at equal distances from the round's middle, and a clock speed that drifts evenly cancels out of
//! every ratio. Every slice counts nodes and is compared with the known count; a wrong one ends the run, for a time of wrong
//! work means nothing. Nothing is thrown away; slow slices stay among the rounds.

use super::clock::Clock;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Rounds that a verdict needs.
pub const LEAST_ROUNDS: usize = 41;

/// How long a slice is, unless a pass alone is longer. A shared machine changes its speed by half within milliseconds, and
/// many brief slices find a median more closely than a few long ones.
const SLICE: Duration = Duration::from_millis(1);
/// How long each work runs before anything is timed.
const WARM_UP: Duration = Duration::from_millis(60);

/// Something to be timed, a pass at a time.
pub struct Work<'a> {
    /// Nodes of a pass, as they are known.
    pub nodes: u64,
    /// What leads in to a slice, untimed: something much like a pass, for as long as caches and predictors take to forget
    /// the work that had its turn before.
    pub lead: Option<Box<dyn FnMut() + 'a>>,
    /// Does a pass and tells how many nodes it counted.
    pub pass: Box<dyn FnMut() -> u64 + 'a>,
}

impl<'a> Work<'a> {
    /// Work that nothing leads in to.
    pub fn new(nodes: u64, pass: impl FnMut() -> u64 + 'a) -> Work<'a> {
        Work { nodes, lead: None, pass: Box::new(pass) }
    }
}

/// What lends its works to each round.
pub trait Works {
    /// Hands the works to `round`. `place` is drawn anew each time: works that can lie elsewhere in memory then do, so that
    /// what one place costs is seen as noise. Passes may be others than in the last round, and all works' are alike.
    fn lend(&mut self, place: u64, round: &mut dyn FnMut(&mut [Work<'_>]));
}

/// Works that stay where they are.
impl Works for [Work<'_>] {
    fn lend(&mut self, _: u64, round: &mut dyn FnMut(&mut [Work<'_>])) {
        round(self);
    }
}

/// How to sample.
#[derive(Clone, Copy, Debug)]
pub struct RoundPlan {
    /// How long a slice is to be.
    pub slice: Duration,
    /// When to stop: no round begins that would probably end later.
    pub budget: Duration,
    /// Of the orders.
    pub seed: u64,
}

impl RoundPlan {
    /// Slices of the usual length, and as many rounds as there is time for.
    pub fn within(budget: Duration, seed: u64) -> RoundPlan {
        RoundPlan { slice: SLICE, budget, seed }
    }
}

/// A slice: the passes of a work in one half of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slice {
    /// Nodes that were counted.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// A round: the order of its first half, and both slices of every work.
#[derive(Clone, Debug)]
pub struct Round {
    /// Which work came when; then once more from the last to the first.
    pub order: Vec<usize>,
    /// By work.
    pub slices: Vec<[Slice; 2]>,
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// In order.
    pub rounds: Vec<Round>,
    /// Was it stopped?
    pub interrupted: bool,
}

impl Samples {
    /// Nanoseconds a node of a work, a value a round.
    pub fn ns_per_node(&self, work: usize) -> Vec<f64> {
        let of =
            |[first, last]: &[Slice; 2]| (first.time + last.time).as_nanos() as f64 / (first.nodes + last.nodes) as f64;
        self.rounds.iter().map(|round| of(&round.slices[work])).collect()
    }

    /// The time of a work by that of another in the same round.
    pub fn ratios(&self, work: usize, reference: usize) -> Vec<f64> {
        let (work, reference) = (self.ns_per_node(work), self.ns_per_node(reference));
        work.iter().zip(reference).map(|(work, reference)| work / reference).collect()
    }

    /// The time of a work less that of another in the same round, in nanoseconds a node.
    pub fn differences(&self, work: usize, reference: usize) -> Vec<f64> {
        let (work, reference) = (self.ns_per_node(work), self.ns_per_node(reference));
        work.iter().zip(reference).map(|(work, reference)| work - reference).collect()
    }
}

/// A pass counted something else than it should.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongCount {
    /// Which work.
    pub work: usize,
    /// What is known.
    pub expected: u64,
    /// What it counted.
    pub found: u64,
}

impl fmt::Display for WrongCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} nodes, found {}", self.expected, self.found)
    }
}

impl std::error::Error for WrongCount {}

/// Runs works by turns until `enough` says so, which is asked after every [`LEAST_ROUNDS`] rounds, or until the budget is
/// spent.
///
/// **Errors**: a count is wrong.
pub fn sample(
    works: &mut (impl Works + ?Sized),
    plan: RoundPlan,
    clock: &dyn Clock,
    stop: &AtomicBool,
    mut enough: impl FnMut(&Samples) -> bool,
) -> Result<Samples, WrongCount> {
    let start = clock.now();
    let mut random = ChaCha20Rng::seed_from_u64(plan.seed);
    let mut passes = Ok(Vec::new());
    works.lend(random.next_u64(), &mut |works| {
        passes = (0..works.len()).map(|number| calibrated(works, number, plan.slice, clock)).collect();
    });
    let passes = passes?;
    let mut samples = Samples::default();
    let mut longest = Duration::ZERO;
    loop {
        let begun = clock.now();
        if begun + longest > start + plan.budget {
            return Ok(samples);
        }
        let order = shuffled(passes.len(), &mut random);
        let mut taken = Ok(None);
        works.lend(random.next_u64(), &mut |works| taken = turns(works, &order, &passes, clock, stop));
        let Some(slices) = taken? else {
            samples.interrupted = true;
            return Ok(samples);
        };
        samples.rounds.push(Round { order, slices });
        longest = longest.max(clock.now() - begun);
        if samples.rounds.len().is_multiple_of(LEAST_ROUNDS) && enough(&samples) {
            return Ok(samples);
        }
    }
}

/// Two slices of every work, in this order and back again; nothing if it was stopped.
fn turns(
    works: &mut [Work<'_>],
    order: &[usize],
    passes: &[u32],
    clock: &dyn Clock,
    stop: &AtomicBool,
) -> Result<Option<Vec<[Slice; 2]>>, WrongCount> {
    let mut taken = vec![Vec::new(); works.len()];
    for &number in order.iter().chain(order.iter().rev()) {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        taken[number].push(slice(works, number, passes[number], clock)?);
    }
    Ok(Some(taken.iter().map(|slices| [slices[0], slices[1]]).collect()))
}

/// Warms a work up; how many of its passes make a slice.
fn calibrated(works: &mut [Work<'_>], number: usize, wanted: Duration, clock: &dyn Clock) -> Result<u32, WrongCount> {
    let start = clock.now();
    let mut fastest = Duration::MAX;
    while fastest == Duration::MAX || clock.now() - start < WARM_UP {
        fastest = fastest.min(slice(works, number, 1, clock)?.time);
    }
    let passes = wanted.as_secs_f64() / fastest.max(Duration::from_nanos(1)).as_secs_f64();
    Ok(passes.round().max(1.0) as u32)
}

fn slice(works: &mut [Work<'_>], number: usize, passes: u32, clock: &dyn Clock) -> Result<Slice, WrongCount> {
    let work = &mut works[number];
    let expected = work.nodes * u64::from(passes);
    if let Some(lead) = &mut work.lead {
        lead();
    }
    let start = clock.now();
    let nodes: u64 = (0..passes).map(|_| (work.pass)()).sum();
    let time = clock.now() - start;
    if nodes != expected {
        return Err(WrongCount { work: number, expected, found: nodes });
    }
    Ok(Slice { nodes, time })
}

/// The numbers below `count` in an order drawn at random. Source: Fisher and Yates.
fn shuffled(count: usize, random: &mut ChaCha20Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
    }
    order
}
