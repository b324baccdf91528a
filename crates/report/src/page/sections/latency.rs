//! Latency of equal tasks: the jitter that medians hide.

use super::machine::{PageMachine, shown};
use crate::page::chart::{Axis, Chart, ColorRole, Curve, CurveChart, Markers, Point, Scale};
use crate::page::model::{Cell, Figure, PageTable, Section, Size};
use perft_gate_bench::PERCENTILES;
use perft_gate_machine::pinning::describe_unpinned;
use perft_gate_machine::record::Tasks;
use std::collections::BTreeMap;

const MICROSECOND: f64 = 1e3;
/// Number of points of a curve.
const STEPS: u32 = 72;

pub(super) fn section(machines: &[PageMachine<'_>]) -> Option<Section> {
    let timed = |machine: &&PageMachine<'_>| !machine.summary.tasks.is_empty();
    let pictured: Vec<&PageMachine<'_>> = shown(machines).into_iter().filter(timed).collect();
    let curves: Vec<(&PageMachine<'_>, CoreTimes)> = match (&pictured[..], machines.len()) {
        ([one], 1) => [false, true].map(|busy| (*one, CoreTimes::of(one, busy))).into(),
        (several, _) => several.iter().map(|machine| (*machine, CoreTimes::of(machine, true))).collect(),
    };
    let curves: Vec<(&PageMachine<'_>, CoreTimes)> =
        curves.into_iter().filter(|(_, curve)| curve.count() > 0).collect();
    if curves.is_empty() {
        return None;
    }
    let all = || curves.iter().map(|(_, curve)| curve);
    let times = all().flat_map(|curve| curve.times.keys().map(|&ns| ns as f64 / MICROSECOND));
    let upwards = Axis::around("microseconds a task, lower is better", Scale::Log, times);
    let most = all().map(CoreTimes::count).max().unwrap_or(1) as f64;
    let across =
        Axis { low: 1.0, ..Axis::around("share of the tasks that took no longer", Scale::Log, [1.0, most.max(10.0)]) };
    let nines = (1..12).map(|nines| (10_f64.powi(nines), percentile(nines)));
    let ticks = [(1.0, "0 %".to_string())].into_iter().chain(nines);
    let ticks: Vec<_> = ticks.filter(|(at, _)| *at <= most).collect();
    let is_alone = machines.len() == 1;
    let lines = curves.iter().map(|(machine, curve)| match is_alone {
        true => curve.line(curve.state(), usize::from(curve.busy)),
        false => curve.line(&machine.label, machine.series),
    });
    let sentences = curves.iter().take(2).map(|(machine, curve)| format!("{}, {}", machine.label, curve.sentence()));
    let figure = Figure {
        title: match is_alone {
            true => "Time of equal tasks: lower is better".into(),
            false => "Time of equal tasks with all threads busy: lower is better".into(),
        },
        description: format!(
            "Curves: the time that so many percent of equal tasks did not exceed. {}",
            sentences.collect::<Vec<_>>().join(" ")
        ),
        size: Size::Full,
        chart: Chart::Curves(CurveChart { across: across.with_ticks(ticks), upwards, lines: lines.collect() }),
        table: table(machines),
    };
    let mut text = vec![
        "Equal small counting tasks, timed one by one on every hardware thread. A flat curve is a quiet machine; a tail \
         that rises is interrupts, throttling or neighbours. Both axes are logarithmic: to the right, each step is one \
         nine more."
            .to_string(),
    ];
    if !is_alone {
        text.push("The curves are those with all threads busy; the table behind has idle machines too.".into());
    }
    Some(Section { id: "latency", title: "Task latency", text, figures: vec![figure], ..Section::default() })
}

/// Returns `90 %`, `99 %`, `99.9 %`.
fn percentile(nines: i32) -> String {
    let digits = (nines - 2).max(0) as usize;
    format!("{:.digits$} %", 100.0 - 10_f64.powi(2 - nines))
}

/// Times of a machine's tasks, all hardware threads together.
struct CoreTimes {
    busy: bool,
    times: BTreeMap<u64, u64>,
    longest: u64,
}

impl CoreTimes {
    fn of(machine: &PageMachine<'_>, busy: bool) -> CoreTimes {
        let mut curve = CoreTimes { busy, times: BTreeMap::new(), longest: 0 };
        for Tasks { times, longest_ns, .. } in machine.record.tasks.iter().filter(|tasks| tasks.loaded == busy) {
            for &(time, count) in times {
                *curve.times.entry(time).or_default() += count;
            }
            curve.longest = curve.longest.max(*longest_ns);
        }
        curve
    }

    fn count(&self) -> u64 {
        self.times.values().sum()
    }

    fn line(&self, label: &str, series: usize) -> Curve {
        let count = self.count() as f64;
        // For the last task, which is 1 of `count`, x is `count`.
        let at = |step: u32| count.powf(f64::from(step) / f64::from(STEPS));
        let (mut below, mut times) = (0, self.times.iter().peekable());
        let points = (0..=STEPS).map(|step| {
            let wanted = ((1.0 - 1.0 / at(step)) * count).ceil() as u64;
            while let Some((_, number)) = times.peek().filter(|(_, number)| below + **number < wanted) {
                below += **number;
                times.next();
            }
            let time = times.peek().map_or(self.longest, |(time, _)| **time);
            Point { x: at(step), y: time as f64 / MICROSECOND }
        });
        Curve { label: label.into(), role: ColorRole::Series(series), markers: Markers::None, points: points.collect() }
    }

    /// Returns the state of the other threads.
    fn state(&self) -> &'static str {
        if self.busy { "all busy" } else { "others idle" }
    }

    fn sentence(&self) -> String {
        let longest = self.longest as f64 / MICROSECOND;
        format!("{}: longest {longest:.1} microseconds of {} tasks.", self.state(), self.count())
    }
}

fn table(machines: &[PageMachine<'_>]) -> PageTable {
    let names: Vec<String> = PERCENTILES.iter().map(|part| format!("{} %", 100.0 * part)).collect();
    let numbers: Vec<&str> = ["tasks"].into_iter().chain(names.iter().map(String::as_str)).chain(["longest"]).collect();
    let mut table =
        PageTable::new("Microseconds a task, by share of the tasks", &["machine", "core", "others"], &numbers);
    for machine in machines {
        for line in &machine.summary.tasks {
            let core =
                line.core.map_or_else(|| describe_unpinned(&machine.record.build.target), |core| core.to_string());
            let times = line.percentiles.iter().chain([&line.longest]);
            let state = Cell::text(if line.loaded { "busy" } else { "idle" });
            table.rows.push(
                [Cell::text(&machine.label), Cell::Text(core), state, Cell::Count(line.count.into())]
                    .into_iter()
                    .chain(times.map(|&ns| Cell::three_digits(ns as f64 / MICROSECOND)))
                    .collect(),
            );
        }
    }
    table
}
