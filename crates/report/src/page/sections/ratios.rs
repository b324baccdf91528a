//! Machines side by side: speed relative to the first one, on one scale.
//!
//! Equal numbers of threads are compared by [`diff`]; all threads of each, which differ in number, by the intervals of
//! the rates.

use super::machine::{Machine, workloads};
use crate::page::chart::{Axis, BarRow, Chart, Fill, Group, Mark, Role, Rows, Scale};
use crate::page::format::fixed;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};
use perft_gate_lab::bench::diff::{Pair, diff};
use perft_gate_lab::measure::Interval;
use rayon::prelude::*;

/// Number of threads to compare.
#[derive(Clone, Copy)]
enum Threads {
    One,
    All,
}

impl Threads {
    fn of(self, machine: &Machine<'_>, workload: &str) -> usize {
        match self {
            Threads::One => 1,
            Threads::All => machine.most_threads(workload),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Threads::One => "one thread",
            Threads::All => "all threads of each",
        }
    }
}

/// The same work on two machines.
struct Beside {
    /// Numbers of threads.
    counts: String,
    /// Speed relative to the first machine; `None` if one of them has not done the work.
    speed: Option<Interval>,
    /// Verdict, and the noise floor it exceeds, as a fraction of the time.
    judged: Option<(&'static str, f64)>,
}

pub(super) fn section(machines: &[Machine<'_>]) -> Option<Section> {
    let (first, others) = machines.split_first().filter(|(_, others)| !others.is_empty())?;
    let (pairs, notes) = paired(first, others);
    let mut table = PageTable::new(
        format!("Times as fast as {}", first.label),
        &["workload", "threads", "machine"],
        &["times as fast", "interval from", "to", "noise floor, %"],
    )
    .with_text("verdict");
    let mut ends = vec![1.0];
    let mut groups = Vec::new();
    let has_threads = |workload: &str| machines.iter().any(|machine| machine.most_threads(workload) > 1);
    for workload in workloads(machines) {
        let all = has_threads(&workload).then_some(Threads::All);
        for threads in [Threads::One].into_iter().chain(all) {
            let rows = others.iter().zip(&pairs).map(|(other, pairs)| {
                let beside = Beside::of([first, other], pairs, &workload, threads);
                ends.extend(beside.speed.iter().flat_map(|speed| [speed.low, speed.high]));
                table.rows.push(beside.cells(&workload, other));
                beside.row(other)
            });
            let rows = rows.collect();
            groups.push(Group { label: format!("{workload}, {}", threads.name()), rows });
        }
    }
    let rows = Rows {
        key: Vec::new(),
        axis: Axis::around("times as fast", Scale::Log, ends),
        reference: Some((1.0, "equal".into())),
        groups,
    };
    let text = format!(
        "Every other machine beside {}, all on one logarithmic scale: to the right is faster. Lines are intervals; a ring has \
         1 within its interval. The runs were not made by turns, so a machine that was busy looks slower than it is.",
        first.label
    );
    Some(Section {
        id: "ratios",
        title: "Side by side",
        text: [vec![text], notes].concat(),
        figures: vec![Figure {
            title: format!("Speed beside {}", first.label),
            description: format!("Dots with intervals: how many times as fast as {} each machine is.", first.label),
            size: Size::Full,
            chart: Chart::Rows(rows),
            table,
        }],
        ..Section::default()
    })
}

/// Compares the first machine with each other one by [`diff`]; returns the pairs, and notes on machines that cannot be
/// compared.
fn paired(first: &Machine<'_>, others: &[Machine<'_>]) -> (Vec<Vec<Pair>>, Vec<String>) {
    let found: Vec<_> = others.par_iter().map(|other| diff(first.record, other.record)).collect();
    let mut notes = Vec::new();
    let pairs = found.into_iter().zip(others).map(|(found, other)| match found {
        Ok(diff) => diff.pairs,
        Err(error) => {
            notes.push(format!("{} is not compared: {error}.", other.label));
            Vec::new()
        }
    });
    let pairs = pairs.collect();
    (pairs, notes)
}

impl Beside {
    /// Returns a workload on two machines, of which these are all the pairs.
    fn of([first, other]: [&Machine<'_>; 2], pairs: &[Pair], workload: &str, threads: Threads) -> Beside {
        let [old, new] = [first, other].map(|machine| threads.of(machine, workload));
        let counts = match (old, new) {
            (0, _) | (_, 0) => "–".into(),
            (old, new) if old == new => old.to_string(),
            (old, new) => format!("{old} and {new}"),
        };
        let pair = pairs.iter().find(|pair| {
            pair.work.workload == workload && pair.work.threads == old && pair.work.kind.is_none() && old == new
        });
        if let Some(Pair { ratio, verdict, floor, .. }) = pair {
            let speed = Interval { low: 1.0 / ratio.high, median: 1.0 / ratio.median, high: 1.0 / ratio.low };
            let judged = verdict.map(|verdict| (verdict.name(), floor.part()));
            return Beside { counts, speed: Some(speed), judged };
        }
        let [old, new] = [first.line(workload, old), other.line(workload, new)];
        let lines = old.zip(new).filter(|(old, new)| old.work.version == new.work.version && !pairs.is_empty());
        let speed = lines.map(|(old, new)| Interval {
            low: new.rate.low / old.rate.high,
            median: new.rate.median / old.rate.median,
            high: new.rate.high / old.rate.low,
        });
        Beside { counts, speed, judged: None }
    }

    /// Returns the row of the table.
    fn cells(&self, workload: &str, other: &Machine<'_>) -> Vec<Cell> {
        let number = |of: fn(&Interval) -> f64| Cell::or_missing(self.speed.as_ref().map(of), 3);
        let (verdict, floor) = self.judged.unzip();
        vec![
            Cell::text(workload),
            Cell::text(&self.counts),
            Cell::text(&other.label),
            number(|speed| speed.median),
            number(|speed| speed.low),
            number(|speed| speed.high),
            Cell::or_missing(floor.map(|floor| 100.0 * floor), 1),
            verdict.map_or(Cell::Missing, Cell::text),
        ]
    }

    /// Returns the row of the picture.
    fn row(&self, other: &Machine<'_>) -> BarRow {
        let label = other.label.clone();
        let Some(Interval { low, median, high }) = self.speed else {
            return BarRow { label, marks: Vec::new(), note: String::new() };
        };
        let fill = if low > 1.0 || high < 1.0 { Fill::Full } else { Fill::Hollow };
        let marks = vec![Mark::Whisker(low, high, Role::Series(other.series)), Mark::Dot(median, other.series, fill)];
        BarRow { label, marks, note: format!("{}×", fixed(median, 2)) }
    }
}
