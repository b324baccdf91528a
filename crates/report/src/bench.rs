//! Text output of `perft bench`: a report on a record, or a comparison of two builds.

use crate::diff::cells;
use crate::text::{TextColumn, TextTable, numbers, paragraphs, percent, words};
use perft_gate_bench::against::Against;
use perft_gate_bench::{Drift, PERCENTILES, PeerHello, RecordSummary, Score, TaskLine, WorkloadLine};
use perft_gate_chess::quantity;
use perft_gate_lab::measure::median;
use perft_gate_machine::pinning::describe_unpinned;
use perft_gate_machine::record::{Record, Stretch, Sustained};
use perft_gate_machine::{Conditions, Hardware, Readings, System};

pub const SCHEMA: &str = "perft.bench/1";

const COLUMNS: [TextColumn; 10] = [
    words("workload", 9, 0),
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

/// Returns the report on a record. Scores are relative to `reference`.
pub fn text(record: &Record, reference: Option<&Record>, width: Option<usize>) -> String {
    let summary = RecordSummary::new(record, reference);
    let table = TextTable::new(&COLUMNS, width);
    let rows = summary.lines.iter().map(|line| row(&table, line, &record.build.target));
    let mut parts = vec![head(record), [table.head()].into_iter().chain(rows).collect(), task_lines(&summary.tasks)];
    parts.extend(record.sustained.iter().map(|sustained| vec![sustained_line(sustained)]));
    parts.extend(record.conditions.iter().map(|conditions| {
        let warnings = conditions.warnings.iter().map(|warning| format!("warning: {warning}"));
        condition_lines(conditions, &record.machine.system).into_iter().chain(warnings).collect()
    }));
    let reference = reference.map_or("none".into(), |reference| reference.machine.hardware.model());
    parts.push(summary.scores.iter().map(|score| score_line(score, &reference)).collect());
    paragraphs(parts)
}

/// Describes the measurement: label, machine, program and threads.
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

fn score_line(&Score { threads, score, workloads }: &Score, reference: &str) -> String {
    let own = if threads == 1 { "its one thread" } else { "all of its threads" };
    let [threads, workloads] = [(threads, "thread"), (workloads, "workload")].map(|(n, what)| quantity(n as u64, what));
    format!(
        "score on {threads}: {score:.1} (100 is the reference, {reference}, on {own}; geometric mean of {workloads})"
    )
}

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
        free => format!(", {} {}", quantity(free as u64, "thread"), describe_unpinned(target)),
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

/// Returns the lines of the table with the times of identical tasks. Empty if there are no tasks.
fn task_lines(tasks: &[TaskLine]) -> Vec<String> {
    let names = PERCENTILES.map(|part| format!("{:>8}", format!("p{}", 100.0 * part))).join(" ");
    let head = format!("{:<4} {:<7} {:>9} {names} {:>9}", "core", "others", "tasks", "longest");
    let heads = ["times of equal tasks, in microseconds".into(), head].into_iter().filter(|_| !tasks.is_empty());
    heads.chain(tasks.iter().map(task_row)).collect()
}

fn task_row(tasks: &TaskLine) -> String {
    let microseconds = |ns: u64| format!("{:.1}", ns as f64 / 1e3);
    let core = tasks.core.map_or("?".into(), |core| core.to_string());
    let percentiles = tasks.percentiles.map(|ns| format!("{:>8}", microseconds(ns))).join(" ");
    let others = if tasks.loaded { "busy" } else { "idle" };
    format!("{core:<4} {others:<7} {:>9} {percentiles} {:>9}", tasks.count, microseconds(tasks.longest))
}

/// Returns lines about the conditions of a run. The lines also mention quantities that are not available.
fn condition_lines(conditions: &Conditions, system: &System) -> Vec<String> {
    let or_not = |text: Option<String>| text.unwrap_or("not available".into());
    let percent = |readings: Option<Readings>, of: &str| {
        let shown = |Readings { mean, max, .. }: Readings| {
            format!("{:.1} % of {of} (at most {:.0} %)", 100.0 * mean, 100.0 * max)
        };
        or_not(readings.map(shown))
    };
    let mean = |readings: Option<Readings>| {
        or_not(readings.map(|readings| format!("{:.1} (at most {:.1})", readings.mean, readings.max)))
    };
    let course = |readings: Option<Readings>, unit: &str, digits: usize| {
        let shown = |Readings { start, end, min, max, .. }: Readings| {
            format!("{start:.digits$} to {end:.digits$}{unit} ({min:.digits$} to {max:.digits$})")
        };
        or_not(readings.map(shown))
    };
    let [one, all] = [conditions.clock_ghz, conditions.clock_all_ghz].map(|clock| course(clock, " GHz", 2));
    let boost = system.boost.map(|boost| if boost { "on" } else { "off" }.to_string());
    vec![
        format!("conditions, {} samples in {:.0} s", conditions.samples, conditions.seconds),
        format!("  other programs: {}", percent(conditions.others, "the processor time")),
        format!("  other virtual machines: {}", percent(conditions.steal, "the time with work")),
        format!("  load average: {}; other runnable threads: {}", mean(conditions.load), mean(conditions.runnable)),
        format!("  clock: one thread {one}, all threads {all}"),
        format!("  governor: {}; boost: {}", or_not(system.governor.clone()), or_not(boost)),
        format!("  temperature: {}", course(conditions.celsius, " °C", 0)),
    ]
}

/// Describes how a rate changed over a long time.
fn sustained_line(sustained: &Sustained) -> String {
    let Sustained { workload, unit, threads, stretches, .. } = sustained;
    let Some(last) = stretches.last() else { return format!("sustained {workload}: nothing was measured") };
    let rate = |stretches: &[Stretch]| median(&stretches.iter().map(Stretch::rate).collect::<Vec<_>>());
    // Compares the first tenth of the stretches with the last tenth.
    let part = stretches.len().div_ceil(10);
    let (first, end) = (rate(&stretches[..part]), rate(&stretches[stretches.len() - part..]));
    let slowest = stretches.iter().map(Stretch::rate).fold(f64::INFINITY, f64::min);
    let seconds = (last.at_ms as f64 * 1e6 + last.ns as f64) / 1e9;
    let threads = quantity(*threads as u64, "thread");
    let [first_shown, end_shown, slowest] = [first, end, slowest].map(|rate| format!("{:.1}", rate / 1e6));
    format!(
        "sustained {workload} on {threads} for {seconds:.0} s: {first_shown} M/s in the first tenth, {end_shown} in the \
         last ({:+.1} %), {slowest} in the slowest of {} stretches; {unit}",
        100.0 * (end / first - 1.0),
        stretches.len()
    )
}

/// Returns the text that compares this build with another build, which is in the file `other`.
pub fn comparison(against: &Against, other: &str) -> String {
    let [this_build, other_build] = against.builds.each_ref().map(build);
    let stopped = if against.interrupted { ", stopped" } else { "" };
    let head = vec![
        format!("this build:  {this_build}"),
        format!("other build: {other_build}, {other}"),
        format!("alternating, both restarted in every round{stopped}"),
    ];
    let names = format!(
        "{:<9} {:>7} {:>6}  {:>10} {:>10}  {:>28} {:>6} {:>12}  this build is",
        "workload", "threads", "rounds", "this M/s", "other M/s", "time of this build", "floor", "detectable"
    );
    let rows = against.rows.iter().map(|row| {
        let [_, threads, rounds, other, this, time, _, floor, visible, verdict] = cells(row, percent);
        let name = format!("{:<9} {threads:>7} {rounds:>6}", row.work.workload);
        format!("{name}  {this:>10} {other:>10}  {time:>28} {floor:>6} {visible:>12}  {verdict}")
    });
    paragraphs([head, [names].into_iter().chain(rows).collect()])
}

fn build(hello: &PeerHello) -> String {
    format!("perft {} ({}), level {}", hello.version, hello.revision, hello.level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::diff::{PairedWork, WorkName};
    use perft_gate_bench::reference;
    use perft_gate_lab::measure::{CostVerdict, Floor, Interval};

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
        for (score, start, end) in [
            (scores[0], "score on 1 thread: 100.0 ", ", on its one thread; geometric mean of 5 workloads)"),
            (scores[1], "score on 2 threads: 100.0 ", ", on all of its threads; geometric mean of 5 workloads)"),
        ] {
            assert!(score.starts_with(start) && score.ends_with(end), "{score}");
        }
    }

    #[test]
    fn threads_that_were_not_pinned_are_named_with_the_reason() {
        let mut record = reference();
        record.build.target = "aarch64-apple-darwin".into();
        record.stages.iter_mut().flat_map(|stage| &mut stage.works).for_each(|work| work.pinned = 0);
        let found = text(&record, None, None);
        assert!(found.contains(", 1 thread not pinned (macOS does not pin threads)\n"), "{found}");
    }

    #[test]
    fn what_the_system_tells_is_shown_and_the_rest_is_not_available() {
        let system = System { os: None, kernel: None, governor: Some("performance".into()), boost: None };
        let laptop = Conditions {
            seconds: 27.0,
            samples: 54,
            load: Readings::summarize(&[1.0, 2.0]),
            steal: Readings::summarize(&[0.1, 0.3]),
            clock_ghz: Readings::summarize(&[4.8, 4.9, 3.6]),
            celsius: Readings::summarize(&[40.0, 95.0, 90.0]),
            ..Conditions::default()
        };
        assert_eq!(
            condition_lines(&laptop, &system).join("\n"),
            "conditions, 54 samples in 27 s\n  \
             other programs: not available\n  \
             other virtual machines: 20.0 % of the time with work (at most 30 %)\n  \
             load average: 1.5 (at most 2.0); other runnable threads: not available\n  \
             clock: one thread 4.80 to 3.60 GHz (3.60 to 4.90), all threads not available\n  \
             governor: performance; boost: not available\n  \
             temperature: 40 to 90 °C (40 to 95)"
        );
        let none = condition_lines(&Conditions::default(), &system).join("\n");
        assert!(none.ends_with("temperature: not available") && none.contains("load average: not available"), "{none}");
    }

    #[test]
    fn heat_shows_in_the_last_tenth() {
        let stretch = |number: u64| {
            let ns = if number < 50 { 1_000_000_000 } else { 1_250_000_000 };
            Stretch { at_ms: 1000 * number, nodes: 2_000_000_000, ns, celsius: None }
        };
        let of = |stretches| Sustained {
            workload: "setwise".into(),
            version: 1,
            unit: "leaves".into(),
            threads: 2,
            stretches,
        };
        let found = sustained_line(&of((0..100).map(stretch).collect()));
        assert!(found.contains("2000.0 M/s in the first tenth, 1600.0 in the last (-20.0 %)"), "{found}");
        assert_eq!(sustained_line(&of(vec![])), "sustained setwise: nothing was measured");
    }

    #[test]
    fn a_row_says_what_was_seen_and_what_could_be() {
        let hello = |version: &str| PeerHello {
            protocol: String::new(),
            workloads_version: 1,
            version: version.into(),
            revision: "abc".into(),
            level: "v3".into(),
        };
        let row = |rounds, smallest_visible, verdict| PairedWork {
            work: WorkName { workload: "setwise".into(), threads: 1 },
            bound: "core".into(),
            rounds: [rounds; 2],
            rates: [5.25e9, 5e9],
            ratio: Interval { low: 1.04, median: 1.05, high: 1.06 },
            adjusted: None,
            floor: Floor::MIN,
            smallest_visible,
            verdict: Some(verdict),
        };
        let rows = vec![row(100, Some(0.015), CostVerdict::Slower), row(5, None, CostVerdict::Undecided)];
        let against = Against { builds: [hello("1"), hello("2")], rows, interrupted: true };
        let found = comparison(&against, "old/perft");
        for part in [
            "this build:  perft 1 (abc), level v3\nother build: perft 2 (abc), level v3, old/perft\n",
            "in every round, stopped\n",
            "5000.00    5250.00",
            "+5.0 % (+4.0 to +6.0 %)  0.5 %        1.5 %  slower\n",
            "nothing  undecided\n",
        ] {
            assert!(found.contains(part), "{part}: {found}");
        }
    }
}
