//! Tables of comparisons. Each compares the times of several workloads with a reference, and judges all together.

use super::sampler::{MIN_ROUNDS, Samples};
use super::statistics::{CostVerdict, Floor, Interval, is_narrow};
use serde::{Deserialize, Serialize};

/// Workloads whose times are compared with that of a reference workload.
#[derive(Clone, Debug)]
pub struct ComparisonTable {
    pub title: String,
    /// Index of the reference.
    pub reference: usize,
    /// Indices of the workloads that are compared with the reference.
    pub others: Vec<usize>,
}

/// Comparisons of several contestants with one of them, the reference.
#[perft_gate_chess::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct CostTable {
    /// Property in which the contestants differ.
    pub title: String,
    /// Index of the contestant that the others are compared with.
    pub reference: usize,
    /// Ratio of the times of two equal contestants, which shows the noise.
    #[serde(default)]
    pub noise: Option<Interval>,
    /// Noise floor that a difference must exceed, as a fraction of the time.
    pub floor: f64,
    /// Comparisons, in order.
    pub comparisons: Vec<CostComparison>,
}

/// A contestant compared with the reference of its table.
#[perft_gate_chess::document(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct CostComparison {
    /// Index of the contestant.
    #[serde(rename = "contender")]
    pub contestant: usize,
    /// Time of the contestant divided by the reference's.
    pub ratio: Interval,
    /// Time of the contestant minus the reference's, in nanoseconds per node.
    pub difference_ns: Interval,
    /// Verdict.
    pub verdict: CostVerdict,
}

impl ComparisonTable {
    /// Judges every work of the table. The `twins` are two equal workloads, so their difference is noise. **Panics** if
    /// there are no rounds.
    pub fn judge(&self, samples: &Samples, twins: [usize; 2]) -> CostTable {
        // The noise has an interval, too, which counts as one more comparison.
        let interval = |values: Vec<f64>| Interval::of_median(&values, self.others.len() + 1);
        let noise = interval(samples.ratios(twins[1], twins[0]));
        let floor = Floor::new(noise);
        let compare = |&contestant: &usize| {
            let ratio = interval(samples.ratios(contestant, self.reference));
            let is_enough = samples.rounds.len() >= MIN_ROUNDS;
            let verdict = if is_enough { CostVerdict::new(ratio, floor) } else { CostVerdict::Undecided };
            let difference_ns = interval(samples.differences(contestant, self.reference));
            CostComparison { contestant, ratio, difference_ns, verdict }
        };
        let comparisons = self.others.iter().map(compare).collect();
        let (title, reference) = (self.title.clone(), self.reference);
        CostTable { title, reference, noise: Some(noise), floor: floor.0, comparisons }
    }

