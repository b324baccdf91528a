//! Scores: each machine compared with the baseline, over all workloads and for each one, and with its own earlier runs.

use super::machines::{PageMachine, baseline, full_name, ranked_machines, workloads};
use super::standing::{Ratio, Spread, Standing, Threads};
use crate::page::chart::{BarChart, BarRow, Group};
use crate::page::format::{day, with_decimals};
use crate::page::model::{Cell, Chart, Figure, PageTable, Section};
use perft_gate_bench::reference;
use perft_gate_machine::record::Record;

pub(super) fn summary(machines: &[PageMachine<'_>], left_out: Option<String>) -> Option<Section> {
    let standings = |machine: &PageMachine<'_>| Threads::ALL.map(|threads| Standing::new(&machine.summary, threads));
    let workloads = machines.iter().flat_map(standings).flatten().map(|standing| standing.workloads);
    let most = workloads.max()?;
    let row = |machine: &PageMachine<'_>| {
        let standings = standings(machine);
        let mut row = vec![name(machine)];
        for standing in standings {
            let score = standing.map(|standing| standing.score);
            row.push(Cell::number(score.map(|score| score.median), 1));
            row.push(Cell::from_option(score, |score| Cell::range(score, |end| with_decimals(end, 1))));
        }
        row.push(remark(machine, &standings, most));
        row
    };
    let columns = Threads::ALL.iter().flat_map(|threads| [threads.name(), "interval"]);
    let columns: Vec<&str> = columns.chain(["remark"]).collect();
    let rows = machines.iter().map(row).collect();
    let reference = reference();
    let ruler = baseline(machines).map_or_else(
        || {
            let (name, build) = (full_name(&reference), reference.build.name());
            format!("the reference machine, {name}, as build {build} measured it on {}", day(&reference.started))
        },
        |baseline| format!("the baseline, {}", baseline.label),
    );
    let ruler = format!(
        "A score of 100 is as fast as {ruler}: one thread is compared with its one thread, all threads with all of its. A \
         score is the geometric mean over the workloads, without the yardstick. Its interval is that of this run."
    );
    Some(Section {
        text: [ruler].into_iter().chain(left_out).collect(),
        figures: picture(machines).into_iter().collect(),
        tables: vec![PageTable::new("Scores, higher is better", &["machine"], &columns, rows)],
        ..Section::new("summary", "Summary", "")
    })
}

/// Returns the cell with the machine's label, and with its processor and the day of the run as details.
fn name(machine: &PageMachine<'_>) -> Cell {
    let processor = Some(full_name(machine.record)).filter(|processor| *processor != machine.label);
    let detail: Vec<String> = processor.into_iter().chain([day(&machine.record.started).into()]).collect();
    Cell::Name(machine.label.clone(), detail.join("; "))
}

/// Returns the cell with the caveats that a reader of the machine's scores should know.
fn remark(machine: &PageMachine<'_>, standings: &[Option<Standing>], most: usize) -> Cell {
    let workloads = standings.iter().flatten().map(|standing| standing.workloads).min();
    let few = workloads.filter(|few| *few < most).map(|few| format!("{few} of {most} workloads"));
    join_remarks(machine.describe_choice().into_iter().chain(few).chain(caveats(machine.record)))
}

fn join_remarks(remarks: impl Iterator<Item = String>) -> Cell {
    let remarks = remarks.collect::<Vec<_>>().join("; ");
    if remarks.is_empty() { Cell::Missing } else { Cell::Text(remarks) }
}

fn caveats(record: &Record) -> impl Iterator<Item = String> {
    let Record { settings, conditions, .. } = record;
    let marks = [(settings.quick, "quick run"), (settings.interrupted, "stopped")];
    let marks = marks.into_iter().filter(|(applies, _)| *applies).map(|(_, mark)| mark.to_string());
    marks.chain(conditions.iter().flat_map(|conditions| conditions.warnings.clone()))
}

