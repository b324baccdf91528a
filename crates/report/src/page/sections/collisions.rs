//! Positions lost by key collisions: a table for each width in bits.

use crate::collisions::json::{CollisionsDocument, SchemeCollisions};
use crate::figures::number;
use crate::page::format::{grouped, list, root};
use crate::page::model::{Cell, PageTable, Section};
use std::collections::BTreeSet;

const INTRO: &str = "Positions lost because a part of their key (its low bits, its high bits, or all folded) is also that of \
                     another position: the number expected of perfectly random keys, and the mean over the scheme's key \
                     tables. A verdict compares with random tables.";

pub(super) fn section(documents: &[CollisionsDocument]) -> Option<Section> {
    (!documents.is_empty()).then(|| Section {
        text: [INTRO.into()].into_iter().chain(documents.iter().map(verdicts)).collect(),
        more: documents.iter().flat_map(tables).collect(),
        ..Section::new("collisions", "Collisions against expectation", "")
    })
}

fn verdicts(document: &CollisionsDocument) -> String {
    let is_bad = |scheme: &&SchemeCollisions| scheme.rows.iter().any(|row| row.verdict != "sound");
    let bad: Vec<String> = document.schemes.iter().filter(is_bad).map(|scheme| scheme.scheme.clone()).collect();
    let (number, sound) = (document.schemes.len(), document.schemes.len() - bad.len());
    let suffix = if bad.is_empty() { String::new() } else { format!(" Not sound: {}.", list(&bad)) };
    format!("Ply {} of {}: {sound} of {number} schemes are sound.{suffix}", document.ply, root(&document.fen))
}

fn tables(document: &CollisionsDocument) -> Vec<PageTable> {
    let rows = || document.schemes.iter().flat_map(|scheme| scheme.rows.iter().map(move |row| (scheme, row)));
    let widths: BTreeSet<u32> = rows().map(|(_, row)| row.bits).collect();
    let cell = |value| Cell::Number(value, grouped(&number(value)));
    let table = |bits| {
        let of_width = rows().filter(|(_, row)| row.bits == bits).map(|(scheme, row)| {
            let least = |lost: &[u64]| Cell::of(lost.iter().min(), |lost| Cell::Count((*lost).into()));
            let most = |lost: &[u64]| Cell::of(lost.iter().max(), |lost| Cell::Count((*lost).into()));
            vec![
                Cell::text(&scheme.scheme),
                Cell::text(&row.window),
                Cell::Count(scheme.positions.into()),
                cell(row.expected),
                Cell::of(row.mean, cell),
                Cell::of(row.ratio, cell),
                least(&row.lost),
                most(&row.lost),
                least(&row.band),
                most(&row.band),
                Cell::text(&row.verdict),
            ]
        });
        PageTable::new(
            format!("Positions lost with {bits} bits, ply {} of {}", document.ply, root(&document.fen)),
            &["scheme", "window"],
            &["positions", "expected", "mean", "ratio", "least", "most", "random tables from", "to", "verdict"],
            of_width.collect(),
        )
    };
    widths.into_iter().map(table).collect()
}
