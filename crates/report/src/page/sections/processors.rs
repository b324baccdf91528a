//! Machines by their processors, as a list to look one up.

use super::machine::PageMachine;
use super::standing::{Standing, Threads};
use super::summary::day;
use crate::page::model::{Cell, PageTable, Section};

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let mut table =
        PageTable::new("By processor", &["processor", "machine"], &["threads", "one thread", "all threads"])
            .with_text("measured");
    let mut sorted: Vec<&PageMachine<'_>> = machines.iter().collect();
    sorted.sort_by_key(|machine| (machine.record.machine.hardware.model().to_lowercase(), machine.label.clone()));
    for machine in sorted {
        let score = |threads| {
            Cell::or_missing(Standing::of(&machine.summary, threads).map(|standing| standing.score.median), 1)
        };
        table.rows.push(vec![
            Cell::text(machine.record.machine.hardware.model()),
            Cell::Name { name: machine.label.clone(), detail: String::new(), link: machine.link.clone() },
            Cell::Count(machine.record.machine.hardware.threads as u128),
            score(Threads::One),
            score(Threads::All),
            Cell::text(day(&machine.record.started)),
        ]);
    }
    (!table.rows.is_empty()).then(|| Section {
        id: "processors",
        title: "By processor",
        text: vec!["In alphabetical order; with scripts, a field above a long table searches it.".into()],
        tables: vec![table],
        ..Section::default()
    })
}
