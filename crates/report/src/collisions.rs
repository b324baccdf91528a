//! Output of `perft collisions`: `perft.collisions/1`, and a text in which each line compares a scheme's key tables
//! with random key tables.

use crate::text::{TextColumn, TextTable, by_verdict, number, numbers, paragraphs, words};
use perft_gate_lab::collisions::{CollisionOptions, CollisionRow, Collisions, Losses};
use perft_gate_lab::quality::AuditVerdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::Duration;

pub const SCHEMA: &str = "perft.collisions/1";

/// Result of a run of `perft collisions`: the collisions that were counted.
#[perft_gate_chess::document(nonnegative, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct CollisionsDocument {
    /// FEN of the root.
    pub fen: String,
    /// Ply of the positions.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub ply: u32,
    /// The worst verdict of all schemes.
    pub verdict: AuditVerdict,
    /// Schemes, in the order in which they were asked for.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub schemes: Vec<Collisions>,
    /// Wall time.
    pub seconds: f64,
}

impl CollisionsDocument {
    pub fn new(fen: String, ply: u32, schemes: Vec<Collisions>, time: Duration) -> CollisionsDocument {
        let verdict = schemes.iter().map(|scheme| scheme.verdict).max().unwrap_or(AuditVerdict::Sound);
        CollisionsDocument { fen, ply, verdict, schemes, seconds: time.as_secs_f64() }
    }
}

/// A result means little if all key tables of a scheme together are expected to lose fewer positions than this.
const FEW: f64 = 1.0;

const COLUMNS: [TextColumn; 8] = [
    words("window", 6, 0),
    numbers("bits", 4, 0),
    numbers("expected", 11, 0),
    numbers("mean", 11, 0),
    numbers("ratio", 8, 0),
    words("min .. median .. max", 29, 1),
    words("random key tables", 29, 2),
    words("verdict", 8, 0),
];

/// Returns the report as text, for a terminal `width` characters wide or for a file (`None`).
pub fn text(report: &CollisionsDocument, options: &CollisionOptions, width: Option<usize>) -> String {
    let (CollisionsDocument { fen, ply, .. }, seeds, band) = (report, options.seeds, options.band());
    let mut parts = vec![vec![
        format!("positions lost to equal keys at ply {ply} of {fen}"),
        format!("{seeds} key tables per scheme, compared with {band} random key tables"),
    ]];
    for scheme in &report.schemes {
        let Collisions { scheme: name, policy, positions, .. } = scheme;
        let sets = match scheme.first_seed {
            Some(first) => format!("seeds {first} to {}", first + seeds - 1),
            None => "one key table, published or from a file".into(),
        };
        let verdict = scheme.verdict.name();
        let mut lines = vec![format!("{name}: {positions} positions, e.p. {}; {sets}: {verdict}", policy.name())];
        if !scheme.left_out.is_empty() {
            lines.push(format!("keys of {} bits: no windows of {}", scheme.key_bits, list(&scheme.left_out)));
        }
        let table = TextTable::new(&COLUMNS, width);
        lines.push(table.head());
        lines.extend(scheme.rows.iter().map(|row| {
            let verdict = if row.verdict == AuditVerdict::Sound { "" } else { row.verdict.name() };
            table.line(&[
                row.window.name().into(),
                row.bits.to_string(),
                number(row.expected),
                number(row.mean),
                row.ratio.map_or("-".into(), number),
                spread(&row.lost),
                spread(&row.band),
                verdict.into(),
            ])
        }));
        parts.push(lines);
    }
    let rows = report.schemes.iter().flat_map(|scheme| &scheme.rows);
    let rare = rows.filter(|row| row.expected * (row.lost.by_table().len() as f64) < FEW);
    let widths: BTreeSet<u32> = rare.map(|row| row.bits).collect();
    if !widths.is_empty() {
        parts.push(vec![format!(
            "{} bits: fewer than one loss is expected over all key tables of a scheme. No loss shows only that no \
             small dependent subset occurs in these trees; a loss shows that one does.",
            list(&widths)
        )]);
    }
    parts.push(vec![conclusion(report)]);
    paragraphs(parts)
}

/// Returns the last sentence, which lists the schemes by verdict and names the worst part of the key of each scheme
/// that is not sound.
fn conclusion(report: &CollisionsDocument) -> String {
    let verdicts = report.schemes.iter().map(|scheme| {
        let ratio = |row: &&CollisionRow| row.mean / row.expected.max(f64::MIN_POSITIVE);
        let rows = scheme.rows.iter().filter(|row| row.verdict == scheme.verdict);
        let name = match rows.max_by(|a, b| ratio(a).total_cmp(&ratio(b))) {
            Some(row) if scheme.verdict != AuditVerdict::Sound => {
                let (mean, expected) = (number(row.mean), number(row.expected));
                let window = format!("window {}, {} bits", row.window.name(), row.bits);
                format!("{} ({window}: {mean} lost, {expected} expected)", scheme.scheme)
            }
            _ => scheme.scheme.to_string(),
        };
        (scheme.verdict, name)
    });
    let order = [AuditVerdict::Broken, AuditVerdict::Suspicious, AuditVerdict::Sound];
    format!("in short, {}", by_verdict(order, &verdicts.collect::<Vec<_>>()))
}

fn list<'b>(bits: impl IntoIterator<Item = &'b u32>) -> String {
    bits.into_iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn spread(lost: &Losses) -> String {
    match lost.by_table() {
        [one] => one.to_string(),
        _ => format!("{} .. {} .. {}", lost.min(), lost.median(), lost.max()),
    }
}
