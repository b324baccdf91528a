//! The whole page: its title, a sentence or two of text, a few numbers, and the sections in order.

use super::machines::{PageMachine, line, millions, most_threads, noun};
use super::standing::{Ratio, Spread, Standing, Threads};
use super::{conditions, costs, counts, latency, machines, method, rates, scaling, scores};
use crate::page::documents::Documents;
use crate::page::format::{list, number_of, threads, three_digits, with_decimals};
use crate::page::model::Page;
use perft_gate_machine::record::{Build, Record};

impl Page {
    /// Builds the page. `baseline` is the index of any record of the machine that the others are compared with. By
    /// default, that is the reference machine, or else the first machine that was not disturbed. Records whose workload
    /// set has another version than record `baseline` (or the first) are omitted, and the page says so.
    pub fn new(documents: &Documents, baseline: Option<usize>) -> Page {
        let wanted = baseline.unwrap_or(0);
        let version = documents.records.get(wanted).map_or(0, Record::workloads_version);
        let is_kept = |record: &&Record| record.workloads_version() == version;
        let records: Vec<Record> = documents.records.iter().filter(is_kept).cloned().collect();
        let baseline = baseline.map(|wanted| documents.records.iter().take(wanted).filter(is_kept).count());
        let left_out = documents.records.len() - records.len();
        let left_out = (left_out > 0).then(|| {
            format!(
                "{} left out: recorded with another version of the workloads than the baseline's ({version}).",
                number_of(left_out, "record", "records")
            )
        });
        let machines = machines::of_records(&records, baseline);
        let spread = Spread::new(&machines);
        let sections = [
            scores::ratios(&machines, &spread),
            scores::summary(&machines, left_out),
            rates::section(&machines),
            scaling::section(&machines),
            latency::tasks(&machines),
            latency::sustained_section(&machines),
            scores::history(&machines),
            conditions::section(&machines),
            conditions::properties(&machines),
            costs::section(&documents.comparisons),
            costs::recompute(&documents.comparisons),
            counts::collisions(&documents.collisions),
            counts::distinct(&documents.distinct),
            Some(method::section(&machines, documents, &spread)),
        ];
        let sections: Vec<_> = sections.into_iter().flatten().collect();
        let title = match &machines[..] {
            [] => sections[0].title.into(),
            [one] => one.label.clone(),
            several => format!("{} {}, side by side", several.len(), noun(several)),
        };
        Page { title, lead: lead(&machines, &spread), facts: facts(&machines), sections }
    }
}

const NAMED: usize = 3;

const BUILDS: &str =
    "Different builds of the program measured these machines, so a part of each difference may be the program's.";

