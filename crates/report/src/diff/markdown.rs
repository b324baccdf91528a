//! Comparison of two records as Markdown, for pull requests.

use super::cells::{PairCells, title, unpaired};
use perft_gate_bench::diff::{Diff, FieldDifference};
use perft_gate_lab::measure::CostVerdict;
use std::fmt::Write;

/// Returns the table as Markdown.
pub fn markdown(diff: &Diff) -> String {
    let mut out = String::new();
    let mut line = |text: &str| writeln!(out, "{text}").expect("a string");
    line(&format!("**perft bench: {}**\n", title(diff)));
    for FieldDifference { field, old, new } in diff.hardware.iter().chain(&diff.others) {
        line(&format!("- {field}: {old} → {new}"));
    }
    line(
        "\n| workload | threads | rounds | old M/s | new M/s | time | time by yardstick | floor | visible from | verdict |",
    );
    line("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|");
    for pair in &diff.pairs {
        let PairCells { rounds, rates, ratio, adjusted, floor, visible, verdict } = PairCells::of(pair);
        let verdict = if matches!(pair.verdict, Some(CostVerdict::Slower | CostVerdict::Faster)) {
            format!("**{verdict}**")
        } else {
            verdict
        };
        line(&format!(
            "| {} | {} | {rounds} | {} | {} | {ratio} | {adjusted} | {floor} | {visible} | {verdict} |",
            pair.name(),
            pair.work.threads,
            rates[0],
            rates[1]
        ));
    }
    for missing in unpaired(diff) {
        line(&format!("\n{missing}"));
    }
    out
}
