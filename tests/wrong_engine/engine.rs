//! The UCI loop of the wrong engine, and a pretended search. The search runs until it is stopped, and ends the program
//! on any command that a search does not allow.

use crate::dialects;
use crate::faults::{Dialect, Fault};
use crate::player::Player;
use perft_gate_catalogue::position::{CASTLING, KING, Move, random, square_name};
use perft_gate_chess::{EnPassantPolicy, Fen};
use std::collections::HashMap;
use std::io::{BufRead, stdin};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

/// Prints a line. If the reader no longer exists, that is not an error.
macro_rules! say {
    ($($text:tt)*) => {{
        let mut out = std::io::stdout().lock();
        let _ = std::io::Write::write_fmt(&mut out, format_args!("{}\n", format_args!($($text)*)))
            .and_then(|()| std::io::Write::flush(&mut out));
    }};
}

pub(crate) use say;

/// Answers commands until `quit`, unless a fault prevents that.
pub fn serve(fault: Fault, dialect: Dialect) {
    let mut player = Player::new(Fen::START, fault);
    if fault == Fault::ReadsNothing {
        loop {
            say!("uciok\nreadyok");
            count(&mut player, "1", dialect);
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
            ["position", "startpos", ..] => player = Player::new(Fen::START, fault),
            ["position", "fen", ref rest @ ..] => set(&mut player, rest),
            ["board"] if dialect == Dialect::DecimalKeys => say!("hash={}", player.key().cast_signed()),
            ["d"] if dialect == Dialect::DecimalKeys => {}
            ["d"] => {
                say!("Fen: {}", shown_fen(&player));
                match dialect {
                    Dialect::FenAlone => {}
                    Dialect::SignedKeys => say!("Key: {}", player.key() as i32),
                    _ => say!("Key: {:016X}", shown_key(&player)),
                }
                if fault == Fault::PawnKeyToo {
                    say!("Pawn key: {:016X}", player.pawn_key());
                }
            }
            ["go", "perft", depth] if counts(dialect, "go perft") => count(&mut player, depth, dialect),
            ["perft", depth, "fen", ref fen @ ..] if dialect == Dialect::NamesFen => {
                set(&mut player, fen);
                count(&mut player, depth, dialect);
            }
            ["go", ..] => search = Search::begin(dialect),
            [verb @ ("perft" | "divide"), depth] if counts(dialect, verb) => count(&mut player, depth, dialect),
            ["quit"] if fault != Fault::QuitIgnored => return,
            ["quit"] => hang(),
            _ => {}
        }
    }
}

/// Positions to which `Fault::RowsShare` gives the same key.
const TWO_ROWS: [&str; 2] = ["7k/8/8/8/8/8/8/K5R1 w - - 0 1", "7k/8/8/8/8/8/8/K1B5 w - - 0 1"];

/// Returns the key that the engine shows, with any extra terms mixed in.
fn shown_key(player: &Player) -> u64 {
    let (engine, key) = (&player.engine, player.key());
    let (clock, fullmove) = (u64::from(engine.halfmove), u64::from(engine.fullmove));
    match player.fault {
        Fault::ClockHashed => key ^ (clock / 10) << 40,
        Fault::LateClockHashed if clock > 63 => key ^ random(6500),
        Fault::EachClockHashed => key ^ random(8000 + clock),
        Fault::CheckHashed if !engine.checkers().is_empty() => key ^ random(6000),
        Fault::GamePlyHashed => key ^ random(7000 + (2 * fullmove + engine.side as u64) % 4),
        Fault::PlyHashed => key ^ random(7000 + player.history.len() as u64),
        Fault::RowsShare if TWO_ROWS.contains(&&*engine.fen()) => 0x5a5a_1234_8765_c3c3,
        Fault::ShortKeys => key & 0xffff_ffff,
        Fault::NarrowKeys => key & 0xff_ffff,
        _ => key,
    }
}

