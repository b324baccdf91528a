//! Scores with intervals, and the certainty that one machine is faster than another.
//!
//! The interval of a ratio of two scores is correct if the intervals of all the rates that go into it are correct. It
//! covers only these two *runs*. Two runs of one machine differ by more, because of neighbours (other programs and
//! virtual machines), heat and memory placement. So the interval is widened by the largest of these: the difference
//! between runs of one machine, if there are several; either run's drift from one quarter of the run to another; either
//! run's loss to neighbours, if recorded. A difference counts only if the widened interval excludes 1.

use super::machines::{MachineRun, PageMachine, line, most_threads};
use crate::page::format::with_decimals;
use perft_gate_bench::{RecordSummary, WorkloadLine, YARDSTICK};
use perft_gate_lab::measure::{Floor, Interval};
use std::collections::BTreeMap;

perft_gate_chess::named! {
    /// The number of threads on which machines are compared. The variants are in display order.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Threads {
        /// One thread on each machine.
        One = "one thread",
        /// All threads on each machine.
        All = "all threads",
    }
}

impl Threads {
    /// Returns the choices that apply to these machines: only one thread if no machine was measured on more.
    pub fn of_machines(machines: &[PageMachine<'_>]) -> &'static [Threads] {
        let has_more = machines.iter().any(|machine| machine.summary.scores.len() > 1);
        if has_more { &Threads::ALL } else { &[Threads::One] }
    }

    /// Returns the number of threads that this choice means for a workload.
    pub fn number(self, summary: &RecordSummary, workload: &str) -> usize {
        if self == Threads::One { 1 } else { most_threads(summary, workload) }
    }
}

/// Score of a run with its interval.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub threads: usize,
    /// Score. A score of 100 is that of the baseline, or of the reference machine if there is only one machine.
    pub score: Interval,
    pub workloads: usize,
}

impl Standing {
    /// Returns the score on one or on all threads. Both scores are the same if only one thread was measured.
    pub fn new(summary: &RecordSummary, threads: Threads) -> Option<Standing> {
        let score = match threads {
            Threads::One => summary.scores.first().filter(|score| score.threads == 1),
            Threads::All => summary.scores.last(),
        }?;
        let lines = summary.lines.iter().filter(|line| line.work.threads == score.threads && counts(line));
        let lines: Vec<(f64, Interval)> = lines.filter_map(|line| Some((line.score?, line.rate))).collect();
        let [low, high] = [|rate: Interval| rate.low, |rate: Interval| rate.high]
            .map(|end| geometric(lines.iter().map(|&(score, rate)| score * end(rate) / rate.median)));
        let interval = Interval { low, median: score.score, high };
        Some(Standing { threads: score.threads, score: interval, workloads: lines.len() })
    }
}

/// Returns true if a workload counts towards the scores. The yardstick does not.
fn counts(line: &WorkloadLine) -> bool {
    line.work.workload != YARDSTICK.name()
}

pub fn geometric(values: impl Iterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = values.map(f64::ln).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp()
}

/// Speed relative to another machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// Speed of the other machine divided by the speed of the base machine, with the interval from these two runs.
    pub speed: Interval,
    /// The same ratio with its interval widened to cover differences between runs, drift, and other programs.
    pub widened: Interval,
    /// True if one of the runs was disturbed. Then there is no verdict.
    pub is_disturbed: bool,
}

impl Ratio {
    /// Returns the ratio for one workload, or for the scores over the workloads that both machines ran. `None` if they
    /// share no workload in the same version.
    pub fn new(
        [base, other]: [&PageMachine<'_>; 2],
        workload: Option<&str>,
        threads: Threads,
        spread: &Spread,
    ) -> Option<Ratio> {
        let pairs = common([&base.summary, &other.summary], workload, threads);
        if pairs.is_empty() {
            return None;
        }
        let mean = |of: fn(Interval, Interval) -> f64| geometric(pairs.iter().map(|(old, new)| of(old.rate, new.rate)));
        let speed = Interval {
            low: mean(|old, new| new.low / old.high),
            median: mean(|old, new| new.median / old.median),
            high: mean(|old, new| new.high / old.low),
        };
        let drift = geometric(pairs.iter().map(|(old, new)| 1.0 + old.drift.0.max(new.drift.0))) - 1.0;
        let all = [drift, neighbours(base), neighbours(other), spread.largest(workload, threads)];
        let by = all.into_iter().fold(Floor::MIN.0, f64::max);
        let widened = Interval { low: speed.low / (1.0 + by), high: speed.high * (1.0 + by), ..speed };
        Some(Ratio { speed, widened, is_disturbed: base.record.is_disturbed() || other.record.is_disturbed() })
    }

    /// Returns true if one machine is certainly faster: the widened interval does not contain 1.
    pub fn is_sure(&self) -> bool {
        !self.is_disturbed && (self.widened.low > 1.0 || self.widened.high < 1.0)
    }

    /// Returns the verdict in a word or two.
    pub fn verdict(&self) -> &'static str {
        match self.widened {
            _ if self.is_disturbed => "disturbed",
            Interval { low, .. } if low > 1.0 => "faster",
            Interval { high, .. } if high < 1.0 => "slower",
            _ => "undecided",
        }
    }

