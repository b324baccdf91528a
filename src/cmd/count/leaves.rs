//! `perft count`: leaves of a position or of a suite.

use super::divide::print_divide;
use super::document::{count_row, document};
use super::stats::print_statistics;
use super::way::{WayArgs, finish, say_stopped, speed_of_run};
use crate::args::depth::DepthArgs;
use crate::args::position::PositionArgs;
use crate::args::suite::rows;
use crate::failure::{CommandFailure, Usage};
use crate::out::console;
use crate::out::file::Output;
use clap::Args;
use perft_gate_report::count::text::{suite_row, suite_table};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct CountArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Count the positions of a suite instead, each to its deepest listed depth up to DEPTH, or to DEPTH if none is
    /// listed, and compare the counts: a built-in one (`perft list suites`) or a file.
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["fen", "moves", "divide", "checkpoint"])]
    suite: Option<String>,
    #[command(flatten)]
    depth: DepthArgs<0>,
    /// Also print the leaves by root move.
    #[arg(long)]
    divide: bool,
    /// Also count captures, e.p. captures, castling moves, promotions, checks (discovered, double) and mates, at every depth
    /// up to DEPTH: the table of the Chess Programming Wiki.
    #[arg(long, conflicts_with_all = ["suite", "divide", "hash", "checkpoint"])]
    stats: bool,
    /// Write the counts as JSON (`perft.count/1`; with --divide `perft.divide/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    way: WayArgs,
}

pub fn run(args: &CountArgs) -> Result<ExitCode, CommandFailure> {
    let depth = args.depth.plies();
    if let Some(suite) = &args.suite {
        return count_suite(suite, depth, &args.way, args.json.as_deref());
    }
    let board = args.position.board()?;
    if args.divide && depth > 0 {
        return print_divide(&board, depth, &args.way, None, args.json.as_deref());
    }
    if args.stats {
        return print_statistics(&board, depth, &args.way, args.json.as_deref());
    }
    let json = Output::open_if("--json", args.json.as_deref())?;
    let session = args.way.table.session(&[(board, depth)])?;
    let checkpoint = args.way.checkpoint(&session, (&board, depth))?;
    let leaves = session.leaves(&args.position.fen, session.counter(checkpoint.as_ref()), &board, depth);
    if leaves.interrupted {
        return say_stopped(
            "no count; use --divide to see complete moves, or --checkpoint to resume later",
            checkpoint.as_ref(),
        );
    }
    say!("nodes {}\n{}", leaves.nodes, speed_of_run(&session, leaves.nodes, leaves.time, checkpoint.as_ref()));
    if let Some(json) = json {
        let row = count_row(None, &board, depth, None, &leaves);
        json.write(document(&session, None, session.counted_paths(), vec![row]).as_bytes())?;
    }
    finish(&session, checkpoint.as_ref())
}

fn count_suite(name: &str, depth: u32, way: &WayArgs, json: Option<&Path>) -> Result<ExitCode, CommandFailure> {
    if depth == 0 {
        return Err(Usage("--depth: found 0, which compares nothing with a suite, expected 1 or more".into()));
    }
    let json = Output::open_if("--json", json)?;
    let (rows, unheld): (Vec<_>, Vec<_>) = rows(name)?.into_iter().partition(|row| row.position.is_ok());
    for row in &unheld {
        let (class, reason) = row.class();
        say!("{}: skipped, {class} position: {}", row.id, reason.unwrap_or_default());
    }
    // A row without a count up to that depth is counted all the same, and there is nothing to compare it with.
    let rows: Vec<_> = rows.into_iter().map(|row| (row.deepest(depth).unwrap_or(depth), row)).collect();
    let trees: Vec<_> = rows.iter().map(|(depth, row)| (*row.board(), *depth)).collect();
    let session = way.table.session(&trees)?;
    let width = rows.iter().map(|(_, row)| row.id.chars().count()).max().unwrap_or(0);
    let table = suite_table(console::width(), width);
    say!("{}", table.head());
    let (mut counts, mut time) = (Vec::new(), Duration::ZERO);
    for (depth, row) in &rows {
        let leaves = session.leaves(&row.id, session.counter(None), row.board(), *depth);
        if leaves.interrupted {
            return say_stopped("the rows above are complete, others are missing", None);
        }
        let count = count_row(Some(&row.id), row.board(), *depth, row.count(*depth), &leaves);
        say!("{}", table.line(&suite_row(&count)));
        time += leaves.time;
        counts.push(count);
    }
    let total = counts.iter().map(|row| row.nodes).sum();
    let compared = counts.iter().filter(|row| row.expected.is_some()).count();
    let wrong = counts.iter().filter(|row| row.expected.is_some_and(|expected| expected != row.nodes)).count();
    if let Some(json) = json {
        json.write(document(&session, Some(name), session.counted_paths(), counts).as_bytes())?;
    }
    say!("nodes {total}\n{}", session.speed(total, time));
    session.say_table(None);
    say!("{compared} of {} rows compared, {wrong} wrong", rows.len());
    if compared == 0 {
        let next = "raise --depth, or take a suite that lists counts (`perft suite fill` writes them)";
        return Err(Usage(format!("nothing was compared: no row lists a count up to depth {depth}: {next}")));
    }
    Ok(if wrong > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
