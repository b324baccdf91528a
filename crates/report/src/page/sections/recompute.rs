//! Cost of a full recompute of a key, by scheme and SIMD level.

use crate::compare::json::CompareDocument;
use crate::page::chart::{Axis, BarChart, BarRow, Chart, ChartKey, Fill, Group, Mark};
use crate::page::format::fixed;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};

pub(super) fn section(comparisons: &[CompareDocument]) -> Option<Section> {
    let several = comparisons.len() > 1;
    let figures = comparisons.iter().filter_map(|compare| {
        let on = if several { format!(": {}", compare.machine.hardware.model()) } else { String::new() };
        figure(compare, &on)
    });
    let figures: Vec<Figure> = figures.collect();
    (!figures.is_empty()).then(|| Section {
        id: "recompute",
        title: "What a full recompute costs",
        text: vec![
            "Nanoseconds to compute a board's key from its squares alone: of siblings together, at each level of \
             instructions, and one by one. The check of every node pays this; an engine pays it once a position."
                .into(),
        ],
        figures,
        ..Section::default()
    })
}

fn figure(compare: &CompareDocument, on: &str) -> Option<Figure> {
    let timed = || compare.contestants.iter().filter(|contestant| !contestant.recompute.is_empty());
    let mut levels: Vec<String> = Vec::new();
    for recompute in timed().flat_map(|contestant| &contestant.recompute) {
        if !levels.contains(&recompute.level) {
            levels.push(recompute.level.clone());
        }
    }
    let names: Vec<String> =
        levels.iter().map(|level| format!("batch, {level}")).chain(["one by one".into()]).collect();
    let numbers: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut table = PageTable::new(format!("Nanoseconds a board{on}"), &["scheme"], &numbers);
    let mut values = Vec::new();
    // Portable code may be equally fast in both ways: a ring leaves the other mark visible.
    let mark = |cost: f64, series: usize| {
        Mark::Dot(cost, series, if series < levels.len() { Fill::Full } else { Fill::Hollow })
    };
    let rows = timed().map(|contestant| {
        let at = |level: &String| contestant.recompute.iter().find(|one| one.level == *level).map(|one| one.batch_ns);
        let scalar = contestant.recompute.last().map(|one| one.scalar_ns);
        let costs: Vec<Option<f64>> = levels.iter().map(at).chain([scalar]).collect();
        values.extend(costs.iter().flatten());
        let cells = costs.iter().map(|cost| Cell::or_missing(*cost, 1));
        table.rows.push([Cell::text(&contestant.name)].into_iter().chain(cells).collect());
        let marks = costs.iter().enumerate().filter_map(|(series, cost)| Some(mark((*cost)?, series)));
        let best = costs.iter().flatten().copied().fold(f64::MAX, f64::min);
        BarRow { label: contestant.name.clone(), marks: marks.collect(), note: fixed(best, 1) }
    });
    let rows: Vec<BarRow> = rows.collect();
    if rows.is_empty() {
        return None;
    }
    let key = names.iter().enumerate();
    let key = key.map(|(series, name)| ChartKey { mark: mark(0.0, series), label: name.clone() });
    Some(Figure {
        title: format!("Full recompute of a key{on}"),
        description: "Dots: nanoseconds a board, by scheme and level; the number is the least.".into(),
        size: Size::Full,
        chart: Chart::Bars(BarChart {
            key: key.collect(),
            axis: Axis::of_sizes(["nanoseconds a board", "fewer is better"], values),
            reference: None,
            groups: vec![Group::new("", rows)],
        }),
        table,
    })
}
