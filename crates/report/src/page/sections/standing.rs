//! Scores with intervals, and how sure it is that one machine is faster than another.
//!
//! The interval of a ratio of two scores holds if those of all rates in it hold. It says how well the two *runs* are
//! known, and two runs of one machine differ by more: neighbours, heat, the placement of memory. So the interval is widened
//! by what runs of one machine differ by, where the records have such runs, and by what either run drifted from one quarter
//! to another or lost to neighbours, as far as a record tells, and only what is then beyond 1 is called a difference.

use super::machine::{MachineRun, PageMachine, line, most_threads};
use perft_gate_bench::{Drift, RecordSummary, WorkloadLine, YARDSTICK};
use perft_gate_lab::measure::{Floor, Interval};
use std::collections::BTreeMap;

/// Number of threads to compare on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// One thread of each.
    One,
    /// All threads of each.
    All,
}

impl Threads {
    /// Both, in the order in which they are shown.
    pub const BOTH: [Threads; 2] = [Threads::One, Threads::All];

    /// Returns the number of threads of a workload.
    pub fn of(self, summary: &RecordSummary, workload: &str) -> usize {
        match self {
            Threads::One => 1,
            Threads::All => most_threads(summary, workload),
        }
    }

    /// Returns the name in tables and headings.
    pub const fn name(self) -> &'static str {
        match self {
            Threads::One => "one thread",
            Threads::All => "all threads",
        }
    }
}

/// Score of a run with its interval.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Number of threads.
    pub threads: usize,
    /// Score; 100 is the reference.
    pub score: Interval,
    /// Number of workloads in it.
    pub workloads: usize,
}

impl Standing {
    /// Returns the score on one or on all threads; `None` if it has none. A machine with one thread has the same on both.
    pub fn of(summary: &RecordSummary, threads: Threads) -> Option<Standing> {
        let scores = &summary.scores;
        let score = match threads {
            Threads::One => scores.first().filter(|score| score.threads == 1),
            Threads::All => scores.last(),
        }?;
        let number = score.threads;
        let lines: Vec<(&WorkloadLine, f64)> = summary
            .lines
            .iter()
            .filter(|line| line.work.threads == number && counts(line))
            .filter_map(|line| Some((line, line.score?)))
            .collect();
        let mean = |end: fn(&Interval) -> f64| {
            geometric(lines.iter().map(|(line, score)| score * end(&line.rate) / line.rate.median))
        };
        let score = Interval { low: mean(|rate| rate.low), median: score.score, high: mean(|rate| rate.high) };
        Some(Standing { threads: number, score, workloads: lines.len() })
    }
}

/// Returns true if a workload counts in scores: not the yardstick, and not on one kind of core.
fn counts(line: &WorkloadLine) -> bool {
    line.work.workload != YARDSTICK.name()
}

fn geometric(values: impl Iterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = values.map(f64::ln).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp()
}

/// Speed relative to another machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// Times as fast, with the interval of these two runs.
    pub speed: Interval,
    /// The same interval, widened by what two runs of one machine differ by.
    pub widened: Interval,
}

impl Ratio {
    fn new(speed: Interval, by: f64) -> Ratio {
        let by = by.max(Floor::MIN.part());
        let widened = Interval { low: speed.low / (1.0 + by), high: speed.high * (1.0 + by), ..speed };
        Ratio { speed, widened }
    }

