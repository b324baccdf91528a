//! Machines side by side: how many times as fast as the first, on one scale.
//!
//! Equal numbers of threads are compared by [`diff`]; all threads of each, which are not as many, by the rates' intervals.

use super::machine::{Machine, workloads};
use crate::bench::diff::{Pair, diff};
use crate::measure::Interval;
use crate::page::chart::{Axis, Chart, Fill, Group, Mark, Role, Row, Rows, Scale};
use crate::page::format::fixed;
use crate::page::model::{Cell, Figure, Section, Size, Table};
use rayon::prelude::*;

/// The same work on two machines.
struct Beside {
    /// How many times as fast.
    speed: Interval,
    /// What can be said, and beyond which part of the time it is.
    judged: Option<(String, f64)>,
}

pub(super) fn section(machines: &[Machine<'_>]) -> Option<Section> {
    let (first, others) = machines.split_first().filter(|(_, others)| !others.is_empty())?;
    let mut notes = Vec::new();
    let pairs: Vec<Vec<Pair>> = others
        .par_iter()
        .map(|other| diff(first.record, other.record).map(|diff| diff.pairs).map_err(|error| error.to_string()))
        .collect::<Vec<_>>()
        .into_iter()
        .zip(others)
        .map(|(pairs, other)| {
            pairs.unwrap_or_else(|error| {
                notes.push(format!("{} is not compared: {error}.", other.label));
                Vec::new()
            })
        })
        .collect();
    let mut table = Table::new(
        format!("Times as fast as {}", first.label),
        &["workload", "threads", "machine"],
        &["times as fast", "interval from", "to", "noise floor, %"],
    )
    .with_text("verdict");
    let mut ends = vec![1.0];
    let mut groups = Vec::new();
    for (workload, alone) in workloads(machines).iter().flat_map(|workload| [(workload, true), (workload, false)]) {
        if !alone && machines.iter().all(|machine| machine.most_threads(workload) <= 1) {
            continue;
        }
        let rows = others.iter().zip(&pairs).map(|(other, pairs)| {
            let (found, counts) = beside(first, other, pairs, workload, alone);
            let names = [Cell::text(workload), Cell::text(&counts), Cell::text(&other.label)];
            let (cells, row) = match found {
                None => {
                    (vec![Cell::Missing; 5], Row { label: other.label.clone(), marks: Vec::new(), note: String::new() })
                }
                Some(Beside { speed: Interval { low, median, high }, judged }) => {
                    ends.extend([low, high]);
                    let (verdict, floor) = judged.unzip();
                    let cells = vec![
                        Cell::number(median, 3),
                        Cell::number(low, 3),
                        Cell::number(high, 3),
                        Cell::or_missing(floor.map(|floor| 100.0 * floor), 1),
                        verdict.clone().map_or(Cell::Missing, Cell::Text),
                    ];
                    let says = low > 1.0 || high < 1.0;
                    let fill = if says { Fill::Full } else { Fill::Hollow };
                    let marks = vec![
                        Mark::Whisker(low, high, Role::Series(other.series)),
                        Mark::Dot(median, other.series, fill),
                    ];
                    (cells, Row { label: other.label.clone(), marks, note: format!("{}×", fixed(median, 2)) })
                }
            };
            table.rows.push(names.into_iter().chain(cells).collect());
            row
        });
        let rows: Vec<Row> = rows.collect();
        let kind = if alone { "one thread" } else { "all threads of each" };
        groups.push(Group { label: format!("{workload}, {kind}"), rows });
    }
    let rows = Rows {
        key: Vec::new(),
        axis: Axis::around("times as fast", Scale::Log, ends),
        reference: Some((1.0, "equal".into())),
        groups,
    };
    let mut text = vec![format!(
        "Every other machine beside {}, all on one logarithmic scale: to the right is faster. Lines are intervals; a ring has \
         1 within its interval. The runs were not made by turns, so a machine that was busy looks slower than it is.",
        first.label
    )];
    text.extend(notes);
    Some(Section {
        id: "ratios",
        title: "Side by side",
        text,
        figures: vec![Figure {
            title: format!("Speed beside {}", first.label),
            description: format!("Dots with intervals: how many times as fast as {} each machine is.", first.label),
            size: Size::Full,
            chart: Chart::Rows(rows),
            table,
        }],
        ..Section::default()
    })
}

/// A workload on one thread of two machines, or on all of each; and on how many that is.
fn beside(
    first: &Machine<'_>,
    other: &Machine<'_>,
    pairs: &[Pair],
    workload: &str,
    alone: bool,
) -> (Option<Beside>, String) {
    let [old, new] = if alone { [1, 1] } else { [first, other].map(|machine| machine.most_threads(workload)) };
    let counts = match (old, new) {
        (0, _) | (_, 0) => "–".into(),
        (old, new) if old == new => old.to_string(),
        (old, new) => format!("{old} and {new}"),
    };
    let pair = pairs.iter().find(|pair| pair.work.workload == workload && pair.work.threads == old && old == new);
    if let Some(pair) = pair {
        let speed =
            Interval { low: 1.0 / pair.ratio.high, median: 1.0 / pair.ratio.median, high: 1.0 / pair.ratio.low };
        let judged = pair.verdict.map(|verdict| (verdict.name().into(), pair.floor.part()));
        return (Some(Beside { speed, judged }), counts);
    }
    let [old, new] = [first.line(workload, old), other.line(workload, new)];
    let speed = old.zip(new).filter(|(old, new)| old.work.version == new.work.version && !pairs.is_empty());
    let speed = speed.map(|(old, new)| Interval {
        low: new.rate.low / old.rate.high,
        median: new.rate.median / old.rate.median,
        high: new.rate.high / old.rate.low,
    });
    (speed.map(|speed| Beside { speed, judged: None }), counts)
}
