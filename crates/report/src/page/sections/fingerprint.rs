//! Machines and builds behind the measurements.

use super::machine::Machine;
use crate::page::model::{Cell, Column, PageTable, Role, Section};
use perft_gate_lab::bench::diff::{KINDS, fingerprint};

pub(super) fn section(machines: &[Machine<'_>]) -> Option<Section> {
    let fields: Vec<_> = machines.iter().map(|machine| fingerprint(machine.record)).collect();
    let first = fields.first()?;
    let column = |role: Role| move |title: &str| Column { title: title.into(), role };
    let labels = machines.iter().map(|machine| machine.label.as_str());
    let columns = [column(Role::Name)("")].into_iter().chain(labels.map(column(Role::Text)));
    let mut table = PageTable { caption: "Fingerprints".into(), columns: columns.collect(), rows: Vec::new() };
    let dates = machines.iter().map(|machine| Cell::text(&machine.record.started));
    table.rows.push([Cell::text("started")].into_iter().chain(dates).collect());
    for (number, (name, _)) in first.iter().enumerate() {
        let values = fields.iter().map(|fields| match fields[number].1.as_str() {
            "not available" | "" => Cell::Missing,
            value => Cell::text(value),
        });
        let row: Vec<Cell> = [Cell::text(*name)].into_iter().chain(values).collect();
        // Most machines have one kind of core.
        if *name != KINDS || row[1..].iter().any(|cell| *cell != Cell::Missing) {
            table.rows.push(row);
        }
    }
    Some(Section {
        id: "fingerprints",
        title: "Machines",
        text: vec!["Properties as reported by the system; – if it does not report them.".into()],
        tables: vec![table],
        ..Section::default()
    })
}
