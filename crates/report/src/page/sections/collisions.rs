//! Positions lost by key collisions, beside those lost with random key tables.

use crate::page::chart::{Axis, BarRow, Chart, Fill, Group, Key, Mark, Role, Rows, Scale};
use crate::page::format::{grouped, three_digits};
use crate::page::model::{Cell, Figure, PageTable, Section, Size};
use crate::schema::collisions::{Document as Collisions, Scheme, Window};

/// Expected losses below which most tables lose none, so that a picture would show nothing.
const FEW: f64 = 1.0;

pub(super) fn section(documents: &[Collisions]) -> Option<Section> {
    let mut figures = Vec::new();
    let (mut more, mut rare) = (Vec::new(), Vec::new());
    for document in documents {
        let mut widths: Vec<u32> = windows(document).map(|(_, window)| window.bits).collect();
        widths.sort_unstable();
        widths.dedup();
        for bits in widths {
            let is_rare =
                windows(document).filter(|(_, window)| window.bits == bits).all(|(_, window)| window.expected < FEW);
            match is_rare {
                true => {
                    rare.push(sentence(document, bits));
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
             tables, its range, and, behind it, the range of as many random tables. The expected number is that of perfectly \
             random keys."
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
fn sentence(document: &Collisions, bits: u32) -> String {
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

fn windows(document: &Collisions) -> impl Iterator<Item = (&Scheme, &Window)> {
    document.schemes.iter().flat_map(|scheme| scheme.rows.iter().map(move |row| (scheme, row)))
}

fn ends(lost: &[u64]) -> (f64, f64) {
    let (least, most) = (lost.iter().min().copied().unwrap_or(0), lost.iter().max().copied().unwrap_or(0));
    (least as f64, most as f64)
}

fn mean(lost: &[u64]) -> f64 {
    lost.iter().map(|&lost| lost as f64).sum::<f64>() / lost.len().max(1) as f64
}

fn place(document: &Collisions) -> String {
    let root = if document.fen.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq") {
        "the starting position"
    } else {
        &document.fen
    };
    format!("ply {} of {root}", document.ply)
}

fn table(document: &Collisions, bits: u32) -> PageTable {
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

fn figure(document: &Collisions, bits: u32) -> Figure {
    let mut values = Vec::new();
    let mut expectations = Vec::new();
    let groups = document.schemes.iter().map(|scheme| {
        let rows = scheme.rows.iter().filter(|window| window.bits == bits).map(|window| {
            let [(least, most), (from, to)] = [&window.lost, &window.band].map(|lost| ends(lost));
            let mean = mean(&window.lost);
            values.extend([least, most, from, to, mean, window.expected]);
            expectations.push(window.expected);
            let series = usize::from(window.verdict != "sound");
            BarRow {
                label: window.window.clone(),
                marks: vec![
                    Mark::Band(from, to),
                    Mark::Whisker(least, most, Role::Series(series)),
                    Mark::Dot(mean, series, Fill::Full),
                ],
                note: three_digits(mean),
            }
        });
        Group { label: scheme.scheme.clone(), rows: rows.collect() }
    });
    let groups: Vec<Group> = groups.filter(|group| !group.rows.is_empty()).collect();
    // Policies differ in their positions, and so in the expected losses; the line is the first scheme's.
    let expected = expectations.first().copied().unwrap_or(0.0);
    let key = [
        (Mark::Dot(0.0, 0, Fill::Full), "mean of the key tables, sound"),
        (Mark::Dot(0.0, 1, Fill::Full), "suspicious or broken"),
        (Mark::Band(0.0, 0.0), "random tables"),
    ];
    let title = format!("{bits} bits, {}", place(document));
    let size = if groups.len() > 4 { Size::Full } else { Size::Small };
    Figure {
        description: format!(
            "Dots with ranges: positions lost by window and scheme, beside {} expected and the range of random tables.",
            three_digits(expected)
        ),
        size,
        chart: Chart::Rows(Rows {
            key: key.map(|(mark, label)| Key { mark, label: label.into() }).to_vec(),
            axis: Axis::around("positions lost to equal keys", Scale::Log, values),
            reference: Some((expected, format!("expected {}", grouped(&format!("{expected:.0}"))))),
            groups,
        }),
        table: table(document, bits),
        title,
    }
}
