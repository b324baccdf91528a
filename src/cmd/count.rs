//! `perft count` and `perft divide`.

use super::checkpoint::Checkpoint;
use super::estimate;
use crate::args::position::PositionArgs;
use crate::args::run::{RunArgs, control};
use crate::args::size::{self, Size};
use crate::args::suite::rows;
use crate::failure::{Failure, Usage};
use crate::out::progress::watched;
use clap::Args;
use perft_gate_count::table::{EntryMatch, PerftTable, TableStats};
use perft_gate_count::{Counter, Journal, LeafCount};
use perft_gate_judge::gate::text;
use perft_gate_simd::Level;
use perft_gate_walk::chess::Board;
use perft_gate_walk::walk::{Control, MAX_DEPTH};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct CountArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Count the positions of a suite instead, and compare the counts: a built-in one (`perft list suites`) or a file.
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["fen", "moves", "divide", "checkpoint"])]
    suite: Option<String>,
    /// Number of plies; for a suite, each row's deepest listed depth up to this one.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Also print the leaves by root move.
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    way: WayArgs,
}

#[derive(Args, Debug)]
pub struct DivideArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Number of plies, at least 1.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
    #[command(flatten)]
    way: WayArgs,
}

/// Arguments for the way of counting.
#[derive(Args, Debug)]
struct WayArgs {
    /// Count transpositions once, with a table of this size (512M, 4G; 0 for none), or `auto`: as much of three
    /// quarters of the free memory as the tree can use.
    #[arg(long, value_name = "SIZE|auto")]
    hash: Option<Size>,
    /// Compare whole positions in the table instead of 64 bits of their keys: counts are exact, but fewer positions
    /// fit.
    #[arg(long, requires = "hash")]
    exact: bool,
    /// Save finished work in this file, and resume from it if it exists.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Minimum number of seconds between two writes of the checkpoint.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "checkpoint")]
    checkpoint_every: f64,
    #[command(flatten)]
    run: RunArgs,
}

/// A run of the counter, with everything it needs.
struct Session {
    level: Level,
    pool: rayon::ThreadPool,
    control: Arc<Control>,
    table: Option<PerftTable>,
}

impl WayArgs {
    /// Allocates the table, and starts the threads; `trees` will be counted.
    fn session(&self, trees: &[(Board, u32)]) -> Result<Session, Failure> {
        let (level, control) = (self.run.level()?, control()?);
        let (pool, _) = self.run.pool()?;
        let mut session = Session { level, pool, control, table: None };
        let Some(size) = self.hash.filter(|size| *size != Size::Bytes(0)) else { return Ok(session) };
        let identity = if self.exact { EntryMatch::Position } else { EntryMatch::Tag };
        let nodes: f64 = trees.iter().map(|(board, depth)| inner_nodes(board, *depth)).sum();
        let bytes = size.bytes("--hash", nodes * PerftTable::bytes_per_entry(identity) * ROOM)?;
        let table = session.pool.install(|| PerftTable::new(bytes, identity));
        session.table = Some(table.map_err(|error| Usage(format!("--hash: {error}, expected {}", size::text(bytes))))?);
        for (board, depth) in trees {
            session.refuse_if_unsure(board, *depth)?;
        }
        Ok(session)
    }

    /// Returns the journal of this count.
    fn checkpoint<'t>(&self, session: &'t Session, tree: (&Board, u32)) -> Result<Option<Checkpoint<'t>>, Failure> {
        let Some(path) = &self.checkpoint else { return Ok(None) };
        let every = Duration::try_from_secs_f64(self.checkpoint_every)
            .map_err(|error| Usage(format!("--checkpoint-every: {error}, expected seconds")))?;
        let checkpoint = Checkpoint::open(path, tree, session.table.as_ref(), every)?;
        if checkpoint.resumed() > 0 {
            note!("{}: resuming, {} units were counted before", path.display(), checkpoint.resumed());
        }
        Ok(Some(checkpoint))
    }
}

/// Entries for each position to be stored, above which a larger table is no better.
const ROOM: f64 = 1.5;

/// Maximum number of nodes of the smaller counts that show how a count grows.
const PLANNED_WITH: f64 = 1e8;

/// Maximum expected number of wrong hits; a count with more is refused.
const MOST_WRONG_HITS: f64 = 1e-9;

