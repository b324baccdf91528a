//! Output of `perft diff`: the comparison of two records as text, as Markdown for pull requests, and as `perft.diff/1`.

use crate::text::{TextColumn, TextTable, by_verdict, numbers, paragraphs, percent, times_as_fast, words};
use perft_gate_bench::diff::{Diff, FieldDifference, PairedWork, RecordAge, WorkName};
use perft_gate_lab::measure::{CostVerdict, Interval};
use serde::Serialize;
use std::fmt::Write;

pub const SCHEMA: &str = "perft.diff/1";

/// Result of a run of `perft diff`.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct DiffDocument<'a> {
    /// File of the old record.
    pub old: String,
    /// File of the new record.
    pub new: String,
    /// The comparison.
    #[serde(flatten)]
    pub diff: &'a Diff,
    /// Judgement of `--fail-slower`, if that option was given.
    pub fail_slower: Option<FailSlower<'a>>,
}

/// Judgement of `--fail-slower`.
#[perft_gate_chess::document(nonnegative, Serialize, Clone, Debug)]
pub struct FailSlower<'a> {
    /// The limit, as a fraction.
    pub limit: f64,
    /// The combinations of workload and thread count that are certainly slower by more than the limit.
    pub slower: Vec<&'a WorkName>,
}

impl<'a> FailSlower<'a> {
    /// Judges a comparison of two records by the limit.
    pub fn new(diff: &'a Diff, limit: f64) -> FailSlower<'a> {
        let slower = diff.pairs.iter().filter(|pair| pair.is_slower_by(limit));
        FailSlower { limit, slower: slower.map(|pair| &pair.work).collect() }
    }
}

const COLUMNS: [TextColumn; 10] = [
    words("workload", 14, 0),
    numbers("threads", 7, 0),
    numbers("rounds", 9, 6),
    numbers("old M/s", 11, 4),
    numbers("new M/s", 10, 4),
    numbers("time", 29, 1),
    numbers("time by yardstick", 29, 3),
    numbers("floor", 6, 2),
    numbers("detectable", 12, 5),
    words("verdict", 13, 0),
];

/// Function that formats the ratio of two times.
pub type Formatter = fn(Interval) -> String;

/// Returns the columns and the formatter of ratios. Ratios are speeds for two machines and times for one machine.
fn columns(diff: &Diff) -> ([TextColumn; COLUMNS.len()], Formatter) {
    let mut columns = COLUMNS;
    if diff.hardware.is_empty() {
        return (columns, percent);
    }
    columns[5].name = "speed of new";
    (columns, times_as_fast)
}

/// Returns the comparison as text, for a terminal `width` characters wide or for a file (`None`).
pub fn text(diff: &Diff, width: Option<usize>) -> String {
    let fields = diff.hardware.iter().chain(&diff.others);
    let fields = fields.map(|FieldDifference { field, old, new }| format!("  {field}: {old} -> {new}"));
    let (columns, ratio) = columns(diff);
    let table = TextTable::new(&columns, width);
    let rows = diff.pairs.iter().map(|pair| table.line(&cells(pair, ratio)));
    let rows = [table.head()].into_iter().chain(rows).chain(describe_unpaired(diff)).chain([conclusion(diff)]);
    paragraphs([[title(diff).into()].into_iter().chain(fields).collect(), rows.collect()])
}

pub fn markdown(diff: &Diff) -> String {
    let mut out = String::new();
    let mut line = |text: &str| writeln!(out, "{text}").expect("a string");
    line(&format!("**perft bench: {}**\n", title(diff)));
    for FieldDifference { field, old, new } in diff.hardware.iter().chain(&diff.others) {
        line(&format!("- {field}: {old} → {new}"));
    }
    let (columns, ratio) = columns(diff);
    line(&format!("\n| {} |", columns.map(|column| column.name).join(" | ")));
    line("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|");
    for pair in &diff.pairs {
        let [rest @ .., verdict] = cells(pair, ratio);
        let is_sure = matches!(pair.verdict, Some(CostVerdict::Slower | CostVerdict::Faster));
        let mark = if is_sure { "**" } else { "" };
        line(&format!("| {} | {mark}{verdict}{mark} |", rest.join(" | ")));
    }
    describe_unpaired(diff).iter().for_each(|missing| line(&format!("\n{missing}")));
    out
}

fn title(diff: &Diff) -> &'static str {
    if diff.hardware.is_empty() {
        "two builds or runs on the same hardware"
    } else {
        "hardware comparison: different machines"
    }
}

pub fn cells(pair: &PairedWork, ratio: Formatter) -> [String; COLUMNS.len()] {
    let same = pair.rounds[0] == pair.rounds[1];
    let [old, new] = pair.rates.map(|rate| format!("{:.2}", rate / 1e6));
    [
        pair.name(),
        pair.work.threads.to_string(),
        if same { pair.rounds[0].to_string() } else { format!("{}, {}", pair.rounds[0], pair.rounds[1]) },
        old,
        new,
        ratio(pair.ratio),
        pair.adjusted.map(ratio).unwrap_or_default(),
        format!("{:.1} %", 100.0 * pair.floor.0),
        match (pair.smallest_visible, pair.verdict) {
            (Some(part), _) => format!("{:.1} %", 100.0 * part),
            (None, Some(_)) => "nothing".into(),
            (None, None) => String::new(),
        },
        pair.verdict.map_or("the yardstick".into(), |verdict| verdict.to_string()),
    ]
}

/// Returns one sentence for each combination of workload and thread count that appears in only one of the records.
fn describe_unpaired(diff: &Diff) -> Vec<String> {
    let said = diff.unpaired.iter().map(|unpaired| {
        let record = if unpaired.record == RecordAge::New { "new" } else { "old" };
        format!("{} on {} threads: in the {record} record only", unpaired.work.workload, unpaired.work.threads)
    });
    said.collect()
}

/// Returns the last sentence, which lists the workloads by verdict.
fn conclusion(diff: &Diff) -> String {
    let verdicts = diff.pairs.iter().filter_map(|pair| {
        let verdict = pair.verdict?;
        Some((verdict, format!("{} on {}", pair.name(), pair.work.threads)))
    });
    match &*by_verdict(CostVerdict::ALL, &verdicts.collect::<Vec<_>>()) {
        "" => "In short: no workload is in both records.".into(),
        parts => format!("Verdicts on the new record: {parts}."),
    }
}
