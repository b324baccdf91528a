//! The counts as JSON.

use perft_gate_chess::{Board, Fen};
use perft_gate_report::unique::json::{PlyCounts, SCHEMA, UniqueDocument};
use perft_gate_unique::{By, Ply, UniqueOptions};

/// Returns the counts as a file.
pub fn document(board: &Board, plies: &[Ply], options: &UniqueOptions<'_>) -> UniqueDocument {
    let by = match options.by {
        By::Position => "position".into(),
        By::Key { scheme, .. } => scheme.name.to_string(),
    };
    let ply = |ply: &Ply| PlyCounts {
        ply: ply.ply,
        distinct: ply.positions.distinct.into(),
        perft: ply.positions.total.unwrap_or_default(),
        once: ply.positions.once.into(),
        highest: ply.positions.highest,
        with_highest: ply.positions.with_highest.into(),
        diagrams: ply.diagrams.map(|diagrams| diagrams.distinct.into()),
        expected_lost: ply.expected_lost,
        seconds: ply.time.as_secs_f64(),
    };
    UniqueDocument {
        schema: SCHEMA.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        fen: Fen::write(board, options.policy),
        by,
        ep_policy: options.policy.name().into(),
        plies: plies.iter().map(ply).collect(),
    }
}
