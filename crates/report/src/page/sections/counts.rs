//! Positions in a tree: how many are lost to key collisions, with one table per key width, and how many are distinct.

use crate::collisions::CollisionsDocument;
use crate::page::format::{group_digits, list, root};
use crate::page::model::{Cell, PageTable, Section};
use crate::text::number;
use crate::unique::UniqueDocument;
use perft_gate_lab::collisions::Collisions;
use perft_gate_lab::quality::AuditVerdict;
use std::collections::BTreeSet;

const INTRO: &str = "Positions lost because a part of their key (its low bits, its high bits, or all folded) is also that of \
                     another position: the number expected of perfectly random keys, and the mean over the scheme's key \
                     tables. A verdict compares with random tables.";

pub(super) fn collisions(documents: &[CollisionsDocument]) -> Option<Section> {
    (!documents.is_empty()).then(|| Section {
        text: [INTRO.into()].into_iter().chain(documents.iter().map(verdicts)).collect(),
        more: documents.iter().flat_map(windows).collect(),
        ..Section::new("collisions", "Collisions against expectation", "")
    })
}

fn verdicts(document: &CollisionsDocument) -> String {
    let is_bad = |scheme: &&Collisions| scheme.rows.iter().any(|row| row.verdict != AuditVerdict::Sound);
    let bad: Vec<String> = document.schemes.iter().filter(is_bad).map(|scheme| scheme.scheme.clone()).collect();
    let (number, sound) = (document.schemes.len(), document.schemes.len() - bad.len());
    let suffix = if bad.is_empty() { String::new() } else { format!(" Not sound: {}.", list(&bad)) };
    format!("Ply {} of {}: {sound} of {number} schemes are sound.{suffix}", document.ply, root(&document.fen))
}

fn windows(document: &CollisionsDocument) -> Vec<PageTable> {
    let rows = || document.schemes.iter().flat_map(|scheme| scheme.rows.iter().map(move |row| (scheme, row)));
    let widths: BTreeSet<u32> = rows().map(|(_, row)| row.bits).collect();
    let cell = |value| Cell::Number(value, group_digits(&number(value)));
    let table = |bits| {
        let of_width = rows().filter(|(_, row)| row.bits == bits).map(|(scheme, row)| {
            vec![
                Cell::text(&scheme.scheme),
                Cell::text(row.window.name()),
                Cell::Count(scheme.positions.into()),
                cell(row.expected),
                cell(row.mean),
                Cell::from_option(row.ratio, cell),
                Cell::Count(row.lost.min().into()),
                Cell::Count(row.lost.max().into()),
                Cell::Count(row.band.min().into()),
                Cell::Count(row.band.max().into()),
                Cell::text(row.verdict.name()),
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

pub(super) fn distinct(documents: &[UniqueDocument]) -> Option<Section> {
    (!documents.is_empty()).then(|| Section {
        tables: documents.iter().map(plies).collect(),
        ..Section::new(
            "distinct",
            "Distinct positions",
            "How many different positions each ply has, how many leaves the tree has (perft), and how many positions \
             only one sequence of moves reaches. The fewer positions per leaf, the more a transposition table saves.",
        )
    })
}

fn plies(document: &UniqueDocument) -> PageTable {
    let rows = document.plies.iter().map(|ply| {
        let counts = [ply.ply.into(), ply.distinct, ply.perft, ply.once, ply.highest].map(Cell::Count);
        let others = [Cell::from_option(ply.diagrams, Cell::Count), Cell::number(ply.seconds, 3)];
        counts.into_iter().chain(others).collect()
    });
    let last = document.plies.last().map_or(0, |ply| ply.ply);
    let caption = format!("From {} to ply {last}, e.p. {}", root(&document.fen), document.ep_policy);
    let columns = ["distinct", "perft", "reached once", "most often reached", "diagrams", "seconds"];
    PageTable::new(caption, &["ply"], &columns, rows.collect())
}
