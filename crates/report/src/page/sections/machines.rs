//! The machines in the records. All records of one machine are grouped under a unique name.
//!
//! No record identifies an individual machine. Records are assumed to belong to one machine if their hardware and label
//! are the same. The latest complete record represents the machine. The other records only show how much the machine's
//! runs differ.

use crate::page::format::threads;
use perft_gate_bench::{RecordSummary, WorkloadLine, YARDSTICK, reference};
use perft_gate_lab::measure::Interval;
use perft_gate_machine::record::Record;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashSet};

#[derive(Clone)]
pub struct MachineRun<'a> {
    pub record: &'a Record,
    pub summary: RecordSummary,
}

#[derive(Clone)]
pub struct PageMachine<'a> {
    /// Unique name of the machine.
    pub label: String,
    pub series: usize,
    /// True if the other machines are compared with this one.
    pub is_baseline: bool,
    /// The record that represents the machine.
    pub record: &'a Record,
    pub summary: RecordSummary,
    /// All records of the machine, oldest first.
    pub runs: Vec<MachineRun<'a>>,
}

impl PageMachine<'_> {
    /// Returns a phrase that says which of several runs represents the machine, or `None` if there is only one run.
    pub fn describe_choice(&self) -> Option<String> {
        let number = self.runs.len();
        let is_latest = self.runs.last().is_some_and(|latest| std::ptr::eq(latest.record, self.record));
        match (number, is_latest) {
            (..=1, _) => None,
            (_, true) => Some(format!("the latest of {number} runs")),
            (_, false) => Some(format!("one of {number} runs; a later one is incomplete or was disturbed")),
        }
    }

    /// Of the runs that were not stopped, returns those with the highest `scored_works`, oldest first.
    pub fn whole_runs(&self) -> Vec<&MachineRun<'_>> {
        let works = |run: &MachineRun<'_>| (!run.record.settings.interrupted).then(|| scored_works(run.record));
        let best = self.runs.iter().filter_map(works).max();
        self.runs.iter().filter(|run| best.is_some() && works(run) == best).collect()
    }
}

pub fn line<'s>(summary: &'s RecordSummary, workload: &str, threads: usize) -> Option<&'s WorkloadLine> {
    summary.lines.iter().find(|line| line.work.workload == workload && line.work.threads == threads)
}

/// Returns the largest number of threads that a workload ran on, or 0 if it did not run.
pub fn most_threads(summary: &RecordSummary, workload: &str) -> usize {
    let lines = summary.lines.iter().filter(|line| line.work.workload == workload);
    lines.map(|line| line.work.threads).max().unwrap_or(0)
}

/// Returns the noun for these machines: `machines`, or `setups` if two of them have the same processor and may be one
/// machine with different settings.
pub fn noun(machines: &[PageMachine<'_>]) -> &'static str {
    let hardware = machines.iter().map(|machine| &machine.record.machine.hardware);
    let mut processors: Vec<_> = hardware.map(|hardware| (&hardware.cpu, &hardware.signature)).collect();
    processors.sort();
    if processors.windows(2).any(|pair| pair[0] == pair[1]) { "setups" } else { "machines" }
}

/// Maximum number of machines in a picture.
pub const SHOWN: usize = 20;

/// Returns the machines that pictures show: the first ones, always including the baseline.
pub fn machines_in_pictures<'m, 'a>(machines: &'m [PageMachine<'a>]) -> Vec<&'m PageMachine<'a>> {
    let mut shown: Vec<&PageMachine<'a>> = machines.iter().take(SHOWN).collect();
    if let Some(baseline) = machines.iter().skip(SHOWN).find(|machine| machine.is_baseline) {
        shown.pop();
        shown.push(baseline);
    }
    shown
}

/// Returns the machines that ranked pictures show: all machines in pictures except the disturbed ones.
pub fn ranked_machines<'m, 'a>(machines: &'m [PageMachine<'a>]) -> Vec<&'m PageMachine<'a>> {
    machines_in_pictures(machines).into_iter().filter(|machine| !machine.record.is_disturbed()).collect()
}

/// Returns the machine that the others are compared with, if there are others.
pub fn baseline<'m, 'a>(machines: &'m [PageMachine<'a>]) -> Option<&'m PageMachine<'a>> {
    machines.iter().find(|machine| machine.is_baseline).filter(|_| machines.len() > 1)
}

