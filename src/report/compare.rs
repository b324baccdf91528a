//! What a comparison of schemes says: for people, and as `perft.compare/1`.
//!
//! The document has the raw slices first, and nothing in it that could not be derived from them again but the recompute.

use crate::measure::{
    Comparison, Confidence, HotPath, Interval, Judgement, Lineup, Plan, Recompute, Samples, Slice, deviation, median,
};
use serde_json::{Value, json};
use std::fmt::Write;

/// The name and version of the format.
pub const SCHEMA: &str = "perft.compare/1";

/// A comparison that was made.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// Who.
    pub lineup: &'a Lineup,
    /// What was measured: at least a round.
    pub samples: &'a Samples,
    /// A table's verdicts each.
    pub judgements: &'a [Judgement],
    /// By contender, unless the run was stopped before.
    pub recomputes: &'a [Option<Recompute>],
    /// The work.
    pub path: &'a HotPath,
    /// How it was sampled.
    pub plan: Plan,
    /// The core that the thread was pinned to.
    pub pinned_to: Option<usize>,
}

/// The report for people.
pub fn text(compared: &Compared<'_>) -> String {
    let Compared { lineup, samples, path, plan, .. } = compared;
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{}", text.trim_end()).expect("a string");
    let pinned = compared.pinned_to.map_or("not pinned".into(), |core| format!("pinned to core {core}"));
    line(format!(
        "make and unmake with the key: {} positions, {} nodes a pass, level {}, one thread, {pinned}",
        path.trees(),
        path.nodes,
        path.level()
    ));
    line(format!(
        "{} rounds of two slices of {} ms in random order{}; hardware counters: not read",
        samples.rounds.len(),
        plan.slice.as_millis(),
        if samples.interrupted { ", interrupted" } else { "" }
    ));
    let width = lineup.contenders.iter().map(|contender| contender.name.chars().count()).max().unwrap_or(0);
    for (number, (table, judgement)) in lineup.tables.iter().zip(compared.judgements).enumerate() {
        line(String::new());
        let itself = &lineup.contenders[lineup.twins.0].name;
        line(format!(
            "{}: noise floor {:.1} % ({itself} against itself {})",
            table.title,
            100.0 * judgement.floor.part(),
            percent(judgement.itself),
        ));
        let is_first = number == 0;
        let head = if is_first { "  bytes  batch ns  scalar ns" } else { "" };
        line(format!(
            "{:<width$}  ns/node   MAD      more ns (interval)      time (interval){head}  verdict",
            "scheme"
        ));
        let row = |work: usize, comparison: Option<&Comparison>| {
            let contender = &lineup.contenders[work];
            let times = samples.ns_per_node(work);
            let (difference, ratio) = comparison.map_or((String::new(), String::new()), |comparison| {
                let Interval { low, median, high } = comparison.difference;
                (format!("{median:+.2} ({low:+.2} to {high:+.2})"), percent(comparison.ratio))
            });
            let costs = match (is_first, compared.recomputes[work]) {
                (false, _) => String::new(),
                (true, None) => format!("  {:>5}  {:>8}  {:>9}", contender.table_bytes(), "-", "-"),
                (true, Some(Recompute { batch_ns, scalar_ns })) => {
                    format!("  {:>5}  {batch_ns:>8.1}  {scalar_ns:>9.1}", contender.table_bytes())
                }
            };
            let verdict = comparison.map_or("", |comparison| comparison.verdict.name());
            format!(
                "{:<width$}  {:>7.2} {:>5.2}  {difference:>22}  {ratio:>30}{costs}  {verdict}",
                contender.name,
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
    line(format!(
        "Intervals miss in {} of 1000 tables of their size; a verdict needs one beyond the noise floor.",
        1000.0 * Confidence::ERROR
    ));
    out
}

/// A ratio and its interval, as differences from 1.
fn percent(ratio: Interval) -> String {
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    format!("{:+.1} % ({:+.1} to {:+.1} %)", percent(ratio.median), percent(ratio.low), percent(ratio.high))
}

/// The document of a comparison.
pub fn document(compared: &Compared<'_>) -> String {
    let Compared { lineup, samples, path, plan, .. } = compared;
    let slice =
        |slice: &Slice| json!({ "nodes": slice.nodes.to_string(), "wall_ns": slice.time.as_nanos().to_string() });
    let rounds = samples.rounds.iter().map(|round| {
        let slices = round.slices.iter().map(|both| both.iter().map(slice).collect::<Vec<_>>());
        json!({ "order": round.order, "slices": slices.collect::<Vec<_>>() })
    });
    let contender = |work: usize| {
        let (contender, times) = (&lineup.contenders[work], samples.ns_per_node(work));
        json!({
            "name": contender.name,
            "axes": contender.scheme.axes.map(|axes| axes.to_string()),
            "table_bytes": contender.table_bytes(),
            "ns_per_node": median(&times),
            "deviation_ns": deviation(&times),
            "recompute": compared.recomputes[work].map(|recompute| json!({
                "batch_ns": recompute.batch_ns,
                "scalar_ns": recompute.scalar_ns,
            })),
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
        "slice_ms": plan.slice.as_secs_f64() * 1e3,
        "budget_s": plan.budget.as_secs_f64(),
        "seed": plan.seed.to_string(),
        "twins": [lineup.twins.0, lineup.twins.1],
        "contenders": (0..lineup.contenders.len()).map(contender).collect::<Vec<_>>(),
        "tables": tables.collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&document).expect("strings and numbers");
    text.push('\n');
    text
}

fn interval(interval: Interval) -> Value {
    json!({ "low": interval.low, "median": interval.median, "high": interval.high })
}
