//! Conditions of the runs: what else the machines did, and how warm and fast they were.

use super::machine::PageMachine;
use crate::page::format::list;
use crate::page::model::{Cell, PageTable, Section};
use perft_gate_machine::{Conditions, Readings};

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let told: Vec<(&PageMachine<'_>, &Conditions)> =
        machines.iter().filter_map(|machine| Some((machine, machine.record.conditions.as_ref()?))).collect();
    if told.is_empty()
        && machines.iter().all(|machine| machine.record.placement.is_none() && machine.record.note.is_none())
    {
        return None;
    }
    let mut text: Vec<String> = vec!["Means over the run, as far as the system tells; – where it does not.".into()];
    for (machine, conditions) in &told {
        text.extend(
            conditions.warnings.iter().map(|warning| format!("{}: {}.", machine.label, warning.trim_end_matches('.'))),
        );
    }
    for machine in machines {
        let words = [&machine.record.placement, &machine.record.note];
        let words: Vec<String> =
            words.into_iter().flatten().map(|text| text.trim_end_matches('.').to_string()).collect();
        if !words.is_empty() && machines.len() <= FEW {
            text.push(format!("{}: {}.", machine.label, list(&words)));
        }
    }
    let table = table(&told);
    let tables = if table.rows.is_empty() { Vec::new() } else { vec![table] };
    Some(Section { id: "conditions", title: "Conditions", text, tables, ..Section::default() })
}

/// Most machines whose notes are shown.
const FEW: usize = 20;

fn table(told: &[(&PageMachine<'_>, &Conditions)]) -> PageTable {
    let mut table = PageTable::new(
        "What else the machine did, and how fast and warm it was",
        &["machine"],
        &["load", "other programs, %", "stolen by the host, %", "GHz, one thread", "GHz, all threads", "°C"],
    );
    let mean = |readings: Option<Readings>, factor: f64, digits| {
        Cell::or_missing(readings.map(|readings| factor * readings.mean), digits)
    };
    for (machine, conditions) in told {
        let Conditions { load, steal, others, clock_ghz, clock_all_ghz, celsius, .. } = conditions;
        table.rows.push(vec![
            Cell::text(&machine.label),
            mean(*load, 1.0, 2),
            mean(*others, 100.0, 1),
            mean(*steal, 100.0, 1),
            mean(*clock_ghz, 1.0, 2),
            mean(*clock_all_ghz, 1.0, 2),
            mean(*celsius, 1.0, 0),
        ]);
    }
    table.without_empty_columns()
}
