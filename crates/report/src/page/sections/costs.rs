//! Cost of hashing schemes on the hot path, with a picture for each axis that is varied.

use crate::compare::json::CompareDocument;
use crate::page::chart::{Axis, BarChart, BarRow, Chart, ChartKey, ColorRole, Fill, Group, Mark, Scale};
use crate::page::format::signed;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};
use perft_gate_lab::measure::{CostComparison, CostTable, Interval};

/// Maximum number of rows of a picture that stands beside another.
const FEW: usize = 8;

pub(super) fn section(comparisons: &[CompareDocument]) -> Option<Section> {
    let several = comparisons.len() > 1;
    let figures = comparisons.iter().flat_map(|compare| {
        let on = if several { format!(", {}", compare.machine.hardware.model()) } else { String::new() };
        compare.tables.iter().map(move |table| figure(compare, table, &on))
    });
    let figures: Vec<Figure> = figures.collect();
    (!figures.is_empty()).then(|| Section {
        id: "costs",
        title: "What hashing schemes cost",
        text: vec![
            "Nanoseconds that a scheme adds to a node that is made and unmade with its key, beside another scheme of the same \
             rounds. Each picture varies one thing."
                .into(),
        ],
        figures,
        ..Section::default()
    })
}

/// Shortens a scheme's name to what differs from the reference, if it is the reference with changes.
fn short(name: &str, reference: &str) -> String {
    let changed = name.strip_prefix(reference).and_then(|rest| rest.strip_prefix(','));
    let value = changed.filter(|changed| !changed.contains(',')).and_then(|changed| changed.split_once('='));
    value.map_or(changed.unwrap_or(name), |(_, value)| value).trim().into()
}

fn figure(compare: &CompareDocument, compared: &CostTable, on: &str) -> Figure {
    let reference = &compare.contestants[compared.reference];
    let noise = compared.floor * reference.ns_per_node;
    let mut ends = vec![0.0, -noise, noise];
    let rows = compared.comparisons.iter().map(|comparison| {
        let CostComparison { difference_ns: Interval { low, median, high }, verdict, .. } = comparison;
        let contestant = &compare.contestants[comparison.contestant];
        ends.extend([*low, *high]);
        let fill = if matches!(verdict.name(), "slower" | "faster") { Fill::Full } else { Fill::Hollow };
        BarRow {
            label: short(&contestant.name, &reference.name),
            marks: vec![
                Mark::Band(-noise, noise),
                Mark::Whisker(*low, *high, ColorRole::Series(0)),
                Mark::Dot(*median, 0, fill),
            ],
            note: signed(*median, 2),
        }
    });
    let rows: Vec<BarRow> = rows.collect();
    let key = [
        (Mark::Dot(0.0, 0, Fill::Full), "surely beyond the noise"),
        (Mark::Dot(0.0, 0, Fill::Hollow), "not surely"),
        (Mark::Band(0.0, 0.0), "noise floor"),
    ];
    let size = if rows.len() <= FEW { Size::Small } else { Size::Full };
    Figure {
        title: format!("{}{on}", compared.title),
        description: format!(
            "Dots with intervals: nanoseconds a node more than {}, and the noise floor of {:.1} percent.",
            reference.name,
            100.0 * compared.floor
        ),
        size,
        chart: Chart::Bars(BarChart {
            key: key.map(|(mark, label)| ChartKey { mark, label: label.into() }).to_vec(),
            axis: Axis::around("extra nanoseconds a node, fewer is better", Scale::Linear, ends),
            reference: Some((0.0, reference.name.clone())),
            groups: vec![Group::new("", rows)],
        }),
        table: figures_table(compare, compared, on),
    }
}

/// Returns the figures of a chart as a table, the reference first.
fn figures_table(compare: &CompareDocument, compared: &CostTable, on: &str) -> PageTable {
    let reference = &compare.contestants[compared.reference];
    let mut table = PageTable::new(
        format!("{}{on}", compared.title),
        &["scheme"],
        &["table, bytes", "ns a node", "more, ns", "interval from", "to", "time by reference"],
    )
    .with_text("verdict");
    table.rows.push(vec![
        Cell::text(&reference.name),
        Cell::Count(reference.table_bytes.into()),
        Cell::number(reference.ns_per_node, 2),
        Cell::Missing,
        Cell::Missing,
        Cell::Missing,
        Cell::Missing,
        Cell::text("reference"),
    ]);
    table.rows.extend(compared.comparisons.iter().map(|comparison| {
        let CostComparison { difference_ns: Interval { low, median, high }, ratio, verdict, .. } = comparison;
        let contestant = &compare.contestants[comparison.contestant];
        vec![
            Cell::text(&contestant.name),
            Cell::Count(contestant.table_bytes.into()),
            Cell::number(contestant.ns_per_node, 2),
            Cell::number(*median, 2),
            Cell::number(*low, 2),
            Cell::number(*high, 2),
            Cell::number(ratio.median, 3),
            Cell::text(verdict.name()),
        ]
    }));
    table
}
