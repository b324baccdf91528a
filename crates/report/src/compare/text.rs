//! A comparison of schemes as text.

use super::compared::Compared;
use crate::columns::{TextTable, names, numbers, words};
use crate::cost_verdicts;
use crate::figures::percent;
use perft_gate_chess::quantity;
use perft_gate_lab::measure::{
    Confidence, Contestant, CostComparison, Interval, Samples, TableTally, deviation, median,
};
use perft_gate_machine::pinning::describe_unpinned;
use perft_gate_simd::Level;
use std::fmt::Write;

/// Returns the report as text, for a terminal `width` characters wide or for a file (`None`).
pub fn text(compared: &Compared<'_>, width: Option<usize>) -> String {
    let Compared { lineup, samples, .. } = compared;
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{}", text.trim_end()).expect("a string");
    line(walk_line(compared));
    let probing = table_lines(compared);
    probing.iter().take(1).cloned().for_each(&mut line);
    line(format!(
        "{} of a part each, two slices of {:.1} ms (median) a scheme in random order{}",
        quantity(samples.rounds.len() as u64, "round"),
        slice_ms(samples),
        if samples.interrupted { ", interrupted" } else { "" }
    ));
    let columns = [
        names("scheme", name_width(compared)),
        numbers("ns/node", 8, 0),
        numbers("MAD", 5, 2),
        numbers("more ns (interval)", 23, 1),
        numbers("time (interval)", 27, 0),
        words("verdict", 13, 0),
    ];
    let layout = TextTable::new(&columns, width);
    for (table, judgement) in lineup.tables.iter().zip(compared.judgements) {
        line(String::new());
        let itself = &lineup.contestants[lineup.twins.0].name;
        line(format!(
            "{}: noise floor {:.1} % ({itself} against itself {})",
            table.title,
            100.0 * judgement.floor.part(),
            percent(judgement.itself),
        ));
        line(layout.head());
        let row = |work: usize, comparison: Option<&CostComparison>| {
            let contestant = &lineup.contestants[work];
            let times = samples.ns_per_node(work);
            let (difference, ratio) = comparison.map_or((String::new(), String::new()), |comparison| {
                let Interval { low, median, high } = comparison.difference;
                (format!("{median:+.2} ({low:+.2} to {high:+.2})"), percent(comparison.ratio))
            });
            let verdict = comparison.map_or("", |comparison| comparison.verdict.name());
            let (time, spread) = (format!("{:.2}", median(&times)), format!("{:.2}", deviation(&times)));
            layout.line(&[&contestant.name[..], &time, &spread, &difference, &ratio, verdict])
        };
        line(row(table.reference, None));
        for comparison in &judgement.comparisons {
            line(row(comparison.work, Some(comparison)));
        }
    }
    line(String::new());
    shared_code_line(compared.path.level(), &lineup.contestants).into_iter().for_each(&mut line);
    probing.into_iter().skip(1).for_each(&mut line);
    recompute_lines(compared).into_iter().for_each(&mut line);
    counter_lines(compared).into_iter().for_each(&mut line);
    line(format!(
        "Intervals miss in {} of 1000 tables of their size; a verdict needs one beyond the noise floor.",
        1000.0 * Confidence::ERROR
    ));
    line(conclusion(compared));
    out
}

/// Says which walks were timed, and where.
fn walk_line(compared: &Compared<'_>) -> String {
    let path = compared.path;
    let pinned = compared
        .pinned_to
        .map_or_else(|| describe_unpinned(&compared.build.target), |core| format!("pinned to core {core}"));
    format!(
        "make and unmake with the key: {}, {} in {}, level {}, one thread, {pinned}",
        quantity(path.positions() as u64, "position"),
        quantity(path.nodes, "node"),
        quantity(path.parts() as u64, "part"),
        path.level()
    )
}

/// Names the contestants whose cost is not theirs alone, if others have code of their own.
fn shared_code_line(level: Level, contestants: &[Contestant]) -> Option<String> {
    let shared = contestants.iter().filter(|one| !one.has_own_tracker(level));
    let names = shared.map(|one| &one.name[..]).collect::<Vec<_>>().join(" and ");
    (level.is_common() && !names.is_empty())
        .then(|| format!("by the code that serves all schemes, which is slower than one's own: {names}"))
}

/// Returns what was done with the transposition table: a line about all contestants, and one for each that missed something;
/// none without a table.
fn table_lines(compared: &Compared<'_>) -> Vec<String> {
    let Some(table) = compared.path.table() else { return Vec::new() };
    let used = compared.lineup.contestants.iter().enumerate().map(|(number, one)| (one, table.tally(number)));
    let used: Vec<(&Contestant, TableTally)> = used.filter(|(_, tally)| tally.probes > 0).collect();
    let sum = |of: fn(&TableTally) -> u64| used.iter().map(|(_, tally)| of(tally)).sum::<u64>();
    let (probes, hits) = (sum(|tally| tally.probes), sum(|tally| tally.hits));
    let head = format!(
        "beside a transposition table of {}: {probes} probes, {:.1} % of them hits, each of them verified",
        match table.bytes() >> 20 {
            0 => format!("{} KiB", table.bytes() >> 10),
            mebibytes => format!("{mebibytes} MiB"),
        },
        100.0 * hits as f64 / probes.max(1) as f64
    );
    let shares = used.iter().flat_map(|(one, tally)| {
        let share = |part: u64, of: u64| 100.0 * part as f64 / of as f64;
        let false_hits = (tally.false_hits > 0)
            .then(|| format!("{}: {} of {} hits were other positions", one.name, tally.false_hits, tally.hits));
        let foreseen = (tally.foreseen > 0).then(|| {
            let TableTally { foreseen, wrongly_foreseen, .. } = *tally;
            let share = share(wrongly_foreseen, foreseen);
            format!(
                "{}: {wrongly_foreseen} of {foreseen} keys before moves were not the child's ({share:.2} %)",
                one.name
            )
        });
        [false_hits, foreseen].into_iter().flatten()
    });
    let shares: Vec<String> = shares.collect();
    let end = if shares.is_empty() { Vec::new() } else { vec![String::new()] };
    [vec![head], shares, end].concat()
}

