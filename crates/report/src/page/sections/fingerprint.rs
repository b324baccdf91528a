//! Machines and builds behind the measurements.

use super::machine::PageMachine;
use crate::page::model::{Cell, Column, ColumnRole, PageTable, Section};
use perft_gate_bench::diff::fingerprint;

/// Most machines that have a column each; more have a row each.
const COLUMNS: usize = 4;

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let names = fingerprint(machines.first()?.record).into_iter().map(|(name, _)| name);
    let names: Vec<&str> = ["started"].into_iter().chain(names).collect();
    let rows = machines.iter().map(|machine| {
        let fields = fingerprint(machine.record).into_iter().map(|(_, value)| match value.as_str() {
            "not available" | "" => Cell::Missing,
            _ => Cell::Text(value),
        });
        [Cell::text(&machine.record.started)].into_iter().chain(fields).collect()
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let labels: Vec<&str> = machines.iter().map(|machine| machine.label.as_str()).collect();
    let table =
        if machines.len() <= COLUMNS { in_columns(&names, &labels, &rows) } else { in_rows(&names, &labels, &rows) };
    Some(Section {
        id: "fingerprints",
        title: "Machines",
        text: vec!["Properties as reported by the system; – if it does not report them.".into()],
        tables: vec![table],
        ..Section::default()
    })
}

/// Returns a table with a column for each machine.
fn in_columns(names: &[&str], labels: &[&str], rows: &[Vec<Cell>]) -> PageTable {
    let column = |role: ColumnRole| move |title: &str| Column { title: title.into(), role };
    let columns =
        [column(ColumnRole::Name)("")].into_iter().chain(labels.iter().copied().map(column(ColumnRole::Text)));
    let mut table = PageTable { caption: "Fingerprints".into(), columns: columns.collect(), ..PageTable::default() };
    for (number, name) in names.iter().enumerate() {
        let values = rows.iter().map(|row| row[number].clone());
        let row: Vec<Cell> = [Cell::text(*name)].into_iter().chain(values).collect();
        table.rows.push(row);
    }
    table
}

/// Returns a table with a row for each machine.
fn in_rows(names: &[&str], labels: &[&str], rows: &[Vec<Cell>]) -> PageTable {
    let mut table = PageTable::new("Fingerprints", &["machine"], &[]);
    table.columns.extend(names.iter().map(|name| Column { title: (*name).into(), role: ColumnRole::Text }));
    table.rows = labels
        .iter()
        .zip(rows)
        .map(|(label, row)| [Cell::text(*label)].into_iter().chain(row.iter().cloned()).collect())
        .collect();
    table.without_empty_columns()
}
