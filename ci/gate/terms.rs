//! The program that `ci/gate/terms` builds in its copy of the project. It counts positions while one mutant of the
//! counter is switched on.
//!
//! - `stream SEED NUMBER` writes positions, each with the counts that `cozy-chess` finds.
//! - `catch LIST NUMBER:LEVELS…` prints, for each mutant, the first position in `LIST` that the mutant miscounts.

#![allow(unexpected_cfgs, reason = "the script sets it for the copy, which alone has the switch")]

use cozy_chess::{Board, CastleRights, Color};
use perft_gate_chess::Fen;
use perft_gate_count::setwise::LeafCounter;
use perft_gate_simd::Level;
#[cfg(terms)]
use perft_gate_simd::mutants;
use perft_gate_walk::{Control, Position, walk};
use shakmaty::{CastlingMode, Chess};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

#[path = "../../tests/oracle/generator.rs"]
mod generator;

/// Replaces the mutant switch in a build without mutants.
#[cfg(not(terms))]
mod mutants {
    pub static ON: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
}

/// Positions whose depth-3 count may exceed this get no count at depth 3.
const MAX_LEAVES: u128 = 5_000;

/// A position with its counts at depth 1, depth 2 and so on.
struct Known {
    fen: String,
    board: perft_gate_chess::Board,
    counts: Vec<u64>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments[at].parse::<u64>().expect("a number");
    std::panic::set_hook(Box::new(|_| {}));
    match arguments[0].as_str() {
        "stream" => stream(number(1), number(2)),
        "catch" => catch(&arguments[1], &arguments[2..]),
        "levels" => println!("{}", levels().iter().map(Level::to_string).collect::<Vec<_>>().join(" ")),
        other => panic!("{other}"),
    }
}

// ---- The stream -----------------------------------------------------------------------------------------------------------

/// Writes a mixture of sparse positions, random diagrams and positions from games.
fn stream(seed: u64, number: u64) {
    let mut random = generator::random(seed);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut game, mut written) = (Board::default(), 0);
    while written < number {
        let board = match written % 8 {
            0 => {
                let moves = generator::moves(&game);
                if moves.is_empty() || random().is_multiple_of(100) {
                    let start = random() as u32;
                    game = if random().is_multiple_of(2) {
                        Board::double_chess960_startpos(start % 960, start / 960 % 960)
                    } else {
                        Board::default()
                    };
                } else {
                    game.play_unchecked(moves[random() as usize % moves.len()]);
                }
                Some(game.clone())
            }
            1 | 2 => generator::diagram(&mut random),
            _ => generator::sparse(&mut random),
        };
        let Some(board) = board else { continue };
        if let Some(line) = line(&board) {
            writeln!(out, "{line}").expect("standard output");
            written += 1;
        }
    }
}

/// Returns the position and its counts by depth as a line of text, or `None` if `shakmaty` or our own FEN reader
/// rejects it.
fn line(board: &Board) -> Option<String> {
    let fen = if is_standard(board) { format!("{board}") } else { format!("{board:#}") };
    Fen::parse(&fen).ok()?;
    let theirs: shakmaty::fen::Fen = fen.parse().ok()?;
    let _: Chess = theirs.into_position(CastlingMode::Chess960).ok()?;
    let [moves, replies] = [1, 2].map(|depth| generator::perft(board, depth));
    let third = (replies * 30 <= MAX_LEAVES).then(|| format!(" {}", generator::perft(board, 3)));
    Some(format!("{fen}|{moves} {replies}{}", third.unwrap_or_default()))
}

/// Returns true if every castling right can also occur in standard chess.
fn is_standard(board: &Board) -> bool {
    [Color::White, Color::Black].into_iter().all(|color| {
        let CastleRights { short, long } = *board.castle_rights(color);
        let is = |right: Option<cozy_chess::File>, file| right.is_none_or(|right| right == file);
        (short.is_none() && long.is_none())
            || board.king(color).file() == cozy_chess::File::E
                && is(short, cozy_chess::File::H)
                && is(long, cozy_chess::File::A)
    })
}