fn picture(machines: &[PageMachine<'_>]) -> Option<Figure> {
    let mut values = vec![100.0];
    let mut group = |threads: Threads| {
        let scored = |machine: &PageMachine<'_>| Some(Standing::new(&machine.summary, threads)?.score);
        let mut ranked: Vec<_> =
            ranked_machines(machines).into_iter().filter_map(|one| Some((one, scored(one)?))).collect();
        ranked.sort_by(|one, other| other.1.median.total_cmp(&one.1.median));
        let rows = ranked.into_iter().map(|(machine, score)| {
            values.extend([score.low, score.high]);
            BarRow::bar(&machine.label, score, machine.series, with_decimals(score.median, 1))
        });
        Group { label: threads.name().into(), rows: rows.collect() }
    };
    let groups: Vec<Group> = Threads::ALL.into_iter().map(&mut group).filter(|group| !group.rows.is_empty()).collect();
    let chart = BarChart::of_sizes(["score", "higher is better"], values, groups);
    let chart = BarChart { reference: Some((100.0, "baseline".into())), ..chart };
    // A single machine needs no picture, because the table already shows everything.
    let is_shown = machines.len() > 1 && chart.values() > 0;
    is_shown.then(|| Figure { title: "Scores on one thread and on all".into(), chart: Chart::Bars(chart) })
}

/// Returns the section that compares other machines with the baseline.
pub(super) fn ratios(machines: &[PageMachine<'_>], spread: &Spread) -> Option<Section> {
    let baseline = baseline(machines)?;
    let workloads = workloads(machines);
    let (mut rows, mut intervals) = (Vec::new(), Vec::new());
    let shown = |ratio: Ratio| Cell::Number(ratio.speed.median, ratio.text());
    let others = machines.iter().filter(|machine| !machine.is_baseline);
    for (other, &on) in others.flat_map(|other| Threads::of_machines(machines).iter().map(move |on| (other, on))) {
        let ratio = |workload| Ratio::new([baseline, other], workload, on, spread);
        let mut row = vec![Cell::text(&other.label), Cell::text(on.name())];
        for workload in &workloads {
            let ratio = ratio(Some(workload));
            row.push(Cell::from_option(ratio, shown));
            intervals.push(vec![
                Cell::text(workload),
                Cell::text(on.name()),
                Cell::text(&other.label),
                Cell::number(ratio.map(|ratio| ratio.speed.median), 3),
                Cell::from_option(ratio, |ratio| Cell::range(ratio.speed, |end| with_decimals(end, 3))),
                Cell::from_option(ratio, |ratio| Cell::range(ratio.widened, |end| with_decimals(end, 3))),
                Cell::from_option(ratio, |ratio| Cell::text(ratio.verdict())),
            ]);
        }
        row.push(Cell::from_option(ratio(None), shown));
        rows.push(row);
    }
    let columns: Vec<&str> = workloads.iter().map(String::as_str).chain(["score"]).collect();
    let of_intervals = ["times as fast", "interval", "widened interval", "verdict"];
    let caption = format!("Times as fast as {}", baseline.label);
    let more = format!("{caption}, with intervals");
    let text = format!(
        "Every other machine compared with {}, the baseline. The sign ≈ means undecided: two runs of one machine may differ as \
         much. The runs were not interleaved, so a machine that was busy looks slower than it is.",
        baseline.label
    );
    Some(Section {
        tables: vec![PageTable::new(caption, &["machine", "threads"], &columns, rows)],
        more: vec![PageTable::new(more, &["workload", "threads", "machine"], &of_intervals, intervals)],
        ..Section::new("ratios", "Side by side", text)
    })
}

/// Returns the section with the scores by date, for each machine that has several complete records.
pub(super) fn history(machines: &[PageMachine<'_>]) -> Option<Section> {
    let tables: Vec<PageTable> = machines.iter().filter_map(runs).collect();
    (!tables.is_empty()).then(|| Section {
        tables,
        ..Section::new(
            "history",
            "History",
            "Complete records with one hardware and label, the latest last. Where the revision is the same, they show \
             how much two runs of one machine differ; where it differs, the program may have changed.",
        )
    })
}

fn runs(machine: &PageMachine<'_>) -> Option<PageTable> {
    let whole = machine.whole_runs();
    let rows = whole.iter().flat_map(|run| {
        let threads = Threads::ALL.into_iter().take(run.summary.scores.len());
        threads.filter_map(|threads| Standing::new(&run.summary, threads)).map(|Standing { threads, score, .. }| {
            vec![
                Cell::text(&run.record.started),
                Cell::text(run.record.build.name()),
                Cell::Count(threads as u128),
                Cell::number(score.median, 1),
                Cell::range(score, |end| with_decimals(end, 1)),
                join_remarks(caveats(run.record)),
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
        let started: Vec<String> = found.tables[0].rows.iter().map(|row| row[0].to_text()[..7].into()).collect();
        assert_eq!(started, ["2026-01", "2026-01", "2026-02", "2026-02"]);
    }
}
