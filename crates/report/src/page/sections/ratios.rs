//! Machines side by side: speed relative to the baseline, on one scale.

use super::machines::{PageMachine, baseline, most_threads, workloads};
use super::standing::{Ratio, Spread, Threads};
use crate::page::chart::{Axis, BarChart, BarRow, Fill, Group, Scale};
use crate::page::format::fixed;
use crate::page::model::{Cell, Chart, Figure, PageTable, Section};

/// Most machines in the picture: each has a row for every workload.
const PICTURED: usize = 2;

pub(super) fn section(machines: &[PageMachine<'_>], spread: &Spread) -> Option<Section> {
    let baseline = baseline(machines)?;
    let others: Vec<&PageMachine<'_>> = machines.iter().filter(|machine| !machine.is_baseline).collect();
    let (mut ends, mut groups, mut cells) = (vec![1.0], Vec::new(), Vec::new());
    for workload in workloads(machines) {
        let most = machines.iter().map(|machine| most_threads(&machine.summary, &workload)).max().unwrap_or(0);
        for threads in Threads::BOTH.into_iter().take(most.min(2)) {
            let rows = others.iter().map(|other| {
                let ratio = Ratio::of([baseline, other], Some(&workload), threads, spread);
                ends.extend(ratio.iter().flat_map(|ratio| [ratio.widened.low, ratio.widened.high]));
                cells.push(vec![
                    Cell::text(&workload),
                    Cell::text(threads.name()),
                    Cell::text(&other.label),
                    Cell::of(ratio, |ratio| Cell::number(ratio.speed.median, 3)),
                    Cell::of(ratio, |ratio| Cell::range(ratio.speed, |end| fixed(end, 3))),
                    Cell::of(ratio, |ratio| Cell::range(ratio.widened, |end| fixed(end, 3))),
                    Cell::of(ratio, |ratio| Cell::text(ratio.verdict())),
                ]);
                row(ratio, other)
            });
            let (label, mut rows) = (format!("{workload}, {}", threads.name()), rows.collect::<Vec<BarRow>>());
            match &mut rows[..] {
                // A single other machine is named above.
                [row] => row.label = label,
                _ => groups.push(Group { label, rows: Vec::new() }),
            }
            groups.push(Group { label: String::new(), rows });
        }
    }
    let table = PageTable::new(
        format!("Times as fast as {}", baseline.label),
        &["workload", "threads", "machine"],
        &["times as fast", "interval", "widened interval", "verdict"],
        cells,
    );
    let text = format!(
        "Every other machine compared with {}, workload by workload. Of at most {PICTURED} others there is a picture: to the \
         right is faster. A coloured line is the interval of the two runs. The band behind it is the same interval, widened by \
         what the runs drifted or, if that is more, by what runs of one machine differ by. A ring has 1 within its band: \
         the comparison is undecided. The runs were not interleaved, so a machine that was busy looks slower than it is.",
        baseline.label
    );
    let chart = BarChart::new(Axis::around("times as fast, higher is better", Scale::Log, ends), groups);
    let figure = Figure {
        title: format!("Speed relative to {}", baseline.label),
        chart: Chart::Bars(BarChart { reference: Some((1.0, "equal".into())), ..chart }),
    };
    Some(Section {
        figures: (others.len() <= PICTURED).then_some(figure).into_iter().collect(),
        more: vec![table],
        ..Section::new("ratios", "Side by side", text)
    })
}

fn row(ratio: Option<Ratio>, other: &PageMachine<'_>) -> BarRow {
    let Some(ratio) = ratio else { return BarRow::missing(&other.label) };
    let (fill, about) = if ratio.is_sure() { (Fill::Full, "") } else { (Fill::Hollow, "≈") };
    let note = format!("{about}{}×", fixed(ratio.speed.median, 2));
    BarRow::dot(&other.label, ratio.speed, other.series, fill, ratio.widened, note)
}