/// Returns the number of nodes that may be looked up in a table: those with at least two plies below.
fn inner_nodes(board: &Board, depth: u32) -> f64 {
    1.0 + estimate::nodes_below(board, Vec::new(), depth.saturating_sub(2))
}

impl Session {
    fn counter<'a>(&'a self, checkpoint: Option<&'a Checkpoint<'_>>) -> Counter<'a> {
        let journal = checkpoint.map(|checkpoint| checkpoint as &dyn Journal);
        Counter { level: self.level, table: self.table.as_ref(), journal }
    }

    fn was_stopped(&self) -> bool {
        self.control.stop.load(Ordering::Relaxed)
    }

    fn leaves(&self, name: &str, counter: Counter<'_>, board: &Board, depth: u32) -> LeafCount {
        watched(&self.control, name, || self.pool.install(|| counter.leaves(board, depth, &self.control)))
    }

    /// Refuses a count that its 64-bit tags may make wrong: first by the size of its tree, which is much more than the
    /// number of look-ups, then by the look-ups of two smaller counts.
    fn refuse_if_unsure(&self, board: &Board, depth: u32) -> Result<(), Failure> {
        let Some(table) = self.table.as_ref().filter(|table| table.identity() == EntryMatch::Tag) else {
            return Ok(());
        };
        let wrong_hits = |comparisons: f64| TableStats { comparisons: comparisons as u64, ..TableStats::default() };
        let most = PerftTable::COMPARED_AT_MOST * inner_nodes(board, depth);
        if wrong_hits(most).expected_wrong_hits() <= MOST_WRONG_HITS {
            return Ok(());
        }
        let smaller = (2..depth).rev().find(|&smaller| inner_nodes(board, smaller) <= PLANNED_WITH).unwrap_or(2);
        let comparisons = [smaller - 1, smaller].map(|depth| {
            let before = table.tally().comparisons;
            self.leaves("planning", self.counter(None), board, depth);
            (table.tally().comparisons - before) as f64
        });
        let growth = comparisons[1] / comparisons[0].max(1.0);
        let planned = comparisons[1] * growth.powi((depth - smaller) as i32);
        let wrong = wrong_hits(planned).expected_wrong_hits();
        if wrong > MOST_WRONG_HITS && !self.was_stopped() {
            return Err(Usage(format!(
                "--hash: found {wrong:.1e} wrong counts to be expected at depth {depth}, expected at most \
                 {MOST_WRONG_HITS:.0e}: use --exact"
            )));
        }
        Ok(())
    }

    /// Prints the table's statistics in one line; `before` are the comparisons of earlier runs.
    fn say_table(&self, comparisons: Option<u64>) {
        let Some(table) = &self.table else { return };
        let tally = table.tally();
        let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        say!(
            "table {}: {} probes, {:.1} % known, {} stored, {:.1} % of them replaced others, {} too large to store",
            size::text(table.bytes()),
            tally.probes,
            share(tally.hits, tally.probes),
            tally.stores,
            share(tally.evictions, tally.stores),
            tally.too_large
        );
        match table.identity() {
            EntryMatch::Position => say!("every hit compared the whole position"),
            EntryMatch::Tag => {
                let comparisons = comparisons.unwrap_or(tally.comparisons);
                let wrong = TableStats { comparisons, ..tally }.expected_wrong_hits();
                say!("{comparisons} tags compared: at most {wrong:.1e} wrong hits expected");
            }
        }
    }

    /// Reports the state after a stop.
    fn say_stopped(&self, left: &str, checkpoint: Option<&Checkpoint<'_>>) -> Result<ExitCode, Failure> {
        match checkpoint {
            Some(checkpoint) => note!("interrupted: {} units are in the checkpoint", checkpoint.close()?),
            None => note!("interrupted: {left}"),
        }
        Ok(ExitCode::from(130))
    }
}

pub fn run(args: &CountArgs) -> Result<ExitCode, Failure> {
    if let Some(suite) = &args.suite {
        return count_suite(suite, args.depth, &args.way);
    }
    let board = args.position.board()?;
    if args.divide && args.depth > 0 {
        return divided(&board, args.depth, &args.way);
    }
    let session = args.way.session(&[(board, args.depth)])?;
    let checkpoint = args.way.checkpoint(&session, (&board, args.depth))?;
    let leaves = session.leaves(&args.position.fen, session.counter(checkpoint.as_ref()), &board, args.depth);
    if leaves.interrupted {
        return session.say_stopped(
            "no count; use --divide to see complete moves, or --checkpoint to resume later",
            checkpoint.as_ref(),
        );
    }
    say!("nodes {}\n{}", leaves.nodes, speed_of_run(leaves.nodes, leaves.time, checkpoint.as_ref()));
    finish(&session, checkpoint.as_ref())
}

