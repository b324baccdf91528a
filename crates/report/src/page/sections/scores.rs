//! Scores of the machines as a picture.

use super::machine::{PageMachine, shown};
use super::standing::{Standing, Threads};
use crate::page::chart::{BarChart, BarRow, Chart, ColorRole, Group, Mark};
use crate::page::format::fixed;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    if machines.len() < 2 {
        // The summary says it.
        return None;
    }
    let mut table = PageTable::new("Scores", &["machine", "threads"], &["score", "from", "to", "workloads"]);
    let mut values = vec![100.0];
    let mut group = |threads: Threads| {
        let mut ranked: Vec<(&PageMachine<'_>, Standing)> =
            machines.iter().filter_map(|machine| Some((machine, Standing::of(&machine.summary, threads)?))).collect();
        ranked.sort_by(|one, other| other.1.score.median.total_cmp(&one.1.score.median));
        for (machine, Standing { threads, score, workloads }) in &ranked {
            table.rows.push(vec![
                Cell::text(&machine.label),
                Cell::Count(*threads as u128),
                Cell::number(score.median, 1),
                Cell::number(score.low, 1),
                Cell::number(score.high, 1),
                Cell::Count(*workloads as u128),
            ]);
        }
        let pictured: Vec<&str> = shown(machines).iter().map(|machine| machine.label.as_str()).collect();
        let rows = ranked.iter().filter(|(machine, _)| pictured.contains(&machine.label.as_str()));
        let rows = rows.map(|(machine, Standing { score, .. })| {
            values.extend([score.low, score.high]);
            BarRow {
                label: machine.label.clone(),
                marks: vec![
                    Mark::Bar(score.median, machine.series),
                    Mark::Whisker(score.low, score.high, ColorRole::Ink),
                ],
                note: fixed(score.median, 1),
            }
        });
        Group::new(threads.name(), rows.collect())
    };
    let groups: Vec<Group> = Threads::BOTH.into_iter().map(&mut group).filter(|group| !group.rows.is_empty()).collect();
    if table.rows.is_empty() {
        return None;
    }
    let rows = BarChart::of_sizes(["score", "higher is better"], values, groups);
    let rows = BarChart { reference: Some((100.0, "reference".into())), ..rows };
    Some(Section {
        id: "scores",
        title: "Scores",
        text: vec!["The fastest first.".into()],
        figures: vec![Figure {
            title: "Score on one thread, and on all, each against the reference's own: higher is better".into(),
            description: "Bars: the score of each machine with its interval, beside 100, the reference.".into(),
            size: Size::Full,
            chart: Chart::Bars(rows),
            table,
        }],
        ..Section::default()
    })
}