/// Returns every workload of the records, in the order of the first record that has it, with [`YARDSTICK`] last.
pub fn workloads(machines: &[PageMachine<'_>]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in machines.iter().flat_map(|machine| &machine.summary.lines) {
        if !all.contains(&line.work.workload) {
            all.push(line.work.workload.clone());
        }
    }
    all.sort_by_key(|workload| workload == YARDSTICK.name());
    all
}

pub fn millions(rate: Interval) -> Interval {
    Interval { low: rate.low / 1e6, median: rate.median / 1e6, high: rate.high / 1e6 }
}

/// Returns the machines of all records, in descending order of their scores on all threads, with disturbed machines
/// last. `baseline` is the index of any record of the machine that the others are compared with, which scores 100. By
/// default, that is the reference machine, or else the first machine that was not disturbed. A single machine is
/// compared with the reference record.
pub fn of_records<'a>(records: &'a [Record], baseline: Option<usize>) -> Vec<PageMachine<'a>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (number, record) in records.iter().enumerate() {
        match groups.iter_mut().find(|group| is_same_machine(&records[group[0]], record)) {
            // The same file may be given twice.
            Some(group) if group.iter().any(|&other| records[other] == *record) => {}
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    groups.iter_mut().for_each(|group| group.sort_by_key(|&number| &records[number].started));
    // If several runs are equally complete, this finds the last of them, which is the latest by date.
    let best = |group: &Vec<usize>| group.iter().copied().max_by_key(|&number| completeness(&records[number]));
    let representatives: Vec<usize> = groups.iter().filter_map(best).collect();
    let find =
        |is_it: &dyn Fn(&Record) -> bool| representatives.iter().copied().find(|&number| is_it(&records[number]));
    let reference = reference();
    let wanted = baseline.map_or(&reference, |baseline| &records[baseline]);
    let base = find(&|record| is_same_machine(wanted, record)).or_else(|| find(&|record| !record.is_disturbed()));
    let base = base.or(representatives.first().copied());
    let ruler = base.filter(|_| groups.len() > 1).map_or(&reference, |base| &records[base]);
    let summaries: Vec<RecordSummary> =
        records.par_iter().map(|record| RecordSummary::new(record, Some(ruler))).collect();
    let run = |number: usize| MachineRun { record: &records[number], summary: summaries[number].clone() };
    let machine = |(group, &number): (Vec<usize>, &usize)| {
        let MachineRun { record, summary } = run(number);
        let runs = group.into_iter().map(run).collect();
        PageMachine { label: String::new(), series: 0, is_baseline: base == Some(number), record, summary, runs }
    };
    let mut machines: Vec<PageMachine<'a>> = groups.into_iter().zip(&representatives).map(machine).collect();
    let names = distinct_labels(&machines.iter().map(|machine| machine.record).collect::<Vec<_>>());
    for (machine, name) in machines.iter_mut().zip(names) {
        machine.label = name + if machine.record.is_disturbed() { " (disturbed)" } else { "" };
    }
    let score = |machine: &PageMachine<'_>| machine.summary.scores.last().map_or(0.0, |score| score.score);
    machines.sort_by(|one, other| score(other).total_cmp(&score(one)).then_with(|| one.label.cmp(&other.label)));
    machines.sort_by_key(|machine| machine.record.is_disturbed());
    machines.iter_mut().enumerate().for_each(|(series, machine)| machine.series = series);
    machines
}

/// Returns a sort key for how well a run represents its machine. Stopped runs rank lowest, followed by disturbed ones.
fn completeness(record: &Record) -> (bool, bool, usize) {
    (!record.settings.interrupted, !record.is_disturbed(), scored_works(record))
}

/// Returns the number of distinct pairs of a workload and a thread count (one or all) that a record measured.
fn scored_works(record: &Record) -> usize {
    let works = || record.stages.iter().filter(|stage| !stage.rounds.is_empty()).flat_map(|stage| &stage.works);
    let most = works().map(|work| work.threads).max();
    let scored = works().filter(|work| work.threads == 1 || Some(work.threads) == most);
    scored.map(|work| (&work.workload, work.threads)).collect::<HashSet<_>>().len()
}

/// Returns true if two records seem to come from the same machine: hardware and label are the same.
fn is_same_machine(one: &Record, other: &Record) -> bool {
    one.machine.hardware == other.machine.hardware && label_line(one) == label_line(other)
}

