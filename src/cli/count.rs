//! `perft count` and `perft divide`.

use super::gate::rows;
use super::{RunArgs, Usage, board_of, control, watched};
use crate::chess::Board;
use crate::cpu::Level;
use crate::gate::{self, Leaves};
use crate::walk::{Control, MAX_DEPTH};
use clap::Args;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub(super) struct CountArgs {
    /// FEN, `startpos` or `kiwipete`.
    #[arg(long, default_value = "startpos")]
    fen: String,
    /// Moves from there, in UCI notation.
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// The positions of a suite instead, each compared with its count: an embedded one (`perft list suites`) or a file.
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["fen", "moves", "divide"])]
    suite: Option<String>,
    /// Plies; of a suite, a row's deepest up to there.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Also the leaves by root move.
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args, Debug)]
pub(super) struct DivideArgs {
    /// FEN, `startpos` or `kiwipete`.
    #[arg(long, default_value = "startpos")]
    fen: String,
    /// Moves from there, in UCI notation.
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// Plies, at least 1.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &CountArgs) -> Result<ExitCode, Usage> {
    let (level, control) = (args.run.level()?, control()?);
    let (pool, _) = args.run.pool()?;
    if let Some(suite) = &args.suite {
        return count_suite(suite, args.depth, level, &pool, &control);
    }
    let board = board_of(&args.fen, &args.moves)?;
    if args.divide && args.depth > 0 {
        return divided(&board, args.depth, level, &pool, &control);
    }
    let leaves = watched(&control, &args.fen, || pool.install(|| gate::leaves(&board, args.depth, level, &control)));
    if leaves.interrupted {
        eprintln!("interrupted: no count; with --divide, what is complete is printed");
        return Ok(ExitCode::from(130));
    }
    say!("nodes {}\n{}", leaves.nodes, speed(leaves.nodes, leaves.time));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn divide(args: &DivideArgs) -> Result<ExitCode, Usage> {
    let board = board_of(&args.fen, &args.moves)?;
    let (level, control) = (args.run.level()?, control()?);
    let (pool, _) = args.run.pool()?;
    divided(&board, args.depth, level, &pool, &control)
}

fn divided(
    board: &Board,
    depth: u32,
    level: Level,
    pool: &rayon::ThreadPool,
    control: &Control,
) -> Result<ExitCode, Usage> {
    let start = Instant::now();
    let rows = watched(control, "divide", || pool.install(|| gate::divide(board, depth, level, control)));
    let total = rows.iter().map(|(_, nodes)| nodes).sum();
    for (mv, nodes) in &rows {
        say!("{}: {nodes}", mv.uci());
    }
    say!("\nmoves {}\ntotal {total}", rows.len());
    // Apart from the counts, which one compares with another program's.
    eprintln!("{}", speed(total, start.elapsed()));
    if control.stop.load(std::sync::atomic::Ordering::Relaxed) {
        eprintln!("interrupted: the moves above are complete, others are missing");
        return Ok(ExitCode::from(130));
    }
    Ok(ExitCode::SUCCESS)
}

fn count_suite(
    name: &str,
    depth: u32,
    level: Level,
    pool: &rayon::ThreadPool,
    control: &Control,
) -> Result<ExitCode, Usage> {
    let rows = rows(name)?;
    let width = rows.iter().map(|row| row.id.chars().count()).max().unwrap_or(0);
    say!("{:<width$} {:>5} {:>16} {:>9} {:>9}", "position", "depth", "nodes", "seconds", "Mnodes/s");
    let (mut total, mut time, mut wrong, mut compared) = (0, Duration::ZERO, 0, 0);
    for row in &rows {
        let depth = (0..=depth).rev().find(|&depth| row.count(depth).is_some()).unwrap_or(depth);
        let leaves = watched(control, &row.id, || pool.install(|| gate::leaves(&row.board, depth, level, control)));
        if leaves.interrupted {
            eprintln!("interrupted: the rows above are complete, others are missing");
            return Ok(ExitCode::from(130));
        }
        let Leaves { nodes, time: took, .. } = leaves;
        let verdict = match row.count(depth) {
            None => "not listed".into(),
            Some(listed) if listed == nodes => "ok".into(),
            Some(listed) => format!("WRONG, expected {listed}"),
        };
        (total, time) = (total + nodes, time + took);
        wrong += usize::from(verdict.starts_with("WRONG"));
        compared += usize::from(verdict != "not listed");
        let (seconds, rate) = (took.as_secs_f64(), nodes as f64 / took.as_secs_f64() / 1e6);
        say!("{:<width$} {depth:>5} {nodes:>16} {seconds:>9.3} {rate:>9.0}  {verdict}", row.id);
    }
    say!("nodes {total}\n{}\n{compared} of {} rows compared, {wrong} wrong", speed(total, time), rows.len());
    Ok(if wrong > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn speed(nodes: u128, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    format!("time {seconds:.3} s, {:.0} million nodes/s", nodes as f64 / seconds.max(1e-9) / 1e6)
}
