//! Head of the page: one sentence and a few numbers.

use super::machine::{Machine, threads};
use crate::page::documents::Documents;
use crate::page::format::{counted, fixed, list, three_digits};
use crate::page::model::{Fact, Page};

/// Workloads that represent a machine, the best one first.
const SPEAKERS: [&str; 3] = ["setwise", "bulk", "verify"];

pub(super) fn of(machines: &[Machine<'_>], documents: &Documents) -> Page {
    let title = match machines {
        [] => "Perft report".into(),
        [one] => one.label.clone(),
        several => format!("{} machines, side by side", several.len()),
    };
    let mut origin: Vec<String> = machines
        .iter()
        .map(|machine| {
            let record = machine.record;
            format!(
                "{}: {}, perft {} ({})",
                machine.label,
                day(&record.started),
                record.build.version,
                record.build.name()
            )
        })
        .collect();
    for compare in &documents.comparisons {
        let cpu = compare.machine.hardware.model();
        origin.push(format!("hashing schemes: {cpu}, {}", day(&compare.started)));
    }
    Page { title, lead: lead(machines, documents), origin, facts: facts(machines), sections: Vec::new() }
}

fn day(started: &str) -> &str {
    started.split('T').next().unwrap_or(started)
}

/// Returns the first of these workloads that all machines have run.
fn speaker(machines: &[Machine<'_>]) -> Option<&'static str> {
    SPEAKERS.into_iter().find(|name| machines.iter().all(|machine| machine.most_threads(name) > 0))
}

fn best(machine: &Machine<'_>, workload: &str) -> Option<(usize, f64, String)> {
    let line = machine.line(workload, machine.most_threads(workload))?;
    Some((line.work.threads, line.rate.median / 1e6, line.work.unit.clone()))
}

fn lead(machines: &[Machine<'_>], documents: &Documents) -> String {
    let speaker = speaker(machines);
    let Some(workload) = speaker.filter(|_| !machines.is_empty()) else {
        let Documents { comparisons, collisions, distinct, .. } = documents;
        let parts = [
            (comparisons.len(), "comparison of hashing schemes", "comparisons of hashing schemes"),
            (collisions.len(), "count of collisions", "counts of collisions"),
            (distinct.len(), "count of distinct positions", "counts of distinct positions"),
            (machines.len(), "record", "records"),
        ];
        let parts = parts.into_iter().filter(|(number, ..)| *number > 0);
        let parts: Vec<String> = parts.map(|(number, one, several)| counted(number, one, several)).collect();
        return format!("{}.", list(&parts));
    };
    let mut ranked: Vec<_> =
        machines.iter().filter_map(|machine| best(machine, workload).map(|found| (machine, found))).collect();
    ranked.sort_by(|one, other| other.1.1.total_cmp(&one.1.1));
    match &ranked[..] {
        [] => String::new(),
        [(machine, (number, rate, unit))] => {
            let alone = machine.line(workload, 1).filter(|_| *number > 1);
            let alone =
                alone.map_or(String::new(), |line| format!(", {} on one", three_digits(line.rate.median / 1e6)));
            let checked = best(machine, "verify").filter(|_| workload != "verify");
            let checked = checked.map_or(String::new(), |(_, rate, _)| {
                format!(", and verifies every key of {} million nodes a second", three_digits(rate))
            });
            format!(
                "The {} counts {} million {unit} a second on {}{alone}{checked}.",
                machine.record.machine.hardware.model(),
                three_digits(*rate),
                threads(*number)
            )
        }
        [(first, (number, rate, unit)), .., (last, (least, slowest, _))] => format!(
            "Of {} machines the {} is the fastest: {} million {unit} a second on {}, {} times as many as the {} on {least}.",
            ranked.len(),
            first.record.machine.hardware.model(),
            three_digits(*rate),
            threads(*number),
            fixed(rate / slowest, 2),
            last.record.machine.hardware.model(),
        ),
    }
}

fn facts(machines: &[Machine<'_>]) -> Vec<Fact> {
    let [machine] = machines else { return Vec::new() };
    let scores = machine.summary.scores.iter().map(|score| Fact {
        value: fixed(score.score, 0),
        unit: "score".into(),
        of: format!("on {}", threads(score.threads)),
    });
    let rates = ["setwise", "hashed", "verify", "unique"].into_iter().filter_map(|workload| {
        let (number, rate, unit) = best(machine, workload)?;
        Some(Fact {
            value: three_digits(rate),
            unit: format!("M {unit}/s"),
            of: format!("{workload}, {}", threads(number)),
        })
    });
    scores.chain(rates).collect()
}