    /// Returns the ratio as text, preceded by ≈ if neither machine is certainly faster.
    pub fn text(&self) -> String {
        format!("{}{}×", if self.is_sure() { "" } else { "≈" }, with_decimals(self.speed.median, 2))
    }
}

/// Largest credible share of time lost to other programs and virtual machines. A larger share is cut to this value.
const MAX_LOST: f64 = 0.9;

/// Returns by what fraction a machine could have been faster without other programs and virtual machines; 0 if unknown.
fn neighbours(machine: &PageMachine<'_>) -> f64 {
    let share = machine.record.conditions.as_ref().and_then(|conditions| conditions.neighbours()).unwrap_or(0.0);
    1.0 / (1.0 - share.clamp(0.0, MAX_LOST)) - 1.0
}

/// Returns the lines of both machines for a workload, or for all workloads that count in scores. Only workloads that
/// both machines ran in the same version are included.
fn common<'s>(
    [base, other]: [&'s RecordSummary; 2],
    workload: Option<&str>,
    threads: Threads,
) -> Vec<(&'s WorkloadLine, &'s WorkloadLine)> {
    let is_wanted = |line: &&WorkloadLine| {
        let name = line.work.workload.as_str();
        workload.map_or_else(|| counts(line), |workload| name == workload)
            && line.work.threads == threads.number(base, name)
    };
    let pairs = base.lines.iter().filter(is_wanted).filter_map(|old| {
        let new = line(other, &old.work.workload, threads.number(other, &old.work.workload))?;
        (new.work.version == old.work.version).then_some((old, new))
    });
    pairs.collect()
}

/// Largest differences between two runs of one machine, regardless of their builds. A second run may differ as much.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spread {
    /// The largest differences in scores (under `None`) and in each workload's rates, on one thread and on all threads.
    most: BTreeMap<Option<String>, [f64; 2]>,
    /// Number of pairs of runs that were compared.
    pub pairs: usize,
}

