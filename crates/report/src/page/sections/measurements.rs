//! Table of every number of every record.

use super::machine::PageMachine;
use crate::page::model::{Cell, PageTable, Section};

const MILLION: f64 = 1e6;

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let table = table(machines);
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

fn table(machines: &[PageMachine<'_>]) -> PageTable {
    let mut table = PageTable::new(
        "Rates and how they vary, in millions a second",
        &["machine", "workload", "threads"],
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
