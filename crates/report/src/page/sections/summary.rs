//! Summary table: every machine with its scores, and how it stands beside the baseline.

use super::builds::describe_builds;
use super::labels::full_name;
use super::machine::{PageMachine, noun};
use super::standing::{Ratio, Spread, Standing, Threads};
use crate::page::format::{counted, fixed};
use crate::page::model::{Cell, Column, ColumnRole, PageTable, Section};
use perft_gate_bench::reference;

pub(super) fn section(machines: &[PageMachine<'_>], spread: &Spread, left_out: Option<String>) -> Option<Section> {
    let table = table(machines, spread)?;
    let notes = notes(machines, spread).into_iter().chain(left_out).collect();
    let text = vec![format!("{RULER} Higher is better.")];
    Some(Section { id: "summary", title: "Summary", text, tables: vec![table], notes, ..Section::default() })
}

/// What a score is.
const RULER: &str =
    "100 is the reference machine: one thread is compared with its one thread, all threads with all of its.";

/// Returns the machine that the others are compared with, if there are others.
pub(super) fn baseline<'m, 'a>(machines: &'m [PageMachine<'a>]) -> Option<&'m PageMachine<'a>> {
    machines.iter().find(|machine| machine.is_baseline).filter(|_| machines.len() > 1)
}

/// Returns what the numbers mean, and how sure they are.
fn notes(machines: &[PageMachine<'_>], spread: &Spread) -> Vec<String> {
    let reference = reference();
    let mut text = vec![format!(
        "A score is the geometric mean over the workloads, without the yardstick, and its interval that of this run. The \
         reference machine is {}, as build {} measured it on {}.",
        full_name(&reference),
        reference.build.name(),
        day(&reference.started)
    )];
    if let Some(baseline) = baseline(machines) {
        text.push(format!(
            "The verdicts compare with {}, the baseline: faster or slower, if the interval of the ratio of the two, widened as \
             follows, leaves out 1; otherwise the two are not told apart. {}",
            baseline.label,
            spread_sentence(machines, spread)
        ));
    }
    text.extend(describe_builds(machines.iter()).map(|text| format!("{text} The table of machines below names them.")));
    if noun(machines) == "setups" {
        text.push("Some of them have the same processor, and may be one machine in two setups.".into());
    }
    text
}

fn spread_sentence(machines: &[PageMachine<'_>], spread: &Spread) -> String {
    let drift = machines.iter().flat_map(|machine| &machine.summary.lines).map(|line| line.drift.0).fold(0.0, f64::max);
    let drift = fixed(100.0 * drift, 0);
    match spread.pairs {
        0 => format!(
            "No machine here has a second run, so what two runs of one machine differ by is not known, and each ratio is \
             widened only by what the two runs drifted from one quarter to another (at most {drift} % for a workload), or by the \
             time that neighbours took, if that is more."
        ),
        pairs => format!(
            "Runs of one machine differ by up to {} % on one thread and {} % on all ({}), so every ratio is widened by so much; \
             where the runs themselves drifted more (at most {drift} % for a workload), or neighbours took more, that counts.",
            fixed(100.0 * spread.of_scores(Threads::One), 1),
            fixed(100.0 * spread.of_scores(Threads::All), 1),
            counted(pairs, "pair of runs", "pairs of runs")
        ),
    }
}

fn table(machines: &[PageMachine<'_>], spread: &Spread) -> Option<PageTable> {
    let all = |machine: &PageMachine<'_>| Threads::BOTH.map(|threads| Standing::of(&machine.summary, threads));
    let standings: Vec<_> = machines.iter().map(all).collect();
    let most = standings.iter().flatten().flatten().map(|standing| standing.workloads).max()?;
    let baseline = baseline(machines);
    let mut table = PageTable::new("Scores, higher is better", &["machine"], &[]).with_cards();
    let column = |title: String, role| Column { title, role };
    for threads in Threads::BOTH {
        table.columns.push(column(threads.name().into(), ColumnRole::Number));
        table.columns.push(column("interval".into(), ColumnRole::Number));
        if baseline.is_some() {
            table.columns.push(column("verdict".into(), ColumnRole::Text));
        }
    }
    for (machine, standings) in machines.iter().zip(&standings) {
        let mut row = vec![name(machine, &remarks(machine, standings, most))];
        for (threads, standing) in Threads::BOTH.into_iter().zip(standings) {
            let score = standing.map(|standing| standing.score);
            row.push(Cell::or_missing(score.map(|score| score.median), 1));
            row.push(score.map_or(Cell::Missing, |score| Cell::range(score.low, score.high, 1)));
            if let Some(baseline) = baseline {
                row.push(beside(baseline, machine, threads, spread));
            }
        }
        table.rows.push(row);
    }
    Some(table.without_empty_columns())
}

/// Returns the label, with the processor, if the label is another, the day, and the remarks.
fn name(machine: &PageMachine<'_>, remarks: &[String]) -> Cell {
    let (name, processor, day) = (machine.label.clone(), machine.processor(), day(&machine.record.started));
    let detail = if name == processor { day.into() } else { format!("{processor}, {day}") };
    let detail = [detail].iter().chain(remarks).cloned().collect::<Vec<_>>().join("; ");
    Cell::Name { name, detail, link: machine.link.clone() }
}

fn beside(baseline: &PageMachine<'_>, machine: &PageMachine<'_>, threads: Threads, spread: &Spread) -> Cell {
    if machine.is_baseline {
        return Cell::text("baseline");
    }
    let ratio = Ratio::of_machines([baseline, machine], threads, spread);
    ratio.map_or(Cell::Missing, |ratio| Cell::text(ratio.verdict()))
}

/// Returns what a reader of a machine's scores must know.
fn remarks(machine: &PageMachine<'_>, standings: &[Option<Standing>], most: usize) -> Vec<String> {
    let mut notes: Vec<String> = machine.describe_choice().into_iter().collect();
    if machine.record.settings.quick {
        notes.push("quick run".into());
    }
    if machine.record.settings.interrupted {
        notes.push("stopped".into());
    }
    if let Some(fewer) = standings.iter().flatten().map(|standing| standing.workloads).min().filter(|few| *few < most) {
        notes.push(format!("{fewer} of {most} workloads"));
    }
    if let Some(conditions) = &machine.record.conditions {
        notes.extend(conditions.warnings.iter().cloned());
    }
    notes
}

/// Returns the day of a time.
pub(super) fn day(started: &str) -> &str {
    started.split('T').next().unwrap_or(started)
}
