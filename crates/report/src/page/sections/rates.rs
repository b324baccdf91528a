//! Speed of each machine, workload by workload.

use super::machines::{PageMachine, SHOWN, line, millions, most_threads, ranked_machines, workloads};
use super::standing::Threads;
use crate::page::chart::{BarChart, BarRow, Group};
use crate::page::format::{threads, three_digits};
use crate::page::model::{Cell, Chart, Figure, PageTable, Section};
use perft_gate_lab::measure::Interval;

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let workloads = workloads(machines);
    let has_threads = |workload: &str| machines.iter().any(|machine| most_threads(&machine.summary, workload) > 1);
    let figures = workloads.iter().flat_map(|workload| match machines {
        [one] => vec![of_one(one, workload)],
        _ if ranked_machines(machines).is_empty() => Vec::new(),
        _ if has_threads(workload) => Threads::ALL.map(|threads| of_several(machines, workload, threads)).into(),
        _ => vec![of_several(machines, workload, Threads::One)],
    });
    let mut text = "Medians of all rounds, each pass with its count checked: higher is better. The mark at a bar's end is the \
                    interval of its median; where it is too narrow to see, the number is that certain. Each picture has its \
                    own unit and its own scale: leaves, nodes and positions are different work."
        .to_string();
    if machines.len() > 1 {
        text += " The fastest first.";
    }
    if machines.len() > SHOWN {
        text += &format!(
            " Pictures show {SHOWN} of {}: those with the highest scores, and the baseline. The table has all.",
            machines.len()
        );
    }
    (!workloads.is_empty()).then(|| Section {
        figures: figures.collect(),
        more: vec![table(machines)],
        ..Section::new("rates", "Speed", text)
    })
}

/// Describes the units that a workload counts.
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

/// Returns the figure of one machine, with a bar for one thread and a bar for all threads.
fn of_one(machine: &PageMachine<'_>, workload: &str) -> Figure {
    let mut counts = vec![1, most_threads(&machine.summary, workload)];
    counts.dedup();
    let rows = counts.into_iter().map(|number| row(machine, workload, number, threads(number))).collect();
    figure(rows, unit(std::slice::from_ref(machine), workload), format!("{workload}: {}", meaning(workload)))
}

/// Returns the figure with the bars of several machines. Missing measurements come last.
fn of_several(machines: &[PageMachine<'_>], workload: &str, on: Threads) -> Figure {
    let row = |machine: &&PageMachine<'_>| {
        row(machine, workload, on.number(&machine.summary, workload), machine.label.clone())
    };
    let mut rows: Vec<(Option<Interval>, BarRow)> = ranked_machines(machines).iter().map(row).collect();
    let median = |rate: Option<Interval>| rate.map_or(0.0, |rate| rate.median);
    rows.sort_by(|one, other| median(other.0).total_cmp(&median(one.0)));
    let title = match on {
        Threads::One => format!("{workload}, {}: {}", on.name(), meaning(workload)),
        // The picture for one thread, which stands next to this one, names the unit.
        Threads::All => format!("{workload}, {}", on.name()),
    };
    figure(rows, unit(machines, workload), title)
}

fn row(machine: &PageMachine<'_>, workload: &str, threads: usize, label: String) -> (Option<Interval>, BarRow) {
    let Some(line) = line(&machine.summary, workload, threads) else {
        return (None, BarRow { label, marks: Vec::new(), note: "not measured".into() });
    };
    let rate = millions(line.rate);
    (Some(rate), BarRow::bar(label, rate, machine.series, three_digits(rate.median)))
}

fn figure(rows: Vec<(Option<Interval>, BarRow)>, unit: String, title: String) -> Figure {
    let (rates, rows): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    let values = rates.into_iter().flatten().flat_map(|rate| [rate.low, rate.high]).collect();
    let groups = vec![Group { label: String::new(), rows }];
    Figure { title, chart: Chart::Bars(BarChart::of_sizes([&unit, "higher is better"], values, groups)) }
}

/// Returns the unit of a workload's rate, in millions per second.
fn unit(machines: &[PageMachine<'_>], workload: &str) -> String {
    let mut lines = machines.iter().flat_map(|machine| &machine.summary.lines);
    let unit = lines.find(|line| line.work.workload == workload).map_or("", |line| &line.work.unit);
    format!("million {unit} a second")
}

/// Returns a table with the numbers of every workload on every machine.
fn table(machines: &[PageMachine<'_>]) -> PageTable {
    let lines = machines.iter().flat_map(|machine| machine.summary.lines.iter().map(move |line| (machine, line)));
    let rows = lines.map(|(machine, line)| {
        let rate = millions(line.rate);
        vec![
            Cell::text(&machine.label),
            Cell::text(&line.work.workload),
            Cell::number(line.work.threads as f64, 0),
            Cell::three_digits(rate.median),
            Cell::range(rate, three_digits),
            Cell::number(100.0 * line.deviation, 2),
            Cell::number(100.0 * line.drift.0, 1),
            Cell::number(line.scaling, 2),
            Cell::number(line.score, 1),
            Cell::number(line.rounds as f64, 0),
            Cell::text(&line.work.unit),
        ]
    });
    PageTable::new(
        "All measurements, in millions per second. Drift: how far a rate wandered during the run. MAD: the median distance of \
         the rounds from their median",
        &["machine", "workload", "threads"],
        &["M/s", "interval", "MAD, %", "drift, %", "scaling", "score", "rounds", "unit"],
        rows.collect(),
    )
}
