//! Compares two records, workload by workload, to see whether one is slower than the other.
//!
//! The two runs were not interleaved, so the machine may have changed between them. Times are compared directly and as
//! multiples of the times of a fixed workload, the yardstick, in the same rounds. On the same hardware, a difference
//! must show in both comparisons. The noise floor is then the drift of these multiples, in the run whose multiples
//! drifted more. Different machines are compared by their times alone.

use super::summary::Drift;
use super::workload::YARDSTICK;
use perft_gate_lab::measure::{CostVerdict, Floor, Interval, MIN_ROUNDS, Samples, median};
use perft_gate_machine::record::{Record, Work};
use perft_gate_machine::{Cache, Hardware};
use serde::Serialize;
use std::fmt;

/// Comparison of two records.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct Diff {
    /// Differences in the hardware. If there are none, the records compare two programs on the same hardware.
    pub hardware: Vec<FieldDifference>,
    /// Other differences that may matter.
    pub others: Vec<FieldDifference>,
    /// One comparison for each combination of workload and thread count, in the order of the old record.
    pub pairs: Vec<PairedWork>,
    /// Works that appear in only one of the records.
    pub unpaired: Vec<UnpairedWork>,
}

/// A property that differs.
#[perft_gate_chess::document(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct FieldDifference {
    /// Name of the property.
    pub field: &'static str,
    /// Value in the old record.
    pub old: String,
    /// Value in the new record.
    pub new: String,
}

/// A workload on a number of threads.
#[perft_gate_chess::document(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct WorkName {
    /// Name of the workload.
    pub workload: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
}

/// A work that appears in only one of the records.
#[perft_gate_chess::document(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct UnpairedWork {
    /// The work.
    #[serde(flatten)]
    pub work: WorkName,
    /// The record that has it.
    pub record: RecordAge,
}

/// One of the two records.
#[perft_gate_chess::document(kebab, Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "as the command line has them")]
pub enum RecordAge {
    Old,
    New,
}

/// Comparison of one work, as measured in two records or with two builds.
#[perft_gate_chess::document(nonnegative, Serialize, Clone, Debug)]
pub struct PairedWork {
    /// The work.
    #[serde(flatten)]
    pub work: WorkName,
    /// Name of the stage that the work belongs to: `core` or `memory`.
    pub bound: String,
    /// Number of rounds in each record.
    pub rounds: [usize; 2],
    /// Rate in each record, in units per second.
    pub rates: [f64; 2],
    /// Ratio of the new time to the old.
    pub ratio: Interval,
    /// The same ratio for times divided by the yardstick's times. Null unless both records are from the same hardware.
    pub adjusted: Option<Interval>,
    /// Noise floor that a difference must exceed.
    pub floor: Floor,
    /// Smallest difference that could be detected both in the times and in the adjusted times, as a fraction of the
    /// time. Null if there is no verdict or if there are too few rounds.
    pub smallest_visible: Option<f64>,
    /// Verdict. Null for the yardstick if the hardware is the same, because its time then shows only the speed of the
    /// machine.
    pub verdict: Option<CostVerdict>,
}

/// Error: the records contain different work under the same name.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error(
    "{of}: found version {found}, expected version {expected} as in the old record: the work differs, compare records of \
     one version"
)]
pub struct OtherWork {
    of: String,
    found: u32,
    expected: u32,
}

/// Times of a work in a record.
struct Times {
    work: Work,
    bound: String,
    own: Vec<f64>,
    /// The times as multiples of the yardstick's times on the same number of threads in the same rounds.
    multiples: Vec<f64>,
}

fn times(record: &Record) -> Vec<Times> {
    let mut times = Vec::new();
    for stage in record.stages.iter().filter(|stage| !stage.rounds.is_empty()) {
        let samples = Samples { rounds: stage.rounds.clone(), interrupted: false };
        for (number, work) in stage.works.iter().enumerate() {
            let is_yardstick = |other: &Work| other.workload == YARDSTICK.name() && other.threads == work.threads;
            let yardstick = stage.works.iter().position(is_yardstick);
            let multiples = yardstick.map_or(Vec::new(), |yardstick| samples.ratios(number, yardstick));
            let (bound, own) = (stage.bound.clone(), samples.ns_per_node(number));
            times.push(Times { work: work.clone(), bound, own, multiples });
        }
    }
    times
}

fn name(work: &Work) -> WorkName {
    WorkName { workload: work.workload.clone(), threads: work.threads }
}