fn shown_fen(player: &Player) -> String {
    let fen = player.engine.fen();
    if let Fault::Bent(_) = player.fault {
        return fen;
    }
    let ep = player.shown_ep().map_or("-".into(), square_name);
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[3] = &ep;
    match player.fault {
        _ if player.history.is_empty() => {}
        Fault::FenOfKings => (fields[0], fields[2], fields[3]) = ("4k3/8/8/8/8/8/8/4K3", "-", "-"),
        Fault::FenKeepsRights => fields[2] = "KQkq",
        Fault::FenOfOtherRank if fields[3].ends_with('3') => fields[3] = "e6",
        Fault::FenWithoutClock => fields[4] = "0",
        Fault::FenOfFirstMove => fields[5] = "1",
        _ => {}
    }
    fields.join(" ")
}

/// Returns true if this command word requests a count in this dialect.
fn counts(dialect: Dialect, verb: &str) -> bool {
    match dialect {
        Dialect::SearchesOnly | Dialect::NamesFen => false,
        Dialect::DivideVerb => verb == "divide",
        Dialect::PerftVerb => verb == "perft",
        _ if dialect.searches() => verb == "perft",
        _ => verb != "divide",
    }
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
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

fn set(player: &mut Player, words: &[&str]) {
    let fault = player.fault;
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (fen, moves) = (words[..at].join(" "), words.get(at + 1..).unwrap_or(&[]));
    match (Fen::parse(&fen), fault) {
        (_, Fault::FenRefused) => return say!("info string invalid FEN: {fen}"),
        (_, Fault::FenMistaken) => *player = Player::new(Fen::START, fault),
        (Ok(board), _) => *player = Player::new(&Fen::write(&board, EnPassantPolicy::Always), fault),
        (Err(_), _) => return,
    }
    for text in moves {
        let Some(mv) = player.moves().into_iter().find(|mv| player.written(*mv) == **text) else { return };
        if fault == Fault::MoveIgnored && mv.kind == CASTLING {
            return;
        }
        player.make(mv);
    }
}

fn count(player: &mut Player, depth: &str, dialect: Dialect) {
    let (depth, fault): (u32, Fault) = (depth.parse().unwrap_or(1), player.fault);
    let misbehaves = player.engine.board != Player::new(Fen::START, fault).engine.board;
    match fault {
        Fault::Hang | Fault::Crash if misbehaves => manners(fault, Fault::Hang, Fault::Crash),
        Fault::Flood if misbehaves => loop {
            say!("info string flood flood flood");
        },
        Fault::Garbage if misbehaves => return say!("\u{fffd}\u{1}garbage ]]>\ne2\ne2e4 =\nno nodes"),
        _ => {}
    }
    if matches!(dialect, Dialect::EachDepth | Dialect::Plies) {
        each_depth(player.clone(), depth, dialect);
        return;
    }
    let subtotals = divide(player, depth);
    let is_off = matches!(fault, Fault::WrongSum | Fault::Bent("total-off"));
    let mut total = subtotals.iter().map(|(_, nodes)| nodes).sum::<u64>() + u64::from(is_off);
    if fault == Fault::CounterNotReset {
        static COUNTED: AtomicU64 = AtomicU64::new(0);
        total += COUNTED.fetch_add(total, Relaxed);
    }
    if fault == Fault::MateCountedAlone && subtotals.is_empty() {
        total = 1;
    }
    for (number, (mv, nodes)) in subtotals.iter().enumerate() {
        let name = player.written(*mv);
        if number == 0 && depth > 1 && garbage(fault, &name, *nodes) {
            continue;
        }
        match dialect {
            Dialect::LongAlgebraic => say!("{} {nodes}", player.algebraic(*mv, "-", " NBRQK")),
            Dialect::ShortAlgebraic => say!("{}: {nodes}", player.algebraic(*mv, "", " NBRQK")),
            Dialect::OtherLetters => say!("{}: {nodes}", player.algebraic(*mv, "-", " SLTDK")),
            Dialect::MovesAlone if depth == 1 => say!("{name}"),
            _ => dialects::subtotal(dialect, *mv, &name, *nodes, number + 1),
        }
    }
    dialects::total(dialect, depth, total);
    if dialect == Dialect::Exits {
        std::process::exit(0);
    }
    if fault == Fault::KeySpoiltByPerft {
        player.drift ^= 1 << 20;
    }
}

/// Leaf counts by key, stored without regard to depth.
static TABLE: LazyLock<Mutex<HashMap<u64, u64>>> = LazyLock::new(Mutex::default);

/// Prints an unreadable subtotal and returns true, if the fault calls for one.
fn garbage(fault: Fault, mv: &str, nodes: u64) -> bool {
    match fault {
        Fault::NegativeSubtotal => say!("{mv}: -{nodes}"),
        Fault::PowerSubtotal => say!("{mv}: 10^{nodes}"),
        Fault::NoSquareSubtotal => say!("{}e9: {nodes}", &mv[..2]),
        Fault::FractionSubtotal => say!("{mv}: {nodes}.5"),
        _ => return false,
    }
    true
}

/// Counts one depth after another. With `EachDepth` a separate thread counts, so the engine still answers commands.
fn each_depth(mut player: Player, depth: u32, dialect: Dialect) {
    let mut count = move || {
        for depth in 1..=depth {
            dialects::total(dialect, depth, divide(&mut player, depth).iter().map(|(_, nodes)| nodes).sum());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    match dialect {
        Dialect::EachDepth => drop(std::thread::spawn(count)),
        _ => count(),
    }
}

fn divide(player: &mut Player, depth: u32) -> Vec<(Move, u64)> {
    if let Fault::Bent(_) = player.fault {
        let mut subtotals = player.engine.divide(depth);
        subtotals.sort_by_cached_key(|(mv, _)| player.written(*mv));
        return subtotals;
    }
    player.moves().into_iter().map(|mv| (mv, below(player, mv, depth))).collect()
}

fn below(player: &mut Player, mv: Move, depth: u32) -> u64 {
    if depth == 1 {
        return 1;
    }
    let before = player.clone();
    player.make(mv);
    if player.fault == Fault::UnsafeBelowRoot {
        player.fault = Fault::KingIntoCheck;
    }
    let sum = |player: &mut Player| divide(player, depth - 1).iter().map(|(_, nodes)| nodes).sum();
    let only_kings = || player.engine.board.iter().flatten().all(|piece| usize::from(piece % 6) == KING);
    let nodes = match player.fault {
        Fault::MateCountedAlone if player.moves().is_empty() => 1,
        Fault::RepetitionStops if player.history.contains(&player.key()) => 1,
        Fault::MaterialStops if only_kings() => 1,
        Fault::TableIgnoresDepth => {
            let key = player.key();
            let known = TABLE.lock().expect("the table").get(&key).copied();
            known.unwrap_or_else(|| {
                let nodes = sum(player);
                TABLE.lock().expect("the table").insert(key, nodes);
                nodes
            })
        }
        _ => sum(player),
    };
    *player = before;
    nodes
}

#[derive(Default)]
struct Search {
    stop: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

impl Search {
    /// Starts a search. Returns `None` if the search ends at once in this dialect.
    fn begin(dialect: Dialect) -> Option<Search> {
        if matches!(dialect, Dialect::SearchesAtOnce | Dialect::PerftVerb | Dialect::DivideVerb) {
            say!("info depth 1 seldepth 1 score cp 20 nodes 20 time 0 pv e2e4\ninfo nodes 20 time 0\nbestmove e2e4");
            return None;
        }
        let search = Search::default();
        let (stop, over) = (Arc::clone(&search.stop), Arc::clone(&search.over));
        std::thread::spawn(move || {
            for depth in 1.. {
                if dialect != Dialect::SearchesSilently {
                    say!("info depth {depth}\ninfo depth {depth} score cp 20 nodes {} pv e2e4", 20 * depth);
                    say!("info depth {depth} seldepth {depth} time 0 nodes {} nps 0", 20 * depth);
                }
                std::thread::sleep(Duration::from_millis(20));
                if stop.load(Relaxed) && dialect != Dialect::SearchesForEver {
                    over.store(true, Relaxed);
                    return say!("bestmove e2e4 ponder e7e5");
                }
            }
        });
        Some(search)
    }

    /// Handles a command during the search. A command that a search does not allow ends the program.
    fn hears(&self, command: &str) {
        match command {
            "stop" => self.stop.store(true, Relaxed),
            "isready" | "quit" => {}
            _ if self.over.load(Relaxed) => {}
            command => {
                eprintln!("'{command}' during a search");
                std::process::exit(43);
            }
        }
    }
}
