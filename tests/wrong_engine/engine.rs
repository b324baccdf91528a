//! The UCI loop of the wrong engine.

use crate::faults::{Dialect, Fault};
use crate::position::{AnyMove, Position};
use perft_gate::chess::{Board, Fen, Kind};
use std::io::{BufRead, Write, stdin, stdout};

/// What a line printed here means to a reader that has gone away: nothing.
macro_rules! say {
    ($($text:tt)*) => {{
        let mut out = stdout().lock();
        let _ = writeln!(out, $($text)*).and_then(|()| out.flush());
    }};
}

/// Answers until `quit`, or not.
pub fn serve(fault: Fault, dialect: Dialect) {
    let mut position = start(fault);
    for line in stdin().lock().lines().map_while(Result::ok) {
        match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            ["uci"] => {
                manners(fault, Fault::HangAtStart, Fault::CrashAtStart);
                say!("id name wrong engine\noption name UCI_Chess960 type check default false\nuciok");
            }
            ["isready"] => say!("readyok"),
            ["position", "startpos", ..] => position = start(fault),
            ["position", "fen", ref rest @ ..] => set(&mut position, rest, fault),
            ["d"] => {
                let board = position.board();
                let mut key = position.key;
                if fault == Fault::ClockHashed {
                    key ^= u64::from(board.halfmove() / 10) << 40;
                }
                say!("Fen: {}\nKey: {key:016X}", Fen::write(&board, position.policy()));
            }
            ["go", "perft", depth] if dialect != Dialect::PerftVerb => count(&mut position, depth, fault, dialect),
            ["go", ..] => say!("info depth 1 score cp 0\nbestmove 0000"),
            ["perft", depth] => count(&mut position, depth, fault, dialect),
            ["quit"] if fault != Fault::QuitIgnored => return,
            ["quit"] => hang(),
            _ => {}
        }
    }
}

fn start(fault: Fault) -> Position {
    Position::new(&Fen::parse(Fen::START).expect("the start position"), fault)
}

fn hang() -> ! {
    loop {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

fn manners(fault: Fault, hangs: Fault, dies: Fault) {
    if fault == hangs {
        hang();
    }
    if fault == dies {
        eprintln!("assertion failed: a wrong engine");
        std::process::exit(42);
    }
}

fn set(position: &mut Position, words: &[&str], fault: Fault) {
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (fen, moves) = (words[..at].join(" "), words.get(at + 1..).unwrap_or(&[]));
    match (Fen::parse(&fen), fault) {
        (_, Fault::FenRefused) => return say!("info string invalid FEN: {fen}"),
        (_, Fault::FenMistaken) => *position = start(fault),
        (Ok(board), _) => *position = Position::new(&board, fault),
        (Err(_), _) => return,
    }
    for text in moves {
        let Some(mv) = position.moves().into_iter().find(|mv| mv.to_string() == **text) else { return };
        if fault == Fault::MoveIgnored && mv.kind == Kind::Castle {
            return;
        }
        position.make(mv);
    }
}

fn count(position: &mut Position, depth: &str, fault: Fault, dialect: Dialect) {
    let depth: u32 = depth.parse().unwrap_or(1);
    let start = Fen::parse(Fen::START).expect("the start position");
    let misbehaves = !same_men(&position.board(), &start);
    match fault {
        Fault::Hang | Fault::Crash if misbehaves => manners(fault, Fault::Hang, Fault::Crash),
        Fault::Flood if misbehaves => loop {
            say!("info string flood flood flood");
        },
        Fault::Garbage if misbehaves => return say!("\u{fffd}\u{1}garbage ]]>\ne2\ne2e4 =\nno nodes"),
        _ => {}
    }
    let subtotals: Vec<(AnyMove, u64)> = divide(position, depth, fault);
    let total = subtotals.iter().map(|(_, nodes)| nodes).sum::<u64>() + u64::from(fault == Fault::WrongSum);
    for (number, (mv, nodes)) in subtotals.iter().enumerate() {
        let plain = format!("{}{}", mv.from, mv.to);
        match dialect {
            Dialect::Tabs => say!("{mv}\t{nodes}"),
            Dialect::Commas => say!("{mv}: {}", separated(*nodes)),
            Dialect::Numbered => say!("{:>2}. {mv} {nodes} (0.01 s)", number + 1),
            Dialect::KingTakesRook if mv.kind == Kind::Castle => say!("{plain}: {nodes}"),
            Dialect::TotalOnly => {}
            _ => say!("{mv}: {nodes}"),
        }
    }
    match dialect {
        Dialect::Tabs => say!("Total: {total}"),
        Dialect::Commas => say!("Nodes searched: {} in 12 ms", separated(total)),
        Dialect::Numbered => say!("Nodes: {total}\nTime: 1234\nNPS: 5678"),
        Dialect::InfoNodes => say!("info depth {depth} nodes {total} time 1"),
        Dialect::Bare => say!("{total}"),
        Dialect::SubtotalsOnly => {}
        _ => say!("\nNodes searched: {total}\n"),
    }
    if fault == Fault::KeySpoiltByPerft {
        position.key ^= 1 << 20;
    }
}

fn same_men(a: &Board, b: &Board) -> bool {
    perft_gate::chess::Square::all().all(|square| a.code(square) == b.code(square))
}

fn separated(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

fn divide(position: &mut Position, depth: u32, fault: Fault) -> Vec<(AnyMove, u64)> {
    let moves = position.moves();
    moves.into_iter().map(|mv| (mv, below(position, mv, depth, fault))).collect()
}

fn below(position: &mut Position, mv: AnyMove, depth: u32, fault: Fault) -> u64 {
    if depth == 1 {
        return 1;
    }
    let before = position.clone();
    position.make(mv);
    let nodes = divide(position, depth - 1, fault).iter().map(|(_, nodes)| nodes).sum();
    let made = std::mem::replace(position, before);
    if fault == Fault::RightsNotRestored {
        position.setup.castling_rooks &= made.setup.castling_rooks;
    }
    if fault == Fault::EpNotRestored {
        position.forget_en_passant();
    }
    nodes
}
