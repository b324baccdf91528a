//! Report of a benchmark record, as text.

use super::conditions;
use crate::columns::{TextColumn, TextTable, first, numbers, words};
use perft_gate_bench::{Drift, PERCENTILES, RecordSummary, Score, TaskLine, WorkloadLine};
use perft_gate_machine::Hardware;
use perft_gate_machine::pinning::describe_unpinned;
use perft_gate_machine::record::Record;
use std::fmt::Write;

/// Columns of the workloads.
const COLUMNS: [TextColumn; 10] = [
    first("workload", 9),
    numbers("threads", 7, 0),
    numbers("rounds", 6, 1),
    numbers("M/s", 11, 0),
    numbers("interval", 22, 0),
    numbers("MAD %", 6, 3),
    numbers("drift", 6, 2),
    numbers("scaling", 8, 0),
    numbers("score", 6, 0),
    words("unit", 9, 0),
];

/// Returns the report of a record; scores are relative to `reference`.
pub fn text(record: &Record, reference: Option<&Record>, width: Option<usize>) -> String {
    let summary = RecordSummary::of(record, reference);
    let mut out = String::new();
    let mut line = |text: &str| writeln!(out, "{}", text.trim_end()).expect("a string");
    head(record).iter().for_each(|text| line(text));
    line("");
    let table = TextTable::new(&COLUMNS, width);
    line(&table.head());
    for of_work in &summary.lines {
        line(&row(&table, of_work, &record.build.target));
    }
    if !summary.tasks.is_empty() {
        line("");
        let names = PERCENTILES.map(|part| format!("{:>8}", format!("p{}", 100.0 * part))).join(" ");
        line(&format!(
            "equal tasks, microseconds each\n{:<4} {:<7} {:>9} {names} {:>9}",
            "core", "others", "tasks", "longest"
        ));
        for tasks in &summary.tasks {
            line(&task_row(tasks));
        }
    }
    for sustained in &record.sustained {
        line("");
        line(&conditions::sustained(sustained));
    }
    if let Some(conditions) = &record.conditions {
        line("");
        for text in conditions::lines(conditions, &record.machine.system) {
            line(&text);
        }
        for warning in &conditions.warnings {
            line(&format!("warning: {warning}"));
        }
    }
    line("");
    let reference = reference.map_or("none".into(), |reference| reference.machine.hardware.model());
    summary.scores.iter().for_each(|score| line(&score_line(score, &reference)));
    out
}

/// Says what was measured: label, machine, program and threads.
fn head(record: &Record) -> Vec<String> {
    let (Record { settings, build, .. }, hardware) = (record, &record.machine.hardware);
    let mut lines: Vec<String> = record.label.iter().cloned().collect();
    lines.push(machine(hardware));
    lines.push(format!(
        "perft {} ({}), level {}, {}{}{}",
        build.version,
        build.name(),
        settings.level,
        build.compiler,
        if settings.quick { ", quick" } else { "" },
        if settings.interrupted { ", stopped" } else { "" }
    ));
    lines.extend(record.placement.iter().map(|placement| format!("threads: {placement}")));
    lines.extend(record.note.iter().map(|note| format!("note: {note}")));
    lines
}

fn score_line(score: &Score, reference: &str) -> String {
    let (threads, own) =
        if score.threads == 1 { ("thread", "its one thread") } else { ("threads", "all of its threads") };
    format!(
        "score on {} {threads}: {:.1} (100 is the reference, {reference}, on {own}; geometric mean of {} workloads)",
        score.threads, score.score, score.workloads
    )
}

/// Describes the machine in one line.
fn machine(hardware: &Hardware) -> String {
    let cores = hardware.cores.map_or("cores not known".into(), |cores| format!("{cores} cores"));
    let kind = if hardware.virtualised == Some(true) { ", virtual machine" } else { "" };
    let signature = hardware.signature.as_ref().map_or(String::new(), |signature| format!(" ({signature})"));
    format!("{}{signature}, {cores}, {} threads, {} GiB{kind}", hardware.cpu, hardware.threads, hardware.memory_gib)
}

fn row(table: &TextTable, line: &WorkloadLine, target: &str) -> String {
    let decimals = if line.rate.median < 1e8 { 2 } else { 0 };
    let millions = |rate: f64| format!("{:.decimals$}", rate / 1e6);
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    let is_measured = |least: usize, value: String| if line.rounds < least { String::new() } else { value };
    let pinned = match line.work.threads - line.work.pinned {
        0 => String::new(),
        free => {
            let threads = if free == 1 { "thread" } else { "threads" };
            format!(", {free} {threads} {}", describe_unpinned(target))
        }
    };
    let cells = [
        line.work.workload.clone(),
        line.work.threads.to_string(),
        line.rounds.to_string(),
        millions(line.rate.median),
        is_measured(2, format!("{} to {}", millions(line.rate.low), millions(line.rate.high))),
        is_measured(2, format!("{:.2}", 100.0 * line.deviation)),
        is_measured(Drift::MIN_VALUES, format!("{:.1}%", 100.0 * line.drift.0)),
        or_empty(line.scaling.map(|scaling| format!("{scaling:.2}"))),
        or_empty(line.score.map(|score| format!("{score:.1}"))),
        line.work.unit.clone(),
    ];
    format!("{}{pinned}", table.line(&cells))
}

fn task_row(tasks: &TaskLine) -> String {
    let microseconds = |ns: u64| format!("{:.1}", ns as f64 / 1e3);
    let core = tasks.core.map_or("?".into(), |core| core.to_string());
    let percentiles = tasks.percentiles.map(|ns| format!("{:>8}", microseconds(ns))).join(" ");
    let others = if tasks.loaded { "busy" } else { "idle" };
    format!("{core:<4} {others:<7} {:>9} {percentiles} {:>9}", tasks.count, microseconds(tasks.longest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;

    #[test]
    fn a_single_round_has_a_rate_and_no_zeros() {
        let mut record = reference();
        record.stages.iter_mut().for_each(|stage| stage.rounds.truncate(1));
        let found = text(&record, None, None);
        let row = found.lines().find(|line| line.starts_with("setwise")).expect("a row");
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!((words.len(), words[0], words[2], words[5]), (6, "setwise", "1", "leaves"), "{row}");
    }

    #[test]
    fn each_score_is_against_the_reference_s_own() {
        let found = text(&reference(), Some(&reference()), None);
        let scores: Vec<&str> = found.lines().filter(|line| line.starts_with("score on ")).collect();
        assert_eq!(scores.len(), 2, "{found}");
        assert!(scores[0].starts_with("score on 1 thread: 100.0 ") && scores[0].contains(", on its one thread;"));
        assert!(scores[1].starts_with("score on 2 threads: 100.0 ") && scores[1].contains(", on all of its threads;"));
    }

    #[test]
    fn threads_that_were_not_pinned_are_named_with_the_reason() {
        let mut record = reference();
        record.build.target = "aarch64-apple-darwin".into();
        record.stages.iter_mut().flat_map(|stage| &mut stage.works).for_each(|work| work.pinned = 0);
        let found = text(&record, None, None);
        assert!(found.contains(", 1 thread not pinned (macOS does not pin threads)\n"), "{found}");
    }
}
