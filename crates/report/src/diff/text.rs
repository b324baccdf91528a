//! Comparison of two records as a text table.

use super::cells::{PairCells, title, unpaired};
use perft_gate_lab::bench::diff::{Diff, FieldDifference};
use perft_gate_lab::measure::CostVerdict;
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
    let of = |wanted: CostVerdict| diff.pairs.iter().filter(move |pair| pair.verdict == Some(wanted));
    let named = |wanted: CostVerdict| {
        let names: Vec<String> = of(wanted).map(|pair| format!("{} on {}", pair.name(), pair.work.threads)).collect();
        (!names.is_empty()).then(|| format!("{}: {}", wanted.name(), names.join(", ")))
    };
    let number = |wanted: CostVerdict| {
        let number = of(wanted).count();
        (number > 0).then(|| format!("{}: {number}", wanted.name()))
    };
    let parts = [
        named(CostVerdict::Slower),
        named(CostVerdict::Faster),
        number(CostVerdict::NoDifferenceSeen),
        number(CostVerdict::Undecided),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.is_empty() {
        true => "In short: no workload is in both records.".into(),
        false => format!("In short, of the new record: {}.", parts.join("; ")),
    }
}
