//! The latencies of equal tasks, which a median rate does not show, and rates over a long time.

use super::machines::{PageMachine, machines_in_pictures};
use crate::page::axis::{Axis, Scale};
use crate::page::chart::{Curve, CurveChart};
use crate::page::format::threads;
use crate::page::model::{Cell, Chart, Figure, PageTable, Section};
use perft_gate_bench::{PERCENTILES, TaskLine};
use perft_gate_machine::record::{Stretch, Sustained};
use std::collections::BTreeSet;

const MILLION: f64 = 1e6;
const MICROSECOND: f64 = 1e3;
const MINUTE: f64 = 60e3;

/// Returns the section about the times of equal tasks.
pub(super) fn tasks(machines: &[PageMachine<'_>]) -> Option<Section> {
    let cells = |is_busy: bool, count: u64, times: &mut dyn Iterator<Item = u64>| {
        let busy = Cell::text(if is_busy { "busy" } else { "idle" });
        let times = times.map(|ns| Cell::three_digits(ns as f64 / MICROSECOND));
        [busy, Cell::number(count as f64, 0)].into_iter().chain(times).collect::<Vec<_>>()
    };
    let row = |machine: &PageMachine<'_>, is_busy: bool| {
        let lines = || machine.summary.tasks.iter().filter(move |line| line.loaded == is_busy);
        let count: u64 = lines().map(|line| line.count).sum();
        let slowest = |time: &dyn Fn(&TaskLine) -> u64| lines().map(time).max().unwrap_or_default();
        let percentiles = (0..PERCENTILES.len()).map(|at| slowest(&|line| line.percentiles[at]));
        let cells = cells(is_busy, count, &mut percentiles.chain([slowest(&|line| line.longest)]));
        (count > 0).then(|| [vec![Cell::text(&machine.label)], cells].concat())
    };
    let rows = machines.iter().flat_map(|machine| [row(machine, false), row(machine, true)]).flatten();
    let rows: Vec<Vec<Cell>> = rows.collect();
    let parts = PERCENTILES.iter().map(|part| format!("{} %", 100.0 * part));
    let columns: Vec<String> = ["tasks".into()].into_iter().chain(parts).chain(["longest".into()]).collect();
    let caption = "Task latency in microseconds: each percentile on the thread where it is longest";
    let of_thread = |machine: &PageMachine<'_>, line: &TaskLine| {
        let core = Cell::number(line.core.map(|core| core as f64), 0);
        let mut times = line.percentiles.into_iter().chain([line.longest]);
        [vec![Cell::text(&machine.label), core], cells(line.loaded, line.count, &mut times)].concat()
    };
    let threads =
        machines.iter().flat_map(|machine| machine.summary.tasks.iter().map(move |line| of_thread(machine, line)));
    let (threads, keys) = (threads.collect(), ["machine", "hardware thread", "other threads"]);
    (!rows.is_empty()).then(|| Section {
        tables: vec![PageTable::new(caption, &["machine", "other threads"], &columns, rows)],
        more: vec![PageTable::new("Task latency in microseconds, by hardware thread", &keys, &columns, threads)],
        ..Section::new(
            "latency",
            "Task latency",
            "Equal small counting tasks, timed one by one on every hardware thread, while the others are idle or busy. On a \
             quiet machine the columns differ little; a tail that rises is interrupts, throttling or neighbours.",
        )
    })
}

pub(super) fn sustained_section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let all: Vec<(&PageMachine<'_>, &Sustained)> = machines_in_pictures(machines)
        .into_iter()
        .flat_map(|machine| machine.record.sustained.iter().map(move |sustained| (machine, sustained)))
        .filter(|(_, sustained)| !sustained.stretches.is_empty())
        .collect();
    let workloads: BTreeSet<&str> = all.iter().map(|(_, sustained)| sustained.workload.as_str()).collect();
    let figures = workloads.into_iter().map(|workload| {
        let of_it: Vec<_> = all.iter().filter(|(_, sustained)| sustained.workload == workload).collect();
        let curve = |(machine, sustained): &&(&PageMachine<'_>, &Sustained)| Curve {
            label: machine.label.clone(),
            series: Some(machine.series),
            points: sustained.stretches.iter().map(|at| (at.at_ms as f64 / MINUTE, at.rate() / MILLION)).collect(),
        };
        let curves: Vec<Curve> = of_it.iter().map(curve).collect();
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let unit = format!("million {} per second, higher is better", of_it[0].1.unit);
        Figure {
            title: format!("{workload} on {}", threads(of_it[0].1.threads)),
            chart: Chart::Curves(CurveChart {
                across: Axis::around("minutes", Scale::Linear, points().map(|point| point.0)),
                upwards: Axis::from_zero(unit, points().map(|point| point.1)),
                curves,
            }),
        }
    });
    let rows = all.iter().map(|(machine, sustained)| {
        let rates: Vec<f64> = sustained.stretches.iter().map(Stretch::rate).collect();
        let [first, last] = [rates[0], rates[rates.len() - 1]];
        let end = &sustained.stretches[rates.len() - 1];
        vec![
            Cell::text(&machine.label),
            Cell::text(&sustained.workload),
            Cell::number(sustained.threads as f64, 0),
            Cell::number((end.at_ms as f64 + end.ns as f64 / MILLION) / MINUTE, 1),
            Cell::three_digits(first / MILLION),
            Cell::three_digits(rates.iter().copied().fold(f64::MAX, f64::min) / MILLION),
            Cell::three_digits(last / MILLION),
            Cell::number(100.0 * last / first, 1),
            Cell::number(end.celsius, 0),
        ]
    });
    let columns = ["minutes", "first, M/s", "lowest, M/s", "last, M/s", "last by first, %", "°C at the end"];
    (!all.is_empty()).then(|| Section {
        figures: figures.collect(),
        more: vec![PageTable::new("Rates over time", &["machine", "workload", "threads"], &columns, rows.collect())],
        ..Section::new(
            "sustained",
            "Rate over time",
            "One workload on all threads for a long time: a falling curve means heat, an exhausted power budget, or \
             a neighbour that wakes. The axis begins at zero, so that a fall is as large as it looks.",
        )
    })
}
