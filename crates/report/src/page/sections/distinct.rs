//! Distinct positions and leaves of the tree, by ply.

use crate::page::format::root;
use crate::page::model::{Cell, PageTable, Section};
use crate::unique::json::UniqueDocument;

pub(super) fn section(documents: &[UniqueDocument]) -> Option<Section> {
    (!documents.is_empty()).then(|| Section {
        tables: documents.iter().map(table).collect(),
        ..Section::new(
            "distinct",
            "Distinct positions",
            "How many different positions there are at each ply, how many leaves the tree has (perft), and how many positions \
             only one sequence of moves reaches. The fewer positions for the leaves, the more a transposition table can save.",
        )
    })
}

fn table(document: &UniqueDocument) -> PageTable {
    let rows = document.plies.iter().map(|ply| {
        let counts = [ply.ply.into(), ply.distinct, ply.perft, ply.once, ply.highest].map(Cell::Count);
        let others = [Cell::of(ply.diagrams, Cell::Count), Cell::number(ply.seconds, 3)];
        counts.into_iter().chain(others).collect()
    });
    let last = document.plies.last().map_or(0, |ply| ply.ply);
    PageTable::new(
        format!("From {} to ply {last}, e.p. {}", root(&document.fen), document.ep_policy),
        &["ply"],
        &["distinct", "perft", "reached once", "most often reached", "diagrams", "seconds"],
        rows.collect(),
    )
}
