//! Positions lost by key collisions, beside those lost with random key tables.

use crate::collisions::json::{CollisionsDocument, SchemeCollisions, WindowCollisions};
use crate::page::chart::{Axis, BarChart, BarRow, Chart, ChartKey, ColorRole, Fill, Group, Mark, Scale};
use crate::page::format::{counted, grouped, three_digits};
use crate::page::model::{Cell, Figure, PageTable, Section, Size};

/// Expected losses below which most tables lose none, so that a picture would show nothing.
const FEW: f64 = 1.0;

/// Share of the positions that is lost with any keys, because there are more positions than values.
const NEARLY_ALL: f64 = 0.95;

pub(super) fn section(documents: &[CollisionsDocument]) -> Option<Section> {
    let mut figures = Vec::new();
    let (mut more, mut rare) = (Vec::new(), Vec::new());
    for document in documents {
        let mut widths: Vec<u32> = windows(document).map(|(_, window)| window.bits).collect();
        widths.sort_unstable();
        widths.dedup();
        for bits in widths {
            let mut of_bits = windows(document).filter(|(_, window)| window.bits == bits);
            let is_rare = of_bits.clone().all(|(_, window)| window.expected < FEW);
            let is_full = of_bits.all(|(scheme, window)| window.expected > NEARLY_ALL * scheme.positions as f64);
            match is_rare || is_full {
                true => {
                    rare.push(if is_full { full_sentence(document, bits) } else { sentence(document, bits) });
                    more.push(table(document, bits));
                }
                false => figures.push(figure(document, bits)),
            }
        }
    }
    (!figures.is_empty() || !more.is_empty()).then(|| Section {
        id: "collisions",
        title: "Collisions against expectation",
        text: vec![
            "Distinct positions of a ply that share a part of their keys with another: the mean over the scheme's key \
             tables, its range, and, behind it, the range of as many random tables, as multiples of the expected number, a dashed \
             line at 1, which is that of perfectly random keys; the number beside is the mean itself; which e.p. squares count (after every double step, beside a pawn that may capture, or \
             only if the capture is legal) decides how many positions there are, so each policy has its own."
                .into(),
        ]
        .into_iter()
        .chain(rare)
        .collect(),
        figures,
        more,
        ..Section::default()
    })
}

/// Returns the sentence in place of a picture that would show nothing.
fn sentence(document: &CollisionsDocument, bits: u32) -> String {
    let rows = || windows(document).filter(|(_, window)| window.bits == bits);
    let sets: usize = rows().map(|(_, window)| window.lost.len()).sum();
    let losing: usize = rows().map(|(_, window)| window.lost.iter().filter(|lost| **lost > 0).count()).sum();
    let expected = rows().map(|(_, window)| window.expected).fold(0.0, f64::max);
    let found = match losing {
        0 => format!("none of {sets} key tables lost any"),
        some => format!("{some} of {sets} key tables lost some"),
    };
    format!("With {bits} bits, at most {} are expected: {found} ({}).", three_digits(expected), place(document))
}

/// Returns the sentence in place of a picture of windows that are full.
fn full_sentence(document: &CollisionsDocument, bits: u32) -> String {
    format!(
        "{bits} bits have fewer values than there are positions: nearly all are lost with any keys ({}).",
        place(document)
    )
}

fn windows(document: &CollisionsDocument) -> impl Iterator<Item = (&SchemeCollisions, &WindowCollisions)> + Clone {
    document.schemes.iter().flat_map(|scheme| scheme.rows.iter().map(move |row| (scheme, row)))
}

fn ends(lost: &[u64]) -> (f64, f64) {
    let (least, most) = (lost.iter().min().copied().unwrap_or(0), lost.iter().max().copied().unwrap_or(0));
    (least as f64, most as f64)
}

fn mean(lost: &[u64]) -> f64 {
    lost.iter().map(|&lost| lost as f64).sum::<f64>() / lost.len().max(1) as f64
}

fn place(document: &CollisionsDocument) -> String {
    let root = if document.fen.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq") {
        "the starting position"
    } else {
        &document.fen
    };
    format!("ply {} of {root}", document.ply)
}

fn table(document: &CollisionsDocument, bits: u32) -> PageTable {
    let mut table = PageTable::new(
        format!("Positions lost with {bits} bits, {}", place(document)),
        &["scheme", "window"],
        &["positions", "expected", "mean", "least", "most", "random tables from", "to"],
    )
    .with_text("verdict");
    for (scheme, window) in windows(document).filter(|(_, window)| window.bits == bits) {
        let [(least, most), (from, to)] = [&window.lost, &window.band].map(|lost| ends(lost));
        table.rows.push(vec![
            Cell::text(&scheme.scheme),
            Cell::text(&window.window),
            Cell::Count(scheme.positions.into()),
            Cell::three_digits(window.expected),
            Cell::three_digits(mean(&window.lost)),
            Cell::number(least, 0),
            Cell::number(most, 0),
            Cell::number(from, 0),
            Cell::number(to, 0),
            Cell::text(&window.verdict),
        ]);
    }
    table
}

