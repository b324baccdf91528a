//! `perft count`: counts leaves of a position or suite. `perft divide`: counts them by root move or checks a listing.

use crate::args::position::PositionArgs;
use crate::args::run::DepthArgs;
use crate::args::suite::rows;
use crate::args::text::{MAX_TEXT, text};
use crate::cmd::checkpoint::Checkpoint;
use crate::cmd::session::{CountSession, TableArgs};
use crate::failure::{Result, Usage};
use crate::out::console;
use crate::out::file::Output;
use crate::out::progress::with_task_bar;
use clap::Args;
use perft_gate_chess::Board;
use perft_gate_count::LeafCount;
use perft_gate_listing::PastedListing;
use perft_gate_listing::divide::{self, DivideDocument, comparison};
use perft_gate_report::count::{
    self as count_report, CountDocument, CountRow, CountedPaths, statistics_row, statistics_table, suite_row,
    suite_table,
};
use perft_gate_report::text as report;
use perft_gate_suite::{self as suite, Row};
use perft_gate_unique::published;
use perft_gate_walk::statistics;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct CountArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Count the positions of a suite instead and compare the counts: a built-in one (`perft list suites`) or a file.
    /// Each position is counted to its deepest listed depth up to DEPTH, or to DEPTH if it lists none.
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["fen", "moves", "divide", "checkpoint"])]
    suite: Option<String>,
    #[command(flatten)]
    depth: DepthArgs<0>,
    /// Also print the leaves by root move.
    #[arg(long)]
    divide: bool,
    /// Also count captures, e.p. captures, castling moves, promotions, checks (discovered, double) and mates at every
    /// depth up to DEPTH, as in the tables of the Chess Programming Wiki.
    #[arg(long, conflicts_with_all = ["suite", "divide", "hash", "checkpoint"])]
    stats: bool,
    /// Write the counts as JSON (`perft.count/1`; with --divide `perft.divide/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    way: WayArgs,
}

pub fn run(args: &CountArgs) -> Result<ExitCode> {
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
    finish(&session, checkpoint.as_ref())?;
    Ok(confirm(&board, depth, leaves.nodes))
}

/// Compares a count with the published number, if there is one, and returns the exit code.
pub fn confirm(board: &Board, depth: u32, nodes: u128) -> ExitCode {
    let listed =
        |row: &Row| row.position.as_ref().is_ok_and(|listed| listed == board).then(|| row.count(depth)).flatten();
    let suite =
        || suite::parse(suite::embedded("standard")?).ok()?.iter().find_map(listed).map(|n| (n, "suite standard"));
    let published = published::row(board, "leaves").zip(depth.checked_sub(1));
    let published = published.and_then(|(row, ply)| Some((*row.numbers.get(ply as usize)?, row.source)));
    match published.or_else(suite).filter(|_| depth > 0) {
        Some((expected, source)) if expected != nodes => {
            say!("WRONG: the published number is {expected} ({source})");
            return ExitCode::from(1);
        }
        Some((_, source)) => say!("published number ({source}): ok"),
        None => {}
    }
    ExitCode::SUCCESS
}

