//! A machine on the page: the record that represents it, its other records, and its name.

use super::labels;
use perft_gate_bench::{RecordSummary, WorkloadLine, YARDSTICK};
use perft_gate_machine::record::Record;

/// A record, evaluated.
#[derive(Clone)]
pub struct MachineRun<'a> {
    /// The record.
    pub record: &'a Record,
    /// Its summary.
    pub summary: RecordSummary,
}

/// A machine and its name on the page.
#[derive(Clone)]
pub struct PageMachine<'a> {
    /// Name, different from all others.
    pub label: String,
    /// Index of its colour.
    pub series: usize,
    /// Page about it, from the page that it is on.
    pub link: Option<String>,
    /// True if the others are compared with it.
    pub is_baseline: bool,
    /// The record that represents it.
    pub record: &'a Record,
    /// Summary of that record.
    pub summary: RecordSummary,
    /// All its records, the oldest first.
    pub runs: Vec<MachineRun<'a>>,
}

impl<'a> PageMachine<'a> {
    /// Returns the line of a workload on this many threads, whatever their kind.
    pub fn line(&self, workload: &str, threads: usize) -> Option<&WorkloadLine> {
        line(&self.summary, workload, threads)
    }

    /// Returns the largest number of threads that a workload ran on; 0 if it did not run.
    pub fn most_threads(&self, workload: &str) -> usize {
        most_threads(&self.summary, workload)
    }

    /// Returns the full name of its processor, and its threads.
    pub fn processor(&self) -> String {
        labels::full_name(self.record)
    }

    /// Returns which of its runs represents it, if it has several.
    pub fn describe_choice(&self) -> Option<String> {
        let number = self.runs.len();
        let is_latest = self.runs.last().is_some_and(|latest| std::ptr::eq(latest.record, self.record));
        match (number, is_latest) {
            (..=1, _) => None,
            (_, true) => Some(format!("the latest of {number} runs")),
            (_, false) => Some(format!("one of {number} runs; a later one is not whole")),
        }
    }
}

/// Returns the line of a workload on this many threads, whatever their kind.
pub fn line<'s>(summary: &'s RecordSummary, workload: &str, threads: usize) -> Option<&'s WorkloadLine> {
    let is_it = |line: &&WorkloadLine| line.work.workload == workload && line.work.threads == threads;
    summary.lines.iter().find(is_it)
}

/// Returns the largest number of threads that a workload ran on; 0 if it did not run.
pub fn most_threads(summary: &RecordSummary, workload: &str) -> usize {
    let lines = summary.lines.iter().filter(|line| line.work.workload == workload);
    lines.map(|line| line.work.threads).max().unwrap_or(0)
}

/// Returns what to call these: `machines`, unless two of them have the same processor and may be one machine in two
/// settings.
pub fn noun(machines: &[PageMachine<'_>]) -> &'static str {
    let mut processors: Vec<_> = machines
        .iter()
        .map(|machine| (&machine.record.machine.hardware.cpu, &machine.record.machine.hardware.signature))
        .collect();
    processors.sort();
    if processors.windows(2).any(|pair| pair[0] == pair[1]) { "setups" } else { "machines" }
}

/// Number of machines that a picture shows at most.
pub const SHOWN: usize = 20;

/// Returns the machines that pictures show: the first ones, and the baseline.
pub fn shown<'m, 'a>(machines: &'m [PageMachine<'a>]) -> Vec<&'m PageMachine<'a>> {
    let first = machines.iter().enumerate().filter(|(number, _)| *number < SHOWN);
    let mut shown: Vec<&PageMachine<'a>> = first.map(|(_, machine)| machine).collect();
    if let Some(baseline) = machines.iter().skip(SHOWN).find(|machine| machine.is_baseline) {
        shown.pop();
        shown.push(baseline);
    }
    shown
}

/// Returns every workload of the records, in the order of the first record that has it; the yardstick last.
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

/// Returns the unit of a workload's rate, in millions a second.
pub fn unit(machines: &[PageMachine<'_>], workload: &str) -> String {
    let lines = machines.iter().flat_map(|machine| &machine.summary.lines);
    let unit = lines.into_iter().find(|line| line.work.workload == workload).map_or("", |line| &line.work.unit);
    format!("million {unit} a second")
}
