//! The raw rows of a record: can they be those of a run?

use super::problem::problem;
use perft_gate_bench::{Bound, RecordSummary, WORKLOADS, YARDSTICK, reference, samples};
use perft_gate_lab::measure::median;
use perft_gate_machine::record::{Record, Stage, Tasks, Work};
use std::collections::HashMap;

/// Times as fast as the reference's thread that a thread can be, either way.
const BEYOND: f64 = 25.0;
/// Times as fast as one thread that a number of threads can be, by that number: a machine speeds up while it is measured.
const SUPERLINEAR: f64 = 1.5;
/// Difference between the yardstick's medians in the two stages, as a factor.
const YARDSTICKS: f64 = 5.0;

/// Returns the problems of the rows.
pub fn problems(record: &Record) -> Vec<String> {
    let known = reference();
    let mut problems = Vec::new();
    for (number, stage) in record.stages.iter().enumerate() {
        let path = format!("stages[{number}]");
        let mut of_works = Vec::new();
        for (place, work) in stage.works.iter().enumerate() {
            of_works.extend(of_work(work, &known, record, &format!("{path}.works[{place}]")));
        }
        // Counts of unknown work say nothing more.
        if of_works.is_empty() {
            of_works.extend(of_rounds(stage, &path));
        }
        problems.extend(of_works);
    }
    let of_task = |(number, tasks): (usize, &Tasks)| of_tasks(tasks, &known, &format!("tasks[{number}]"));
    problems.extend(record.tasks.iter().enumerate().flat_map(of_task));
    if problems.is_empty() {
        problems.extend(of_rates(record, &known));
    }
    problems
}

fn of_work(work: &Work, known: &Record, record: &Record, path: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let works = known.stages.iter().flat_map(|stage| &stage.works);
    let same = |other: &&Work| other.workload == work.workload && other.version == work.version && other.threads == 1;
    let workload = WORKLOADS.into_iter().find(|workload| workload.name() == work.workload);
    let Some((one, workload)) = works.into_iter().find(same).zip(workload) else {
        return vec![problem(path, format!("{} version {}", work.workload, work.version), "a workload of this perft")];
    };
    let copies = if workload.bound() == Bound::Core { work.threads as u64 } else { 1 };
    if work.nodes != one.nodes * copies {
        problems.push(problem(&format!("{path}.nodes"), work.nodes, one.nodes * copies));
    }
    let most = record.machine.hardware.threads;
    if work.threads == 0 || work.threads > most {
        problems.push(problem(&format!("{path}.threads"), work.threads, format!("1 to {most}, those of the machine")));
    }
    if work.pinned > work.threads || work.cores.len() > work.threads {
        problems.push(problem(&format!("{path}.pinned"), work.pinned, format!("at most {}", work.threads)));
    }
    problems
}

fn of_rounds(stage: &Stage, path: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut seen = HashMap::new();
    for (number, round) in stage.rounds.iter().enumerate() {
        if let Some(other) = seen.insert(&round.slices, number) {
            problems.push(problem(
                &format!("{path}.rounds[{number}]"),
                format!("the same times as rounds[{other}]"),
                "its own",
            ));
        }
    }
    for (place, work) in stage.works.iter().enumerate() {
        let slices = || {
            stage.rounds.iter().enumerate().flat_map(|(number, round)| round.slices[place].map(|slice| (number, slice)))
        };
        let Some((_, (nodes, _))) = slices().next() else { continue };
        // Every slice has as many passes as the first.
        if let Some((number, (found, _))) = slices().find(|(_, (found, _))| *found != nodes || found % work.nodes != 0)
        {
            let expected = format!("{} in every slice, whole passes of {}", nodes, work.nodes);
            problems.push(problem(&format!("{path}.rounds[{number}].slices[{place}]"), found, expected));
            continue;
        }
        let times: Vec<u64> = slices().map(|(_, (_, ns))| ns).collect();
        let path = format!("{path}.works[{place}]");
        if times.len() < FEW {
            continue;
        }
        if times.iter().all(|ns| *ns == times[0]) {
            problems.push(problem(&path, format!("the same time in every slice, {} ns", times[0]), "times that vary"));
        } else if times.iter().all(|ns| ns % 1000 == 0) {
            problems.push(problem(&path, "times in whole microseconds", "nanoseconds as measured"));
        }
    }
    problems
}

