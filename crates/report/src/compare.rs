//! Reports of a comparison of schemes: text, and `perft.compare/1`.
//!
//! The document has the raw slices, and apart from the recompute nothing that could not be computed from them again.

use super::percent;
use crate::schema::compare as schema;
use perft_gate_lab::measure::{
    Confidence, Contestant, Contestants, CostComparison, CostVerdict, HardwareEvent, Interval, Judgement, MakeUnmake,
    NoCounters, Recompute, RoundPlan, Samples, deviation, median,
};
use perft_gate_lab::pinning::not_pinned;
use perft_gate_lab::record::{self, Build};
use perft_gate_machine::Machine;
use perft_gate_simd::Level;
use std::fmt::Write;

/// Depth of the rounds, contestants and tables, each of which is one line.
const ROW_DEPTH: usize = 3;

/// Results of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// Contestants and tables.
    pub lineup: &'a Contestants,
    /// Samples, with at least one round.
    pub samples: &'a Samples,
    /// Verdicts of each table.
    pub judgements: &'a [Judgement],
    /// Recompute times by contestant and level; empty for a scheme without keys, or if the run was stopped before.
    pub recomputes: &'a [Vec<(Level, Recompute)>],
    /// Events a node by contestant; empty if the run was stopped before.
    pub counters: Result<&'a [Vec<(HardwareEvent, f64)>], &'a NoCounters>,
    /// Work that was timed.
    pub path: &'a MakeUnmake,
    /// Plan of the sampling.
    pub plan: RoundPlan,
    /// Core that the thread was pinned to.
    pub pinned_to: Option<usize>,
    /// Time of the start, UTC, RFC 3339.
    pub started: &'a str,
    /// Build of the program.
    pub build: &'a Build,
    /// Machine and system.
    pub machine: &'a Machine,
}

/// Returns the report as text.
pub fn text(compared: &Compared<'_>) -> String {
    let Compared { lineup, samples, path, .. } = compared;
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{}", text.trim_end()).expect("a string");
    let pinned =
        compared.pinned_to.map_or_else(|| not_pinned(&compared.build.target), |core| format!("pinned to core {core}"));
    line(format!(
        "make and unmake with the key: {}, {} in {}, level {}, one thread, {pinned}",
        plural(path.positions() as u64, "position"),
        plural(path.nodes, "node"),
        plural(path.parts() as u64, "part"),
        path.level()
    ));
    line(format!(
        "{} of a part each, two slices of {:.1} ms (median) a scheme in random order{}",
        plural(samples.rounds.len() as u64, "round"),
        slice_ms(samples),
        if samples.interrupted { ", interrupted" } else { "" }
    ));
    let width = name_width(compared);
    for (table, judgement) in lineup.tables.iter().zip(compared.judgements) {
        line(String::new());
        let itself = &lineup.contestants[lineup.twins.0].name;
        line(format!(
            "{}: noise floor {:.1} % ({itself} against itself {})",
            table.title,
            100.0 * judgement.floor.part(),
            percent(judgement.itself),
        ));
        line(format!(
            "{:<width$}  ns/node   MAD  {:>22}  {:>26}  verdict",
            "scheme", "more ns (interval)", "time (interval)"
        ));
        let row = |work: usize, comparison: Option<&CostComparison>| {
            let contestant = &lineup.contestants[work];
            let times = samples.ns_per_node(work);
            let (difference, ratio) = comparison.map_or((String::new(), String::new()), |comparison| {
                let Interval { low, median, high } = comparison.difference;
                (format!("{median:+.2} ({low:+.2} to {high:+.2})"), percent(comparison.ratio))
            });
            let verdict = comparison.map_or("", |comparison| comparison.verdict.name());
            format!(
                "{:<width$}  {:>7.2} {:>5.2}  {difference:>22}  {ratio:>26}  {verdict}",
                contestant.name,
                median(&times),
                deviation(&times),
            )
        };
        line(row(table.reference, None));
        for comparison in &judgement.comparisons {
            line(row(comparison.work, Some(comparison)));
        }
    }
    line(String::new());
    recompute_lines(compared).into_iter().for_each(&mut line);
    counter_lines(compared).into_iter().for_each(&mut line);
    line(format!(
        "Intervals miss in {} of 1000 tables of their size; a verdict needs one beyond the noise floor.",
        1000.0 * Confidence::ERROR
    ));
    line(conclusion(compared));
    out
}

