//! Thread scaling.

use super::machine::{Machine, workloads};
use crate::page::chart::{Axis, Chart, Line, Lines, Markers, Point, Role, Scale};
use crate::page::format::tick;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};

pub(super) fn section(machines: &[Machine<'_>]) -> Option<Section> {
    let scaled = |machine: &&Machine<'_>| {
        machine.summary.lines.iter().any(|line| line.work.threads > 1 && line.scaling.is_some())
    };
    let shown: Vec<&Machine<'_>> = machines.iter().filter(scaled).collect();
    if shown.is_empty() {
        return None;
    }
    // Kinds of cores have a section of their own.
    let lines = || shown.iter().flat_map(|machine| &machine.summary.lines).filter(|line| line.work.kind.is_none());
    let most = lines().map(|line| line.work.threads).max().unwrap_or(1) as f64;
    // The same scale for all machines.
    let speedups = lines().filter_map(|line| line.scaling).chain([1.0, most]);
    let doublings = |to: f64| (0..).map(|power| 2_f64.powi(power)).take_while(move |count| *count <= to);
    let ticks = |to: f64| doublings(to).map(|count| (count, tick(count))).collect::<Vec<_>>();
    let upwards = Axis::around("times as fast as on one thread", Scale::Log, speedups).with_ticks(ticks(most * 1.05));
    let across = Axis::around("threads", Scale::Log, [1.0, most]).with_ticks(ticks(most));
    let workloads = workloads(machines);
    let figures = shown.iter().map(|machine| {
        let names: Vec<&str> = workloads.iter().map(String::as_str).collect();
        let mut table = PageTable::new(format!("Times as fast as on one thread: {}", machine.label), &["threads"], &names);
        let mut counts: Vec<usize> = machine.summary.lines.iter().map(|line| line.work.threads).collect();
        counts.sort_unstable();
        counts.dedup();
        let scaling = |workload: &str, threads| machine.line(workload, threads).and_then(|line| line.scaling);
        for &threads in &counts {
            let cells = workloads.iter().map(|workload| Cell::or_missing(scaling(workload, threads), 2));
            table.rows.push([Cell::Count(threads as u128)].into_iter().chain(cells).collect());
        }
        let own_most = counts.last().copied().unwrap_or(1) as f64;
        let ideal = [1.0, own_most].map(|at| Point { x: at, y: at });
        let ideal =
            Line { label: "ideal".into(), role: Role::Ideal, markers: Markers::None, points: ideal.to_vec() };
        let measured = workloads.iter().enumerate().map(|(number, workload)| {
            let points = counts.iter().filter_map(|&threads| {
                scaling(workload, threads).map(|y| Point { x: threads as f64, y })
            });
            let points: Vec<Point> = points.collect();
            Line { label: workload.clone(), role: Role::Series(number), markers: Markers::Dots, points }
        });
        let measured = measured.filter(|line| !line.points.is_empty());
        Figure {
            title: machine.label.clone(),
            description: format!(
                "Curves: how many times as fast as on one thread each workload is, up to {own_most} threads, beside the \
                 ideal, where twice the threads are twice as fast."
            ),
            size: Size::of(shown.len()),
            chart: Chart::Lines(Lines {
                across: across.clone(),
                upwards: upwards.clone(),
                lines: [ideal].into_iter().chain(measured).collect(),
            }),
            table,
        }
    });
    Some(Section {
        id: "scaling",
        title: "Thread scaling",
        text: vec![
            "Each workload against itself on one thread. Threads that share a core, memory, or a power budget fall short of \
             the ideal line; both axes are logarithmic, so that the ideal is straight."
                .into(),
        ],
        figures: figures.collect(),
        ..Section::default()
    })
}
