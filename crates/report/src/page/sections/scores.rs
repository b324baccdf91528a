//! Scores: each machine compared with the baseline, over all workloads and one by one, and with its own earlier runs.

use super::labels::full_name;
use super::machines::{PageMachine, baseline, most_threads, shown, workloads};
use super::standing::{Ratio, Spread, Standing, Threads};
use crate::page::axis::{Axis, Scale};
use crate::page::chart::{BarChart, BarRow, Fill, Group};
use crate::page::format::{day, fixed};
use crate::page::model::{Cell, Chart, Figure, PageTable, Section};
use perft_gate_bench::reference;

/// Definition of a score.
const RULER: &str = "100 is the reference machine: one thread is compared with its one thread, all threads with all of its. \
                     Higher is better. A score is the geometric mean over the workloads, without the yardstick, and its \
                     interval that of this run.";

pub(super) fn summary(machines: &[PageMachine<'_>], spread: &Spread, left_out: Option<String>) -> Option<Section> {
    let standings = |machine: &PageMachine<'_>| Threads::BOTH.map(|threads| Standing::new(&machine.summary, threads));
    let workloads = machines.iter().flat_map(standings).flatten().map(|standing| standing.workloads);
    let most = workloads.max()?;
    let row = |machine: &PageMachine<'_>| {
        let standings = standings(machine);
        let mut row = vec![name(machine, &standings, most)];
        for (threads, standing) in Threads::BOTH.into_iter().zip(standings) {
            let score = standing.map(|standing| standing.score);
            row.push(Cell::from_option(score, |score| Cell::number(score.median, 1)));
            row.push(Cell::from_option(score, |score| Cell::range(score, |end| fixed(end, 1))));
            row.push(Cell::from_option(baseline(machines), |baseline| match machine.is_baseline {
                true => Cell::text("baseline"),
                false => Cell::from_option(Ratio::new([baseline, machine], None, threads, spread), |ratio| {
                    Cell::text(ratio.verdict())
                }),
            }));
        }
        row
    };
    let columns = Threads::BOTH.iter().flat_map(|threads| [threads.name(), "interval", "verdict"]);
    let columns: Vec<&str> = columns.collect();
    let rows = machines.iter().map(row).collect();
    let reference = reference();
    let measured = format!(
        "The reference machine is {}, as build {} measured it on {}.",
        full_name(&reference),
        reference.build.name(),
        day(&reference.started)
    );
    Some(Section {
        text: [RULER.into(), measured].into_iter().chain(left_out).collect(),
        tables: vec![PageTable::new("Scores, higher is better", &["machine"], &columns, rows)],
        ..Section::new("summary", "Summary", "")
    })
}

/// Returns the label with the processor, the day, and the caveats for a reader of the machine's scores.
fn name(machine: &PageMachine<'_>, standings: &[Option<Standing>], most: usize) -> Cell {
    let record = machine.record;
    let processor = Some(full_name(record)).filter(|processor| *processor != machine.label);
    let mut detail: Vec<String> = processor.into_iter().chain([day(&record.started).into()]).collect();
    detail.extend(machine.describe_choice());
    detail.extend(record.settings.quick.then(|| "quick run".into()));
    detail.extend(record.settings.interrupted.then(|| "stopped".into()));
    let workloads = standings.iter().flatten().map(|standing| standing.workloads).min();
    detail.extend(workloads.filter(|few| *few < most).map(|few| format!("{few} of {most} workloads")));
    detail.extend(machine.warnings().iter().cloned());
    Cell::Name(machine.label.clone(), detail.join("; "))
}

