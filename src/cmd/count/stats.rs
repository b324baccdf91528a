//! `perft count --stats`: the kinds of the moves into the last ply, at every depth.

use super::document::{count_row, document};
use super::way::{WayArgs, say_stopped};
use crate::failure::CommandFailure;
use crate::out::console;
use crate::out::file::Output;
use crate::out::progress::with_task_bar;
use perft_gate_chess::Board;
use perft_gate_count::LeafCount;
use perft_gate_report::count::json::CountedPaths;
use perft_gate_report::count::text::{statistics_row, statistics_table};
use perft_gate_walk::statistics;
use std::path::Path;
use std::process::ExitCode;

/// Prints the statistics of each depth from 1, in one line as soon as it is counted.
pub(super) fn print_statistics(
    board: &Board,
    depth: u32,
    way: &WayArgs,
    json: Option<&Path>,
) -> Result<ExitCode, CommandFailure> {
    let json = Output::open_if("--json", json)?;
    let session = way.table.session(&[])?;
    let table = statistics_table(console::width());
    say!("{}", table.head());
    let mut rows = Vec::new();
    for depth in 1.min(depth)..=depth {
        let count = || session.install(|| statistics(board, depth, session.level(), session.control()));
        let (report, statistics) = with_task_bar(session.control(), &format!("depth {depth}"), count);
        if report.interrupted {
            return say_stopped("the rows above are complete, others are missing", None);
        }
        say!("{}", table.line(&statistics_row(depth, &statistics)));
        let leaves = LeafCount { nodes: statistics.nodes.into(), time: report.time, interrupted: false };
        let row = count_row(None, board, depth, None, &leaves);
        rows.push(perft_gate_report::count::json::CountRow { statistics: Some(statistics), ..row });
    }
    if let Some(json) = json {
        json.write(document(&session, None, Some(CountedPaths::Every), rows).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