impl Spread {
    pub fn new(machines: &[PageMachine<'_>]) -> Spread {
        let mut spread = Spread::default();
        for machine in machines {
            let is_usable = |run: &&MachineRun<'_>| !run.record.settings.interrupted && !run.record.is_disturbed();
            let runs: Vec<&MachineRun<'_>> = machine.runs.iter().filter(is_usable).collect();
            for (number, one) in runs.iter().enumerate() {
                runs[number + 1..].iter().for_each(|other| spread.add([&one.summary, &other.summary]));
            }
        }
        spread
    }

    fn add(&mut self, runs: [&RecordSummary; 2]) {
        self.pairs += 1;
        for workload in runs[0].lines.iter().map(|line| Some(line.work.workload.clone())).chain([None]) {
            for threads in Threads::ALL {
                let pairs = common(runs, workload.as_deref(), threads);
                let difference = geometric(pairs.iter().map(|(old, new)| new.rate.median / old.rate.median)).ln();
                let most = &mut self.most.entry(workload.clone()).or_default()[threads as usize];
                *most = most.max(difference.abs().exp() - 1.0);
            }
        }
    }

    /// Returns the largest difference in a workload's rates, or in scores if `workload` is `None`, as a fraction.
    pub fn largest(&self, workload: Option<&str>, threads: Threads) -> f64 {
        self.most.get(&workload.map(String::from)).map_or(0.0, |most| most[threads as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::super::machines::of_records;
    use super::super::machines::tests::{record, slower_reference};
    use super::*;
    use perft_gate_bench::reference;
    use perft_gate_machine::record::Record;

    /// Returns the ratio of the second machine's score to the first's.
    fn ratio(records: [Record; 2], spread: &Spread) -> Option<Ratio> {
        let [mut base, mut other] = records;
        (base.label, other.label) = (Some("base".into()), Some("other".into()));
        let records = [base, other];
        let machines = of_records(&records, None);
        let machine = |label: &str| machines.iter().find(|machine| machine.label == label).expect("it is there");
        Ratio::new([machine("base"), machine("other")], None, Threads::One, spread)
    }

    #[test]
    fn a_score_has_an_interval_around_it() {
        for threads in Threads::ALL {
            let summary = RecordSummary::new(&slower_reference(2.0), Some(&reference()));
            let Standing { score, workloads, .. } = Standing::new(&summary, threads).expect("a score");
            assert!((score.median - 50.0).abs() < 0.01 && workloads == 5, "{score:?}");
            assert!(score.low < score.median && score.median < score.high, "{score:?}");
        }
    }

    #[test]
    fn a_difference_needs_more_than_runs_of_one_machine_show() {
        let verdict = |times: [f64; 2], spread: f64| {
            let spread = Spread { most: [(None, [spread; 2])].into(), pairs: 1 };
            let ratio = ratio(times.map(slower_reference), &spread).expect("common workloads");
            assert!((ratio.speed.median - times[0] / times[1]).abs() < 0.01 && ratio.widened.low < ratio.speed.low);
            (ratio.is_sure(), ratio.verdict())
        };
        assert_eq!([verdict([1.0, 0.5], 0.0), verdict([0.5, 1.0], 0.0)], [(true, "faster"), (true, "slower")]);
        // A ratio is undecided if two runs of one machine differed by more than the ratio, or if the ratio is 1.
        assert_eq!([verdict([1.0, 0.5], 1.5), verdict([1.0, 1.0], 0.0)], [(false, "undecided"); 2]);
    }

    #[test]
    fn drift_within_a_run_widens_its_ratios() {
        let mut drifting = reference();
        for stage in &mut drifting.stages {
            let half = stage.rounds.len() / 2;
            let slices = stage.rounds[half..].iter_mut().flat_map(|round| &mut round.slices);
            slices.flatten().for_each(|slice| slice.1 *= 2);
        }
        let ratio = ratio([reference(), drifting], &Spread::default()).expect("common workloads");
        assert!(!ratio.is_sure() && ratio.widened.high > 1.5 * ratio.speed.high, "{ratio:?}");
    }

    #[test]
    fn what_neighbours_took_widens_a_ratio() {
        let sure = |share: f64| {
            let others = perft_gate_machine::Readings::summarize(&[share]);
            let mut busy = slower_reference(1.5);
            busy.conditions = Some(perft_gate_machine::Conditions { others, ..Default::default() });
            ratio([reference(), busy], &Spread::default()).expect("common workloads").is_sure()
        };
        assert_eq!([sure(0.01), sure(0.4)], [true, false]);
    }

    #[test]
    fn other_versions_of_a_workload_are_not_compared() {
        let mut newer = reference();
        newer.stages.iter_mut().flat_map(|stage| &mut stage.works).for_each(|work| work.version += 1);
        assert!(ratio([reference(), newer.clone()], &Spread::default()).is_none());
        assert!(Standing::new(&RecordSummary::new(&newer, Some(&reference())), Threads::One).is_none());
    }

    #[test]
    fn the_spread_is_that_of_all_runs_of_one_machine() {
        let started = |started: &str, time: f64| Record { started: started.into(), ..slower_reference(time) };
        let mut rebuilt = started("2031-01-01T00:00:00Z", 0.5);
        rebuilt.build.revision = Some("other".into());
        let records = [reference(), started("2030-01-01T00:00:00Z", 1.25), rebuilt];
        let spread = Spread::new(&of_records(&records, None));
        assert_eq!(spread.pairs, 3);
        for threads in Threads::ALL {
            let parts = [spread.largest(None, threads), spread.largest(Some("setwise"), threads)];
            assert!(parts.iter().all(|part| (part - 1.5).abs() < 0.001), "{spread:?}");
        }
        assert_eq!(spread.largest(Some("other"), Threads::One), 0.0);
    }

    #[test]
    fn a_ratio_allows_for_a_second_run_of_either_machine() {
        let records = [
            record("A 1", "2026-11-22T00:00:00Z", 1.8),
            record("B 2", "2026-11-22T00:00:00Z", 1.0),
            record("A 1", "2026-11-25T00:00:00Z", 1.13),
        ];
        let machines = of_records(&records, None);
        let spread = Spread::new(&machines);
        for threads in Threads::ALL {
            for workload in [None, Some("verify")] {
                let ratio = Ratio::new([&machines[1], &machines[0]], workload, threads, &spread).expect("a ratio");
                assert!(ratio.widened.low < 1.13 && ratio.widened.high > 1.8, "{ratio:?}");
            }
        }
    }
}
