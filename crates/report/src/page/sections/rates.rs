//! Speed of each machine, workload by workload, and the table of all measurements.

use super::machine::{Machine, threads, unit, workloads};
use crate::page::chart::{Axis, BarRow, Chart, Group, Mark, Role, Rows};
use crate::page::format::{list, three_digits};
use crate::page::model::{Cell, Figure, PageTable, Section, Size};

const MILLION: f64 = 1e6;

/// Bars that a picture shows: a machine's bar lies among those of other machines on as many threads, or, if it is
/// alone, beside its own on more threads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// One thread and all threads.
    Both,
    /// One thread.
    Alone,
    /// All threads.
    All,
}

pub(super) fn section(machines: &[Machine<'_>]) -> Option<Section> {
    let workloads = workloads(machines);
    if workloads.is_empty() {
        return None;
    }
    let shown = |workload: &String| match machines {
        [_] => vec![Shown::Both],
        several if several.iter().all(|machine| machine.most_threads(workload) <= 1) => vec![Shown::Alone],
        _ => vec![Shown::Alone, Shown::All],
    };
    let figures = workloads.iter().flat_map(|workload| shown(workload).into_iter().map(move |shown| (workload, shown)));
    Some(Section {
        id: "rates",
        title: "Speed",
        text: vec![
            "Medians of all rounds, each pass with its count checked. The mark at a bar's end is the interval of its median; \
             where it is too narrow to see, the number is that certain. Each picture has its own unit and its own scale: \
             leaves, nodes and positions are different work."
                .into(),
        ],
        figures: figures.map(|(workload, shown)| figure(machines, workload, shown)).collect(),
        ..Section::default()
    })
}

/// Returns the table of every number of every record.
pub(super) fn all_measurements(machines: &[Machine<'_>]) -> Option<Section> {
    let table = everything(machines);
    (!table.rows.is_empty()).then(|| Section {
        id: "measurements",
        title: "All measurements",
        text: vec![
            "Drift is how far a rate wandered during the run; MAD is the median distance of the rounds from their median."
                .into(),
        ],
        tables: vec![table],
        ..Section::default()
    })
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

fn figure(machines: &[Machine<'_>], workload: &str, shown: Shown) -> Figure {
    let unit = unit(machines, workload);
    let on = match shown {
        Shown::Both => "",
        Shown::Alone => ", one thread",
        Shown::All => ", all threads",
    };
    let mut table = PageTable::new(
        format!("{workload}{on}, {unit}"),
        &["machine", "threads"],
        &["median", "interval from", "to", "rounds"],
    );
    let mut highest = Vec::new();
    let mut bars = |machine: &Machine<'_>| {
        let mut counts = match shown {
            Shown::Both => vec![1, machine.most_threads(workload)],
            Shown::Alone => vec![1],
            Shown::All => vec![machine.most_threads(workload)],
        };
        counts.dedup();
        let lines: Vec<_> = counts.iter().filter_map(|&number| machine.line(workload, number)).collect();
        if lines.is_empty() {
            table.rows.push([vec![Cell::text(&machine.label)], vec![Cell::Missing; 5]].concat());
            return vec![BarRow { label: machine.label.clone(), marks: Vec::new(), note: String::new() }];
        }
        let rows = lines.into_iter().map(|line| {
            let [low, median, high] = [line.rate.low, line.rate.median, line.rate.high].map(|rate| rate / MILLION);
            highest.push(high);
            table.rows.push(vec![
                Cell::text(&machine.label),
                Cell::Count(line.work.threads as u128),
                Cell::three_digits(median),
                Cell::three_digits(low),
                Cell::three_digits(high),
                Cell::Count(line.rounds as u128),
            ]);
            BarRow {
                label: if shown == Shown::Both { threads(line.work.threads) } else { machine.label.clone() },
                marks: vec![Mark::Bar(median, machine.series), Mark::Whisker(low, high, Role::Ink)],
                note: three_digits(median),
            }
        });
        rows.collect()
    };
    let rows: Vec<BarRow> = machines.iter().flat_map(&mut bars).collect();
    let names: Vec<String> = machines.iter().map(|machine| machine.label.clone()).collect();
    Figure {
        title: match shown {
            // The picture for one thread, beside it, says what is counted.
            Shown::All => format!("{workload}{on}"),
            Shown::Alone | Shown::Both => format!("{workload}{on}: {}", meaning(workload)),
        },
        description: format!("Bars: {unit} in {workload}{on} on {}, with intervals.", list(&names)),
        size: Size::Small,
        chart: Chart::Rows(Rows {
            key: Vec::new(),
            axis: Axis::from_zero(unit, highest),
            reference: None,
            groups: vec![Group { label: String::new(), rows }],
        }),
        table,
    }
}

fn everything(machines: &[Machine<'_>]) -> PageTable {
    let mut table = PageTable::new(
        "Rates and how they vary, in millions a second",
        &["machine", "workload", "threads", "kind of core"],
        &["M/s", "from", "to", "MAD, %", "drift, %", "scaling", "score", "rounds"],
    )
    .with_text("unit");
    for machine in machines {
        for line in &machine.summary.lines {
            let [low, median, high] = [line.rate.low, line.rate.median, line.rate.high].map(|rate| rate / MILLION);
            table.rows.push(vec![
                Cell::text(&machine.label),
                Cell::text(&line.work.workload),
                Cell::Count(line.work.threads as u128),
                line.work.kind.as_ref().map_or(Cell::Missing, Cell::text),
                Cell::three_digits(median),
                Cell::three_digits(low),
                Cell::three_digits(high),
                Cell::number(100.0 * line.deviation, 2),
                Cell::number(100.0 * line.drift.0, 1),
                Cell::or_missing(line.scaling, 2),
                Cell::or_missing(line.score, 1),
                Cell::Count(line.rounds as u128),
                Cell::text(&line.work.unit),
            ]);
        }
    }
    let mut table = table.without_empty_columns();
    if machines.len() == 1 && !table.rows.is_empty() {
        // The page's title says which machine.
        table.columns.remove(0);
        table.rows.iter_mut().for_each(|row| drop(row.remove(0)));
    }
    table
}