/// Maximum length of a label in characters. Longer ones are cut.
const MAX_LABEL: usize = 80;

/// Returns the record's label in one line of at most [`MAX_LABEL`] characters, or `None` if the record has no label.
fn label_line(record: &Record) -> Option<String> {
    let plain: String =
        record.label.as_deref()?.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(MAX_LABEL).collect();
    let short = if short.len() < line.len() { format!("{}…", short.trim_end()) } else { short };
    (!short.is_empty()).then_some(short)
}

/// Returns the processor's full name and its number of threads: `AMD EPYC (family 26, model 2), 2 threads`.
pub fn full_name(record: &Record) -> String {
    let hardware = &record.machine.hardware;
    format!("{}, {}", hardware.model(), threads(hardware.threads))
}

/// Returns the processor's short name and its number of threads: `Zen 5 EPYC, 2 vCPU`.
fn of_hardware(record: &Record) -> String {
    let hardware = &record.machine.hardware;
    let threads = match hardware.virtualised {
        Some(true) => format!("{} vCPU", hardware.threads),
        _ => threads(hardware.threads),
    };
    format!("{}, {threads}", hardware.short_name())
}

/// Returns names for the records' machines, with just enough detail to distinguish them.
fn distinct_labels(records: &[&Record]) -> Vec<String> {
    let mut labels: Vec<String> = records.iter().map(|record| plain(record)).collect();
    let doubles = twice(&labels);
    for (label, record) in labels.iter_mut().zip(records).filter(|(label, _)| doubles.contains(label)) {
        *label =
            label_line(record).map_or_else(|| full_name(record), |given| format!("{given}, {}", of_hardware(record)));
    }
    let doubles = twice(&labels);
    let equal = labels.iter_mut().filter(|label| doubles.contains(label));
    equal.enumerate().for_each(|(number, label)| label.push_str(&format!(", #{}", number + 1)));
    labels
}

/// Returns the record's label, or the processor's short name if the record has no label.
fn plain(record: &Record) -> String {
    label_line(record).unwrap_or_else(|| of_hardware(record))
}

/// Returns the index of the first record that `name` identifies, by its whole label or by a part that occurs in only
/// one label. The full name of a processor counts as a label. **Errors**: no label contains the name, or several do.
pub fn find_record(records: &[Record], name: &str) -> Result<usize, String> {
    let wanted = name.to_lowercase();
    let labels: Vec<String> = records.iter().map(plain).collect();
    let is_meant = |at: &usize| {
        let names = [labels[*at].to_lowercase(), full_name(&records[*at]).to_lowercase()];
        names.iter().any(|name| name.contains(&wanted))
    };
    let exact = labels.iter().position(|label| label.to_lowercase() == wanted);
    let meant: Vec<usize> = (0..records.len()).filter(is_meant).collect();
    match (exact, &meant[..]) {
        (Some(exact), _) => Ok(exact),
        (None, [first, others @ ..]) if others.iter().all(|at| labels[*at] == labels[*first]) => Ok(*first),
        (None, found) => {
            let among = if found.is_empty() { (0..records.len()).collect() } else { meant };
            let among: BTreeSet<String> = among.iter().map(|at| format!("'{}'", labels[*at])).collect();
            let listed = among.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
            let more = if among.len() > LISTED { " and more" } else { "" };
            Err(format!("found '{name}', expected a part of one of the labels {listed}{more}"))
        }
    }
}

const LISTED: usize = 8;

