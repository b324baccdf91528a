//! Comparison of two records as a text table.

use super::cells::{PairCells, title, unpaired};
use crate::cost_verdicts;
use perft_gate_lab::bench::diff::{Diff, FieldDifference};
use std::fmt::Write;

/// Returns the table for a terminal.
pub fn text(diff: &Diff) -> String {
    let mut out = String::new();
    let mut line = |text: &str| writeln!(out, "{}", text.trim_end()).expect("a string");
    line(title(diff));
    for FieldDifference { field, old, new } in diff.hardware.iter().chain(&diff.others) {
        line(&format!("  {field}: {old} -> {new}"));
    }
    line("");
    line(&format!(
        "{:<14} {:>7} {:>9}  {:>10} {:>10}  {:>28}  {:>28} {:>6} {:>12}  verdict",
        "workload", "threads", "rounds", "old M/s", "new M/s", "time", "time by yardstick", "floor", "visible from"
    ));
    for pair in &diff.pairs {
        let PairCells { rounds, rates, ratio, adjusted, floor, visible, verdict } = PairCells::of(pair);
        let (name, threads) = (pair.name(), pair.work.threads);
        line(&format!(
            "{name:<14} {threads:>7} {rounds:>9}  {:>10} {:>10}  {ratio:>28}  {adjusted:>28} {floor:>6} {visible:>12}  {verdict}",
            rates[0], rates[1]
        ));
    }
    for missing in unpaired(diff) {
        line(&missing);
    }
    line(&conclusion(diff));
    out
}

/// Returns the last sentence: which workloads are slower or faster, and how many show no difference or are undecided.
fn conclusion(diff: &Diff) -> String {
    let verdicts = diff.pairs.iter().filter_map(|pair| {
        let verdict = pair.verdict?;
        Some((verdict, format!("{} on {}", pair.name(), pair.work.threads)))
    });
    let parts = cost_verdicts::parts(&verdicts.collect::<Vec<_>>());
    match parts.is_empty() {
        true => "In short: no workload is in both records.".into(),
        false => format!("In short, of the new record: {}.", parts.join("; ")),
    }
}