pub fn divide(args: &DivideArgs) -> Result<ExitCode, Failure> {
    divided(&args.position.board()?, args.depth, &args.way)
}

/// Prints the last lines of a count that was not stopped.
fn finish(session: &Session, checkpoint: Option<&Checkpoint<'_>>) -> Result<ExitCode, Failure> {
    session.say_table(checkpoint.map(Checkpoint::comparisons));
    if let Some(checkpoint) = checkpoint {
        checkpoint.close()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn divided(board: &Board, depth: u32, way: &WayArgs) -> Result<ExitCode, Failure> {
    let session = way.session(&[(*board, depth)])?;
    let checkpoint = way.checkpoint(&session, (board, depth))?;
    let (counter, control) = (session.counter(checkpoint.as_ref()), &session.control);
    let start = Instant::now();
    let rows = watched(control, "divide", || session.pool.install(|| counter.divide(board, depth, control)));
    let total = rows.iter().map(|(_, nodes)| nodes).sum();
    for (mv, nodes) in &rows {
        say!("{}: {nodes}", mv.uci());
    }
    say!("\nmoves {}\ntotal {total}", rows.len());
    // Not among the counts, so that those can be compared with another program's output.
    note!("{}", speed_of_run(total, start.elapsed(), checkpoint.as_ref()));
    if session.was_stopped() {
        return session.say_stopped("the moves above are complete, others are missing", checkpoint.as_ref());
    }
    finish(&session, checkpoint.as_ref())
}

fn count_suite(name: &str, depth: u32, way: &WayArgs) -> Result<ExitCode, Failure> {
    let rows: Vec<_> = rows(name)?
        .into_iter()
        .map(|row| {
            let depth = (0..=depth).rev().find(|&depth| row.count(depth).is_some()).unwrap_or(depth);
            (row, depth)
        })
        .collect();
    let trees: Vec<_> = rows.iter().map(|(row, depth)| (row.board, *depth)).collect();
    let session = way.session(&trees)?;
    let width = rows.iter().map(|(row, _)| row.id.chars().count()).max().unwrap_or(0);
    say!("{:<width$} {:>5} {:>16} {:>9} {:>9}", "position", "depth", "nodes", "seconds", "Mnodes/s");
    let (mut total, mut time, mut wrong, mut compared) = (0, Duration::ZERO, 0, 0);
    for (row, depth) in &rows {
        let leaves = session.leaves(&row.id, session.counter(None), &row.board, *depth);
        if leaves.interrupted {
            return session.say_stopped("the rows above are complete, others are missing", None);
        }
        let LeafCount { nodes, time: took, .. } = leaves;
        let verdict = match row.count(*depth) {
            None => "not listed".into(),
            Some(listed) if listed == nodes => "ok".into(),
            Some(listed) => format!("WRONG, expected {listed}"),
        };
        (total, time) = (total + nodes, time + took);
        wrong += usize::from(verdict.starts_with("WRONG"));
        compared += usize::from(verdict != "not listed");
        let rate = text::rate(nodes, took).map_or("-".into(), |rate| format!("{:.0}", rate / 1e6));
        let seconds = took.as_secs_f64();
        say!("{:<width$} {depth:>5} {nodes:>16} {seconds:>9.3} {rate:>9}  {verdict}", row.id);
    }
    say!("nodes {total}\n{}", speed(total, time));
    session.say_table(None);
    say!("{compared} of {} rows compared, {wrong} wrong", rows.len());
    Ok(if wrong > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Returns the speed of a run for its own nodes: those from the checkpoint took no time.
fn speed_of_run(nodes: u128, time: Duration, checkpoint: Option<&Checkpoint<'_>>) -> String {
    match checkpoint.map_or(0, Checkpoint::leaves_before) {
        before if before > 0 && before >= nodes => "no time: every unit was in the checkpoint".into(),
        before => speed(nodes - before.min(nodes), time),
    }
}

fn speed(nodes: u128, time: Duration) -> String {
    let rate = text::rate(nodes, time);
    let rate = rate.map_or(String::new(), |rate| format!(", {:.0} million nodes/s", rate / 1e6));
    format!("time {:.3} s{rate}", time.as_secs_f64())
}
