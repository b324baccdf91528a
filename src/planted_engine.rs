//! A small UCI engine with a planted fault. `perft selftest` runs it under `perft engine` to prove that the check can
//! fail.

use crate::cmd::uci::position;
use crate::failure::{Result, Usage};
use clap::{Args, ValueEnum};
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Kind, Move, legal_moves};
use perft_gate_walk::board_after;
use perft_gate_zobrist::{Key, preset};
use std::io::{BufRead, Write};
use std::process::{Command, ExitCode};

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineFault {
    /// No fault: the control experiment.
    None,
    /// The engine does not castle.
    CastlingMissing,
    /// The engine reports one leaf too many below one move.
    SubtotalWrong,
    /// After an odd number of moves, the engine's key has the wrong side to move.
    KeyWithoutSide,
    /// The engine exits when it is asked for a count.
    Crash,
    /// The engine answers `go perft` with a search.
    Searches,
}

#[derive(Args, Debug)]
pub struct PlantedEngineArgs {
    #[arg(value_enum)]
    fault: EngineFault,
}

/// Each fault, the exit code of `perft engine`, and a text that its output must contain.
const CASES: [(EngineFault, i32, &str); 6] = [
    (EngineFault::None, 0, "passed"),
    (EngineFault::CastlingMissing, 1, "e1g1"),
    (EngineFault::SubtotalWrong, 1, "wrong-count"),
    (EngineFault::KeyWithoutSide, 1, "wrong-key"),
    (EngineFault::Crash, 3, "failed while answering"),
    (EngineFault::Searches, 3, "no-perft"),
];

/// Runs every planted engine under `perft engine`; returns each fault's name with its result.
pub fn prove() -> Vec<(String, Result<String, String>)> {
    let prove = |(fault, code, expected): (EngineFault, i32, &str)| {
        let name: String = fault.to_possible_value().expect("a name").get_name().into();
        (name.clone(), prove_one(&name, code, expected))
    };
    CASES.into_iter().map(prove).collect()
}

fn prove_one(fault: &str, code: i32, expected: &str) -> Result<String, String> {
    let own = std::env::current_exe().map_err(|error| format!("the path of this program is not known: {error}"))?;
    let mut command = Command::new(&own);
    command.args(["engine", "--fen", "kiwipete", "--depth", "2", "--jobs", "1", "--timeout", "20", "--"]);
    let run = command.arg(&own).args(["planted-engine", fault]).output();
    let run = run.map_err(|error| format!("this program does not start: {error}"))?;
    let text = [run.stdout, run.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    match text.lines().find(|line| line.contains(expected)).filter(|_| run.status.code() == Some(code)) {
        Some(line) => Ok(line.trim().into()),
        None => Err(format!("{}, expected exit code {code} and '{expected}':\n{text}", run.status)),
    }
}

/// Runs the engine until its input ends.
pub fn run(args: &PlantedEngineArgs) -> Result<ExitCode> {
    let mut engine = PlantedEngine { fault: args.fault, board: Fen::parse(Fen::START)?, by_moves: 0 };
    for line in std::io::stdin().lock().lines() {
        let (line, mut out) = (line?, std::io::stdout().lock());
        match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            ["uci"] => {
                writeln!(out, "id name planted engine\noption name UCI_Chess960 type check default false\nuciok")?
            }
            ["isready"] => writeln!(out, "readyok")?,
            ["position", ref setup @ ..] => {
                engine.board = position(setup).map_err(Usage)?;
                engine.by_moves = setup.iter().skip_while(|word| **word != "moves").skip(1).count();
            }
            ["go", "perft", depth] if args.fault != EngineFault::Searches => {
                if args.fault == EngineFault::Crash {
                    return Ok(ExitCode::from(1));
                }
                writeln!(out, "{}", engine.perft(depth.parse()?))?;
            }
            ["go", ..] => writeln!(out, "info depth 1 score cp 13 nodes 20 pv e2e4")?,
            ["stop"] => writeln!(out, "bestmove e2e4")?,
            ["d"] => {
                writeln!(out, "Fen: {}\nKey: {}", Fen::write(&engine.board, EnPassantPolicy::Legal), engine.key())?
            }
            ["quit"] => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

struct PlantedEngine {
    fault: EngineFault,
    board: Board,
    /// Number of moves from the position of the FEN to the current board.
    by_moves: usize,
}

impl PlantedEngine {
    /// Returns the moves that the engine considers legal.
    fn moves(&self, board: &Board) -> Vec<Move> {
        let mut moves = legal_moves(board).to_vec();
        moves.retain(|mv| self.fault != EngineFault::CastlingMissing || mv.kind() != Kind::Castle);
        moves
    }

    fn leaves(&self, board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.moves(board).into_iter().map(|mv| self.leaves(&board_after(board, mv), depth - 1)).sum()
    }

    fn perft(&self, depth: u32) -> String {
        let (mut out, mut total) = (String::new(), 0);
        for (number, mv) in self.moves(&self.board).into_iter().enumerate() {
            let extra = u64::from(self.fault == EngineFault::SubtotalWrong && number == 0 && depth > 1);
            let below = self.leaves(&board_after(&self.board, mv), depth.saturating_sub(1)) + extra;
            total += below;
            out += &format!("{}: {below}\n", mv.uci());
        }
        format!("{out}\nNodes searched: {total}")
    }

    fn key(&self) -> Key {
        let tables = preset("cpw793").and_then(|scheme| scheme.key_tables(0)).expect("a preset with a key");
        let unflipped = self.fault == EngineFault::KeyWithoutSide && self.by_moves % 2 == 1;
        let side = if unflipped { tables.parts[0].side[0] ^ tables.parts[0].side[1] } else { 0 };
        Key(tables.key(&self.board).0 ^ u128::from(side))
    }
}