// ---- Counting with a mutant on ----------------------------------------------------------------------------------------------

static WORK: AtomicU64 = AtomicU64::new(0);
static STARTED: AtomicU32 = AtomicU32::new(0);

fn levels() -> Vec<Level> {
    let all = Level::all();
    all[1.min(all.len() - 1)..].to_vec()
}

/// Returns the number of leaf nodes, or `None` if the counter panics.
fn leaves(level: Level, board: &perft_gate_chess::Board, depth: u32) -> Option<u64> {
    WORK.fetch_add(1, Ordering::Relaxed);
    let control = Control::default();
    catch_unwind(AssertUnwindSafe(|| {
        let mut counter = LeafCounter::new(&control);
        walk(level, &mut Position::new(*board, ()), &mut counter, depth);
        counter.total
    }))
    .ok()
}

/// Returns the levels in `asked` on which the active mutant miscounts the position, as one bit per level.
fn wrong(known: &Known, levels: &[Level], asked: u32) -> u32 {
    let is_wrong = |level: Level| {
        (2..=known.counts.len() as u32)
            .any(|depth| leaves(level, &known.board, depth) != Some(known.counts[depth as usize - 1]))
    };
    let asked = (0..levels.len()).filter(|at| asked >> at & 1 != 0);
    asked.filter(|&at| is_wrong(levels[at])).map(|at| 1 << at).sum()
}

/// Ends the program if a count hangs, or if one mutant takes a thousand times as long as the other mutants.
fn watch() {
    const LOOK: Duration = Duration::from_millis(1500);
    const MAX_LOOKS: u32 = 40;
    std::thread::spawn(|| {
        let state = || (WORK.load(Ordering::Relaxed), STARTED.load(Ordering::Relaxed));
        let mut looks = 0;
        loop {
            let before = state();
            std::thread::sleep(LOOK);
            let after = state();
            looks = if before.1 == after.1 { looks + 1 } else { 0 };
            if before == after || looks > MAX_LOOKS {
                println!("{} hangs", after.1);
                std::process::exit(9);
            }
        }
    });
}

/// Parses `NUMBER:LEVELS`: the number of a mutant, and the levels to try it on, one bit per level.
fn fault(text: &str) -> (u32, u32) {
    let (number, levels) = text.split_once(':').expect("a number and levels");
    (number.parse().expect("a number"), levels.parse().expect("levels"))
}

fn read(path: &str) -> Vec<Known> {
    let text = std::fs::read_to_string(path).expect(path);
    let read = |line: &str| {
        let (fen, counts) = line.split_once('|')?;
        let counts = counts.split(' ').map(|count| count.parse().expect("a count")).collect();
        Some(Known { fen: fen.into(), board: Fen::parse(fen).expect(fen), counts })
    };
    text.lines().filter_map(read).collect()
}

/// Writes one line per mutant. For each level, the line gives the first position that the mutant miscounts there, as
/// `POSITION:LEVELS`: an index in the list, and one bit per level.
fn catch(list: &str, numbers: &[String]) {
    let (list, levels) = (read(list), levels());
    for known in &list {
        assert_eq!(wrong(known, &levels, !0), 0, "without a mutant: {}", known.fen);
    }
    watch();
    for number in numbers {
        let (number, mut asked) = fault(number);
        STARTED.store(number, Ordering::Relaxed);
        mutants::ON.store(number, Ordering::Relaxed);
        let mut line = number.to_string();
        for (at, known) in list.iter().enumerate() {
            if asked == 0 {
                break;
            }
            let found = wrong(known, &levels, asked);
            if found != 0 {
                line += &format!(" {at}:{found}");
                asked &= !found;
            }
        }
        println!("{line}");
    }
}