fn lead(machines: &[PageMachine<'_>], spread: &Spread) -> String {
    let has_score = |machine: &&PageMachine<'_>| Standing::new(&machine.summary, Threads::All).is_some();
    let scored: Vec<&PageMachine<'_>> = machines.iter().filter(has_score).collect();
    let (disturbed, calm): (Vec<_>, Vec<_>) = scored.iter().copied().partition(|machine| machine.record.is_disturbed());
    let result = match (&scored[..], &calm[..]) {
        ([], _) => "There are no scores.".into(),
        ([one], _) => alone(one),
        (_, [] | [_]) => "No two machines can be ranked.".into(),
        (_, several) => compare_machines(several, spread, machines),
    };
    let labels: Vec<String> = disturbed.iter().map(|machine| machine.label.clone()).collect();
    if labels.is_empty() { result } else { format!("{result} Not ranked: {}.", list(&labels)) }
}

fn alone(machine: &PageMachine<'_>) -> String {
    let scores = Threads::ALL.into_iter().take(machine.summary.scores.len());
    let scores = scores.filter_map(|on| {
        let Standing { threads: number, score, .. } = Standing::new(&machine.summary, on)?;
        let [low, median, high] = [score.low, score.median, score.high].map(|score| with_decimals(score, 0));
        Some(format!("{median} on {} ({low} to {high})", threads(number)))
    });
    let run = machine.describe_choice().map_or(String::new(), |choice| format!(" The run is {choice}."));
    let scores = list(&scores.collect::<Vec<_>>());
    format!("{} scores {scores}; 100 is as fast as the reference machine.{run}", machine.label)
}

/// Returns sentences that compare the machines on all threads and on one thread.
fn compare_machines(machines: &[&PageMachine<'_>], spread: &Spread, all: &[PageMachine<'_>]) -> String {
    // The target is ignored, because the same build may exist for several systems.
    let build = |machine: &&PageMachine<'_>| Build { target: String::new(), ..machine.record.build.clone() };
    let builds = machines.iter().any(|machine| build(machine) != build(&machines[0]));
    let builds = builds.then(|| BUILDS.to_string());
    let on = Threads::of_machines(all).iter().rev();
    let ranked = on.map(|&on| format!("On {} {}.", on.name(), leaders(machines, on, spread, noun(all))));
    ranked.chain(builds).collect::<Vec<_>>().join(" ")
}

/// Returns a text that names the fastest machine, or the leading ones if no machine is certainly the fastest.
fn leaders(machines: &[&PageMachine<'_>], on: Threads, spread: &Spread, noun: &str) -> String {
    let score = |machine: &PageMachine<'_>| Standing::new(&machine.summary, on).map_or(0.0, |at| at.score.median);
    let mut ranked = machines.to_vec();
    ranked.sort_by(|one, other| score(other).total_cmp(&score(one)));
    let (first, others) = ranked.split_first().expect("two machines");
    let ratio = |other: &PageMachine<'_>| Ratio::new([other, first], None, on, spread);
    let is_open = |other: &&&PageMachine<'_>| !ratio(other).is_some_and(|ratio| ratio.is_sure());
    let open: Vec<&str> = others.iter().filter(is_open).map(|other| other.label.as_str()).collect();
    let (leader, second, number) = (&first.label, &others[0].label, machines.len());
    let times = ratio(others[0]).map_or(String::new(), |ratio| {
        let [low, high] = [ratio.widened.low, ratio.widened.high].map(|end| with_decimals(end, 2));
        format!("{} times as fast ({low} to {high})", with_decimals(ratio.speed.median, 2))
    });
    match (&open[..], number) {
        ([], 2) => format!("{leader} is faster than {second}: {times}"),
        ([], _) => format!("{leader} is the fastest of {number} {noun}; the next one is {second}: {times}"),
        (_, 2) => format!("{leader} and {second} are too close to call: {times}"),
        (open, _) => {
            let mut named: Vec<String> =
                [leader.as_str()].iter().chain(open).take(NAMED).map(ToString::to_string).collect();
            if open.len() >= NAMED {
                named.push(format!("{} more", open.len() + 1 - NAMED));
            }
            format!("{} of {number} {noun} lead, too close to call: {}", open.len() + 1, list(&named))
        }
    }
}

/// Returns the numbers at the top of one machine's page.
fn facts(machines: &[PageMachine<'_>]) -> Vec<[String; 3]> {
    let [machine] = machines else { return Vec::new() };
    let scores = machine.summary.scores.iter().map(|score| {
        [with_decimals(score.score, 0), "score".into(), format!("{}; the reference's is 100", threads(score.threads))]
    });
    let rates = ["setwise", "hashed", "verify", "unique"].into_iter().filter_map(|workload| {
        let line = line(&machine.summary, workload, most_threads(&machine.summary, workload))?;
        let on = format!("{workload}, {}", threads(line.work.threads));
        Some([three_digits(millions(line.rate).median), format!("M {}/s", line.work.unit), on])
    });
    scores.chain(rates).collect()
}

#[cfg(test)]
mod tests {
    use super::super::machines::of_records;
    use super::super::machines::tests::record as of_cpu;
    use super::*;
    use perft_gate_bench::reference;
    use perft_gate_machine::record::Record;

    /// Returns a copy of the reference record as if from another machine, with all times multiplied by `time`.
    fn record(label: &str, time: f64) -> Record {
        Record { label: Some(label.into()), ..of_cpu(&format!("Processor {label}"), "2026-11-22T00:00:00Z", time) }
    }

    fn said(records: &[Record]) -> String {
        let machines = of_records(records, None);
        lead(&machines, &Spread::new(&machines))
    }

    #[test]
    fn a_winner_is_named_only_if_runs_of_one_machine_do_not_differ_so_much() {
        let sure = said(&[record("slow", 2.0), record("fast", 1.0)]);
        assert!(sure.starts_with("On all threads fast is faster than slow: 2.00 times as fast ("), "{sure}");
        assert!(sure.contains("On one thread fast is faster than slow: 2.00 times as fast ("), "{sure}");
        let close = said(&[record("a", 1.02), record("b", 1.0)]);
        assert!(close.contains("On all threads b and a are too close to call: 1.02 times as fast ("), "{close}");
        assert!(close.contains("On one thread b and a are too close to call"), "{close}");
        // An earlier run of the slow machine was three times as fast as its latest run, so nothing is certain any more.
        let mut earlier = record("slow", 0.7);
        earlier.started = "2020-01-01T00:00:00Z".into();
        let unsure = said(&[record("slow", 2.0), record("fast", 1.0), earlier]);
        assert!(unsure.contains("fast and slow are too close to call: 2.00 times as fast (0."), "{unsure}");
    }

    #[test]
    fn of_many_machines_the_leaders_are_named() {
        let first = said(&[record("a", 3.0), record("b", 1.0), record("c", 2.0)]);
        assert!(first.contains("b is the fastest of 3 machines; the next one is c: 2.00 times"), "{first}");
        let mut equal: Vec<Record> = (0..5).map(|number| record(&number.to_string(), 1.0)).collect();
        equal.push(record("last", 4.0));
        let leaders = said(&equal);
        assert!(leaders.contains("On one thread 5 of 6 machines lead, too close to call: "), "{leaders}");
        assert!(leaders.contains(" and 2 more."), "{leaders}");
    }

    #[test]
    fn two_runs_are_not_two_machines() {
        let runs = said(&[reference(), Record { started: "2030-01-01T00:00:00Z".into(), ..reference() }]);
        assert!(runs.contains("The run is the latest of 2 runs.") && !runs.contains("machines"), "{runs}");
        assert!(runs.contains(" on 2 threads (") && runs.contains("100 is as fast as the reference"), "{runs}");
        let (mut on, off) = (record("PBO on", 0.5), record("PBO off", 1.0));
        on.machine = off.machine.clone();
        let setups = said(&[on, off, record("third", 3.0)]);
        assert!(setups.contains("PBO on is the fastest of 3 setups; the next one is PBO off"), "{setups}");
    }

    #[test]
    fn a_disturbed_run_is_named_and_not_ranked() {
        let [slow, fast, mut busy] = [("slow", 2.0), ("fast", 1.0), ("busy", 0.1)].map(|(of, time)| record(of, time));
        let warnings = vec!["neighbours took 6 % of the time".to_string()];
        busy.conditions = Some(perft_gate_machine::Conditions { warnings, ..Default::default() });
        let two = said(&[slow.clone(), fast.clone()]);
        assert_eq!(said(&[busy.clone(), slow.clone(), fast]), two + " Not ranked: busy (disturbed).");
        // A disturbed run changes nothing if its machine has another run.
        let again = Record { label: slow.label.clone(), machine: slow.machine.clone(), ..busy.clone() };
        assert_eq!(said(&[record("fast", 1.0), slow.clone(), again]), said(&[record("fast", 1.0), slow.clone()]));
        let pair = [busy, slow];
        assert!(said(&pair).starts_with("No two machines can be ranked. Not ranked: busy"));
        assert!(of_records(&pair, None)[0].is_baseline, "the other one");
    }

    #[test]
    fn machines_that_other_builds_measured_are_not_ranked_without_a_word() {
        let edits: [fn(&mut Build); 6] = [
            |build| build.version = "9".into(),
            |build| build.dirty = Some(true),
            |build| build.compiler = "rustc 9".into(),
            |build| build.opt_level = "s".into(),
            |build| build.flags = "-C target-cpu=native".into(),
            |build| build.debug_assertions = true,
        ];
        let mut records = vec![record("a", 1.0), record("b", 1.0), record("c", 1.0)];
        assert!(!said(&records).contains("builds"));
        for edit in edits {
            records[1].build = records[0].build.clone();
            edit(&mut records[1].build);
            assert!(said(&records).ends_with(BUILDS), "{}", said(&records));
        }
    }
}