fn count_suite(name: &str, depth: u32, way: &WayArgs, json: Option<&Path>) -> Result<ExitCode> {
    if depth == 0 {
        return Err(Usage("--depth: found 0, which compares nothing; expected 1 or more for a suite".into()));
    }
    let json = Output::open_if("--json", json)?;
    let (rows, unheld): (Vec<_>, Vec<_>) = rows(name)?.into_iter().partition(|row| row.position.is_ok());
    for row in &unheld {
        let (class, reason) = row.class();
        say!("{}: skipped: {} (class '{class}')", row.id, reason.unwrap_or_default());
    }
    // A row that lists no count up to `depth` is still counted, but not compared.
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
    Output::write_if(json.as_ref(), || document(&session, Some(name), session.counted_paths(), counts))?;
    say!("nodes {total}\n{}", session.speed(total, time));
    session.say_table(None);
    say!("{compared} of {} rows compared, {wrong} wrong", rows.len());
    if compared == 0 {
        let next = "raise --depth, or use a suite with counts (`perft suite fill` writes them)";
        return Err(Usage(format!("nothing was compared: no row lists a count up to depth {depth}; {next}")));
    }
    Ok(if wrong > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Prints the statistics of each depth from 1 on, each line as soon as its depth is counted.
fn print_statistics(board: &Board, depth: u32, way: &WayArgs, json: Option<&Path>) -> Result<ExitCode> {
    let json = Output::open_if("--json", json)?;
    let session = way.table.session(&[])?;
    let table = statistics_table(console::width());
    say!("{}", table.head());
    let mut rows = Vec::new();
    for depth in 1.min(depth)..=depth {
        let count = || session.pool.install(|| statistics(board, depth, session.level, &session.control));
        let (report, statistics) = with_task_bar(&session.control, &format!("depth {depth}"), count);
        if report.interrupted {
            return say_stopped("the rows above are complete, others are missing", None);
        }
        let kinds = statistics.kinds().map(u128::from);
        say!("{}", table.line(&statistics_row(depth, statistics.nodes.into(), kinds)));
        let leaves = LeafCount { nodes: statistics.nodes.into(), time: report.time, interrupted: false };
        let row = count_row(None, board, depth, None, &leaves);
        rows.push(CountRow { statistics: Some(statistics), ..row });
    }
    Output::write_if(json.as_ref(), || document(&session, None, Some(CountedPaths::Every), rows))?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Args, Debug)]
pub struct DivideArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    depth: DepthArgs<1>,
    /// Compare with another engine's listing in a file, in any common format; `-` for standard input.
    #[arg(long, value_name = "FILE|-")]
    compare: Option<PathBuf>,
    /// Write the counts, and the comparison, as JSON (`perft.divide/1`); `-` for standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    way: WayArgs,
}

pub fn divide(args: &DivideArgs) -> Result<ExitCode> {
    let is_standard = |path: &PathBuf| path == Path::new("-");
    if args.position.fen == "-" && args.compare.as_ref().is_some_and(is_standard) {
        return Err(Usage("--compare -: standard input is taken by --fen -, expected a file for one of them".into()));
    }
    let board = args.position.board()?;
    print_divide(&board, args.depth.plies(), &args.way, args.compare.as_deref(), args.json.as_deref())
}

/// Reads a listing. Returns its text, and the option with its file name for use in messages.
fn read_listing(path: &Path) -> Result<(String, String)> {
    let named = format!("--compare {}", path.display());
    let text = text(path, MAX_TEXT, &named, "a file with a listing of root moves")?;
    // Remove NUL characters left over from UTF-16. Moves and counts are ASCII, so they are intact without these NULs.
    Ok((text.replace('\0', ""), named))
}

