//! Head of the page: one sentence and a few numbers.

use super::builds::describe_builds;
use super::machine::{PageMachine, noun};
use super::standing::{Ratio, Spread, Standing, Threads};
use super::summary::day;
use crate::page::documents::Documents;
use crate::page::format::threads;
use crate::page::format::{counted, fixed, list, three_digits};
use crate::page::model::{Fact, Page};

/// Most lines about the sources of a page.
const SOURCES: usize = 4;

pub(super) fn of(machines: &[PageMachine<'_>], documents: &Documents, spread: &Spread) -> Page {
    let title = match machines {
        [] => "Perft report".into(),
        [one] => one.label.clone(),
        several => format!("{} {}, side by side", several.len(), noun(several)),
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
    if origin.len() > SOURCES {
        // The table of machines has them all.
        origin = vec![format!("{} records", documents.records.len())];
    }
    for compare in &documents.comparisons {
        let cpu = compare.machine.hardware.model();
        origin.push(format!("hashing schemes: {cpu}, {}", day(&compare.started)));
    }
    let lead = lead(machines, documents, spread);
    Page { title, lead, origin, facts: facts(machines), links: Vec::new(), sections: Vec::new() }
}

fn lead(machines: &[PageMachine<'_>], documents: &Documents, spread: &Spread) -> String {
    let warned = |machine: &&PageMachine<'_>| {
        machine.record.conditions.as_ref().is_some_and(|conditions| !conditions.warnings.is_empty())
    };
    let warned: Vec<&str> = machines.iter().filter(warned).map(|machine| machine.label.as_str()).collect();
    let warning = match &warned[..] {
        [] => String::new(),
        [one] => format!(" The run of {one} was disturbed: see its remark."),
        several => format!(" {} runs were disturbed: see their remarks.", several.len()),
    };
    result(machines, documents, spread) + &warning
}

/// Returns the result in a sentence or two.
fn result(machines: &[PageMachine<'_>], documents: &Documents, spread: &Spread) -> String {
    let comparable: Vec<&PageMachine<'_>> =
        machines.iter().filter(|machine| Standing::of(&machine.summary, Threads::All).is_some()).collect();
    match &comparable[..] {
        [] => contents(machines, documents),
        [one] if machines.len() == 1 => alone(one),
        [one] => format!("Only {} of {} {} has a score.", one.label, machines.len(), noun(machines)),
        several => compared(several, spread, noun(machines)),
    }
}

/// Returns what the documents are, for a page without scores.
fn contents(machines: &[PageMachine<'_>], documents: &Documents) -> String {
    let Documents { comparisons, collisions, distinct, .. } = documents;
    let parts = [
        (comparisons.len(), "comparison of hashing schemes", "comparisons of hashing schemes"),
        (collisions.len(), "count of collisions", "counts of collisions"),
        (distinct.len(), "count of distinct positions", "counts of distinct positions"),
        (machines.len(), "machine without a score", "machines without a score"),
    ];
    let parts = parts.into_iter().filter(|(number, ..)| *number > 0);
    let parts: Vec<String> = parts.map(|(number, one, several)| counted(number, one, several)).collect();
    format!("{}.", list(&parts))
}

/// Describes one machine.
fn alone(machine: &PageMachine<'_>) -> String {
    let scores = Threads::BOTH.into_iter().take(machine.summary.scores.len());
    let scores = scores.filter_map(|on| {
        let Standing { threads: number, score, .. } = Standing::of(&machine.summary, on)?;
        let [low, middle, high] = [score.low, score.median, score.high].map(|score| fixed(score, 0));
        Some(format!("{middle} on {} ({low} to {high})", threads(number)))
    });
    let scores: Vec<String> = scores.collect();
    let rate = best(machine, "setwise").map_or(String::new(), |(number, rate, unit)| {
        format!(": it counts {} million {unit} a second on {}", three_digits(rate), threads(number))
    });
    let checked = best(machine, "verify").map_or(String::new(), |(_, rate, _)| {
        format!(", and verifies every key of {} million nodes a second", three_digits(rate))
    });
    let run = machine.describe_choice().map_or(String::new(), |choice| format!(" The run is {choice}."));
    let ruler = if scores.len() > 1 {
        ", each against the reference machine's own 100"
    } else {
        ", where 100 is the reference machine"
    };
    format!("{} scores {}{ruler}{rate}{checked}.{run}", machine.label, list(&scores))
}

/// Compares machines on all threads, and on one.
fn compared(machines: &[&PageMachine<'_>], spread: &Spread, noun: &str) -> String {
    let has_more = machines.iter().any(|machine| machine.summary.scores.len() > 1);
    let builds = describe_builds(machines.iter().copied()).map_or(String::new(), |text| text + " ");
    let outcomes: Vec<(Threads, FastestMachine<'_>)> = [Threads::All, Threads::One]
        .into_iter()
        .skip(usize::from(!has_more))
        .map(|on| (on, FastestMachine::of(machines, on, spread)))
        .collect();
    if let [(_, FastestMachine::Fastest(first, second, all)), (_, FastestMachine::Fastest(again, same, one))] =
        outcomes[..]
        && (first, second) == (again, same)
    {
        let what = match machines.len() {
            2 => format!("{first} is faster than {second}"),
            several => format!("{first} is the fastest of {several} {noun}; the next one is {second}"),
        };
        return format!(
            "{builds}{what}: {} as fast on all threads ({}) and {} on one ({}).{}",
            times(&all),
            interval(&all),
            times(&one),
            interval(&one),
            ranges(spread)
        );
    }
    let sentences: Vec<String> = outcomes
        .iter()
        .map(|(on, outcome)| format!("On {} {}.", on.name(), outcome.said(machines.len(), noun)))
        .collect();
    let has_ranges = outcomes.iter().any(|(_, outcome)| match outcome {
        FastestMachine::Fastest(..) => true,
        FastestMachine::Open(_, ratio) => ratio.is_some() && machines.len() == 2,
    });
    builds + &sentences.join(" ") + &if has_ranges { ranges(spread) } else { String::new() }
}

/// Returns what the ranges of a sentence are.
fn ranges(spread: &Spread) -> String {
    match spread.pairs {
        0 => " No machine here has a second run: what two runs of one machine differ by is not in the ranges.".into(),
        _ => {
            let [one, all] = Threads::BOTH.map(|threads| fixed(100.0 * spread.of_scores(threads), 0));
            format!(
                " The ranges allow for what runs of one machine differ by here: {one} % on one thread, {all} % on all."
            )
        }
    }
}

/// Result of a comparison.
#[derive(Clone)]
enum FastestMachine<'a> {
    /// The fastest machine, and the next one with the ratio.
    Fastest(&'a str, &'a str, Ratio),
    /// Machines that are not told apart from the one with the highest score, which is the first of them; the ratio to
    /// the second.
    Open(Vec<&'a str>, Option<Ratio>),
}

impl<'a> FastestMachine<'a> {
    /// Names the fastest machine, if two runs of one machine do not differ by so much.
    fn of(machines: &[&'a PageMachine<'_>], on: Threads, spread: &Spread) -> FastestMachine<'a> {
        let score = |machine: &PageMachine<'_>| Standing::of(&machine.summary, on).map_or(0.0, |at| at.score.median);
        let mut ranked = machines.to_vec();
        ranked.sort_by(|one, other| score(other).total_cmp(&score(one)));
        let (first, others) = ranked.split_first().expect("two machines");
        let ratios = others.iter().map(|other| (other.label.as_str(), Ratio::of_machines([other, first], on, spread)));
        let ratios: Vec<(&str, Option<Ratio>)> = ratios.collect();
        let is_open = |ratio: &Option<Ratio>| !ratio.is_some_and(|ratio| ratio.is_sure());
        let equal: Vec<(&str, Option<Ratio>)> = ratios.iter().copied().filter(|(_, ratio)| is_open(ratio)).collect();
        match (&equal[..], &ratios[..]) {
            ([], [(second, Some(ratio)), ..]) => FastestMachine::Fastest(&first.label, second, *ratio),
            (equal, _) => {
                let labels = [first.label.as_str()].into_iter().chain(equal.iter().map(|(label, _)| *label));
                FastestMachine::Open(labels.collect(), equal.first().and_then(|(_, ratio)| *ratio))
            }
        }
    }

    /// Returns the rest of a sentence about this many machines.
    fn said(&self, machines: usize, noun: &str) -> String {
        match self {
            FastestMachine::Fastest(first, second, ratio) if machines == 2 => {
                format!("{first} is {} as fast as {second} ({})", times(ratio), interval(ratio))
            }
            FastestMachine::Fastest(first, second, ratio) => format!(
                "{first} is the fastest of {machines} {noun}, {} as fast as the next one, {second} ({})",
                times(ratio),
                interval(ratio)
            ),
            FastestMachine::Open(labels, Some(ratio)) if machines == 2 => format!(
                "{} are not told apart: {} as fast ({})",
                list(&labels.iter().map(|label| label.to_string()).collect::<Vec<_>>()),
                times(ratio),
                interval(ratio)
            ),
            FastestMachine::Open(labels, _) => {
                let mut named: Vec<String> = labels.iter().take(NAMED).map(|label| label.to_string()).collect();
                if labels.len() > NAMED {
                    named.push(format!("{} more", labels.len() - NAMED));
                }
                format!("{} of {machines} {noun} lead and are not told apart: {}", labels.len(), list(&named))
            }
        }
    }
}

/// Most machines that a sentence names.
const NAMED: usize = 3;

fn times(ratio: &Ratio) -> String {
    format!("{} times", fixed(ratio.speed.median, 2))
}

fn interval(ratio: &Ratio) -> String {
    format!("{} to {}", fixed(ratio.widened.low, 2), fixed(ratio.widened.high, 2))
}

fn best(machine: &PageMachine<'_>, workload: &str) -> Option<(usize, f64, String)> {
    let line = machine.line(workload, machine.most_threads(workload))?;
    Some((line.work.threads, line.rate.median / 1e6, line.work.unit.clone()))
}

fn facts(machines: &[PageMachine<'_>]) -> Vec<Fact> {
    let [machine] = machines else { return Vec::new() };
    let scores = machine.summary.scores.iter().map(|score| Fact {
        value: fixed(score.score, 0),
        unit: "score".into(),
        of: match score.threads {
            1 => "1 thread; the reference's own is 100".into(),
            number => format!("all {number} threads; the reference's own are 100"),
        },
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

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;
    use perft_gate_machine::record::Record;

    /// Returns the reference as another machine, slower by this factor.
    fn record(label: &str, time: f64) -> Record {
        let mut record = reference();
        record.label = Some(label.into());
        record.machine.hardware.cpu = format!("Processor {label}");
        let rounds = record.stages.iter_mut().flat_map(|stage| &mut stage.rounds);
        rounds.flat_map(|round| &mut round.slices).flatten().for_each(|slice| slice.1 = (slice.1 as f64 * time) as u64);
        record
    }

    fn said(records: &[Record]) -> String {
        let machines = crate::page::sections::machines::of_records(records, None);
        lead(&machines, &Documents::default(), &Spread::of(&machines))
    }

    #[test]
    fn a_winner_is_named_only_if_runs_of_one_machine_do_not_differ_so_much() {
        let sure = said(&[record("slow", 2.0), record("fast", 1.0)]);
        assert!(sure.starts_with("fast is faster than slow: 2.00 times as fast on all threads ("), "{sure}");
        assert!(sure.contains(") and 2.00 times on one ("), "{sure}");
        let close = said(&[record("a", 1.02), record("b", 1.0)]);
        assert!(close.contains("On all threads b and a are not told apart: 1.02 times as fast ("), "{close}");
        assert!(close.contains("On one thread b and a are not told apart"), "{close}");
        // Another run of the slow machine was three times as fast as its latest: nothing is sure any more.
        let mut earlier = record("slow", 0.7);
        earlier.started = "2020-01-01T00:00:00Z".into();
        let unsure = said(&[record("slow", 2.0), record("fast", 1.0), earlier]);
        assert!(unsure.contains("fast and slow are not told apart: 2.00 times as fast (0."), "{unsure}");
    }

    #[test]
    fn of_many_machines_the_leaders_are_named() {
        let records = [record("a", 3.0), record("b", 1.0), record("c", 2.0)];
        let first = said(&records);
        assert!(first.starts_with("b is the fastest of 3 machines; the next one is c: 2.00 times"), "{first}");
        let mut equal: Vec<Record> = (0..5).map(|number| record(&number.to_string(), 1.0)).collect();
        equal.push(record("last", 4.0));
        let leaders = said(&equal);
        assert!(leaders.contains("On one thread 5 of 6 machines lead and are not told apart: "), "{leaders}");
        assert!(leaders.contains("2 more.") && !leaders.contains("ranges"), "{leaders}");
    }

    #[test]
    fn two_runs_are_not_two_machines() {
        let mut later = reference();
        later.started = "2030-01-01T00:00:00Z".into();
        let runs = said(&[reference(), later]);
        assert!(runs.contains("The run is the latest of 2 runs.") && !runs.contains("machines"), "{runs}");
        assert!(
            runs.contains(" on 2 threads (") && runs.contains("each against the reference machine's own 100"),
            "{runs}"
        );
        let (mut on, off) = (record("PBO on", 0.5), record("PBO off", 1.0));
        on.machine = off.machine.clone();
        let setups = said(&[on, off, record("third", 3.0)]);
        assert!(setups.starts_with("PBO on is the fastest of 3 setups; the next one is PBO off"), "{setups}");
    }

    #[test]
    fn a_disturbed_run_is_named() {
        let mut busy = record("busy", 1.0);
        let warnings = vec!["neighbours took 31 % of the time".to_string()];
        busy.conditions = Some(perft_gate_machine::Conditions { warnings, ..Default::default() });
        assert!(said(&[busy, record("calm", 1.0)]).ends_with("The run of busy was disturbed: see its remark."));
    }

    #[test]
    fn ranges_claim_only_what_the_records_show() {
        let pair = [record("slow", 2.0), record("fast", 1.0)];
        assert!(said(&pair).contains(" No machine here has a second run: "), "{}", said(&pair));
        let mut again = record("slow", 1.6);
        (again.started, again.build.compiler) = ("2020-01-01T00:00:00Z".into(), "rustc 9".into());
        let three = said(&[pair.as_slice(), &[again]].concat());
        assert!(three.contains("differ by here: 25 % on one thread, 25 % on all."), "{three}");
        assert!(three.contains("2.00 times as fast on all threads (1."), "{three}");
    }

    #[test]
    fn machines_that_other_builds_measured_are_not_ranked_without_a_word() {
        let one_build = [record("slow", 2.0), record("fast", 1.0)];
        assert!(!said(&one_build).contains("builds"));
        for machines in [2, 3] {
            let mut records: Vec<Record> = (0..machines).map(|number| record(&number.to_string(), 1.0)).collect();
            records[1].build.opt_level = "1".into();
            let lead = said(&records);
            let expected = "2 builds of the program measured these machines (they differ in optimisation), so ";
            assert!(lead.starts_with(expected), "{lead}");
        }
    }
}