    /// Returns the ratio of a workload on both; `None` if one of them did not run it, or another version of it.
    pub fn of_workload(
        [base, other]: [&PageMachine<'_>; 2],
        workload: &str,
        threads: Threads,
        spread: &Spread,
    ) -> Option<Ratio> {
        let [old, new] =
            [base, other].map(|machine| line(&machine.summary, workload, threads.of(&machine.summary, workload)));
        let (old, new) = old.zip(new).filter(|(old, new)| old.work.version == new.work.version)?;
        let lost = neighbours(base).max(neighbours(other));
        Some(Ratio::new(ratio(old, new), drift(old, new).max(lost).max(spread.of_workload(workload, threads))))
    }

    /// Returns the ratio of the scores, over the workloads that both ran, widened by at least `least`; `None` if there are
    /// none.
    pub fn of_scores(base: &RecordSummary, other: &RecordSummary, threads: Threads, least: f64) -> Option<Ratio> {
        let pairs: Vec<(&WorkloadLine, &WorkloadLine)> = common(base, other, threads).collect();
        let mean = |end: fn(&Interval) -> f64| geometric(pairs.iter().map(|(old, new)| end(&ratio(old, new))));
        let drift = geometric(pairs.iter().map(|(old, new)| 1.0 + drift(old, new))) - 1.0;
        let speed = Interval {
            low: mean(|ratio| ratio.low),
            median: mean(|ratio| ratio.median),
            high: mean(|ratio| ratio.high),
        };
        (!pairs.is_empty()).then(|| Ratio::new(speed, drift.max(least)))
    }

    /// Returns the ratio of two machines' scores.
    pub fn of_machines([base, other]: [&PageMachine<'_>; 2], threads: Threads, spread: &Spread) -> Option<Ratio> {
        let lost = neighbours(base).max(neighbours(other));
        Ratio::of_scores(&base.summary, &other.summary, threads, spread.of_scores(threads).max(lost))
    }

    /// Returns true if one of them is faster beyond what two runs of one machine differ by.
    pub fn is_sure(&self) -> bool {
        self.widened.low > 1.0 || self.widened.high < 1.0
    }

    /// Returns the verdict in a word or two.
    pub fn verdict(&self) -> &'static str {
        match self.widened {
            Interval { low, .. } if low > 1.0 => "faster",
            Interval { high, .. } if high < 1.0 => "slower",
            _ => "not told apart",
        }
    }
}

fn ratio(old: &WorkloadLine, new: &WorkloadLine) -> Interval {
    let (old, new) = (old.rate, new.rate);
    Interval { low: new.low / old.high, median: new.median / old.median, high: new.high / old.low }
}

/// Returns how much faster a machine could have been without its neighbours, as a fraction; 0 if the record does not tell.
fn neighbours(machine: &PageMachine<'_>) -> f64 {
    let share = machine.record.conditions.as_ref().and_then(|conditions| conditions.neighbours()).unwrap_or(0.0);
    1.0 / (1.0 - share.clamp(0.0, MAX_LOST)) - 1.0
}

/// Largest share of the time that is believed to be lost to neighbours: beyond that, nothing is known.
const MAX_LOST: f64 = 0.9;

/// Returns the larger drift of two runs of a workload.
fn drift(old: &WorkloadLine, new: &WorkloadLine) -> f64 {
    let [Drift(old), Drift(new)] = [old, new].map(|line| line.drift);
    old.max(new)
}

/// Returns the lines of the workloads that both have run in the same version.
fn common<'s>(
    base: &'s RecordSummary,
    other: &'s RecordSummary,
    threads: Threads,
) -> impl Iterator<Item = (&'s WorkloadLine, &'s WorkloadLine)> {
    let is_all =
        move |summary: &RecordSummary, of: &WorkloadLine| of.work.threads == threads.of(summary, &of.work.workload);
    base.lines.iter().filter(move |old| counts(old) && is_all(base, old)).filter_map(move |old| {
        let new = line(other, &old.work.workload, threads.of(other, &old.work.workload))?;
        (new.work.version == old.work.version).then_some((old, new))
    })
}

/// Largest differences between two runs of one machine, whatever their builds: what a second run of a machine may show.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spread {
    scores: [f64; 2],
    workloads: BTreeMap<String, [f64; 2]>,
    /// Number of pairs of runs that it was seen in.
    pub pairs: usize,
}

