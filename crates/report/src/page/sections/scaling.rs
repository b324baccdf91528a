//! Thread scaling.

use super::machines::{PageMachine, line, machines_in_pictures, ranked_machines, workloads};
use super::standing::geometric;
use crate::page::axis::{Axis, Scale};
use crate::page::chart::{BarChart, BarRow, Curve, CurveChart, Group, Mark};
use crate::page::format::{threads, with_decimals};
use crate::page::model::{Cell, Chart, Figure, PageTable, Section};
use perft_gate_bench::YARDSTICK;
use std::collections::BTreeSet;

/// Minimum number of threads for a curve. With fewer threads, a curve would have only two points.
const MIN_CURVE: usize = 4;

const TIMES: &str = "times as fast as on one thread, higher is better";

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let workloads = workloads(machines);
    let scaled = |machine: &&PageMachine<'_>| counts(machine).last().is_some_and(|&most| most > 1);
    let pictured = if machines.len() > 1 { ranked_machines(machines) } else { machines_in_pictures(machines) };
    let pictured: Vec<&PageMachine<'_>> = pictured.into_iter().filter(scaled).collect();
    let mut text =
        "Each workload against itself on one thread. Threads that share a core, memory, or a power budget fall \
                    short of the ideal, which is as many times as fast as there are threads."
            .to_string();
    // A single machine has a curve for each workload. If there are several machines, each has one curve.
    let curves: Vec<Curve> = match &pictured[..] {
        [] => return None,
        [one] if machines.len() == 1 => {
            let names = workloads.iter().enumerate();
            names.map(|(series, name)| curve(name, series, one, |threads| scaling(one, name, threads))).collect()
        }
        several => {
            text += " A machine's value is the geometric mean over its workloads, without the yardstick; the table below \
                     has each workload.";
            let mean = |one, threads| mean(one, &workloads, threads);
            several.iter().map(|one| curve(&one.label, one.series, one, |threads| mean(one, threads))).collect()
        }
    };
    let most = pictured.iter().flat_map(|machine| counts(machine)).max().unwrap_or(1);
    let is_curved = most >= MIN_CURVE;
    if is_curved {
        text += " Both axes are logarithmic, so that the ideal is a straight line.";
    }
    let figure = Figure {
        title: format!("Speed on up to {}", threads(most)),
        chart: if is_curved { of_many_threads(curves, most as f64) } else { of_few_threads(curves) },
    };
    Some(Section {
        figures: vec![figure],
        more: vec![table(machines, &workloads)],
        ..Section::new("scaling", "Thread scaling", text)
    })
}

fn scaling(machine: &PageMachine<'_>, workload: &str, threads: usize) -> Option<f64> {
    line(&machine.summary, workload, threads).and_then(|line| line.scaling)
}

/// Returns the thread counts with which a machine was measured.
fn counts(machine: &PageMachine<'_>) -> BTreeSet<usize> {
    machine.summary.lines.iter().map(|line| line.work.threads).collect()
}

/// Returns the mean scaling of the workloads, except [`YARDSTICK`], that ran both on one thread and on `threads`.
fn mean(machine: &PageMachine<'_>, workloads: &[String], threads: usize) -> Option<f64> {
    let counted = workloads.iter().filter(|workload| *workload != YARDSTICK.name());
    let values: Vec<f64> = counted.filter_map(|workload| scaling(machine, workload, threads)).collect();
    (!values.is_empty()).then(|| geometric(values.into_iter()))
}

fn curve(label: &str, series: usize, of: &PageMachine<'_>, at: impl Fn(usize) -> Option<f64>) -> Curve {
    let points = counts(of).into_iter().filter_map(|threads| Some((threads as f64, at(threads)?)));
    Curve { label: label.into(), series: Some(series), points: points.collect() }
}

/// Returns a chart with a bar for the last point of each curve, and with the ideal value if all curves share it.
fn of_few_threads(curves: Vec<Curve>) -> Chart {
    let ends = || curves.iter().filter_map(|curve| curve.points.last().map(|&end| (curve, end)));
    let ideal = ends().next().map(|(_, (threads, _))| threads);
    let ideal = ideal.filter(|ideal| ends().all(|(_, (threads, _))| threads == *ideal));
    let values = ends().map(|(_, (_, times))| times).chain(ideal);
    let axis = Axis::from_zero(TIMES, values);
    let rows = ends().map(|(curve, (_, times))| BarRow {
        label: curve.label.clone(),
        marks: vec![Mark::Bar(times, curve.series.unwrap_or(0))],
        note: with_decimals(times, 2),
    });
    let groups = vec![Group { label: String::new(), rows: rows.collect() }];
    let reference = ideal.map(|ideal| (ideal, format!("ideal, {}", threads(ideal as usize))));
    Chart::Bars(BarChart { key: Vec::new(), axis, reference, groups })
}

fn of_many_threads(mut curves: Vec<Curve>, most: f64) -> Chart {
    let values = curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1)).chain([1.0, most]);
    let upwards = Axis::around(TIMES, Scale::Log, values.collect::<Vec<_>>()).with_doublings();
    let across = Axis::around("number of threads", Scale::Log, [1.0, most]).with_doublings();
    curves.insert(0, Curve { label: "ideal".into(), series: None, points: vec![(1.0, 1.0), (most, most)] });
    Chart::Curves(CurveChart { across, upwards, curves })
}

fn table(machines: &[PageMachine<'_>], workloads: &[String]) -> PageTable {
    let names: Vec<&str> = workloads.iter().map(String::as_str).chain(["mean"]).collect();
    let row = |machine: &PageMachine<'_>, threads: usize| {
        let values = workloads.iter().map(|workload| scaling(machine, workload, threads));
        let cells = values.chain([mean(machine, workloads, threads)]).map(|value| Cell::number(value, 2));
        [Cell::text(&machine.label), Cell::number(threads as f64, 0)].into_iter().chain(cells).collect()
    };
    let rows =
        machines.iter().flat_map(|machine| counts(machine).into_iter().map(move |threads| row(machine, threads)));
    PageTable::new("Times as fast as on one thread", &["machine", "threads"], &names, rows.collect())
}

#[cfg(test)]
mod tests {
    use super::super::machines::{of_records, tests::record};
    use super::*;
    use perft_gate_bench::reference;

    #[test]
    fn several_machines_share_one_picture() {
        let more_threads = |cpu: &str| {
            let mut record = record(cpu, "2026-11-22T00:00:00Z", 1.0);
            let works = record.stages.iter_mut().flat_map(|stage| &mut stage.works);
            works.filter(|work| work.threads == 2).for_each(|work| work.threads = MIN_CURVE);
            record
        };
        let records = [more_threads("One 1"), more_threads("Other 1")];
        let found = section(&of_records(&records, None)).expect("four threads");
        let Chart::Curves(CurveChart { curves, .. }) = &found.figures[0].chart else { panic!("curves") };
        assert_eq!((found.figures.len(), curves.len()), (1, 3));
    }

    #[test]
    fn few_threads_make_bars_and_no_curve_of_two_points() {
        let other = record("Other 1", "2026-11-22T00:00:00Z", 1.0);
        for (records, rows) in [(vec![reference()], 6), (vec![reference(), other], 2)] {
            let found = section(&of_records(&records, None)).expect("two threads");
            let Chart::Bars(chart) = &found.figures[0].chart else { panic!("bars") };
            let reference = Some((2.0, "ideal, 2 threads".into()));
            assert_eq!((chart.groups[0].rows.len(), chart.reference.clone()), (rows, reference));
            assert!(!found.text[0].contains("logarithmic"), "{:?}", found.text);
        }
    }
}
