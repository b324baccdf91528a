//! Speed of each machine, workload by workload.

use super::machine::{PageMachine, SHOWN, shown, unit, workloads};
use super::standing::Threads;
use crate::page::chart::{BarChart, BarRow, Chart, ColorRole, Group, Mark};
use crate::page::format::threads;
use crate::page::format::three_digits;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};

const MILLION: f64 = 1e6;

/// Bars that a picture shows: a machine's bar lies among those of other machines on as many threads, or, if it is
/// alone, beside its own on more threads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ThreadsShown {
    /// One thread and all threads.
    Both,
    /// One or all threads.
    On(Threads),
}

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let workloads = workloads(machines);
    if workloads.is_empty() {
        return None;
    }
    let pictured = |workload: &String| match machines {
        [_] => vec![ThreadsShown::Both],
        several if several.iter().all(|machine| machine.most_threads(workload) <= 1) => {
            vec![ThreadsShown::On(Threads::One)]
        }
        _ => Threads::BOTH.map(ThreadsShown::On).to_vec(),
    };
    let figures =
        workloads.iter().flat_map(|workload| pictured(workload).into_iter().map(move |shown| (workload, shown)));
    Some(Section {
        id: "rates",
        title: "Speed",
        text: text(machines),
        figures: figures.map(|(workload, shown)| figure(machines, workload, shown)).collect(),
        ..Section::default()
    })
}

fn text(machines: &[PageMachine<'_>]) -> Vec<String> {
    let mut text = vec![
        "Medians of all rounds, each pass with its count checked: higher is better. The mark at a bar's end is the interval of \
         its median; where it is too narrow to see, the number is that certain. Each picture has its own unit and its own \
         scale: leaves, nodes and positions are different work."
            .to_string(),
    ];
    if machines.len() > 1 {
        text.push("The fastest first.".into());
    }
    if machines.len() > SHOWN {
        text.push(format!(
            "Pictures show {SHOWN} of {}: those with the highest scores, and the baseline. All measurements, below, has all.",
            machines.len()
        ));
    }
    text
}

/// Describes what a workload counts.
fn meaning(workload: &str) -> &str {
    match workload {
        "queens" => "the yardstick, no chess",
        "bulk" => "leaves, board by board",
        "setwise" => "leaves, in vectors",
        "verify" => "nodes, every one checked",
        "hashed" => "leaves, with a table",
        "unique" => "distinct positions",
        other => other,
    }
}

/// A bar and its row of the table.
struct Bar {
    rate: f64,
    row: BarRow,
    cells: Vec<Cell>,
}

fn figure(machines: &[PageMachine<'_>], workload: &str, on: ThreadsShown) -> Figure {
    let unit = unit(machines, workload);
    let name = match on {
        ThreadsShown::Both => String::new(),
        ThreadsShown::On(threads) => format!(", {}", threads.name()),
    };
    let mut ends = Vec::new();
    let mut bars = Vec::new();
    for machine in shown(machines) {
        for (bar, both) in bars_of(machine, workload, on) {
            ends.extend(both.into_iter().flatten());
            bars.push(bar);
        }
    }
    if on != ThreadsShown::Both {
        // What was not measured stays last.
        bars.sort_by(|one, other| other.rate.total_cmp(&one.rate));
    }
    let mut table = PageTable::new(
        format!("{workload}{name}, {unit}"),
        &["machine", "threads"],
        &["median", "interval from", "to", "rounds"],
    );
    table.rows = bars.iter().map(|bar| bar.cells.clone()).collect();
    let rows: Vec<BarRow> = bars.into_iter().map(|bar| bar.row).collect();
    let on_what = match machines {
        [one] => one.label.clone(),
        several => format!("{} machines", several.len()),
    };
    Figure {
        title: match on {
            // The picture for one thread, beside it, says what is counted.
            ThreadsShown::On(Threads::All) => format!("{workload}{name}"),
            _ => format!("{workload}{name}: {}", meaning(workload)),
        },
        description: format!("Bars: {unit} in {workload}{name} on {on_what}, with intervals; higher is better."),
        size: Size::Small,
        chart: Chart::Bars(BarChart::of_sizes([&unit, "higher is better"], ends, vec![Group::new("", rows)])),
        table,
    }
}

/// Returns the bars of a machine, each with the ends of its interval.
fn bars_of(machine: &PageMachine<'_>, workload: &str, on: ThreadsShown) -> Vec<(Bar, Option<[f64; 2]>)> {
    let mut counts = match on {
        ThreadsShown::Both => vec![1, machine.most_threads(workload)],
        ThreadsShown::On(threads) => vec![threads.of(&machine.summary, workload)],
    };
    counts.dedup();
    let lines: Vec<_> = counts.iter().filter_map(|&number| machine.line(workload, number)).collect();
    if lines.is_empty() {
        let cells = [vec![Cell::text(&machine.label)], vec![Cell::Missing; 5]].concat();
        let row = BarRow { label: machine.label.clone(), marks: Vec::new(), note: String::new() };
        return vec![(Bar { rate: 0.0, row, cells }, None)];
    }
    let bars = lines.into_iter().map(|line| {
        let [low, median, high] = [line.rate.low, line.rate.median, line.rate.high].map(|rate| rate / MILLION);
        let cells = vec![
            Cell::text(&machine.label),
            Cell::Count(line.work.threads as u128),
            Cell::three_digits(median),
            Cell::three_digits(low),
            Cell::three_digits(high),
            Cell::Count(line.rounds as u128),
        ];
        let row = BarRow {
            label: if on == ThreadsShown::Both { threads(line.work.threads) } else { machine.label.clone() },
            marks: vec![Mark::Bar(median, machine.series), Mark::Whisker(low, high, ColorRole::Ink)],
            note: three_digits(median),
        };
        (Bar { rate: median, row, cells }, Some([low, high]))
    });
    bars.collect()
}