    /// Returns true if all intervals are so narrow that only differences below the minimum noise floor are undecided.
    ///
    /// This looks only at widths, never at verdicts, because a run that stops at a wanted result finds false results.
    pub fn is_settled(&self, samples: &Samples, twins: [usize; 2]) -> bool {
        let CostTable { noise, comparisons, .. } = self.judge(samples, twins);
        let mut intervals = comparisons.iter().map(|comparison| comparison.ratio).chain(noise);
        intervals.all(|interval| is_narrow(interval, Floor::MIN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Miscount, RoundPlan, TimedWork, sample};
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use std::cell::{Cell, RefCell};
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    /// A simulated machine whose speed drifts and which is sometimes interrupted. Time passes only during work.
    struct Machine {
        now: Cell<Instant>,
        speed: Cell<f64>,
        random: RefCell<ChaCha20Rng>,
    }

    impl Machine {
        fn new(seed: u64) -> Machine {
            let random = RefCell::new(ChaCha20Rng::seed_from_u64(seed));
            Machine { now: Cell::new(Instant::now()), speed: Cell::new(1.0), random }
        }

        /// Returns a random number from 0 to 1.
        fn chance(&self) -> f64 {
            f64::from(self.random.borrow_mut().next_u32()) / f64::from(u32::MAX)
        }

        /// Does work that takes 5 ms multiplied by `cost`. The speed drifts by up to 1 % per call, with noise of 2 %.
        /// One call in ten takes up to twice as long.
        fn work(&self, cost: f64) -> u64 {
            let speed = (self.speed.get() * (1.0 + 0.02 * (self.chance() - 0.5))).clamp(0.5, 2.0);
            self.speed.set(speed);
            let tail = if self.chance() < 0.1 { self.chance() } else { 0.0 };
            let noise = 1.0 + 0.04 * (self.chance() - 0.5) + tail;
            self.now.set(self.now.get() + Duration::from_secs_f64(0.005 * cost * speed * noise));
            1000
        }
    }

    const TWINS: [usize; 2] = [0, 1];

    /// Judges workloads of the given costs against a reference of cost 1, which has a twin to measure the noise.
    fn judge_costs(seed: u64, costs: &[f64], budget: Duration) -> CostTable {
        let machine = &Machine::new(seed);
        let costs: Vec<f64> = [1.0, 1.0].iter().chain(costs).copied().collect();
        let work = |&cost: &f64| TimedWork::new(1000, move || machine.work(cost));
        let mut works: Vec<TimedWork<'_>> = costs.iter().map(work).collect();
        let table = ComparisonTable { title: "costs".into(), reference: 0, others: (2..costs.len()).collect() };
        let plan = RoundPlan::within(budget, seed);
        let enough = |samples: &Samples| table.is_settled(samples, TWINS);
        let samples = sample(&mut works[..], plan, &|| machine.now.get(), &AtomicBool::new(false), enough).unwrap();
        table.judge(&samples, TWINS)
    }

    #[test]
    fn the_same_work_is_not_called_different() {
        let budget = Duration::from_secs(15);
        let wrong = (0..300).flat_map(|seed| judge_costs(seed, &[1.0, 1.0], budget).comparisons);
        let wrong = wrong.filter(|one| matches!(one.verdict, CostVerdict::Slower | CostVerdict::Faster)).count();
        assert_eq!(wrong, 0, "of 600");
    }

    #[test]
    fn a_loss_of_three_percent_is_found_and_so_is_a_gain() {
        let budget = Duration::from_secs(15);
        let judgements = (0..50).map(|seed| judge_costs(seed, &[1.03, 0.97], budget).comparisons);
        let found: Vec<[CostVerdict; 2]> = judgements.map(|both| [both[0].verdict, both[1].verdict]).collect();
        let slower = found.iter().filter(|verdicts| verdicts[0] == CostVerdict::Slower).count();
        let faster = found.iter().filter(|verdicts| verdicts[1] == CostVerdict::Faster).count();
        assert!(slower >= 45 && faster >= 45, "{slower} and {faster} of 50");
    }

    #[test]
    fn too_few_rounds_decide_nothing() {
        let judgement = judge_costs(1, &[2.0], Duration::from_secs(1));
        assert_eq!(judgement.comparisons[0].verdict, CostVerdict::Undecided);
        assert!(judgement.comparisons[0].ratio.median > 1.8);
    }

    #[test]
    fn a_wrong_count_ends_the_run() {
        let machine = Machine::new(1);
        let mut passes = 0;
        let late_fault = || {
            passes += 1;
            machine.work(1.0) - u64::from(passes == 30)
        };
        let mut works = [TimedWork::new(1000, || machine.work(1.0)), TimedWork::new(1000, late_fault)];
        let plan = RoundPlan::within(Duration::from_secs(60), 0);
        let found = sample(&mut works[..], plan, &|| machine.now.get(), &AtomicBool::new(false), |_| false);
        let Err(Miscount { work: 1, expected, found }) = found else { panic!("{found:?}") };
        assert_eq!(expected - found, 1);
    }

    #[test]
    fn a_round_is_a_palindrome_in_a_new_order() {
        let (machine, log) = (&Machine::new(1), &RefCell::new(Vec::new()));
        let mut works: Vec<TimedWork<'_>> = (0..4)
            .map(|number| {
                let pass = move || {
                    log.borrow_mut().push(number);
                    machine.work(1.0)
                };
                TimedWork::new(1000, pass)
            })
            .collect();
        let plan = RoundPlan::within(Duration::from_secs(60), 7);
        let samples = sample(&mut works[..], plan, &|| machine.now.get(), &AtomicBool::new(false), |_| true).unwrap();
        assert_eq!(samples.rounds.len(), MIN_ROUNDS);
        let timed = log.borrow()[log.borrow().len() - 8 * MIN_ROUNDS..].to_vec();
        for (round, ran) in samples.rounds.iter().zip(timed.chunks(8)) {
            let palindrome: Vec<usize> = round.order.iter().chain(round.order.iter().rev()).copied().collect();
            assert_eq!(ran, palindrome);
        }
        assert!(samples.rounds.windows(2).any(|pair| pair[0].order != pair[1].order));
    }

    #[test]
    fn what_leads_in_is_done_before_each_slice_and_not_timed() {
        let machine = &Machine::new(1);
        let (leads, timed) = (&Cell::new(0), &RefCell::new(Vec::new()));
        let lead = || {
            machine.work(3.0);
            leads.set(leads.get() + 1);
        };
        let pass = || {
            let start = machine.now.get();
            let nodes = machine.work(1.0);
            timed.borrow_mut().push((leads.get(), machine.now.get() - start));
            nodes
        };
        let mut works = [TimedWork { lead: Some(Box::new(lead)), ..TimedWork::new(1000, pass) }];
        let plan = RoundPlan::within(Duration::from_secs(60), 7);
        let samples = sample(&mut works[..], plan, &|| machine.now.get(), &AtomicBool::new(false), |_| true).unwrap();
        let slices: Vec<Duration> =
            samples.rounds.iter().flat_map(|round| &round.slices[0]).map(|(_, ns)| Duration::from_nanos(*ns)).collect();
        let timed = timed.borrow();
        assert!(timed.iter().enumerate().all(|(before, (leads, _))| *leads == before + 1), "one before each pass");
        let passes: Vec<Duration> = timed[timed.len() - slices.len()..].iter().map(|(_, time)| *time).collect();
        assert_eq!(slices, passes);
    }
}
