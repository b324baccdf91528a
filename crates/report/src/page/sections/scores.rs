//! Scores of the machines.

use super::machine::{Machine, threads};
use crate::page::chart::{Axis, BarRow, Chart, Group, Mark, Rows};
use crate::page::format::fixed;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};

pub(super) fn section(machines: &[Machine<'_>]) -> Option<Section> {
    let mut table = PageTable::new("Scores", &["machine", "threads"], &["score", "workloads"]);
    let mut values = vec![100.0];
    let group = |machine: &Machine<'_>| {
        let rows = machine.summary.scores.iter().map(|score| {
            values.push(score.score);
            table.rows.push(vec![
                Cell::text(&machine.label),
                Cell::Count(score.threads as u128),
                Cell::number(score.score, 1),
                Cell::Count(score.workloads as u128),
            ]);
            BarRow {
                label: threads(score.threads),
                marks: vec![Mark::Bar(score.score, machine.series)],
                note: fixed(score.score, 1),
            }
        });
        Group { label: machine.label.clone(), rows: rows.collect() }
    };
    let groups: Vec<Group> = machines.iter().map(group).collect();
    if table.rows.is_empty() {
        return None;
    }
    let rows = Rows {
        key: Vec::new(),
        axis: Axis::from_zero("score, 100 is the reference machine", values),
        reference: Some((100.0, "reference".into())),
        groups,
    };
    Some(Section {
        id: "scores",
        title: "Scores",
        text: vec![
            "The geometric mean of the rates by those of the reference machine: one thread against its one, all against its \
             all. The yardstick does not count."
                .into(),
        ],
        figures: vec![Figure {
            title: "Score on one thread, and on all".into(),
            description: "Bars: the score of each machine beside 100, the reference.".into(),
            size: Size::Full,
            chart: Chart::Rows(rows),
            table,
        }],
        ..Section::default()
    })
}
