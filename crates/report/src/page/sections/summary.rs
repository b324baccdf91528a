//! Scores: each machine compared with the baseline, as a table and a chart.

use super::labels::full_name;
use super::machines::{PageMachine, baseline, shown};
use super::standing::{Ratio, Spread, Standing, Threads};
use crate::page::chart::{BarChart, BarRow, Group};
use crate::page::format::{day, fixed};
use crate::page::model::{Cell, Chart, Figure, PageTable, Section};
use perft_gate_bench::reference;

/// What a score is.
const RULER: &str = "100 is the reference machine: one thread is compared with its one thread, all threads with all of its. \
                     Higher is better. A score is the geometric mean over the workloads, without the yardstick, and its \
                     interval that of this run.";

pub(super) fn section(machines: &[PageMachine<'_>], spread: &Spread, left_out: Option<String>) -> Option<Section> {
    let standings = |machine: &PageMachine<'_>| Threads::BOTH.map(|threads| Standing::of(&machine.summary, threads));
    let workloads = machines.iter().flat_map(standings).flatten().map(|standing| standing.workloads);
    let most = workloads.max()?;
    let row = |machine: &PageMachine<'_>| {
        let standings = standings(machine);
        let mut row = vec![name(machine, &standings, most)];
        for (threads, standing) in Threads::BOTH.into_iter().zip(standings) {
            let score = standing.map(|standing| standing.score);
            row.push(Cell::of(score, |score| Cell::number(score.median, 1)));
            row.push(Cell::of(score, |score| Cell::range(score, |end| fixed(end, 1))));
            row.push(Cell::of(baseline(machines), |baseline| beside(baseline, machine, threads, spread)));
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

/// Returns the label, with the processor, the day, and what a reader of the machine's scores must know.
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

fn beside(baseline: &PageMachine<'_>, machine: &PageMachine<'_>, threads: Threads, spread: &Spread) -> Cell {
    match machine.is_baseline {
        true => Cell::text("baseline"),
        false => Cell::of(Ratio::of([baseline, machine], None, threads, spread), |ratio| Cell::text(ratio.verdict())),
    }
}

/// Returns the picture of several machines' scores. The summary has its numbers.
pub(super) fn scores(machines: &[PageMachine<'_>]) -> Option<Section> {
    let mut values = vec![100.0];
    let mut group = |threads: Threads| {
        let ranked = shown(machines).into_iter().filter_map(|machine| {
            let Standing { score, .. } = Standing::of(&machine.summary, threads)?;
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
    // Of one machine, the summary says all.
    (machines.len() > 1 && chart.values() > 0).then(|| Section {
        figures: vec![Figure {
            title: "Score on one thread, and on all, each against the reference's own: higher is better".into(),
            chart: Chart::Bars(chart),
        }],
        ..Section::new("scores", "Scores", "The fastest first.")
    })
}