impl Spread {
    /// Returns the spread of all machines' runs.
    pub fn of(machines: &[PageMachine<'_>]) -> Spread {
        let mut spread = Spread::default();
        for machine in machines {
            let runs: Vec<&MachineRun<'_>> =
                machine.runs.iter().filter(|run| !run.record.settings.interrupted).collect();
            for (number, one) in runs.iter().enumerate() {
                for other in &runs[number + 1..] {
                    spread.add(&one.summary, &other.summary);
                }
            }
        }
        spread
    }

    /// Adds a pair of runs of one machine.
    fn add(&mut self, one: &RecordSummary, other: &RecordSummary) {
        self.pairs += 1;
        for threads in Threads::BOTH {
            let at = threads as usize;
            self.scores[at] = self.scores[at].max(apart(common(one, other, threads)));
            for pair in common(one, other, threads) {
                let most = self.workloads.entry(pair.0.work.workload.clone()).or_default();
                most[at] = most[at].max(apart([pair].into_iter()));
            }
        }
    }

    /// Returns the largest difference of scores, as a fraction.
    pub fn of_scores(&self, threads: Threads) -> f64 {
        self.scores[threads as usize]
    }

    /// Returns the largest difference of a workload's rates, as a fraction.
    fn of_workload(&self, workload: &str, threads: Threads) -> f64 {
        self.workloads.get(workload).map_or(0.0, |most| most[threads as usize])
    }
}

/// Returns how far the mean rates of these workloads of two runs are apart, as a fraction.
fn apart<'s>(pairs: impl Iterator<Item = (&'s WorkloadLine, &'s WorkloadLine)>) -> f64 {
    let logarithm = geometric(pairs.map(|(old, new)| new.rate.median / old.rate.median)).ln();
    if logarithm.is_finite() { logarithm.abs().exp() - 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;
    use perft_gate_machine::record::Record;

    fn slowed(time: f64) -> Record {
        let mut record = reference();
        let rounds = record.stages.iter_mut().flat_map(|stage| &mut stage.rounds);
        rounds.flat_map(|round| &mut round.slices).flatten().for_each(|slice| slice.1 = (slice.1 as f64 * time) as u64);
        record
    }

    fn summary(record: &Record) -> RecordSummary {
        RecordSummary::of(record, Some(&reference()))
    }

    #[test]
    fn a_score_has_an_interval_around_it() {
        for threads in Threads::BOTH {
            let Standing { score, workloads, .. } = Standing::of(&summary(&slowed(2.0)), threads).expect("a score");
            assert!((score.median - 50.0).abs() < 0.01 && workloads == 5, "{score:?}");
            assert!(score.low < score.median && score.median < score.high, "{score:?}");
        }
    }

    #[test]
    fn a_difference_needs_more_than_runs_of_one_machine_show() {
        let [base, other] = [1.0, 0.5].map(|time| summary(&slowed(time)));
        let sure = Ratio::of_scores(&base, &other, Threads::One, 0.0).expect("common workloads");
        assert!((sure.speed.median - 2.0).abs() < 0.01);
        assert_eq!((sure.is_sure(), sure.verdict()), (true, "faster"));
        let back = Ratio::of_scores(&other, &base, Threads::One, 0.0).expect("common workloads");
        assert_eq!((back.is_sure(), back.verdict()), (true, "slower"));
        // The same ratio where two runs of one machine were seen to differ by 150 %.
        let unsure = Ratio::of_scores(&base, &other, Threads::One, 1.5).expect("common workloads");
        assert_eq!((unsure.is_sure(), unsure.verdict()), (false, "not told apart"));
        let same = Ratio::of_scores(&base, &base, Threads::All, 0.0).expect("common workloads");
        assert!(!same.is_sure() && same.widened.low < same.speed.low);
    }

    #[test]
    fn drift_within_a_run_widens_its_ratios() {
        let mut drifting = reference();
        for stage in &mut drifting.stages {
            let half = stage.rounds.len() / 2;
            stage.rounds[half..]
                .iter_mut()
                .flat_map(|round| &mut round.slices)
                .flatten()
                .for_each(|slice| slice.1 *= 2);
        }
        let [steady, drifting] = [reference(), drifting].map(|record| summary(&record));
        let ratio = Ratio::of_scores(&steady, &drifting, Threads::One, 0.0).expect("common workloads");
        assert!(!ratio.is_sure() && ratio.widened.high > 1.5 * ratio.speed.high, "{ratio:?}");
    }

    #[test]
    fn what_neighbours_took_widens_a_ratio() {
        let conditions = |share: f64| perft_gate_machine::Conditions {
            others: perft_gate_machine::Readings::of(&[share]),
            ..Default::default()
        };
        let sure = |share: f64| {
            let mut busy = slowed(1.5);
            (busy.label, busy.conditions) = (Some("busy".into()), Some(conditions(share)));
            let records = [reference(), busy];
            let machines = crate::page::sections::machines::of_records(&records, None);
            Ratio::of_machines([&machines[0], &machines[1]], Threads::One, &Spread::default())
                .expect("a ratio")
                .is_sure()
        };
        assert_eq!([sure(0.01), sure(0.4)], [true, false]);
    }

    #[test]
    fn other_versions_of_a_workload_are_not_compared() {
        let mut newer = reference();
        newer.stages.iter_mut().flat_map(|stage| &mut stage.works).for_each(|work| work.version += 1);
        let [base, newer] = [reference(), newer].map(|record| summary(&record));
        assert!(Ratio::of_scores(&base, &newer, Threads::One, 0.0).is_none());
        assert!(Standing::of(&newer, Threads::One).is_none());
    }

    #[test]
    fn the_spread_is_that_of_all_runs_of_one_machine() {
        let mut again = slowed(1.25);
        again.started = "2030-01-01T00:00:00Z".into();
        let mut rebuilt = slowed(0.5);
        (rebuilt.started, rebuilt.build.revision) = ("2031-01-01T00:00:00Z".into(), Some("other".into()));
        let records = [reference(), again, rebuilt];
        let spread = Spread::of(&crate::page::sections::machines::of_records(&records, None));
        assert_eq!(spread.pairs, 3);
        for threads in Threads::BOTH {
            let parts = [spread.of_scores(threads), spread.of_workload("setwise", threads)];
            assert!(parts.iter().all(|part| (part - 1.5).abs() < 0.001), "{spread:?}");
        }
        assert_eq!(spread.of_workload("other", Threads::One), 0.0);
    }

    #[test]
    fn a_ratio_allows_for_a_second_run_of_either_machine() {
        let run = |cpu: &str, time: f64, started: &str| {
            let mut record = slowed(time);
            (record.machine.hardware.cpu, record.started) = (cpu.into(), started.into());
            record
        };
        let mut records = vec![run("A 1", 1.8, "2026-11-22T00:00:00Z"), run("B 2", 1.0, "2026-11-22T00:00:00Z")];
        records.push(run("A 1", 1.13, "2026-11-25T00:00:00Z"));
        records[2].build.revision = Some("other".into());
        let machines = crate::page::sections::machines::of_records(&records, None);
        let spread = Spread::of(&machines);
        let [fast, slow] = [&machines[0], &machines[1]];
        for threads in Threads::BOTH {
            let ratio = Ratio::of_machines([slow, fast], threads, &spread).expect("a ratio");
            assert!(ratio.widened.low < 1.13 && ratio.widened.high > 1.8, "{ratio:?}");
            let ratio = Ratio::of_workload([slow, fast], "verify", threads, &spread).expect("a ratio");
            assert!(ratio.widened.low < 1.13 && ratio.widened.high > 1.8, "{ratio:?}");
        }
    }
}