/// Returns the ratio of the new median to the old one, for values that were not measured together. The interval of the
/// ratio is valid if the intervals of both medians are valid.
fn ratio(old: &[f64], new: &[f64], comparisons: usize) -> Interval {
    let [old, new] = [old, new].map(|values| Interval::of_median(values, comparisons));
    Interval { low: new.low / old.high, median: new.median / old.median, high: new.high / old.low }
}

/// Compares two records. **Errors**: the records contain different versions of a workload or of the set of workloads.
pub fn diff(old: &Record, new: &Record) -> Result<Diff, OtherWork> {
    let hardware = differences(&hardware(&old.machine.hardware), &self::hardware(&new.machine.hardware));
    let others = differences(&circumstances(old), &circumstances(new));
    let (olds, mut news) = (times(old), times(new));
    let mut paired = Vec::new();
    let mut unpaired = Vec::new();
    for old in olds {
        // The yardstick workload runs in every stage, so the stage must match too.
        let is_same = |new: &Times| name(&new.work) == name(&old.work) && new.bound == old.bound;
        match news.iter().position(is_same) {
            Some(place) => paired.push((old, news.remove(place))),
            None => unpaired.push(UnpairedWork { work: name(&old.work), record: RecordAge::Old }),
        }
    }
    unpaired.extend(news.iter().map(|new| UnpairedWork { work: name(&new.work), record: RecordAge::New }));
    // Each pair needs four intervals: in each of the two records, one for the times and one for the multiples.
    let comparisons = 4 * paired.len();
    let pair = |(old, new): &(Times, Times)| {
        if old.work.version != new.work.version {
            let of = format!("workload {}", old.work.workload);
            return Err(OtherWork { of, found: new.work.version, expected: old.work.version });
        }
        Ok(PairedWork::new(old, new, hardware.is_empty(), comparisons))
    };
    let pairs = paired.iter().map(pair).collect::<Result<Vec<PairedWork>, OtherWork>>()?;
    let [expected, found] = [old, new].map(Record::workloads_version);
    if found != expected {
        return Err(OtherWork { of: "set of workloads".into(), found, expected });
    }
    Ok(Diff { pairs, hardware, others, unpaired })
}

impl PairedWork {
    fn new(old: &Times, new: &Times, same_hardware: bool, comparisons: usize) -> PairedWork {
        let is_yardstick = old.work.workload == YARDSTICK.name();
        let ratio_of_times = ratio(&old.own, &new.own, comparisons);
        let has_multiples = !old.multiples.is_empty() && !new.multiples.is_empty();
        let adjusted = (same_hardware && has_multiples && !is_yardstick)
            .then(|| ratio(&old.multiples, &new.multiples, comparisons));
        let drift = |times: &Times| Drift::new(if adjusted.is_some() { &times.multiples } else { &times.own }).0;
        let floor = Floor(Floor::MIN.0.max(drift(old)).max(drift(new)));
        let rounds = [old, new].map(|times| times.own.len());
        let verdict = match adjusted {
            _ if rounds.iter().any(|&rounds| rounds < MIN_ROUNDS) => CostVerdict::Undecided,
            None => CostVerdict::new(ratio_of_times, floor),
            Some(adjusted) => match (CostVerdict::new(ratio_of_times, floor), CostVerdict::new(adjusted, floor)) {
                (one, other) if one == other => one,
                (_, CostVerdict::NoMeasurableDifference) => CostVerdict::NoMeasurableDifference,
                _ => CostVerdict::Undecided,
            },
        };
        let verdict = (!same_hardware || !is_yardstick).then_some(verdict);
        let visible = |ratio| CostVerdict::smallest_visible(ratio, floor);
        let largest = adjusted.map_or(0.0, visible).max(visible(ratio_of_times));
        let is_visible = verdict.is_some() && rounds.iter().all(|&rounds| rounds >= MIN_ROUNDS);
        PairedWork {
            work: name(&old.work),
            bound: old.bound.clone(),
            rounds,
            rates: [old, new].map(|times| 1e9 / median(&times.own)),
            ratio: ratio_of_times,
            adjusted,
            floor,
            smallest_visible: is_visible.then_some(largest),
            verdict,
        }
    }

    /// Returns the name used in tables. The yardstick runs in every stage, so its name includes the stage name.
    pub fn name(&self) -> String {
        let PairedWork { work: WorkName { workload, .. }, bound, .. } = self;
        if *workload == YARDSTICK.name() { format!("{workload}, {bound}") } else { workload.clone() }
    }

