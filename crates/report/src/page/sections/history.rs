//! History of machines with several records: the scores by date.

use super::machine::{MachineRun, PageMachine};
use super::standing::{Standing, Threads};
use super::summary::day;
use crate::page::chart::{Axis, BarChart, BarRow, Chart, ColorRole, Fill, Group, Mark, Scale};
use crate::page::format::fixed;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};

/// Most machines, and most runs of each, in pictures: the first machines, and the latest runs.
const MACHINES: usize = 6;
const RUNS: usize = 12;

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let several: Vec<&PageMachine<'_>> = machines.iter().filter(|machine| machine.runs.len() > 1).collect();
    let tables: Vec<(&PageMachine<'_>, PageTable)> = several
        .into_iter()
        .map(|machine| (machine, table(machine)))
        .filter(|(_, table)| !table.rows.is_empty())
        .collect();
    if tables.is_empty() {
        return None;
    }
    let (figures, more) = tables.into_iter().enumerate().fold(
        (Vec::new(), Vec::new()),
        |(mut figures, mut more), (number, (machine, table))| {
            match number < MACHINES {
                true => figures.push(figure(machine, table)),
                false => more.push(table),
            }
            (figures, more)
        },
    );
    Some(Section {
        id: "history",
        title: "History",
        text: vec![
            "Records of the same hardware and label, the latest last: runs of one machine, as far as records tell. Where the \
             build is the same, what they differ by is what two runs of one machine differ by; where it is another, the \
             program may have changed."
                .into(),
        ],
        figures,
        more,
        ..Section::default()
    })
}

/// Returns the scores of a run on one and on all threads, each only once.
fn standings(run: &MachineRun<'_>) -> impl Iterator<Item = (Threads, Standing)> {
    let threads = Threads::BOTH.into_iter().take(run.summary.scores.len());
    threads.filter_map(|threads| Some((threads, Standing::of(&run.summary, threads)?)))
}

fn name(run: &MachineRun<'_>) -> String {
    let settings = &run.record.settings;
    let quick = if settings.interrupted {
        ", stopped"
    } else if settings.quick {
        ", quick"
    } else {
        ""
    };
    format!("{}, {}{quick}", day(&run.record.started), run.record.build.name())
}

fn table(machine: &PageMachine<'_>) -> PageTable {
    let mut table = PageTable::new(
        format!("Scores by date: {}", machine.label),
        &["started", "build", "run", "threads"],
        &["score", "from", "to"],
    );
    for run in &machine.runs {
        let kind = match &run.record.settings {
            settings if settings.interrupted => "stopped",
            settings if settings.quick => "quick",
            _ => "full",
        };
        for (_, Standing { threads, score, .. }) in standings(run) {
            table.rows.push(vec![
                Cell::text(&run.record.started),
                Cell::text(run.record.build.name()),
                Cell::text(kind),
                Cell::Count(threads as u128),
                Cell::number(score.median, 1),
                Cell::number(score.low, 1),
                Cell::number(score.high, 1),
            ]);
        }
    }
    table
}

fn figure(machine: &PageMachine<'_>, table: PageTable) -> Figure {
    let latest = &machine.runs[machine.runs.len().saturating_sub(RUNS)..];
    let mut ends = Vec::new();
    let groups = Threads::BOTH.map(|wanted| {
        let rows = latest.iter().filter_map(|run| {
            let (_, Standing { score, .. }) = standings(run).find(|(threads, _)| *threads == wanted)?;
            ends.extend([score.low, score.high]);
            let marks = vec![
                Mark::Whisker(score.low, score.high, ColorRole::Series(machine.series)),
                Mark::Dot(score.median, machine.series, Fill::Full),
            ];
            Some(BarRow { label: name(run), marks, note: fixed(score.median, 1) })
        });
        Group::new(wanted.name(), rows.collect())
    });
    let groups: Vec<Group> = groups.into_iter().filter(|group| !group.rows.is_empty()).collect();
    Figure {
        title: machine.label.clone(),
        description: format!("Dots with intervals: the score of each of {} runs, the latest last.", latest.len()),
        size: Size::Full,
        chart: Chart::Bars(BarChart::new(Axis::around("score, higher is better", Scale::Linear, ends), groups)),
        table,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;

    #[test]
    fn only_a_machine_with_several_records_has_a_history() {
        let mut later = reference();
        later.started = "2030-01-01T00:00:00Z".into();
        let mut records = vec![reference()];
        assert!(section(&crate::page::sections::machines::of_records(&records, None)).is_none());
        records.push(later);
        let found = section(&crate::page::sections::machines::of_records(&records, None)).expect("two runs");
        let started: Vec<String> = found.figures[0].table.rows.iter().map(|row| row[0].shown()).collect();
        assert_eq!(started[2..], ["2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z"]);
    }
}