/// Fewest slices whose times are judged by their digits.
const FEW: usize = 8;

fn of_tasks(tasks: &Tasks, known: &Record, path: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let nodes = known.tasks.first().map_or(tasks.nodes, |tasks| tasks.nodes);
    if tasks.nodes != nodes {
        problems.push(problem(&format!("{path}.nodes"), tasks.nodes, nodes));
    }
    if !tasks.times.is_sorted_by(|one, other| one.0 < other.0) || tasks.times.iter().any(|(_, count)| *count == 0) {
        problems.push(problem(
            &format!("{path}.times"),
            "times out of order, or of no task",
            "ascending times with counts",
        ));
    }
    if let Some((last, _)) = tasks.times.last() {
        // Times are kept to two digits, the longest exactly.
        let near = |ns: u64| *last as f64 * 0.9 <= ns as f64 && ns as f64 <= *last as f64 * 1.1;
        if !near(tasks.longest_ns) {
            problems.push(problem(
                &format!("{path}.longest_ns"),
                tasks.longest_ns,
                format!("about {last}, the last of its times"),
            ));
        }
    }
    problems
}

/// Compares medians with one another and with the reference's: an edited one breaks a bound that no machine breaks.
fn of_rates(record: &Record, known: &Record) -> Vec<String> {
    let mut problems = Vec::new();
    let [summary, reference] = [record, known].map(|record| RecordSummary::of(record, None));
    let alone = |summary: &RecordSummary, workload: &str| {
        let is_it = |line: &&perft_gate_bench::WorkloadLine| line.work.workload == workload && line.work.threads == 1;
        summary.lines.iter().find(is_it).map(|line| line.rate.median)
    };
    for (number, stage) in record.stages.iter().enumerate().filter(|(_, stage)| !stage.rounds.is_empty()) {
        for (place, (work, rate)) in stage.works.iter().zip(rates(stage)).enumerate() {
            let path = format!("stages[{number}].works[{place}]");
            let one = alone(&summary, &work.workload);
            if let Some(gain) = one.map(|one| rate / one).filter(|gain| *gain > SUPERLINEAR * work.threads as f64) {
                let expected = format!("at most {} on {} threads", SUPERLINEAR * work.threads as f64, work.threads);
                problems.push(problem(&path, format!("{gain:.2} times the rate of one thread"), expected));
            }
            let usual = alone(&reference, &work.workload).map(|usual| rate / work.threads as f64 / usual);
            if let Some(times) = usual.filter(|times| !(1.0 / BEYOND / work.threads as f64..=BEYOND).contains(times)) {
                let expected = format!("1/{BEYOND} to {BEYOND}");
                problems.push(problem(&path, format!("{times:.3} times the reference's rate of a thread"), expected));
            }
        }
    }
    problems.extend(of_yardsticks(record));
    problems
}

/// Returns the median rates of a stage's works in units a second.
fn rates(stage: &Stage) -> Vec<f64> {
    let samples = samples(stage);
    (0..stage.works.len()).map(|place| 1e9 / median(&samples.ns_per_node(place))).collect()
}

/// Compares the yardstick in one stage with that in another: both timed the same program on the same threads.
fn of_yardsticks(record: &Record) -> Vec<String> {
    let mut first: HashMap<usize, f64> = HashMap::new();
    let mut problems = Vec::new();
    for (number, stage) in record.stages.iter().enumerate().filter(|(_, stage)| !stage.rounds.is_empty()) {
        for (place, (work, rate)) in stage.works.iter().zip(rates(stage)).enumerate() {
            if work.workload != YARDSTICK.name() {
                continue;
            }
            let other = *first.entry(work.threads).or_insert(rate);
            let times = (rate / other).max(other / rate);
            if times > YARDSTICKS {
                let path = format!("stages[{number}].works[{place}]");
                problems.push(problem(
                    &path,
                    format!("a yardstick {times:.1} times another stage's"),
                    format!("at most {YARDSTICKS}"),
                ));
            }
        }
    }
    problems
}
