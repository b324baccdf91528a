//! `perft.count/1`, as the program fills it in.

use crate::cmd::session::CountSession;
use perft_gate_chess::Board;
use perft_gate_count::LeafCount;
use perft_gate_report::count::json::{CountDocument, CountRow, CountedPaths, SCHEMA};
use perft_gate_report::text;

/// Returns the row of a file.
pub(super) fn count_row(
    id: Option<&str>,
    board: &Board,
    depth: u32,
    expected: Option<u128>,
    leaves: &LeafCount,
) -> CountRow {
    let (fen, nodes, seconds) = (board.to_string(), leaves.nodes, leaves.time.as_secs_f64());
    CountRow { id: id.map(String::from), fen, depth, nodes, expected, seconds, statistics: None }
}

/// Returns the counts as a file.
pub(super) fn document(
    session: &CountSession,
    suite: Option<&str>,
    paths: Option<CountedPaths>,
    rows: Vec<CountRow>,
) -> String {
    text::file(&CountDocument {
        schema: SCHEMA.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        suite: suite.map(String::from),
        level: session.level().to_string(),
        threads: session.threads(),
        nodes: rows.iter().map(|row| row.nodes).sum(),
        seconds: rows.iter().map(|row| row.seconds).sum(),
        rows,
        table: session.table_use(),
        paths,
    })
}
