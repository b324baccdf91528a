//! Costs of hashing schemes: on the hot path, with one picture per varied property, and for a full recompute.

use crate::compare::json::{CompareDocument, TimedScheme};
use crate::page::axis::{Axis, Scale};
use crate::page::chart::{BarChart, BarRow, Fill, Group, Mark};
use crate::page::format::{with_decimals, with_sign};
use crate::page::model::{Cell, Chart, Figure, PageTable, Section};
use perft_gate_lab::measure::{CostTable, Interval};

/// Returns a suffix that names the machine of a comparison, or an empty string if there is only one comparison.
fn on(compare: &CompareDocument, comparisons: &[CompareDocument]) -> String {
    if comparisons.len() > 1 { format!(", {}", compare.machine.hardware.model()) } else { String::new() }
}

pub(super) fn section(comparisons: &[CompareDocument]) -> Option<Section> {
    let figures = comparisons.iter().flat_map(|compare| {
        let on = on(compare, comparisons);
        compare.tables.iter().map(move |table| figure(compare, table, &on))
    });
    let figures: Vec<Figure> = figures.collect();
    (!figures.is_empty()).then(|| Section {
        figures,
        more: comparisons.iter().map(|compare| numbers(compare, &on(compare, comparisons))).collect(),
        ..Section::new(
            "costs",
            "What hashing schemes cost",
            "Nanoseconds that a scheme adds to making and unmaking a node with its key, compared with another scheme \
             in the same rounds. Each picture varies one thing.",
        )
    })
}

/// Removes the reference's name from the start of `name`. Of a single change `property=value`, only the value remains.
fn short(name: &str, reference: &str) -> String {
    let changed = name.strip_prefix(reference).and_then(|rest| rest.strip_prefix(','));
    let value = changed.filter(|changed| !changed.contains(',')).and_then(|changed| changed.split_once('='));
    value.map_or(changed.unwrap_or(name), |(_, value)| value).trim().into()
}

fn figure(compare: &CompareDocument, table: &CostTable, on: &str) -> Figure {
    let reference = &compare.contestants[table.reference];
    let noise = table.floor * reference.ns_per_node;
    let noise = Interval { low: -noise, median: 0.0, high: noise };
    let mut ends = vec![0.0, noise.low, noise.high];
    let rows = table.comparisons.iter().map(|comparison| {
        let cost = compare.extra_ns(table, comparison);
        ends.extend([cost.low, cost.high]);
        let fill = if matches!(comparison.verdict.name(), "slower" | "faster") { Fill::Full } else { Fill::Hollow };
        let label = short(&compare.contestants[comparison.contestant].name, &reference.name);
        let dot = Mark::Dot(cost.median, 0, fill);
        let marks = vec![Mark::Band(noise.low, noise.high), Mark::Whisker(cost, Some(0)), dot];
        BarRow { label, marks, note: with_sign(cost.median, 2) }
    });
    let groups = vec![Group { label: String::new(), rows: rows.collect() }];
    let key = [
        (Mark::Dot(0.5, 0, Fill::Full), "clearly beyond the noise"),
        (Mark::Dot(0.5, 0, Fill::Hollow), "not clearly"),
        (Mark::Band(0.0, 1.0), "noise floor"),
    ];
    Figure {
        title: format!("{}{on}", table.title),
        chart: Chart::Bars(BarChart {
            key: key.to_vec(),
            axis: Axis::around("extra nanoseconds per node, lower is better", Scale::Linear, ends),
            reference: Some((0.0, reference.name.clone())),
            groups,
        }),
    }
}

/// Returns a table of the numbers in the pictures. For each picture, the reference scheme comes first.
fn numbers(compare: &CompareDocument, on: &str) -> PageTable {
    let scheme = |table: &CostTable, place: usize, extra_ns: f64| {
        let TimedScheme { name, table_bytes, .. } = &compare.contestants[place];
        let (title, bytes) = (Cell::text(&table.title), Cell::number(*table_bytes as f64, 0));
        let time = compare.contestants[table.reference].ns_per_node + extra_ns;
        vec![title, Cell::text(name), bytes, Cell::number(time, 2)]
    };
    let rows = |table: &CostTable| {
        let missing = vec![Cell::Missing, Cell::Missing, Cell::Missing, Cell::text("reference")];
        let mut rows = vec![[scheme(table, table.reference, 0.0), missing].concat()];
        rows.extend(table.comparisons.iter().map(|comparison| {
            let extra = compare.extra_ns(table, comparison);
            let compared = vec![
                Cell::number(extra.median, 2),
                Cell::range(extra, |end| with_decimals(end, 2)),
                Cell::number(comparison.ratio.median, 3),
                Cell::text(comparison.verdict.name()),
            ];
            [scheme(table, comparison.contestant, extra.median), compared].concat()
        }));
        rows
    };
    let columns = ["table, bytes", "ns per node", "more, ns", "interval", "time by reference", "verdict"];
    let rows = compare.tables.iter().flat_map(rows).collect();
    PageTable::new(format!("Costs of hashing schemes{on}"), &["varied", "scheme"], &columns, rows)
}

/// Returns the section about the full recompute of a key.
pub(super) fn recompute(comparisons: &[CompareDocument]) -> Option<Section> {
    let table = |compare: &CompareDocument| {
        // The `none` scheme has no keys, so it has no times.
        let timed = || compare.contestants.iter().filter(|contestant| !contestant.recompute.is_empty());
        let levels: Vec<&str> = timed().take(1).flat_map(|one| &one.recompute).map(|times| &times.level[..]).collect();
        let rows = timed().map(|contestant| {
            let batch =
                |level: &&str| contestant.recompute.iter().find(|one| one.level == *level).map(|one| one.batch_ns);
            let scalar = contestant.recompute.last().map(|one| one.scalar_ns);
            let cells = levels.iter().map(batch).chain([scalar]).map(|time| Cell::number(time, 1));
            [Cell::text(&contestant.name)].into_iter().chain(cells).collect()
        });
        let columns: Vec<String> =
            levels.iter().map(|level| format!("batch, {level}, ns")).chain(["one by one, ns".into()]).collect();
        let caption = format!("Nanoseconds per board{}", on(compare, comparisons));
        PageTable::new(caption, &["scheme"], &columns, rows.collect())
    };
    let tables: Vec<PageTable> = comparisons.iter().map(table).filter(|table| !table.rows.is_empty()).collect();
    (!tables.is_empty()).then(|| Section {
        tables,
        ..Section::new(
            "recompute",
            "What a full recompute costs",
            "Nanoseconds to compute a board's key from its squares alone: for a batch of siblings, at each level of \
             instructions, and for one board at a time, with portable code. The check of every node pays this; an engine \
             pays it once per position.",
        )
    })
}