/// Returns the picture of several machines' scores. The summary has its numbers.
pub(super) fn scores(machines: &[PageMachine<'_>]) -> Option<Section> {
    let mut values = vec![100.0];
    let mut group = |threads: Threads| {
        let ranked = shown(machines).into_iter().filter_map(|machine| {
            let Standing { score, .. } = Standing::new(&machine.summary, threads)?;
            Some((machine, score))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by(|one, other| other.1.median.total_cmp(&one.1.median));
        let rows = ranked.into_iter().map(|(machine, score)| {
            values.extend([score.low, score.high]);
            BarRow::bar(&machine.label, score, machine.series, fixed(score.median, 1))
        });
        Group { label: threads.name().into(), rows: rows.collect() }
    };
    let groups: Vec<Group> = Threads::BOTH.into_iter().map(&mut group).filter(|group| !group.rows.is_empty()).collect();
    let chart = BarChart::of_sizes(["score", "higher is better"], values, groups);
    let chart = BarChart { reference: Some((100.0, "reference".into())), ..chart };
    // For one machine, the summary says it all.
    (machines.len() > 1 && chart.values() > 0).then(|| Section {
        figures: vec![Figure {
            title: "Score on one thread, and on all, each against the reference's own: higher is better".into(),
            chart: Chart::Bars(chart),
        }],
        ..Section::new("scores", "Scores", "The fastest first.")
    })
}

/// Maximum number of machines in the picture: each has a row for every workload.
const PICTURED: usize = 2;

/// Returns the section that compares other machines with the baseline, on one scale.
pub(super) fn ratios(machines: &[PageMachine<'_>], spread: &Spread) -> Option<Section> {
    let baseline = baseline(machines)?;
    let others: Vec<&PageMachine<'_>> = machines.iter().filter(|machine| !machine.is_baseline).collect();
    let (mut ends, mut groups, mut cells) = (vec![1.0], Vec::new(), Vec::new());
    for workload in workloads(machines) {
        let most = machines.iter().map(|machine| most_threads(&machine.summary, &workload)).max().unwrap_or(0);
        for threads in Threads::BOTH.into_iter().take(most.min(2)) {
            let rows = others.iter().map(|other| {
                let ratio = Ratio::new([baseline, other], Some(&workload), threads, spread);
                ends.extend(ratio.iter().flat_map(|ratio| [ratio.widened.low, ratio.widened.high]));
                cells.push(vec![
                    Cell::text(&workload),
                    Cell::text(threads.name()),
                    Cell::text(&other.label),
                    Cell::from_option(ratio, |ratio| Cell::number(ratio.speed.median, 3)),
                    Cell::from_option(ratio, |ratio| Cell::range(ratio.speed, |end| fixed(end, 3))),
                    Cell::from_option(ratio, |ratio| Cell::range(ratio.widened, |end| fixed(end, 3))),
                    Cell::from_option(ratio, |ratio| Cell::text(ratio.verdict())),
                ]);
                ratio_row(ratio, other)
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

fn ratio_row(ratio: Option<Ratio>, other: &PageMachine<'_>) -> BarRow {
    let Some(ratio) = ratio else { return BarRow::missing(&other.label) };
    let (fill, about) = if ratio.is_sure() { (Fill::Full, "") } else { (Fill::Hollow, "≈") };
    let note = format!("{about}{}×", fixed(ratio.speed.median, 2));
    BarRow::dot(&other.label, ratio.speed, other.series, fill, ratio.widened, note)
}

/// Returns the section with the scores by date of each machine with several whole records.
pub(super) fn history(machines: &[PageMachine<'_>]) -> Option<Section> {
    let tables: Vec<PageTable> = machines.iter().filter_map(runs).collect();
    (!tables.is_empty()).then(|| Section {
        tables,
        ..Section::new(
            "history",
            "History",
            "Whole records of one hardware and label, the latest last. Where the revision is the same, they show how much two \
             runs of one machine differ; where it is another, the program may have changed.",
        )
    })
}

fn runs(machine: &PageMachine<'_>) -> Option<PageTable> {
    let whole = machine.whole_runs();
    let rows = whole.iter().flat_map(|run| {
        let threads = Threads::BOTH.into_iter().take(run.summary.scores.len());
        threads.filter_map(|threads| Standing::new(&run.summary, threads)).map(|Standing { threads, score, .. }| {
            vec![
                Cell::text(&run.record.started),
                Cell::text(run.record.build.name()),
                Cell::Count(threads as u128),
                Cell::number(score.median, 1),
                Cell::range(score, |end| fixed(end, 1)),
                Cell::from_option(run.record.settings.quick.then_some("quick run"), Cell::text),
            ]
        })
    });
    let columns = ["score", "interval", "remark"];
    (whole.len() > 1)
        .then(|| PageTable::new(&machine.label, &["started", "revision", "threads"], &columns, rows.collect()))
}

#[cfg(test)]
mod tests {
    use super::super::machines::{of_records, tests::record};
    use super::*;

    #[test]
    fn only_a_machine_with_several_whole_records_has_a_history() {
        let mut stopped = record("A 1", "2026-03-03T00:00:00Z", 1.0);
        stopped.settings.interrupted = true;
        let [first, second] = ["2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z"].map(|at| record("A 1", at, 1.0));
        assert!(history(&of_records(&[first.clone(), stopped.clone()], None)).is_none());
        let found = history(&of_records(&[stopped, second, first], None)).expect("two whole records");
        let started: Vec<String> = found.tables[0].rows.iter().map(|row| row[0].shown()[..7].into()).collect();
        assert_eq!(started, ["2026-01", "2026-01", "2026-02", "2026-02"]);
    }
}