/// Returns the last sentence: which contestants are slower or faster, and how many show no difference or are undecided.
fn conclusion(compared: &Compared<'_>) -> String {
    let Compared { lineup, judgements, .. } = compared;
    let all = || {
        let tables = lineup.tables.iter().zip(*judgements);
        tables.flat_map(|(table, judgement)| judgement.comparisons.iter().map(move |comparison| (table, comparison)))
    };
    let named = |wanted: CostVerdict| {
        let found = all().filter(|(_, comparison)| comparison.verdict == wanted).map(|(table, comparison)| {
            let name = |work: usize| &lineup.contestants[work].name;
            let part = 100.0 * (comparison.ratio.median - 1.0);
            format!("{} than {} ({part:+.1} %)", name(comparison.work), name(table.reference))
        });
        let found: Vec<String> = found.collect();
        (!found.is_empty()).then(|| format!("{}: {}", wanted.name(), found.join(", ")))
    };
    let number = |wanted: CostVerdict| {
        let found = all().filter(|(_, comparison)| comparison.verdict == wanted).count();
        (found > 0).then(|| format!("{}: {found}", wanted.name()))
    };
    let parts = [
        named(CostVerdict::Slower),
        named(CostVerdict::Faster),
        number(CostVerdict::NoDifferenceSeen),
        number(CostVerdict::Undecided),
    ];
    format!("In short: {}.", parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

/// Returns the median length of a slice: longer than planned if a single pass is.
fn slice_ms(samples: &Samples) -> f64 {
    let slices = samples.rounds.iter().flat_map(|round| round.slices.as_flattened());
    median(&slices.map(|slice| 1e3 * slice.time.as_secs_f64()).collect::<Vec<_>>())
}

fn plural(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Returns a table of recompute times and table sizes; empty for a run that was interrupted before them.
fn recompute_lines(compared: &Compared<'_>) -> Vec<String> {
    let Some(timed) = compared.recomputes.iter().find(|timed| !timed.is_empty()) else { return Vec::new() };
    let width = name_width(compared);
    let levels = timed.iter().map(|(level, _)| format!("  {:>6}", format!("{level} ns")));
    let title = "full recompute of a key, by the batch and portably one by one";
    let head = format!("{:<width$}  bytes{}  scalar ns", "scheme", levels.collect::<String>());
    let rows = compared.lineup.contestants.iter().zip(compared.recomputes).filter_map(|(contestant, timed)| {
        let (_, best) = timed.last()?;
        let batches: String = timed.iter().map(|(_, recompute)| format!("  {:>6.1}", recompute.batch_ns)).collect();
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

/// Returns the document of a comparison.
pub fn document(compared: &Compared<'_>) -> String {
    let Compared { lineup, samples, path, plan, .. } = compared;
    let recompute = |(level, times): &(Level, Recompute)| schema::Recompute {
        level: level.to_string(),
        batch_ns: times.batch_ns,
        scalar_ns: times.scalar_ns,
    };
    let contestant = |(work, contestant): (usize, &Contestant)| {
        let times = samples.ns_per_node(work);
        let events = compared.counters.ok().and_then(|all| all.get(work));
        schema::Contestant {
            name: contestant.name.clone(),
            axes: contestant.scheme.axes.map(|axes| axes.to_string()),
            table_bytes: contestant.table_bytes() as u64,
            ns_per_node: median(&times),
            deviation_ns: deviation(&times),
            counters: events.map(|all| all.iter().map(|(event, number)| (event.name().into(), *number)).collect()),
            recompute: compared.recomputes[work].iter().map(recompute).collect(),
        }
    };
    let comparison = |comparison: &CostComparison| schema::Comparison {
        contestant: comparison.work,
        ratio: comparison.ratio,
        difference_ns: comparison.difference,
        verdict: comparison.verdict.name().into(),
    };
    let tables = lineup.tables.iter().zip(compared.judgements).map(|(table, judgement)| schema::Table {
        title: table.title.clone(),
        reference: table.reference,
        noise: Some(judgement.itself),
        floor: judgement.floor.part(),
        comparisons: judgement.comparisons.iter().map(comparison).collect(),
    });
    let document = schema::Document {
        schema: schema::SCHEMA.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        rounds: samples.rounds.iter().map(record::Round::from).collect(),
        interrupted: samples.interrupted,
        level: path.level().to_string(),
        pinned_to: compared.pinned_to,
        nodes_per_pass: path.nodes.to_string(),
        parts_per_pass: path.parts(),
        slice_ms: plan.slice.as_secs_f64() * 1e3,
        budget_s: plan.budget.as_secs_f64(),
        seed: plan.seed.to_string(),
        twins: [lineup.twins.0, lineup.twins.1],
        contestants: lineup.contestants.iter().enumerate().map(contestant).collect(),
        tables: tables.collect(),
        started: compared.started.into(),
        build: compared.build.clone(),
        machine: compared.machine.clone(),
    };
    record::lines(&document, ROW_DEPTH)
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
}