    /// Returns true if the new record is certainly slower, by more than the fraction `part` of the old time.
    pub fn is_slower_by(&self, part: f64) -> bool {
        let near = self.adjusted.map_or(self.ratio.low, |adjusted| adjusted.low.min(self.ratio.low));
        self.verdict == Some(CostVerdict::Slower) && near > 1.0 + part
    }
}

/// Returns the properties of a record's machine and build.
pub fn fingerprint(record: &Record) -> Fields {
    [hardware(&record.machine.hardware), circumstances(record)].concat()
}

/// Names of properties, and their values.
pub type Fields = Vec<(&'static str, String)>;

fn differences(old: &Fields, new: &Fields) -> Vec<FieldDifference> {
    // A missing label or signature is not a difference: a label is optional, and records of ARM processors may have no
    // signature.
    let is_unknown = |(field, value): &(&str, String)| [SIGNATURE, LABEL].contains(field) && value == NOT_AVAILABLE;
    let both = old.iter().zip(new).filter(|(old, new)| old != new && !is_unknown(old) && !is_unknown(new));
    both.map(|(old, new)| FieldDifference { field: old.0, old: old.1.clone(), new: new.1.clone() }).collect()
}

fn or_not_available<T: fmt::Display>(value: Option<T>) -> String {
    value.map_or(NOT_AVAILABLE.into(), |value| value.to_string())
}

const OFF_OR_ON: [&str; 2] = ["off", "on"];
const NO_OR_YES: [&str; 2] = ["no", "yes"];

fn optimisation(level: &str) -> String {
    let aim = match level {
        "0" => "short builds",
        "s" | "z" => "size",
        _ => "speed",
    };
    format!("{aim} (level {level})")
}

/// Value of a property that the system does not report.
const NOT_AVAILABLE: &str = "not available";

/// Name of the property that distinguishes processors with the same name.
const SIGNATURE: &str = "signature";

/// Name of the property that holds the label that an owner has given to a machine.
const LABEL: &str = "label";

fn hardware(hardware: &Hardware) -> Fields {
    let cache = |of: &Cache| format!("L{} {} {} KiB by {}", of.level, of.kind, of.kib, of.shared_by);
    vec![
        ("processor", hardware.cpu.clone()),
        ("vendor", hardware.vendor.clone()),
        (SIGNATURE, or_not_available(hardware.signature.as_ref())),
        ("features", hardware.features.join(" ")),
        ("cores", or_not_available(hardware.cores)),
        ("threads", hardware.threads.to_string()),
        ("SMT", or_not_available(hardware.smt.map(|is_on| OFF_OR_ON[usize::from(is_on)]))),
        ("caches", hardware.caches.iter().map(cache).collect::<Vec<_>>().join(", ")),
        ("NUMA nodes", or_not_available(hardware.numa_nodes)),
        ("memory, GiB", hardware.memory_gib.to_string()),
        ("virtual machine", or_not_available(hardware.virtualised.map(|is_one| NO_OR_YES[usize::from(is_one)]))),
    ]
}

fn circumstances(record: &Record) -> Fields {
    let Record { settings, build, machine, .. } = record;
    vec![
        (LABEL, or_not_available(record.label.as_ref())),
        ("system", or_not_available(machine.system.os.as_ref())),
        ("kernel", or_not_available(machine.system.kernel.as_ref())),
        ("governor", or_not_available(machine.system.governor.as_ref())),
        ("boost", or_not_available(machine.system.boost.map(|is_on| OFF_OR_ON[usize::from(is_on)]))),
        ("version", build.version.clone()),
        ("revision", build.name()),
        ("compiler", build.compiler.clone()),
        ("target", build.target.clone()),
        ("optimised for", optimisation(&build.opt_level)),
        ("flags", build.flags.clone()),
        ("level", settings.level.clone()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::example;

    fn verdicts(diff: &Diff) -> Vec<(String, usize, Option<CostVerdict>)> {
        diff.pairs.iter().map(|pair| (pair.work.workload.clone(), pair.work.threads, pair.verdict)).collect()
    }

    fn of_setwise(verdict: CostVerdict) -> Vec<(String, usize, Option<CostVerdict>)> {
        let yardstick = [1, 2].map(|threads| ("queens".into(), threads, None));
        let setwise = [1, 2].map(|threads| ("setwise".into(), threads, Some(verdict)));
        yardstick.into_iter().chain(setwise).collect()
    }

    #[test]
    fn slower_code_is_told_from_the_same() {
        let old = example(1.0);
        assert_eq!(verdicts(&diff(&old, &example(1.03)).unwrap()), of_setwise(CostVerdict::Slower));
        assert_eq!(verdicts(&diff(&old, &example(0.97)).unwrap()), of_setwise(CostVerdict::Faster));
        assert_eq!(verdicts(&diff(&old, &old).unwrap()), of_setwise(CostVerdict::NoMeasurableDifference));
        for pair in &diff(&old, &old).unwrap().pairs {
            // The yardstick has no verdict, and the noise of the other workloads is small.
            let visible = pair.smallest_visible;
            assert_eq!(visible.is_some(), pair.verdict.is_some());
            assert!(visible.is_none_or(|part| part > 0.005 && part < 0.01), "{visible:?}");
        }
        let slower = diff(&old, &example(1.06)).unwrap();
        let by = |part| slower.pairs.iter().filter(|pair| pair.is_slower_by(part)).count();
        assert_eq!([by(0.05), by(0.07)], [2, 0]);
    }

    /// Returns the record with the time of every slice multiplied by `factor`.
    fn slow_down(mut record: Record, factor: f64) -> Record {
        for slice in
            record.stages.iter_mut().flat_map(|stage| &mut stage.rounds).flat_map(|round| &mut round.slices).flatten()
        {
            slice.1 = (slice.1 as f64 * factor) as u64;
        }
        record
    }

    #[test]
    fn a_slower_machine_is_not_slower_code() {
        let found = diff(&example(1.0), &slow_down(example(1.0), 1.3)).unwrap();
        assert_eq!(verdicts(&found), of_setwise(CostVerdict::NoMeasurableDifference));
        // Faster code on a slower machine is not called slower either: the verdict is undecided.
        let found = diff(&example(1.0), &slow_down(example(0.9), 1.3)).unwrap();
        assert_eq!(verdicts(&found), of_setwise(CostVerdict::Undecided));
    }

    #[test]
    fn other_hardware_is_compared_by_its_times() {
        let mut other = slow_down(example(1.0), 1.3);
        other.machine.hardware.cpu = "another".into();
        other.machine.system.governor = Some("powersave".into());
        let found = diff(&example(1.0), &other).unwrap();
        assert_eq!((found.hardware[0].field, found.hardware.len()), ("processor", 1));
        assert!(found.others.iter().any(|other| other.field == "governor" && other.new == "powersave"));
        assert!(found.pairs.iter().all(|pair| pair.verdict == Some(CostVerdict::Slower) && pair.adjusted.is_none()));
    }

    #[test]
    fn what_wandered_while_it_ran_is_no_difference_later() {
        let mut wandering = example(1.0);
        let rounds = &mut wandering.stages[0].rounds;
        let half = rounds.len() / 2;
        for slice in rounds[half..].iter_mut().flat_map(|round| &mut round.slices[2..]).flatten() {
            slice.1 = slice.1 * 110 / 100;
        }
        let found = diff(&wandering, &example(1.08)).unwrap();
        assert!(found.pairs[2].floor.0 > 0.09);
        assert!(found.pairs[2..].iter().all(|pair| !pair.is_slower_by(0.0)));
    }

    #[test]
    fn too_few_rounds_decide_nothing() {
        let mut short = example(2.0);
        short.stages[0].rounds.truncate(MIN_ROUNDS - 1);
        let found = diff(&example(1.0), &short).unwrap();
        assert_eq!(verdicts(&found), of_setwise(CostVerdict::Undecided));
        assert!(found.pairs.iter().all(|pair| pair.smallest_visible.is_none()));
    }

    #[test]
    fn other_work_is_refused_and_missing_work_is_said() {
        let newer = Record { workloads_version: Some(2), ..example(1.0) };
        let message = diff(&newer, &example(1.0)).unwrap_err().to_string();
        assert!(message.starts_with("set of workloads: found version 1, expected version 2"), "{message}");
        assert!(diff(&Record { workloads_version: Some(1), ..example(1.0) }, &example(1.0)).is_ok());
        let mut less = example(1.0);
        less.stages[0].works[2].threads = 4;
        let found = diff(&example(1.0), &less).unwrap();
        let unpaired: Vec<_> = found.unpaired.iter().map(|one| (one.work.threads, one.record)).collect();
        assert_eq!(unpaired, [(1, RecordAge::Old), (4, RecordAge::New)]);
    }
}
