//! The program of `ci/gate/terms`, which builds it in its copy of the project: counts positions with a mutant of the counter on.
//!
//! - `stream SEED NUMBER` writes positions with the counts of `cozy-chess`.
//! - `catch LIST LIMIT NUMBER:LEVELS…` says for each of these mutants which positions of the list it counts wrongly.
//! - `reduce` reads lines `FEN|NUMBER:LEVELS…` and takes pieces away while each mutant still counts one of its depths wrongly.

#![allow(unexpected_cfgs, reason = "the script sets it for the copy, which alone has the switch")]

use cozy_chess::{Board, CastleRights, Color, Piece, Square};
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

/// The switch where there are no mutants.
#[cfg(not(terms))]
mod mutants {
    pub static ON: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
}

/// A count beyond this is not asked for at depth 3.
const MAX_LEAVES: u128 = 5_000;

/// A position with its counts, by depth from 1.
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
        "catch" => catch(&arguments[1], number(2) as usize, &arguments[3..]),
        "levels" => println!("{}", levels().iter().map(Level::to_string).collect::<Vec<_>>().join(" ")),
        "check" => check(&arguments[1]),
        "reduce" => reduce(),
        other => panic!("{other}"),
    }
}

// ---- The stream -----------------------------------------------------------------------------------------------------------

fn moves(board: &Board) -> Vec<cozy_chess::Move> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    moves
}