/// Counts the leaves below each root move, and prints the counts or how they differ from a listing.
fn print_divide(
    board: &Board,
    depth: u32,
    way: &WayArgs,
    compare: Option<&Path>,
    json: Option<&Path>,
) -> Result<ExitCode> {
    let listing = compare.map(read_listing).transpose()?;
    let json = Output::open_if("--json", json)?;
    let session = way.table.session(&[(*board, depth)])?;
    let checkpoint = way.checkpoint(&session, (board, depth))?;
    let start = Instant::now();
    let counter = session.counter(checkpoint.as_ref());
    let rows = with_task_bar(&session.control, "divide", || session.divide(counter, board, depth));
    let time = start.elapsed();
    let total = rows.iter().map(|(_, nodes)| nodes).sum();
    let stopped = session.was_stopped();
    let compare = |(text, named): (String, String)| {
        PastedListing::compare(&text, board, depth, &rows).map_err(|error| Usage(format!("{named}: {error}")))
    };
    let compared = listing.filter(|_| !stopped).map(compare).transpose()?;
    match &compared {
        Some(compared) => console::say_finding(&comparison(compared, board, depth, rows.len())),
        None => {
            for (mv, nodes) in &rows {
                say!("{}: {nodes}", mv.uci());
            }
            say!("\nmoves {}\ntotal {total}", rows.len());
        }
    }
    // The speed goes to standard error, so that the counts alone can be compared with another program's output.
    note!("{}", speed_of_run(&session, total, time, checkpoint.as_ref()));
    if stopped {
        return say_stopped("the moves above are complete, others are missing", checkpoint.as_ref());
    }
    Output::write_if(json.as_ref(), || {
        let document = DivideDocument::new(board, depth, &rows, compared.clone());
        report::json(divide::SCHEMA, DivideDocument { seconds: time.as_secs_f64(), ..document })
    })?;
    finish(&session, checkpoint.as_ref())?;
    Ok(if compared.is_none_or(|compared| compared.is_same) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Arguments for the hash table and the checkpoint of a count.
#[derive(Args, Debug)]
struct WayArgs {
    #[command(flatten)]
    table: TableArgs,
    /// Save finished work in this file, and resume from it if it exists.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Minimum number of seconds between two writes of the checkpoint.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "checkpoint")]
    checkpoint_every: f64,
}

impl WayArgs {
    fn checkpoint<'t>(&self, session: &'t CountSession, tree: (&Board, u32)) -> Result<Option<Checkpoint<'t>>> {
        let Some(path) = &self.checkpoint else { return Ok(None) };
        let every = Duration::try_from_secs_f64(self.checkpoint_every)
            .map_err(|_| Usage(format!("--checkpoint-every: found {}, expected 0 s or more", self.checkpoint_every)))?;
        let checkpoint = Checkpoint::of_count(path, tree, session.table.as_ref(), every)?;
        let counted = checkpoint.before.units.len();
        if counted > 0 {
            note!("{}: resuming; {counted} units were already counted", path.display());
        }
        Ok(Some(checkpoint))
    }
}

fn say_stopped(left: &str, checkpoint: Option<&Checkpoint<'_>>) -> Result<ExitCode> {
    match checkpoint {
        Some(checkpoint) => note!("interrupted: {} units are in the checkpoint", checkpoint.close()?),
        None => note!("interrupted: {left}"),
    }
    Ok(ExitCode::from(130))
}

/// Prints the table's statistics after a complete count, and closes the checkpoint.
fn finish(session: &CountSession, checkpoint: Option<&Checkpoint<'_>>) -> Result<()> {
    session.say_table(checkpoint.map(Checkpoint::comparisons));
    if let Some(checkpoint) = checkpoint {
        checkpoint.close()?;
    }
    Ok(())
}

/// Describes the speed of this run. Nodes that were already counted in the checkpoint are left out.
fn speed_of_run(session: &CountSession, nodes: u128, time: Duration, checkpoint: Option<&Checkpoint<'_>>) -> String {
    match checkpoint.map_or(0, |checkpoint| checkpoint.before.units.values().sum()) {
        before if before > 0 && before >= nodes => "no time: every unit was in the checkpoint".into(),
        before => session.speed(nodes - before.min(nodes), time),
    }
}

fn count_row(id: Option<&str>, board: &Board, depth: u32, expected: Option<u128>, leaves: &LeafCount) -> CountRow {
    let (fen, nodes, seconds) = (board.to_string(), leaves.nodes, leaves.time.as_secs_f64());
    CountRow { id: id.map(String::from), fen, depth, nodes, expected, seconds, statistics: None }
}

fn document(session: &CountSession, suite: Option<&str>, paths: Option<CountedPaths>, rows: Vec<CountRow>) -> String {
    let document = CountDocument {
        suite: suite.map(String::from),
        level: session.level.to_string(),
        threads: session.threads(),
        nodes: rows.iter().map(|row| row.nodes).sum(),
        seconds: rows.iter().map(|row| row.seconds).sum(),
        rows,
        table: session.table_use(),
        paths,
    };
    report::json(count_report::SCHEMA, document)
}
