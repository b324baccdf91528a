//! Rates over a long time: what heat does.

use super::machine::{PageMachine, shown};
use crate::page::chart::{Axis, Chart, ColorRole, Curve, CurveChart, Markers, Point, Scale};
use crate::page::format::fixed;
use crate::page::format::threads;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};
use perft_gate_machine::record::Sustained;

const MILLION: f64 = 1e6;
const SECOND: f64 = 1e3;
const MINUTE: f64 = 60e3;

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let all: Vec<(&PageMachine<'_>, &Sustained)> = shown(machines)
        .into_iter()
        .flat_map(|machine| machine.record.sustained.iter().map(move |sustained| (machine, sustained)))
        .filter(|(_, sustained)| !sustained.stretches.is_empty())
        .collect();
    let mut workloads: Vec<&str> = all.iter().map(|(_, sustained)| sustained.workload.as_str()).collect();
    workloads.sort_unstable();
    workloads.dedup();
    let figures = workloads.into_iter().map(|workload| {
        let of_it: Vec<_> = all.iter().filter(|(_, sustained)| sustained.workload == workload).copied().collect();
        figure(workload, &of_it)
    });
    let figures: Vec<Figure> = figures.collect();
    (!figures.is_empty()).then(|| Section {
        id: "sustained",
        title: "Rate over time",
        text: vec![
            "One workload on all threads for a long time: a curve that falls is heat, a power budget that runs out, or a \
             neighbour that wakes. The axis begins at zero, so that a fall is as large as it looks."
                .into(),
        ],
        figures,
        ..Section::default()
    })
}

fn figure(workload: &str, all: &[(&PageMachine<'_>, &Sustained)]) -> Figure {
    let longest = all.iter().flat_map(|(_, sustained)| &sustained.stretches).map(|stretch| stretch.at_ms).max();
    let (unit_of_time, unit_ms) =
        if longest.unwrap_or(0) as f64 > 2.0 * MINUTE { ("minutes", MINUTE) } else { ("seconds", SECOND) };
    let mut table = PageTable::new(
        format!("{workload} over time"),
        &["machine", "threads"],
        &[unit_of_time, "first, M/s", "lowest, M/s", "last, M/s", "last by first, %", "°C at the end"],
    );
    let mut curves = Vec::new();
    for (machine, sustained) in all {
        let points = sustained
            .stretches
            .iter()
            .map(|stretch| Point { x: stretch.at_ms as f64 / unit_ms, y: stretch.rate() / MILLION });
        let points: Vec<Point> = points.collect();
        let [first, last] = [points[0].y, points[points.len() - 1].y];
        let end = sustained.stretches[points.len() - 1].clone();
        table.rows.push(vec![
            Cell::text(&machine.label),
            Cell::Count(sustained.threads as u128),
            Cell::number((end.at_ms as f64 + end.ns as f64 / MILLION) / unit_ms, 1),
            Cell::three_digits(first),
            Cell::three_digits(points.iter().map(|point| point.y).fold(f64::MAX, f64::min)),
            Cell::three_digits(last),
            Cell::number(100.0 * last / first, 1),
            Cell::or_missing(end.celsius, 0),
        ]);
        let role = ColorRole::Series(machine.series);
        curves.push(Curve { label: machine.label.clone(), role, markers: Markers::None, points });
    }
    let all_points = || curves.iter().flat_map(|line| &line.points);
    let unit = &all[0].1.unit;
    let falls = all.first().map_or(String::new(), |(machine, sustained)| {
        let [first, last] =
            [sustained.stretches.first(), sustained.stretches.last()].map(|at| at.map_or(1.0, |at| at.rate()));
        format!("{}: the last stretch has {} % of the first one's rate.", machine.label, fixed(100.0 * last / first, 0))
    });
    let upwards =
        Axis::from_zero(format!("million {unit} a second, higher is better"), all_points().map(|point| point.y));
    let across = Axis::around(unit_of_time, Scale::Linear, all_points().map(|point| point.x));
    Figure {
        title: format!("{workload} on {}: higher is better", threads(all[0].1.threads)),
        description: format!("Curves: the rate over time. {falls}"),
        size: Size::Full,
        chart: Chart::Curves(CurveChart { across, upwards, lines: curves }),
        table: table.without_empty_columns(),
    }
}
