//! The UCI loop of the wrong engine.

use crate::dialects;
use crate::faults::{Dialect, Fault};
use crate::numbers::random;
use crate::position::{AnyMove, Position};
use crate::search::Search;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Kind};
use perft_gate_simd::V1;
use std::collections::HashMap;
use std::io::{BufRead, stdin};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Prints a line; a reader that has gone away is no error.
macro_rules! say {
    ($($text:tt)*) => {{
        let mut out = std::io::stdout().lock();
        let _ = std::io::Write::write_fmt(&mut out, format_args!("{}\n", format_args!($($text)*)))
            .and_then(|()| std::io::Write::flush(&mut out));
    }};
}

pub(crate) use say;

/// Answers until `quit`, or not.
pub fn serve(fault: Fault, dialect: Dialect) {
    let mut position = start(fault);
    if fault == Fault::ReadsNothing {
        loop {
            say!("uciok\nreadyok");
            count(&mut position, "1", fault, dialect);
        }
    }
    let mut search = None::<Search>;
    for line in stdin().lock().lines().map_while(Result::ok) {
        if let Some(search) = &search {
            search.hears(line.trim());
        }
        match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            ["uci"] => {
                manners(fault, Fault::HangAtStart, Fault::CrashAtStart);
                say!("id name wrong engine");
                if fault != Fault::WithoutChess960 {
                    say!("option name UCI_Chess960 type check default false");
                }
                say!("uciok");
            }
            ["isready"] => say!("readyok"),
            ["position", "startpos", ..] => position = start(fault),
            ["position", "fen", ref rest @ ..] => set(&mut position, rest, fault),
            ["board"] if dialect == Dialect::DecimalKeys => say!("hash={}", position.key.cast_signed()),
            ["d"] if dialect == Dialect::DecimalKeys => {}
            ["d"] => {
                say!("Fen: {}", shown_fen(&position, fault));
                match dialect {
                    Dialect::FenAlone => {}
                    Dialect::SignedKeys => say!("Key: {}", position.key as i32),
                    _ => say!("Key: {:016X}", shown_key(&position, fault)),
                }
                if fault == Fault::PawnKeyToo {
                    say!("Pawn key: {:016X}", position.pawn_key());
                }
            }
            ["go", "perft", depth] if counts(dialect, "go perft") => count(&mut position, depth, fault, dialect),
            ["perft", depth, "fen", ref fen @ ..] if dialect == Dialect::NamesFen => {
                set(&mut position, fen, fault);
                count(&mut position, depth, fault, dialect);
            }
            ["go", ..] => search = Search::begin(dialect),
            ["perft", depth] if counts(dialect, "perft") => count(&mut position, depth, fault, dialect),
            ["divide", depth] if counts(dialect, "divide") => count(&mut position, depth, fault, dialect),
            ["quit"] if fault != Fault::QuitIgnored => return,
            ["quit"] => hang(),
            _ => {}
        }
    }
}

/// Positions that share a key, though their numbers do not.
const TWO_ROWS: [&str; 2] = ["7k/8/8/8/8/8/8/K5R1 w - - 0 1", "7k/8/8/8/8/8/8/K1B5 w - - 0 1"];

/// Returns the key that it shows, with anything that is mixed into it.
fn shown_key(position: &Position, fault: Fault) -> u64 {
    let (board, key) = (position.board(), position.key);
    let (clock, fullmove) = (u64::from(board.halfmove()), u64::from(board.fullmove()));
    match fault {
        Fault::ClockHashed => key ^ (clock / 10) << 40,
        Fault::LateClockHashed if clock > 63 => key ^ random(6500),
        Fault::EachClockHashed => key ^ random(8000 + clock),
        Fault::CheckHashed if board.in_check(V1::token()) => key ^ random(6000),
        Fault::FullmoveHashed => key ^ random(7000 + fullmove),
        Fault::GamePlyHashed => key ^ random(7000 + (2 * fullmove + board.turn() as u64) % 4),
        Fault::PlyHashed => key ^ random(7000 + position.history.len() as u64),
        Fault::RowsShare if TWO_ROWS.contains(&&*Fen::write(&board, EnPassantPolicy::Legal)) => 0x5a5a_1234_8765_c3c3,
        Fault::ShortKeys => key & 0xffff_ffff,
        Fault::NarrowKeys => key & 0xff_ffff,
        _ => key,
    }
}

/// Returns the FEN that it shows.
fn shown_fen(position: &Position, fault: Fault) -> String {
    let fen = Fen::write(&position.board(), position.policy());
    let mut fields: Vec<&str> = fen.split(' ').collect();
    match fault {
        _ if position.history.is_empty() => {}
        Fault::FenOfKings => (fields[0], fields[2], fields[3]) = ("4k3/8/8/8/8/8/8/4K3", "-", "-"),
        Fault::FenKeepsRights => fields[2] = "KQkq",
        Fault::FenOfOtherRank if fields[3].ends_with('3') => fields[3] = "e6",
        Fault::FenWithoutClock => fields[4] = "0",
        Fault::FenOfFirstMove => fields[5] = "1",
        _ => {}
    }
    fields.join(" ")
}

