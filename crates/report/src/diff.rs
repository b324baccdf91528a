//! Comparison of two records: a text table, and one in Markdown for pull requests.

use super::percent;
use perft_gate_lab::bench::diff::{Diff, FieldDifference, PairedWork};
use perft_gate_lab::measure::CostVerdict;
use perft_gate_lab::record::Work;
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
        let Cells { rounds, rates, ratio, adjusted, floor, visible, verdict } = Cells::of(pair);
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
        let Cells { rounds, rates, ratio, adjusted, floor, visible, verdict } = Cells::of(pair);
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

fn title(diff: &Diff) -> &'static str {
    if diff.hardware.is_empty() {
        "two builds or runs on the same hardware"
    } else {
        "hardware comparison: different machines"
    }
}

/// A pair, as text.
struct Cells {
    rounds: String,
    rates: [String; 2],
    ratio: String,
    adjusted: String,
    floor: String,
    visible: String,
    verdict: String,
}

impl Cells {
    fn of(pair: &PairedWork) -> Cells {
        let same = pair.rounds[0] == pair.rounds[1];
        Cells {
            rounds: if same { pair.rounds[0].to_string() } else { format!("{}, {}", pair.rounds[0], pair.rounds[1]) },
            rates: pair.rates.map(|rate| format!("{:.2}", rate / 1e6)),
            ratio: percent(pair.ratio),
            adjusted: pair.adjusted.map(percent).unwrap_or_default(),
            floor: format!("{:.1} %", 100.0 * pair.floor.part()),
            visible: match (pair.smallest_visible(), pair.verdict) {
                (Some(part), _) => format!("{:.1} %", 100.0 * part),
                (None, Some(_)) => "nothing".into(),
                (None, None) => String::new(),
            },
            verdict: pair.verdict.map_or("the machine itself".into(), |verdict| verdict.to_string()),
        }
    }
}

fn unpaired(diff: &Diff) -> Vec<String> {
    let said = diff.unpaired.iter().map(|unpaired| {
        let record = if unpaired.new { "new" } else { "old" };
        let Work { workload, threads, kind, .. } = &unpaired.work;
        let kind = kind.as_ref().map_or(String::new(), |kind| format!(", {kind}"));
        format!("{workload}{kind} on {threads} threads: in the {record} record only")
    });
    said.collect()
}
