//! What a comparison of schemes says: for people, and as `perft.compare/1`.
//!
//! The document has the raw slices first, and nothing in it that could not be derived from them again but the recompute.

use super::percent;
use perft_gate_lab::measure::{
    Comparison, Confidence, Contestants, Event, Interval, Judgement, MakeUnmake, NoCounters, Recompute, RoundPlan,
    Samples, deviation, median,
};
use perft_gate_lab::record::{self, Build, Machine};
use perft_gate_simd::Level;
use serde_json::{Value, json};
use std::fmt::Write;

/// The name and version of the format.
pub const SCHEMA: &str = "perft.compare/1";

/// A round stands in a line, and so do a contestant and a table.
const ROW_DEPTH: usize = 3;

/// A comparison that was made.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// Who.
    pub lineup: &'a Contestants,
    /// What was measured: at least a round.
    pub samples: &'a Samples,
    /// A table's verdicts each.
    pub judgements: &'a [Judgement],
    /// By contestant, what it takes on each level; nothing without a key, or if the run was stopped before.
    pub recomputes: &'a [Vec<(Level, Recompute)>],
    /// By contestant, events a node; nothing if the run was stopped before.
    pub counters: Result<&'a [Vec<(Event, f64)>], &'a NoCounters>,
    /// The work.
    pub path: &'a MakeUnmake,
    /// How it was sampled.
    pub plan: RoundPlan,
    /// The core that the thread was pinned to.
    pub pinned_to: Option<usize>,
    /// When it began, UTC, RFC 3339.
    pub started: &'a str,
    /// By what.
    pub build: &'a Build,
    /// On what.
    pub machine: &'a Machine,
}

/// The report for people.
pub fn text(compared: &Compared<'_>) -> String {
    let Compared { lineup, samples, path, .. } = compared;
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{}", text.trim_end()).expect("a string");
    let pinned = compared.pinned_to.map_or("not pinned".into(), |core| format!("pinned to core {core}"));
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
        let row = |work: usize, comparison: Option<&Comparison>| {
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
    out
}

/// How long a slice took: longer than planned where a pass alone is.
fn slice_ms(samples: &Samples) -> f64 {
    let slices = samples.rounds.iter().flat_map(|round| round.slices.as_flattened());
    median(&slices.map(|slice| 1e3 * slice.time.as_secs_f64()).collect::<Vec<_>>())
}

fn plural(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A table of what a recompute takes and of what it reads. Nothing of a run that was interrupted before it.
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

/// A table of the hardware's counters, or why there is none.
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

/// The document of a comparison.
pub fn document(compared: &Compared<'_>) -> String {
    let Compared { lineup, samples, path, plan, .. } = compared;
    let rounds = samples.rounds.iter().map(record::Round::from);
    let recompute = |(level, recompute): &(Level, Recompute)| json!({ "level": level.to_string(), "batch_ns": recompute.batch_ns, "scalar_ns": recompute.scalar_ns });
    let contestant = |work: usize| {
        let (contestant, times) = (&lineup.contestants[work], samples.ns_per_node(work));
        json!({
            "name": contestant.name,
            "axes": contestant.scheme.axes.map(|axes| axes.to_string()),
            "table_bytes": contestant.table_bytes(),
            "ns_per_node": median(&times),
            "deviation_ns": deviation(&times),
            "counters": compared.counters.ok().and_then(|all| all.get(work)).map(|events| counted(events)),
            "recompute": compared.recomputes[work].iter().map(recompute).collect::<Vec<_>>(),
        })
    };
    let comparison = |comparison: &Comparison| {
        json!({
            "contender": comparison.work,
            "ratio": interval(comparison.ratio),
            "difference_ns": interval(comparison.difference),
            "verdict": comparison.verdict.name(),
        })
    };
    let tables = lineup.tables.iter().zip(compared.judgements).map(|(table, judgement)| {
        json!({
            "title": table.title,
            "reference": table.reference,
            "noise": interval(judgement.itself),
            "floor": judgement.floor.part(),
            "comparisons": judgement.comparisons.iter().map(comparison).collect::<Vec<_>>(),
        })
    });
    let document = json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "rounds": rounds.collect::<Vec<_>>(),
        "interrupted": samples.interrupted,
        "level": path.level().to_string(),
        "pinned_to": compared.pinned_to,
        "nodes_per_pass": path.nodes.to_string(),
        "parts_per_pass": path.parts(),
        "slice_ms": plan.slice.as_secs_f64() * 1e3,
        "budget_s": plan.budget.as_secs_f64(),
        "seed": plan.seed.to_string(),
        "twins": [lineup.twins.0, lineup.twins.1],
        "contenders": (0..lineup.contestants.len()).map(contestant).collect::<Vec<_>>(),
        "tables": tables.collect::<Vec<_>>(),
        "started": compared.started,
        "build": compared.build,
        "machine": compared.machine,
    });
    record::lines(&document, ROW_DEPTH)
}

/// Events a node, by name.
fn counted(events: &[(Event, f64)]) -> Value {
    events
        .iter()
        .map(|(event, number)| (event.name().to_string(), json!(number)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn interval(interval: Interval) -> Value {
    json!({ "low": interval.low, "median": interval.median, "high": interval.high })
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_lab::measure::{Round, Slice};
    use std::time::Duration;

    #[test]
    fn a_slice_is_as_long_as_it_took() {
        let slice = |ms| Slice { nodes: 1, time: Duration::from_millis(ms) };
        let round = |first, last| Round { order: vec![0], slices: vec![[slice(first), slice(last)]] };
        let samples = Samples { rounds: vec![round(1, 40), round(45, 41), round(43, 90)], interrupted: false };
        assert!((slice_ms(&samples) - 42.0).abs() < 1e-9);
    }
}
