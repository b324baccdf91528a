//! Records, with distinct names for their machines.

use crate::page::format::counted;
use perft_gate_lab::bench::{Line, Summary, YARDSTICK, reference};
use perft_gate_lab::record::Record;
use rayon::prelude::*;

/// A record and its name on the page.
pub(super) struct Machine<'a> {
    /// Name, different from all others.
    pub label: String,
    /// Index of its colour.
    pub series: usize,
    /// The record.
    pub record: &'a Record,
    /// Its summary.
    pub summary: Summary,
}

impl<'a> Machine<'a> {
    /// Returns all records with their names.
    pub fn all(records: &'a [Record]) -> Vec<Machine<'a>> {
        let reference = reference();
        let summaries: Vec<Summary> = records.par_iter().map(|record| Summary::of(record, Some(&reference))).collect();
        let named = labels(records).into_iter().zip(summaries).zip(records).enumerate();
        named.map(|(series, ((label, summary), record))| Machine { label, series, record, summary }).collect()
    }

    /// Returns the line of a workload on this many threads, whatever their kind.
    pub fn line(&self, workload: &str, threads: usize) -> Option<&Line> {
        let is_it =
            |line: &&Line| line.work.workload == workload && line.work.threads == threads && line.work.kind.is_none();
        self.summary.lines.iter().find(is_it)
    }

    /// Returns the largest number of threads that a workload ran on; 0 if it did not run.
    pub fn most_threads(&self, workload: &str) -> usize {
        let lines = self.summary.lines.iter().filter(|line| line.work.workload == workload);
        lines.map(|line| line.work.threads).max().unwrap_or(0)
    }
}

/// Returns every workload of the records, in the order of the first record that has it; the yardstick last.
pub(super) fn workloads(machines: &[Machine<'_>]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in machines.iter().flat_map(|machine| &machine.summary.lines) {
        if !all.contains(&line.work.workload) {
            all.push(line.work.workload.clone());
        }
    }
    all.sort_by_key(|workload| workload == YARDSTICK.name());
    all
}

/// Returns the unit of a workload's rate, in millions a second.
pub(super) fn unit(machines: &[Machine<'_>], workload: &str) -> String {
    let lines = machines.iter().flat_map(|machine| &machine.summary.lines);
    let unit = lines.into_iter().find(|line| line.work.workload == workload).map_or("", |line| &line.work.unit);
    format!("million {unit} a second")
}

/// Returns `4 threads`.
pub(super) fn threads(number: usize) -> String {
    counted(number, "thread", "threads")
}

/// Returns names for the records' machines, with as much detail as distinguishes them.
fn labels(records: &[Record]) -> Vec<String> {
    let machine = |record: &Record| {
        let hardware = &record.machine.hardware;
        format!("{}, {}", hardware.model(), threads(hardware.threads))
    };
    let build = |record: &Record| format!("{}, {}", machine(record), record.build.name());
    let date = |record: &Record| format!("{}, {}", build(record), record.started);
    let mut labels: Vec<String> = records.iter().map(machine).collect();
    for longer in [&build as &dyn Fn(&Record) -> String, &date] {
        let doubles = twice(&labels);
        for (label, record) in labels.iter_mut().zip(records).filter(|(label, _)| doubles.contains(label)) {
            *label = longer(record);
        }
    }
    let doubles = twice(&labels);
    let equal = labels.iter_mut().filter(|label| doubles.contains(label));
    equal.enumerate().for_each(|(number, label)| label.push_str(&format!(", #{}", number + 1)));
    labels
}

fn twice(labels: &[String]) -> Vec<String> {
    let mut sorted = labels.to_vec();
    sorted.sort();
    sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect()
}
