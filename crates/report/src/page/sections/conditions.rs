//! Conditions of the runs: load, temperature and clock speed of each machine, and its properties.

use super::machines::{PageMachine, SHOWN, machines_in_pictures};
use crate::page::format::list;
use crate::page::model::{Cell, PageTable, Section};
use perft_gate_bench::diff::fingerprint;
use perft_gate_machine::{Conditions, Readings};

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let notes = machines.iter().filter(|_| machines.len() <= SHOWN).filter_map(|machine| {
        let words = [&machine.record.placement, &machine.record.note].into_iter().flatten();
        let words: Vec<String> = words.map(|text| text.trim_end_matches('.').to_string()).collect();
        (!words.is_empty()).then(|| format!("{}: {}.", machine.label, list(&words)))
    });
    let notes: Vec<String> = notes.collect();
    let mean = |of: Option<Readings>, factor, digits| Cell::number(of.map(|readings| factor * readings.mean), digits);
    let rows = machines.iter().filter_map(|machine| {
        let Conditions { load, steal, others, clock_ghz, clock_all_ghz, celsius, .. } =
            machine.record.conditions.as_ref()?;
        Some(vec![
            Cell::text(&machine.label),
            mean(*load, 1.0, 2),
            mean(*others, 100.0, 1),
            mean(*steal, 100.0, 1),
            mean(*clock_ghz, 1.0, 2),
            mean(*clock_all_ghz, 1.0, 2),
            mean(*celsius, 1.0, 0),
        ])
    });
    let columns = ["load", "other programs, %", "stolen by the host, %", "GHz, one thread", "GHz, all threads", "°C"];
    let table = PageTable::new("Load, clock speed and temperature", &["machine"], &columns, rows.collect());
    let intro = "Means over the run, as far as the system reports them; – where it does not.";
    (!notes.is_empty() || !table.rows.is_empty()).then(|| Section {
        text: [intro.into()].into_iter().chain(notes).collect(),
        tables: if table.rows.is_empty() { Vec::new() } else { vec![table] },
        ..Section::new("conditions", "Conditions", "")
    })
}

/// Returns the section with the machines' properties, one column per machine.
pub(super) fn properties(machines: &[PageMachine<'_>]) -> Option<Section> {
    // A table with more than `SHOWN` columns would be unreadable.
    let machines = machines_in_pictures(machines);
    let columns = machines.iter().map(|machine| {
        let started = ("started", machine.record.started.clone());
        [started].into_iter().chain(fingerprint(machine.record)).collect()
    });
    let columns: Vec<Vec<(&str, String)>> = columns.collect();
    let rows = columns.first()?.iter().enumerate().map(|(at, (name, _))| {
        let values = columns.iter().map(|column| match column[at].1.as_str() {
            "not available" | "" => Cell::Missing,
            value => Cell::text(value),
        });
        [Cell::text(*name)].into_iter().chain(values).collect()
    });
    let is_reported = |row: &Vec<Cell>| row[1..].iter().any(|cell| *cell != Cell::Missing);
    let rows = rows.filter(is_reported).collect();
    let labels: Vec<&str> = machines.iter().map(|machine| machine.label.as_str()).collect();
    Some(Section {
        tables: vec![PageTable::new("Properties", &[""], &labels, rows)],
        ..Section::new("machines", "Machines", "Properties as the system reports them; – if it does not.")
    })
}
