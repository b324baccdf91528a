//! Summary table: every machine with its scores, and how it stands beside the baseline.

use super::machine::{PageMachine, noun};
use super::standing::{Ratio, Spread, Standing, Threads};
use crate::page::format::{counted, fixed};
use crate::page::model::{Cell, Column, ColumnRole, PageTable, Section};

pub(super) fn section(machines: &[PageMachine<'_>], spread: Spread, left_out: Option<String>) -> Option<Section> {
    let table = table(machines, spread)?;
    let notes = notes(machines, spread).into_iter().chain(left_out).collect();
    let text = vec!["100 is the reference machine; higher is better.".into()];
    Some(Section { id: "summary", title: "Summary", text, tables: vec![table], notes, ..Section::default() })
}

/// Returns the machine that the others are compared with, if there are others.
pub(super) fn baseline<'m, 'a>(machines: &'m [PageMachine<'a>]) -> Option<&'m PageMachine<'a>> {
    machines.iter().find(|machine| machine.is_baseline).filter(|_| machines.len() > 1)
}

/// Returns what the numbers mean, and how sure they are.
fn notes(machines: &[PageMachine<'_>], spread: Spread) -> Vec<String> {
    let mut text = vec![
        "The score on one thread is beside the reference machine's one thread, that on all threads beside all of its threads: \
         the geometric mean over the workloads, without the yardstick. The interval is that of this run."
            .to_string(),
    ];
    if let Some(baseline) = baseline(machines) {
        text.push(format!(
            "× says how many times as fast as {} a machine is; ≈ stands before it where the interval of that ratio, widened by \
             what two runs of one machine differ by, has 1 in it: such two are not told apart. {}",
            baseline.label,
            spread_sentence(machines, spread)
        ));
        let mut builds: Vec<String> = machines.iter().map(|machine| machine.record.build.name()).collect();
        builds.sort();
        builds.dedup();
        if builds.len() > 1 {
            text.push(format!(
                "The records come from {} builds of the program, so a part of a difference may be the program's. The table of \
                 machines below names them.",
                builds.len()
            ));
        }
    }
    if noun(machines) == "setups" {
        text.push("Some of them have the same processor, and may be one machine in two setups.".into());
    }
    text
}

fn spread_sentence(machines: &[PageMachine<'_>], spread: Spread) -> String {
    let drift = machines.iter().flat_map(|machine| &machine.summary.lines).map(|line| line.drift.0).fold(0.0, f64::max);
    let drift = fixed(100.0 * drift, 0);
    match spread.pairs {
        0 => format!(
            "No machine here has two runs of one build, so each ratio is widened by what the two runs drifted from one quarter \
             to another (at most {drift} % for a workload), or by the time that neighbours took, if that is more."
        ),
        pairs => format!(
            "{} of one machine and build here differ by up to {} % on one thread and {} % on all; where the runs themselves \
             drifted more (at most {drift} % for a workload), or neighbours took more, that counts.",
            counted(pairs, "pair of runs", "pairs of runs"),
            fixed(100.0 * spread.part(Threads::One), 1),
            fixed(100.0 * spread.part(Threads::All), 1)
        ),
    }
}

fn table(machines: &[PageMachine<'_>], spread: Spread) -> Option<PageTable> {
    let all = |machine: &PageMachine<'_>| Threads::BOTH.map(|threads| Standing::of(&machine.summary, threads));
    let standings: Vec<_> = machines.iter().map(all).collect();
    let most = standings.iter().flatten().flatten().map(|standing| standing.workloads).max()?;
    let baseline = baseline(machines);
    let mut table = PageTable::new("Scores, higher is better", &["machine"], &[]);
    let column = |title: String, role| Column { title, role };
    for threads in Threads::BOTH {
        table.columns.push(column(threads.name().into(), ColumnRole::Number));
        table.columns.push(column("interval".into(), ColumnRole::Number));
        if baseline.is_some() {
            table.columns.push(column("× baseline".into(), ColumnRole::Number));
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

fn beside(baseline: &PageMachine<'_>, machine: &PageMachine<'_>, threads: Threads, spread: Spread) -> Cell {
    if machine.is_baseline {
        return Cell::text("baseline");
    }
    let ratio = Ratio::of_machines([baseline, machine], threads, spread);
    ratio.map_or(Cell::Missing, |ratio| Cell::Number { value: ratio.speed.median, shown: ratio.shown() })
}

/// Returns what a reader of a machine's scores must know.
fn remarks(machine: &PageMachine<'_>, standings: &[Option<Standing>], most: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if machine.runs.len() > 1 {
        notes.push(format!("latest of {} runs", machine.runs.len()));
    }
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
