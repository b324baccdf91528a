//! Random positions that catch the faults a list misses.
//!
//! A round draws positions with few pieces, of kinds in which rules interact, and keeps the one that catches the most
//! faults not yet caught. The search ends after several rounds without a find.

use crate::fault::Fault;
use crate::position::{Engine, KING, PAWN, QUEEN, ROOK, piece, placement, random, square};
use crate::score::Reference;
use rayon::prelude::*;

/// Positions drawn per round.
const DRAWN: u64 = 1500;
/// Rounds without a find before the search ends.
const PATIENCE: u64 = 3;
/// Maximum number of leaves of a position at the searched depth.
const MAX_LEAVES: u64 = 6_000;

/// Prints positions that catch the missed faults, each with its catches, and then the faults that no position catches.
pub fn search(mut missed: Vec<Fault>, depth: u32, seed: u64) {
    let mut fruitless = 0;
    for round in 0.. {
        let draw = |number: u64| {
            let fen = position(seed + round * DRAWN + number)?;
            let reference = Reference::new(&fen, depth);
            if reference.total(1) == 0
                || reference.total(1).pow(depth) > 20 * MAX_LEAVES
                || reference.total(depth) > MAX_LEAVES
            {
                return None;
            }
            let caught = |fault: &Fault| reference.catches(*fault, depth).is_some();
            let caught: Vec<usize> = (0..missed.len()).filter(|&at| caught(&missed[at])).collect();
            (!caught.is_empty()).then_some((caught, reference.total(depth), fen))
        };
        let best = (0..DRAWN)
            .into_par_iter()
            .filter_map(draw)
            .max_by_key(|(caught, leaves, _)| (caught.len(), u64::MAX - leaves));
        fruitless = if best.is_some() { 0 } else { fruitless + 1 };
        if let Some((caught, _, fen)) = best {
            let names: Vec<String> = caught.iter().map(|&at| missed[at].to_string()).collect();
            println!("{fen} ;{}", names.join(" "));
            missed = (0..missed.len()).filter(|at| !caught.contains(at)).map(|at| missed[at]).collect();
        }
        if missed.is_empty() || fruitless == PATIENCE {
            break;
        }
    }
    missed.iter().for_each(|fault| println!("# not found: {fault}"));
}

/// Draws a position; `None` if it is not legal.
fn position(seed: u64) -> Option<String> {
    let mut state = random(seed);
    let mut below = |n: u64| {
        state = random(state);
        (state % n) as usize
    };
    let mut board = [None; 64];
    let mut rights = String::new();
    for color in 0..2 {
        let castles = below(5) < 3;
        let is_other = castles && below(6) == 0;
        let king = match (castles, is_other) {
            (false, _) => below(64),
            (_, false) => square(4, 7 * color),
            _ => square(1 + below(6), 7 * color),
        };
        if board[king].replace(piece(color, KING)).is_some() {
            return None;
        }
        for wing in 0..2 {
            if !castles || below(3) == 0 {
                continue;
            }
            let file = match (is_other, wing) {
                (false, wing) => [7, 0][wing],
                (_, 0) => king % 8 + 1 + below(7 - king as u64 % 8),
                _ => below(king as u64 % 8),
            };
            board[square(file, 7 * color)] = Some(piece(color, ROOK));
            if below(4) > 0 {
                let letter = if is_other { b'a' + file as u8 } else { b"kq"[wing] };
                rights.push(char::from(if color == 0 { letter.to_ascii_uppercase() } else { letter }));
            }
        }
    }
    for _ in 0..1 + below(8) {
        let color = below(2);
        let role = if below(2) == 0 { PAWN } else { below(QUEEN as u64 + 1) };
        let rank = match role {
            PAWN => [1, 3, 4, 6, 2, 5][below(6)],
            _ => below(8),
        };
        let on = square(below(8), rank);
        if board[on].is_none() {
            board[on] = Some(piece(color, role));
        }
    }
    let side = below(2);
    // An enemy pawn that may just have made a double push.
    let (pawn_rank, over, from) = if side == 0 { (4, 5, 6) } else { (3, 2, 1) };
    let pushed = (0..8).find(|&file| {
        board[square(file, pawn_rank)] == Some(piece(1 - side, PAWN))
            && board[square(file, over)].is_none()
            && board[square(file, from)].is_none()
    });
    let rights = if rights.is_empty() { "-" } else { &rights };
    let clock = [0, 0, 0, 98][below(4)];
    let ep = pushed.filter(|_| below(4) > 0).map(|file| format!("{}{}", char::from(b'a' + file as u8), over + 1));
    let clock = if ep.is_some() { 0 } else { clock };
    let fen = format!(
        "{} {} {rights} {} {clock} 60",
        placement(&board),
        if side == 0 { "w" } else { "b" },
        ep.unwrap_or("-".into())
    );
    let engine = Engine::new(&fen, Fault::NONE);
    let kings = engine.board.iter().flatten().filter(|&&piece| usize::from(piece % 6) == KING).count();
    let is_legal = kings == 2 && engine.attackers(engine.kings[1 - side], side).is_empty();
    (is_legal && engine.fen().split(' ').nth(2) == fen.split(' ').nth(2)).then_some(fen)
}