/// Returns the last sentence: which contestants are slower or faster, and how many show no difference or are undecided.
fn conclusion(compared: &Compared<'_>) -> String {
    let Compared { lineup, judgements, .. } = compared;
    let tables = lineup.tables.iter().zip(*judgements);
    let all = tables.flat_map(|(table, judgement)| judgement.comparisons.iter().map(move |found| (table, found)));
    let verdicts = all.map(|(table, comparison)| {
        let name = |work: usize| &lineup.contestants[work].name;
        let part = 100.0 * (comparison.ratio.median - 1.0);
        (comparison.verdict, format!("{} than {} ({part:+.1} %)", name(comparison.work), name(table.reference)))
    });
    format!("In short: {}.", cost_verdicts::parts(&verdicts.collect::<Vec<_>>()).join("; "))
}

/// Returns the median length of a slice: longer than planned if a single pass is.
fn slice_ms(samples: &Samples) -> f64 {
    let slices = samples.rounds.iter().flat_map(|round| round.slices.as_flattened());
    median(&slices.map(|slice| 1e3 * slice.time.as_secs_f64()).collect::<Vec<_>>())
}

/// Returns a table of recompute times and table sizes; empty for a run that was interrupted before them.
fn recompute_lines(compared: &Compared<'_>) -> Vec<String> {
    let Some(timed) = compared.recomputes.iter().find(|timed| !timed.is_empty()) else { return Vec::new() };
    let width = name_width(compared);
    let levels: Vec<String> = timed.iter().map(|(level, _)| format!("  {:>6}", format!("{level} ns"))).collect();
    let title = "full recompute of a key, by the batch and portably one by one";
    let head = format!("{:<width$}  bytes{}  scalar ns", "scheme", levels.concat());
    let rows = compared.lineup.contestants.iter().zip(compared.recomputes).filter_map(|(contestant, timed)| {
        let (_, best) = timed.last()?;
        let batches = timed.iter().zip(&levels);
        let batches: String = batches
            .map(|((_, timed), head)| format!("{:>width$.1}", timed.batch_ns, width = head.chars().count()))
            .collect();
        let (name, bytes) = (&contestant.name, contestant.table_bytes());
        Some(format!("{name:<width$}  {bytes:>5}{batches}  {:>9.1}", best.scalar_ns))
    });
    [title.into(), head].into_iter().chain(rows).chain([String::new()]).collect()
}

fn name_width(compared: &Compared<'_>) -> usize {
    compared.lineup.contestants.iter().map(|contestant| contestant.name.chars().count()).max().unwrap_or(0)
}

/// Returns a table of hardware counters, or the reason why there is none.
fn counter_lines(compared: &Compared<'_>) -> Vec<String> {
    let counters = match compared.counters {
        Ok([]) => return Vec::new(),
        Ok(counters) => counters,
        Err(error) => return vec![format!("hardware counters: not available ({error})")],
    };
    let names = counters[0].iter().map(|(event, _)| format!("  {:>13}", event.name())).collect::<String>();
    let width = name_width(compared);
    let rows = compared.lineup.contestants.iter().zip(counters).map(|(contestant, events)| {
        let cells = events.iter().map(|(_, number)| format!("  {number:>13.3}"));
        format!("{:<width$}{}", contestant.name, cells.collect::<String>())
    });
    let head = format!("{:<width$}{names}", "a node");
    [head].into_iter().chain(rows).chain([String::new()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_lab::measure::{Slice, TimedRound};
    use std::time::Duration;

    #[test]
    fn a_slice_is_as_long_as_it_took() {
        let slice = |ms| Slice { nodes: 1, time: Duration::from_millis(ms) };
        let round = |first, last| TimedRound { order: vec![0], slices: vec![[slice(first), slice(last)]] };
        let samples = Samples { rounds: vec![round(1, 40), round(45, 41), round(43, 90)], interrupted: false };
        assert!((slice_ms(&samples) - 42.0).abs() < 1e-9);
    }

    #[test]
    fn contestants_without_code_of_their_own_are_named() {
        let level = Level::detect();
        let contestants = |schemes: &[&str]| -> Vec<_> {
            schemes.iter().map(|scheme| Contestant::parse(scheme, false).unwrap()).collect()
        };
        assert_eq!(shared_code_line(level, &contestants(&["none", "cpw793", "polyglot", "width=128"])), None);
        let rare = contestants(&["cpw793", "width=128,clock=20by10"]);
        let line = shared_code_line(level, &rare);
        assert_eq!(line.is_some(), level.is_common());
        assert!(line.is_none_or(|line| line.ends_with(&format!("one's own: {}", rare[1].name))));
    }
}
