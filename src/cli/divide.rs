//! `perft divide`.

use super::{RunArgs, Usage, board_of, control};
use crate::chess::legal_moves;
use crate::cpu::V1;
use crate::gate;
use crate::walk::{Game, MAX_DEPTH};
use clap::Args;
use std::process::ExitCode;

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

pub(super) fn run(args: &DivideArgs) -> Result<ExitCode, Usage> {
    let board = board_of(&args.fen, &args.moves)?;
    let (level, control) = (args.run.level()?, control()?);
    let (pool, _) = args.run.pool()?;
    let mut rows = Vec::new();
    for &mv in legal_moves(&board).iter() {
        let mut child = crate::Position::new(board, ());
        let _ = child.play(V1::token(), mv);
        let report = pool.install(|| gate::count(child.board(), args.depth - 1, level, &control));
        if report.interrupted {
            break;
        }
        rows.push((mv.uci().to_string(), report.nodes[args.depth as usize - 1]));
    }
    rows.sort();
    for (mv, nodes) in &rows {
        say!("{mv}: {nodes}");
    }
    say!("\nmoves {}\ntotal {}", rows.len(), rows.iter().map(|(_, nodes)| nodes).sum::<u128>());
    if control.stop.load(std::sync::atomic::Ordering::Relaxed) {
        eprintln!("interrupted: the moves above are complete, others are missing");
        return Ok(ExitCode::from(130));
    }
    Ok(ExitCode::SUCCESS)
}