/// Writes sparse positions, random diagrams, and positions of games, by turns.
fn stream(seed: u64, number: u64) {
    let mut random = generator::random(seed);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut game, mut written) = (Board::default(), 0);
    while written < number {
        let board = match written % 8 {
            0 => {
                let moves = moves(&game);
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
        if let Some(known) = known(&board, 3) {
            writeln!(out, "{}", line(&known)).expect("standard output");
            written += 1;
        }
    }
}

fn line(known: &Known) -> String {
    format!("{}|{}", known.fen, known.counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
}

/// Returns the position with its counts, if all three programs read it.
fn known(board: &Board, depth: u32) -> Option<Known> {
    let fen = if is_standard(board) { format!("{board}") } else { format!("{board:#}") };
    let ours = Fen::parse(&fen).ok()?;
    let theirs: shakmaty::fen::Fen = fen.parse().ok()?;
    let _: Chess = theirs.into_position(CastlingMode::Chess960).ok()?;
    let mut counts = Vec::new();
    for depth in 1..=depth {
        if depth == 3 && counts.last().is_some_and(|&replies: &u64| u128::from(replies) * 30 > MAX_LEAVES) {
            break;
        }
        counts.push(generator::perft(board, depth) as u64);
    }
    Some(Known { fen, board: ours, counts })
}

/// Returns true if castling is that of standard chess.
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

/// Returns the leaf nodes, or nothing if the counter panics.
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

/// Returns the levels, as bits, on which the mutant that is on counts the position wrongly, of those asked for.
fn wrong(known: &Known, levels: &[Level], asked: u32) -> u32 {
    let is_wrong = |level: Level| {
        (2..=known.counts.len() as u32)
            .any(|depth| leaves(level, &known.board, depth) != Some(known.counts[depth as usize - 1]))
    };
    let asked = (0..levels.len()).filter(|at| asked >> at & 1 != 0);
    asked.filter(|&at| is_wrong(levels[at])).map(|at| 1 << at).sum()
}

/// Ends the program if a count does not end, or a mutant takes a thousand times as long as others: it hangs.
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

/// Reads a mutant and the levels, as bits.
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

/// Writes the positions that the counter counts wrongly without a mutant.
fn check(list: &str) {
    let levels = levels();
    for known in read(list).iter().filter(|known| wrong(known, &levels, !0) != 0) {
        println!("{}|{:?}", known.fen, known.counts);
    }
}

/// Writes for each mutant the positions that it counts wrongly, with the levels as bits, up to a limit for each level.
fn catch(list: &str, limit: usize, numbers: &[String]) {
    let (list, levels) = (read(list), levels());
    for known in &list {
        assert_eq!(wrong(known, &levels, !0), 0, "without a mutant: {}", known.fen);
    }
    watch();
    for number in numbers {
        let (number, on) = fault(number);
        STARTED.store(number, Ordering::Relaxed);
        mutants::ON.store(number, Ordering::Relaxed);
        let (mut line, mut caught) = (number.to_string(), vec![0; levels.len()]);
        for (at, known) in list.iter().enumerate() {
            let asked = (0..levels.len()).filter(|&at| caught[at] < limit).map(|at| on & 1 << at).sum();
            if asked == 0 {
                break;
            }
            let found = wrong(known, &levels, asked);
            if found != 0 {
                line += &format!(" {at}:{found}");
                caught.iter_mut().enumerate().for_each(|(at, caught)| *caught += (found >> at & 1) as usize);
            }
        }
        println!("{line}");
    }
}

// ---- Small positions --------------------------------------------------------------------------------------------------------

/// Reads lines `FEN|NUMBER:LEVELS…`, and writes for each the smallest position found that all these mutants count wrongly.
fn reduce() {
    let levels = levels();
    watch();
    for input in std::io::stdin().lines() {
        let input = input.expect("standard input");
        let (fen, numbers) = input.split_once('|').expect("a position and numbers");
        let faults: Vec<(u32, u32)> = numbers.split(' ').map(fault).collect();
        let mut board = Board::from_fen(fen, false).or_else(|_| Board::from_fen(fen, true)).expect(fen);
        let deepest = deepest(&board, &faults, &levels).unwrap_or_else(|| panic!("{input}: not wrong"));
        loop {
            let smaller = smaller(&board).into_iter().find(|board| deepest_within(board, &faults, &levels, deepest));
            match smaller {
                Some(smaller) => board = smaller,
                None => break,
            }
        }
        mutants::ON.store(0, Ordering::Relaxed);
        println!("{}", line(&known(&board, 3).expect("a position that was read")));
    }
}

/// Returns the least depth by which all mutants have counted the position wrongly.
fn deepest(board: &Board, faults: &[(u32, u32)], levels: &[Level]) -> Option<u32> {
    (2..=3).find(|&depth| deepest_within(board, faults, levels, depth))
}

fn deepest_within(board: &Board, faults: &[(u32, u32)], levels: &[Level], depth: u32) -> bool {
    mutants::ON.store(0, Ordering::Relaxed);
    let Some(known) = known(board, depth) else { return false };
    known.counts.len() == depth as usize
        && faults.iter().all(|&(number, asked)| {
            STARTED.store(number, Ordering::Relaxed);
            mutants::ON.store(number, Ordering::Relaxed);
            wrong(&known, levels, asked) == asked
        })
}

/// Returns positions that are simpler by a piece, a right, or the e.p. square; and with a pawn or a queen of less.
fn smaller(board: &Board) -> Vec<Board> {
    let builder = cozy_chess::BoardBuilder::from_board(board);
    let mut found = Vec::new();
    let mut add = |change: &dyn Fn(&mut cozy_chess::BoardBuilder)| {
        let mut builder = builder.clone();
        change(&mut builder);
        found.extend(builder.build().ok());
    };
    for square in Square::ALL {
        if builder.board[square as usize].is_some_and(|(piece, _)| piece != Piece::King) {
            add(&|builder| builder.board[square as usize] = None);
        }
    }
    for color in [0, 1] {
        if builder.castle_rights[color].short.is_some() {
            add(&|builder| builder.castle_rights[color].short = None);
        }
        if builder.castle_rights[color].long.is_some() {
            add(&|builder| builder.castle_rights[color].long = None);
        }
    }
    if builder.en_passant.is_some() {
        add(&|builder| builder.en_passant = None);
    }
    for square in Square::ALL {
        if let Some((Piece::Queen, color)) = builder.board[square as usize] {
            for piece in [Piece::Bishop, Piece::Rook] {
                add(&|builder| builder.board[square as usize] = Some((piece, color)));
            }
        }
    }
    found
}
