//! The catalogue's engine as a process that speaks UCI.

use super::fault::{Fault, Site};
use super::position::Engine;
use std::io::{BufRead, Write, stdin, stdout};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Prints a line; a reader that has gone away is no error.
macro_rules! say {
    ($($text:tt)*) => {{
        let mut out = stdout().lock();
        let _ = writeln!(out, $($text)*).and_then(|()| out.flush());
    }};
}

/// Answers until `quit`, or until the input ends.
pub fn serve(fault: Fault) {
    let (mut engine, mut is_chess960) = (Engine::new(START, fault), false);
    for line in stdin().lock().lines().map_while(Result::ok) {
        match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            ["uci"] => say!("id name {fault}\noption name UCI_Chess960 type check default false\nuciok"),
            ["setoption", "name", "UCI_Chess960", "value", value] => is_chess960 = value == "true",
            ["isready"] => say!("readyok"),
            ["position", ref rest @ ..] => {
                let moves = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
                let fen = if rest[0] == "fen" { rest[1..moves].join(" ") } else { START.into() };
                engine = Engine::new(&fen, fault);
                for text in rest.iter().skip(moves + 1) {
                    let found = engine.moves().into_iter().find(|mv| engine.written(*mv, is_chess960) == **text);
                    let Some(mv) = found else { break };
                    engine.make(mv);
                }
            }
            ["go", "perft", depth] => {
                let depth = depth.parse().unwrap_or(1);
                let mut total = u64::from(fault.is(Site::TotalOff, 0, 0));
                for (mv, nodes) in engine.divide(depth) {
                    say!("{}: {nodes}", engine.written(mv, is_chess960));
                    total += nodes;
                }
                say!("\nNodes searched: {total}\n");
            }
            ["d"] => say!("Fen: {}\nKey: {:016X}", engine.fen(), engine.shown_key()),
            ["quit"] => return,
            _ => {}
        }
    }
}