fn twice(labels: &[String]) -> Vec<String> {
    let mut sorted = labels.to_vec();
    sorted.sort();
    sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn slower_reference(time: f64) -> Record {
        let mut record = reference();
        let rounds = record.stages.iter_mut().flat_map(|stage| &mut stage.rounds);
        rounds.flat_map(|round| &mut round.slices).flatten().for_each(|slice| slice.1 = (slice.1 as f64 * time) as u64);
        record
    }

    fn labelled(label: &str) -> Record {
        Record { label: Some(label.into()), ..reference() }
    }

    /// Returns the reference record with a different processor, date and speed.
    pub fn record(cpu: &str, started: &str, time: f64) -> Record {
        let mut record = slower_reference(time);
        (record.machine.hardware.cpu, record.started) = (cpu.into(), started.into());
        record
    }

    #[test]
    fn two_runs_of_one_machine_are_one_machine() {
        let mut quick = record("A 1", "2026-03-03T00:00:00Z", 1.0);
        quick.settings.quick = true;
        let mut stopped = record("A 1", "2026-04-04T00:00:00Z", 1.0);
        stopped.settings.interrupted = true;
        let mut partial = record("B 2", "2026-04-04T00:00:00Z", 0.5);
        partial.stages.pop();
        let records = [
            record("A 1", "2026-02-02T00:00:00Z", 1.0),
            record("B 2", "2026-01-01T00:00:00Z", 0.5),
            record("A 1", "2026-01-01T00:00:00Z", 1.1),
            record("A 1", "2026-01-01T00:00:00Z", 1.1),
            quick,
            stopped,
            partial,
        ];
        let machines = of_records(&records, None);
        let found: Vec<_> = machines.iter().map(|machine| (machine.label.as_str(), machine.runs.len())).collect();
        assert_eq!(found, [("B 2, 2 vCPU", 2), ("A 1, 2 vCPU", 4)]);
        // The latest complete run represents its machine. The first record's machine is the baseline.
        assert_eq!([0, 1].map(|at| &machines[at].record.started[..7]), ["2026-01", "2026-03"]);
        let later = |number: usize| Some(format!("one of {number} runs; a later one is incomplete or was disturbed"));
        assert_eq!([0, 1].map(|at| machines[at].describe_choice()), [later(2), later(4)]);
        assert_eq!(machines.iter().map(|machine| machine.is_baseline).collect::<Vec<_>>(), [false, true]);
        assert!(of_records(&records, Some(1))[0].is_baseline);
        assert_eq!(noun(&machines), "machines");
    }

    #[test]
    fn one_processor_in_two_settings_is_not_called_two_machines() {
        let mut other = record("A 1", "2026-01-01T00:00:00Z", 1.0);
        other.machine.hardware.threads = 4;
        let records = [record("A 1", "2026-01-01T00:00:00Z", 1.0), other];
        let machines = of_records(&records, None);
        assert_eq!((machines.len(), noun(&machines)), (2, "setups"));
    }

    #[test]
    fn pictures_show_few_machines_and_always_the_baseline() {
        let records: Vec<Record> = (0..SHOWN + 5)
            .map(|number| record(&format!("A {number}"), "2026-01-01T00:00:00Z", 1.0 + number as f64))
            .collect();
        let machines = of_records(&records, Some(SHOWN + 4));
        let shown = machines_in_pictures(&machines);
        assert_eq!((shown.len(), shown[SHOWN - 1].is_baseline), (SHOWN, true));
    }

    #[test]
    fn a_part_of_one_label_is_enough() {
        let records = [labelled("PBO on"), labelled("PBO off"), labelled("PBO off"), labelled("stock")];
        let found = ["pbo OFF", "stock", "on"].map(|name| find_record(&records, name));
        assert_eq!(found, [Ok(1), Ok(3), Ok(0)]);
        let error = find_record(&records, "PBO").unwrap_err();
        assert_eq!(error, "found 'PBO', expected a part of one of the labels 'PBO off', 'PBO on'");
        assert!(find_record(&records, "family 26").unwrap_err().contains("'PBO off', 'PBO on', 'stock'"));
        let plain = [records[0].clone(), reference()];
        assert_eq!([find_record(&plain, "zen 5 epyc"), find_record(&plain, "2 vcpu")], [Ok(1), Ok(1)]);
        assert!(find_record(&records, "none").unwrap_err().contains("'stock'"));
    }

    #[test]
    fn equal_labels_get_what_distinguishes_them() {
        let mut records = ["mine"; 3].map(labelled);
        records[1].machine.hardware.cpu = "Other 1".into();
        records[2].machine.hardware.memory_gib = 7;
        let names = distinct_labels(&records.iter().collect::<Vec<_>>());
        assert_eq!(names[1], "mine, Other 1, 2 vCPU");
        assert!(names[0].ends_with("#1") && names[2].ends_with("#2"), "{names:?}");
    }

    #[test]
    fn a_label_is_one_line_of_a_sensible_length() {
        let line = |label: &str| label_line(&labelled(label));
        assert_eq!(line(" Ryzen 7\n9800X3D,\tPBO off "), Some("Ryzen 7 9800X3D, PBO off".into()));
        assert_eq!(line(" \n "), None);
        assert_eq!(line(&"é".repeat(200)).unwrap().chars().count(), MAX_LABEL + 1);
    }
}
