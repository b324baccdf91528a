//! The machines of records: those of one machine together, with a name that no other has.
//!
//! Nothing in a record identifies one machine among others of its kind. Records are those of one machine if its hardware
//! and its label are the same; the latest whole one represents it, the others are its history.

use super::labels;
use super::machine::{MachineRun, PageMachine};
use super::standing::{Standing, Threads};
use perft_gate_bench::{RecordSummary, reference};
use perft_gate_machine::record::Record;
use rayon::prelude::*;

/// Returns the machines of all records, the one with the highest score on all threads first. `baseline` is the index
/// of a record of the machine to compare with, or else that of the first record.
pub fn of_records<'a>(records: &'a [Record], baseline: Option<usize>) -> Vec<PageMachine<'a>> {
    let reference = reference();
    let summaries: Vec<RecordSummary> =
        records.par_iter().map(|record| RecordSummary::of(record, Some(&reference))).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (number, record) in records.iter().enumerate() {
        match groups.iter_mut().find(|group| is_same_machine(&records[group[0]], record)) {
            // A file may be there twice.
            Some(group) if group.iter().any(|&other| records[other] == *record) => {}
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    let wanted = baseline.map(|baseline| &records[baseline]).or(records.first());
    let machine = |mut group: Vec<usize>| {
        group.sort_by_key(|&number| &records[number].started);
        let runs =
            group.iter().map(|&number| MachineRun { record: &records[number], summary: summaries[number].clone() });
        let runs: Vec<MachineRun<'a>> = runs.collect();
        // Of equal keys, this is the last: the latest by date.
        let latest = runs.iter().max_by_key(|run| completeness(run)).expect("a group has a record").clone();
        let is_baseline = wanted.is_some_and(|wanted| is_same_machine(wanted, latest.record));
        let MachineRun { record, summary } = latest;
        PageMachine { label: String::new(), series: 0, link: None, is_baseline, record, summary, runs }
    };
    let mut machines: Vec<PageMachine<'a>> = groups.into_iter().map(machine).collect();
    let names = labels::distinct(&machines.iter().map(|machine| machine.record).collect::<Vec<_>>());
    machines.iter_mut().zip(names).for_each(|(machine, name)| machine.label = name);
    let score = |machine: &PageMachine<'_>, threads| Standing::of(&machine.summary, threads).map(|at| at.score.median);
    machines.sort_by(|one, other| {
        let [one_score, other_score] =
            [one, other].map(|machine| score(machine, Threads::All).or(score(machine, Threads::One)).unwrap_or(0.0));
        other_score.total_cmp(&one_score).then_with(|| one.label.cmp(&other.label))
    });
    machines.iter_mut().enumerate().for_each(|(series, machine)| machine.series = series);
    machines
}

/// Returns how complete a run is: one that was stopped is less than any other, then the number of its scores counts.
fn completeness(run: &MachineRun<'_>) -> (bool, usize) {
    let scored = run.summary.lines.iter().filter(|line| line.score.is_some()).count();
    (!run.record.settings.interrupted, scored)
}

/// Returns true if two records are of one machine, as far as they tell.
fn is_same_machine(one: &Record, other: &Record) -> bool {
    let [(a, b), (other_a, other_b)] = [one, other].map(|record| (&record.machine.hardware, labels::given(record)));
    a == other_a && b == other_b
}

#[cfg(test)]
mod tests {
    use super::super::machine::{SHOWN, noun, shown};
    use super::*;

    /// Returns the reference with another processor, date and speed.
    pub fn record(cpu: &str, started: &str, time: f64) -> Record {
        let mut record = reference();
        (record.machine.hardware.cpu, record.started) = (cpu.into(), started.into());
        for slice in
            record.stages.iter_mut().flat_map(|stage| &mut stage.rounds).flat_map(|round| &mut round.slices).flatten()
        {
            slice.1 = (slice.1 as f64 * time) as u64;
        }
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
        // The latest whole run represents each; the first record's machine is the baseline.
        assert_eq!([0, 1].map(|at| &machines[at].record.started[..7]), ["2026-01", "2026-03"]);
        let later = |number: usize| Some(format!("one of {number} runs; a later one is not whole"));
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
        let shown = shown(&machines);
        assert_eq!((shown.len(), shown[SHOWN - 1].is_baseline), (SHOWN, true));
    }
}
