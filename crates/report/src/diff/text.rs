//! Comparison of two records as a text table.

use super::cells::{PairCells, title, unpaired};
use crate::columns::{TextColumn, TextTable, first, numbers, words};
use crate::cost_verdicts;
use perft_gate_bench::diff::{Diff, FieldDifference};
use std::fmt::Write;

/// Columns of the table.
const COLUMNS: [TextColumn; 10] = [
    first("workload", 14),
    numbers("threads", 7, 0),
    numbers("rounds", 9, 6),
    numbers("old M/s", 11, 4),
    numbers("new M/s", 10, 4),
    numbers("time", 29, 1),
    numbers("time by yardstick", 29, 3),
    numbers("floor", 6, 2),
    numbers("visible from", 12, 5),
    words("verdict", 13, 0),
];

/// Returns the table for a terminal `width` characters wide, or for a file (`None`).
pub fn text(diff: &Diff, width: Option<usize>) -> String {
    let mut out = String::new();
    let mut line = |text: &str| writeln!(out, "{}", text.trim_end()).expect("a string");
    line(title(diff));
    for FieldDifference { field, old, new } in diff.hardware.iter().chain(&diff.others) {
        line(&format!("  {field}: {old} -> {new}"));
    }
    line("");
    let table = TextTable::new(&COLUMNS, width);
    line(&table.head());
    for pair in &diff.pairs {
        let PairCells { rounds, rates, ratio, adjusted, floor, visible, verdict } = PairCells::of(pair);
        let [old, new] = rates;
        let (name, threads) = (pair.name(), pair.work.threads.to_string());
        line(&table.line(&[name, threads, rounds, old, new, ratio, adjusted, floor, visible, verdict]));
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