/// Policies of e.p. squares, in the order in which the schemes first have them.
fn policies(document: &CollisionsDocument) -> Vec<&str> {
    let mut policies: Vec<&str> = Vec::new();
    for scheme in &document.schemes {
        if !policies.contains(&scheme.ep_policy.as_str()) {
            policies.push(&scheme.ep_policy);
        }
    }
    policies
}

/// Returns a policy in words.
fn policy_in_words(policy: &str) -> String {
    match policy {
        "legal" => "e.p. if legal".into(),
        "pseudo" => "e.p. if pseudo-legal".into(),
        "always" => "e.p. always".into(),
        other => format!("e.p. policy {other}"),
    }
}

/// Returns the groups of a policy: a heading with what is expected, and a group for each scheme.
fn groups(document: &CollisionsDocument, bits: u32, policy: &str, values: &mut Vec<f64>) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut expected = None;
    for scheme in document.schemes.iter().filter(|scheme| scheme.ep_policy == policy) {
        let rows = scheme.rows.iter().filter(|window| window.bits == bits).map(|window| {
            // Policies expect different numbers: beside each other, only parts of them show how far a scheme is off.
            let part = |lost: f64| lost / window.expected.max(f64::EPSILON);
            let [(least, most), (from, to)] =
                [&window.lost, &window.band].map(|lost| ends(lost)).map(|(low, high)| (part(low), part(high)));
            let mean_part = part(mean(&window.lost));
            values.extend([least, most, from, to, mean_part, 1.0]);
            expected.get_or_insert(window.expected);
            let series = usize::from(window.verdict != "sound");
            BarRow {
                label: window.window.clone(),
                marks: vec![
                    Mark::Band(from, to),
                    Mark::Whisker(least, most, ColorRole::Series(series)),
                    Mark::Dot(mean_part, series, Fill::Full),
                ],
                note: three_digits(mean(&window.lost)),
            }
        });
        let rows: Vec<BarRow> = rows.collect();
        if !rows.is_empty() {
            groups.push(Group { expected: Some(1.0), ..Group::new(&scheme.scheme, rows) });
        }
    }
    let heading = expected.map(|expected| {
        let expected = grouped(&format!("{expected:.0}"));
        Group::new(format!("{expected} expected, {}", policy_in_words(policy)), Vec::new())
    });
    heading.into_iter().chain(groups).collect()
}

fn figure(document: &CollisionsDocument, bits: u32) -> Figure {
    let mut values = Vec::new();
    let policies = policies(document);
    let groups: Vec<Group> = policies.iter().flat_map(|policy| groups(document, bits, policy, &mut values)).collect();
    let key = [
        (Mark::Dot(0.0, 0, Fill::Full), "mean of the key tables, sound"),
        (Mark::Dot(0.0, 1, Fill::Full), "suspicious or broken"),
        (Mark::Band(0.0, 0.0), "random tables"),
        (Mark::Expected, "expected"),
    ];
    let size = if groups.len() > 5 { Size::Full } else { Size::Small };
    let axis = Axis::around("times the expected losses, fewer is better", Scale::Log, values);
    Figure {
        description: format!(
            "Dots with ranges: positions lost by window and scheme, as multiples of the number expected for each of {}, beside \
             the range of random tables.",
            counted(policies.len(), "e.p. policy", "e.p. policies")
        ),
        size,
        chart: Chart::Bars(BarChart {
            key: key.map(|(mark, label)| ChartKey { mark, label: label.into() }).to_vec(),
            ..BarChart::new(axis, groups)
        }),
        table: table(document, bits),
        title: format!("{bits} bits, {}", place(document)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_policy_has_its_own_expectation() {
        let scheme = |name: &str, policy: &str, expected: f64| {
            serde_json::json!({
                "scheme": name, "first_seed": "0", "key_bits": 64, "ep_policy": policy, "positions": "1000",
                "verdict": "sound", "left_out": [],
                "rows": [{
                    "window": "low", "bits": 32, "expected": expected, "mean": expected, "ratio": 1.0,
                    "lost": [format!("{:.0}", 1.1 * expected)], "band": [format!("{expected:.0}")], "verdict": "sound",
                }],
            })
        };
        let document = serde_json::json!({
            "schema": "perft.collisions/1", "version": "0", "fen": "x", "ply": 3, "verdict": "sound", "seconds": 1.0,
            "schemes": [scheme("a", "legal", 10.0), scheme("b", "always", 22.0), scheme("c", "legal", 10.0)],
        });
        let document: CollisionsDocument = serde_json::from_value(document).expect("a document");
        let Chart::Bars(rows) = figure(&document, 32).chart else { panic!("rows") };
        let found: Vec<_> = rows.groups.iter().map(|group| (group.label.as_str(), group.expected)).collect();
        let expected = [
            ("10 expected, e.p. if legal", None),
            ("a", Some(1.0)),
            ("c", Some(1.0)),
            ("22 expected, e.p. always", None),
            ("b", Some(1.0)),
        ];
        assert_eq!(found, expected);
        // Both policies fill the axis, however different the numbers are that they expect.
        assert!(rows.axis.low > 0.9 && rows.axis.high < 1.5, "{:?}", rows.axis);
    }
}
