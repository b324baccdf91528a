//! Machines side by side: speed relative to the baseline, on one scale.

use super::machine::{PageMachine, workloads};
use super::standing::{Ratio, Spread, Threads};
use super::summary::baseline;
use crate::page::chart::{Axis, BarChart, BarRow, Chart, ColorRole, Fill, Group, Mark, Scale};
use crate::page::format::fixed;
use crate::page::model::{Cell, Figure, PageTable, Section, Size};

/// Most machines in the picture: each has a row for every workload.
const PICTURED: usize = 2;

pub(super) fn section(machines: &[PageMachine<'_>], spread: &Spread) -> Option<Section> {
    let baseline = baseline(machines)?;
    let others: Vec<&PageMachine<'_>> = machines.iter().filter(|machine| !machine.is_baseline).collect();
    let mut table = PageTable::new(
        format!("Times as fast as {}", baseline.label),
        &["workload", "threads", "machine"],
        &["times as fast", "interval from", "to", "widened from", "to"],
    )
    .with_text("verdict");
    let mut ends = vec![1.0];
    let mut groups = Vec::new();
    let has_threads = |workload: &str| machines.iter().any(|machine| machine.most_threads(workload) > 1);
    for workload in workloads(machines) {
        let all = has_threads(&workload).then_some(Threads::All);
        for threads in [Threads::One].into_iter().chain(all) {
            let rows = others.iter().map(|other| {
                let ratio = Ratio::of_workload([baseline, other], &workload, threads, spread);
                ends.extend(ratio.iter().flat_map(|ratio| [ratio.widened.low, ratio.widened.high]));
                table.rows.push(cells(ratio, [baseline, other], &workload, threads));
                row(ratio, other)
            });
            let (name, rows) = (format!("{workload}, {}", threads.name()), rows.collect::<Vec<BarRow>>());
            match &rows[..] {
                // A single other machine is named above.
                [row] => groups.push(Group::new("", vec![BarRow { label: name, ..row.clone() }])),
                _ => groups.push(Group::new(name, rows)),
            }
        }
    }
    let text = format!(
        "Every other machine beside {}, all on one logarithmic scale: to the right is faster. A coloured line is the interval \
         of the two runs, the band behind it the same, widened by what the runs drifted or, if that is more, runs of one \
         machine differ by; a ring has 1 within its band, and the two are not told apart. The runs were not made by turns, so a \
         machine that was busy looks slower than it is.",
        baseline.label
    );
    let (figures, more) = match others.len() <= PICTURED {
        true => {
            let axis = Axis::around("times as fast, higher is better", Scale::Log, ends);
            let who = if let [only] = others[..] { format!("{}: speed", only.label) } else { "Speed".into() };
            let figure = Figure {
                title: format!("{who} beside {}", baseline.label),
                description: format!("Dots with intervals: how many times as fast as {} each is.", baseline.label),
                size: Size::Full,
                chart: Chart::Bars(BarChart { reference: Some((1.0, "equal".into())), ..BarChart::new(axis, groups) }),
                table,
            };
            (vec![figure], Vec::new())
        }
        false => (Vec::new(), vec![table]),
    };
    let text = if figures.is_empty() {
        vec![format!(
            "Every machine beside {}, workload by workload, with the verdict that its interval allows.",
            baseline.label
        )]
    } else {
        vec![text]
    };
    Some(Section { id: "ratios", title: "Side by side", text, figures, more, ..Section::default() })
}

/// Returns the row of the table.
fn cells(ratio: Option<Ratio>, [base, other]: [&PageMachine<'_>; 2], workload: &str, threads: Threads) -> Vec<Cell> {
    let number = |of: fn(&Ratio) -> f64| Cell::or_missing(ratio.as_ref().map(of), 3);
    let counts = match [base, other].map(|machine| threads.of(&machine.summary, workload)) {
        [0, _] | [_, 0] => "–".into(),
        [old, new] if old == new => old.to_string(),
        [old, new] => format!("{new} to {old}"),
    };
    vec![
        Cell::text(workload),
        Cell::text(counts),
        Cell::text(&other.label),
        number(|ratio| ratio.speed.median),
        number(|ratio| ratio.speed.low),
        number(|ratio| ratio.speed.high),
        number(|ratio| ratio.widened.low),
        number(|ratio| ratio.widened.high),
        ratio.map_or(Cell::Missing, |ratio| Cell::text(ratio.verdict())),
    ]
}

/// Returns the row of the picture.
fn row(ratio: Option<Ratio>, other: &PageMachine<'_>) -> BarRow {
    let label = other.label.clone();
    let Some(ratio) = ratio else {
        return BarRow { label, marks: Vec::new(), note: String::new() };
    };
    let fill = if ratio.is_sure() { Fill::Full } else { Fill::Hollow };
    let marks = vec![
        Mark::Band(ratio.widened.low, ratio.widened.high),
        Mark::Whisker(ratio.speed.low, ratio.speed.high, ColorRole::Series(other.series)),
        Mark::Dot(ratio.speed.median, other.series, fill),
    ];
    let note = if ratio.is_sure() { "" } else { "≈" };
    BarRow { label, marks, note: format!("{note}{}×", fixed(ratio.speed.median, 2)) }
}
