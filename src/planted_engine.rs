//! A small UCI engine with a planted fault. `perft selftest` runs it under `perft engine` to prove that the check can
//! fail.

use crate::cmd::uci::position;
use crate::failure::{CommandFailure, Usage};
use clap::{Args, ValueEnum};
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Kind};
use perft_gate_count::TreeCounter;
use perft_gate_simd::Level;
use perft_gate_walk::Control;
use perft_gate_zobrist::{Key, preset};
use std::fmt;
use std::io::{BufRead, Write};
use std::process::{Command, ExitCode};

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineFault {
    /// No fault: the control experiment.
    None,
    /// It lists no castling move.
    CastlingMissing,
    /// It counts one leaf too many for one move.
    SubtotalWrong,
    /// After moves, the side to move is not in its key.
    KeyWithoutSide,
    /// It exits when it is asked for a count.
    Crash,
    /// It starts a search for `go perft`.
    Searches,
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

#[derive(Args, Debug)]
pub struct PlantedEngineArgs {
    #[arg(value_enum)]
    fault: EngineFault,
}

/// Each fault, the exit code of `perft engine`, and a required text of its output.
const CASES: [(EngineFault, i32, &str); 6] = [
    (EngineFault::None, 0, "passed"),
    (EngineFault::CastlingMissing, 1, "e1g1"),
    (EngineFault::SubtotalWrong, 1, "wrong-count"),
    (EngineFault::KeyWithoutSide, 1, "wrong-key"),
    (EngineFault::Crash, 3, "failed while answering"),
    (EngineFault::Searches, 3, "no-perft"),
];

/// Runs every planted engine under `perft engine`; returns each fault with the result.
pub fn prove() -> Vec<(EngineFault, Result<String, String>)> {
    CASES.into_iter().map(|(fault, code, expected)| (fault, prove_one(fault, code, expected))).collect()
}

fn prove_one(fault: EngineFault, code: i32, expected: &str) -> Result<String, String> {
    let own = std::env::current_exe().map_err(|error| format!("the path of this program is not known: {error}"))?;
    let mut command = Command::new(&own);
    command.args(["engine", "--fen", "kiwipete", "--depth", "2", "--jobs", "1", "--timeout", "20", "--"]);
    let run = command.arg(&own).args(["planted-engine", &fault.to_string()]).output();
    let run = run.map_err(|error| format!("this program does not start: {error}"))?;
    let text = [run.stdout, run.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    match text.lines().find(|line| line.contains(expected)).filter(|_| run.status.code() == Some(code)) {
        Some(line) => Ok(line.trim().into()),
        None => Err(format!("{}, expected exit code {code} and '{expected}':\n{text}", run.status)),
    }
}

/// Runs the engine until its input ends.
pub fn run(args: &PlantedEngineArgs) -> Result<ExitCode, CommandFailure> {
    let (mut board, mut moves) = (Fen::parse(Fen::START)?, 0);
    for line in std::io::stdin().lock().lines() {
        let (line, mut out) = (line?, std::io::stdout().lock());
        match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            ["uci"] => {
                writeln!(out, "id name planted engine\noption name UCI_Chess960 type check default false\nuciok")?
            }
            ["isready"] => writeln!(out, "readyok")?,
            ["position", ref setup @ ..] => {
                board = position(setup).map_err(Usage)?;
                moves = setup.iter().skip_while(|word| **word != "moves").skip(1).count();
            }
            ["go", "perft", depth] if args.fault != EngineFault::Searches => {
                if args.fault == EngineFault::Crash {
                    return Ok(ExitCode::from(1));
                }
                writeln!(out, "{}", perft(args.fault, &board, depth.parse::<u32>()?.max(1)))?;
            }
            ["go", ..] => writeln!(out, "info depth 1 score cp 13 nodes 20 pv e2e4")?,
            ["stop"] => writeln!(out, "bestmove e2e4")?,
            ["d"] => {
                let lacks_side = args.fault == EngineFault::KeyWithoutSide && moves % 2 == 1;
                writeln!(out, "Fen: {}\nKey: {}", Fen::write(&board, EnPassantPolicy::Legal), key(&board, lacks_side))?
            }
            ["quit"] => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn perft(fault: EngineFault, board: &Board, depth: u32) -> String {
    let mut leaves = TreeCounter::new(Level::detect()).divide(board, depth, &Control::default());
    match fault {
        EngineFault::CastlingMissing => leaves.retain(|(mv, _)| mv.kind() != Kind::Castle),
        EngineFault::SubtotalWrong if depth > 1 => leaves.iter_mut().take(1).for_each(|(_, nodes)| *nodes += 1),
        _ => {}
    }
    let total: u128 = leaves.iter().map(|(_, nodes)| nodes).sum();
    let moves: String = leaves.iter().map(|(mv, nodes)| format!("{}: {nodes}\n", mv.uci())).collect();
    format!("{moves}\nNodes searched: {total}")
}

/// Returns the key of a board, or that of the same board with the other side to move.
fn key(board: &Board, lacks_side: bool) -> Key {
    let tables = preset("cpw793").and_then(|scheme| scheme.key_tables(0)).expect("a preset with a key");
    let [white, black] = tables.parts[0].side;
    let side = if lacks_side { white ^ black } else { 0 };
    Key(tables.key(board).0 ^ u128::from(side))
}