/// Returns true if this is the verb that counts.
fn counts(dialect: Dialect, verb: &str) -> bool {
    match dialect {
        Dialect::SearchesOnly | Dialect::NamesFen => false,
        Dialect::DivideVerb => verb == "divide",
        Dialect::PerftVerb => verb == "perft",
        _ if dialect.searches() => verb == "perft",
        _ => verb != "divide",
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
    if matches!(dialect, Dialect::EachDepth | Dialect::Plies) {
        each_depth(position.clone(), depth, fault, dialect);
        return;
    }
    let subtotals = divide(position, depth, fault);
    let mut total = subtotals.iter().map(|(_, nodes)| nodes).sum::<u64>() + u64::from(fault == Fault::WrongSum);
    if fault == Fault::CounterNotReset {
        static COUNTED: AtomicU64 = AtomicU64::new(0);
        total += COUNTED.fetch_add(total, Relaxed);
    }
    if fault == Fault::MateCountedAlone && subtotals.is_empty() {
        total = 1;
    }
    for (number, (mv, nodes)) in subtotals.iter().enumerate() {
        if number == 0 && depth > 1 && garbage(fault, *mv, *nodes) {
            continue;
        }
        match dialect {
            Dialect::LongAlgebraic => say!("{} {nodes}", position.algebraic(*mv, "-", " NBRQK")),
            Dialect::ShortAlgebraic => say!("{}: {nodes}", position.algebraic(*mv, "", " NBRQK")),
            Dialect::OtherLetters => say!("{}: {nodes}", position.algebraic(*mv, "-", " SLTDK")),
            Dialect::MovesAlone if depth == 1 => say!("{mv}"),
            _ => dialects::subtotal(dialect, *mv, *nodes, number + 1),
        }
    }
    dialects::total(dialect, depth, total);
    if dialect == Dialect::Exits {
        std::process::exit(0);
    }
    if fault == Fault::KeySpoiltByPerft {
        position.key ^= 1 << 20;
    }
}

/// Leaves by key, whatever the depth.
static TABLE: Mutex<Option<HashMap<u64, u64>>> = Mutex::new(None);

/// Prints a subtotal that nobody can read; returns false if the fault is another.
fn garbage(fault: Fault, mv: AnyMove, nodes: u64) -> bool {
    match fault {
        Fault::NegativeSubtotal => say!("{mv}: -{nodes}"),
        Fault::PowerSubtotal => say!("{mv}: 10^{nodes}"),
        Fault::NoSquareSubtotal => say!("{}e9: {nodes}", mv.from),
        Fault::FractionSubtotal => say!("{mv}: {nodes}.5"),
        _ => return false,
    }
    true
}

fn same_men(a: &Board, b: &Board) -> bool {
    perft_gate_chess::Square::all().all(|square| a.code(square) == b.code(square))
}

/// Counts one ply after the other; with `EachDepth` in a thread of its own, so that commands are answered meanwhile.
fn each_depth(mut position: Position, depth: u32, fault: Fault, dialect: Dialect) {
    let mut count = move || {
        for depth in 1..=depth {
            dialects::total(dialect, depth, divide(&mut position, depth, fault).iter().map(|(_, nodes)| nodes).sum());
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    match dialect {
        Dialect::EachDepth => drop(std::thread::spawn(count)),
        _ => count(),
    }
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
    if fault == Fault::UnsafeBelowRoot {
        position.fault = Fault::KingIntoCheck;
    }
    let moves = position.moves();
    let nodes = match fault {
        Fault::MateCounted | Fault::MateCountedAlone if moves.is_empty() => 1,
        Fault::FiftyMovesStop if position.setup.halfmove >= 100 => 0,
        Fault::RepetitionStops if position.history.contains(&position.key) => 1,
        Fault::MaterialStops if position.setup.pieces.iter().flatten().count() == 2 => 1,
        Fault::TableIgnoresDepth => {
            let key = position.key;
            let known = TABLE.lock().expect("the table").as_ref().and_then(|table| table.get(&key).copied());
            known.unwrap_or_else(|| {
                let nodes = divide(position, depth - 1, fault).iter().map(|(_, nodes)| nodes).sum();
                TABLE.lock().expect("the table").get_or_insert_default().insert(key, nodes);
                nodes
            })
        }
        Fault::BulkWithoutCastling if depth == 2 => moves.iter().filter(|mv| mv.kind != Kind::Castle).count() as u64,
        Fault::SumOverPlies => 1 + divide(position, depth - 1, fault).iter().map(|(_, nodes)| nodes).sum::<u64>(),
        _ => divide(position, depth - 1, fault).iter().map(|(_, nodes)| nodes).sum(),
    };
    let made = std::mem::replace(position, before);
    if fault == Fault::RightsNotRestored {
        position.setup.castling_rooks &= made.setup.castling_rooks;
    }
    if fault == Fault::EpNotRestored {
        position.forget_en_passant();
    }
    nodes
}
