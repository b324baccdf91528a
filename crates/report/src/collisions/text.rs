//! Reports of collisions on a tree: text, and `perft.collisions/1`.
//!
//! Counts are decimal strings in JSON, as everywhere. A line of the text has the spread of the scheme's key tables
//! beside that of the random ones.

use super::report::CollisionReport;
use crate::columns::{TextColumn, TextTable, first, numbers, words};
use crate::figures::number;
use perft_gate_lab::collisions::{CollisionRow, Collisions, Losses};
use perft_gate_lab::quality::AuditVerdict;
use std::fmt::Write;

/// Expected losses in all key tables together, below which a result says little.
const FEW: f64 = 1.0;

/// Columns of a scheme's table.
const COLUMNS: [TextColumn; 8] = [
    first("window", 6),
    numbers("bits", 4, 0),
    numbers("expected", 11, 0),
    numbers("mean", 11, 0),
    numbers("ratio", 8, 0),
    words("min .. median .. max", 29, 1),
    words("random key tables", 29, 2),
    words("verdict", 8, 0),
];

/// Returns the report as text, for a terminal `width` characters wide or for a file (`None`).
pub fn text(report: &CollisionReport, width: Option<usize>) -> String {
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{}", text.trim_end()).expect("a string");
    let CollisionReport { fen, ply, seeds, band, .. } = report;
    line(format!("positions lost to equal keys at ply {ply} of {fen}"));
    line(format!("{seeds} key tables a scheme, judged by comparison with {band} random key tables"));
    for scheme in &report.schemes {
        let Collisions { scheme: name, policy, positions, .. } = scheme;
        let sets = match &scheme.seeds {
            Some(seeds) => format!("seeds {} to {}", seeds.start, seeds.end - 1),
            None => "one key table, published or from a file".into(),
        };
        line(String::new());
        line(format!("{name}: {positions} positions, e.p. {}; {sets}: {}", policy.name(), scheme.verdict().name()));
        if !scheme.left_out.is_empty() {
            line(format!("keys of {} bits: no windows of {}", scheme.key_bits, list(&scheme.left_out)));
        }
        let table = TextTable::new(&COLUMNS, width);
        line(table.head());
        for row in &scheme.rows {
            let (expected, mean) = (row.expected, row.lost.mean());
            let verdict = if row.verdict == AuditVerdict::Sound { "" } else { row.verdict.name() };
            line(table.line(&[
                row.part.window.name().into(),
                row.part.bits.to_string(),
                number(expected),
                number(mean),
                if expected > 0.0 { number(mean / expected) } else { "-".into() },
                spread(&row.lost),
                spread(&row.band),
                verdict.into(),
            ]));
        }
    }
    let bits = rarely(report);
    if !bits.is_empty() {
        line(String::new());
        line(format!(
            "{bits} bits: less than one loss is expected in all key tables of a scheme together. No loss shows that no \
             small dependent subset occurs in these trees, and nothing finer; a loss shows that one does."
        ));
    }
    line(String::new());
    line(conclusion(report));
    out
}

/// Returns the last sentence: which schemes are broken and where it shows most, or that none is.
fn conclusion(report: &CollisionReport) -> String {
    let of = |verdict: AuditVerdict| {
        let schemes = report.schemes.iter().filter(move |scheme| scheme.verdict() == verdict);
        let worst = move |scheme: &Collisions| {
            let ratio = |row: &&CollisionRow| row.lost.mean() / row.expected.max(f64::MIN_POSITIVE);
            let rows = scheme.rows.iter().filter(|row| row.verdict == verdict);
            match rows.max_by(|a, b| ratio(a).total_cmp(&ratio(b))) {
                Some(row) if verdict != AuditVerdict::Sound => {
                    let (part, mean, expected) = (row.part, number(row.lost.mean()), number(row.expected));
                    let window = format!("window {}, {} bits", part.window.name(), part.bits);
                    format!("{} ({window}: {mean} lost, {expected} expected)", scheme.scheme)
                }
                _ => scheme.scheme.to_string(),
            }
        };
        let names: Vec<String> = schemes.map(worst).collect();
        (!names.is_empty()).then(|| format!("{}: {}", verdict.name(), names.join(", ")))
    };
    let mut verdicts: Vec<AuditVerdict> = report.schemes.iter().map(Collisions::verdict).collect();
    verdicts.sort();
    verdicts.dedup();
    let parts: Vec<String> = verdicts.into_iter().rev().filter_map(of).collect();
    format!("in short: {}", parts.join("; "))
}

/// Returns the widths at which so few losses are expected that finding none says little.
fn rarely(report: &CollisionReport) -> String {
    let rows = report.schemes.iter().flat_map(|scheme| &scheme.rows);
    let rare = rows.filter(|row| row.expected * (row.lost.by_table().len() as f64) < FEW);
    let mut bits: Vec<u32> = rare.map(|row| row.part.bits).collect();
    bits.sort_unstable();
    bits.dedup();
    list(&bits)
}

fn list(bits: &[u32]) -> String {
    bits.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn spread(lost: &Losses) -> String {
    match lost.by_table() {
        [one] => one.to_string(),
        _ => format!("{} .. {} .. {}", lost.min(), lost.median(), lost.max()),
    }
}
