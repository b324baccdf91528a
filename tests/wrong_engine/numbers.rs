//! The random numbers in the wrong engine's keys, and the faults of these numbers.

use crate::faults::Fault;
use perft_gate_catalogue::position::{self, BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, random, square};
use std::sync::OnceLock;

/// Index of the random number for Black to move.
pub const SIDE: u64 = 780;
/// Index of the first castling right's random number; the numbers of the e.p. files follow.
const RIGHTS: u64 = 768;
const FILES: u64 = 772;
/// How many random numbers are drawn to fill a whole table.
const DRAWN: usize = 1000;
/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

pub fn piece(fault: Fault, piece: position::Piece, on: usize) -> u64 {
    let index = |color: usize, role: usize, on: usize| number(fault, (64 * (6 * color + role) + on) as u64);
    let (color, role) = (usize::from(piece / 6), usize::from(piece % 6));
    let (own, square_number) = (u64::from(piece), on as u64);
    match fault {
        Fault::WrongIndex if role == KNIGHT => index(color, role, on % 32),
        Fault::PiecesShare if role == PAWN => index(color, KING, on),
        Fault::NumberIsZero if (color, role, on) == (1, QUEEN, square(3, 7)) => 0,
        Fault::TwoNumbersEqual if (color, role, on) == (1, BISHOP, square(2, 5)) => index(0, KNIGHT, square(5, 2)),
        Fault::BishopsAreKnights if (color, role) == (1, BISHOP) => index(color, KNIGHT, on),
        Fault::RowsOf63 => number(fault, 63 * own + square_number),
        Fault::ColoursMirrored => index(0, role, if color == 0 { on } else { on ^ 56 }),
        Fault::FilesMirrored => index(color, role, on & 56 | (on & 7).min(7 - (on & 7))),
        Fault::RanksIgnored if role == ROOK => index(color, role, on & 7),
        Fault::Rotated => {
            let first = random(own);
            (first ^ u64::from(first.count_ones() % 2)).rotate_left(on as u32)
        }
        Fault::PieceXorSquare => random(own) ^ random(100 + square_number),
        Fault::GoldenRatio => GOLDEN.wrapping_mul(64 * own + square_number + 1),
        Fault::KingNotHashed if role == KING => 0,
        _ => index(color, role, on),
    }
}

pub fn right(fault: Fault, right: usize) -> u64 {
    match fault {
        Fault::BlackQueenSideNotHashed if right == 3 => 0,
        Fault::RightsOfWhiteOnly if right > 1 => 0,
        Fault::RightsShareAKey => number(fault, RIGHTS + right as u64 % 2),
        Fault::RightIsSideKey if right == 0 => number(fault, SIDE),
        Fault::RightIsPawn if right == 1 => number(fault, 8),
        _ => number(fault, RIGHTS + right as u64),
    }
}

pub fn en_passant(fault: Fault, on: usize) -> u64 {
    let file = on as u64 % 8;
    match (fault, file) {
        (Fault::EpFileIsZero, 7) => 0,
        (Fault::EpFilesShare, 4) => number(fault, FILES + 3),
        (Fault::EpFileIsSideKey, 2) => number(fault, SIDE),
        (Fault::EpFileIsRight, 3) => number(fault, RIGHTS),
        (Fault::EpFileModulo7, _) => number(fault, FILES + file % 7),
        (Fault::EpByRank, _) => number(fault, FILES + on as u64 / 8),
        _ => number(fault, FILES + file),
    }
}

pub fn number(fault: Fault, index: u64) -> u64 {
    static LIBRARY: OnceLock<Vec<u64>> = OnceLock::new();
    static SMALL: OnceLock<Vec<u64>> = OnceLock::new();
    let (random, at) = (random(index), index as usize % DRAWN);
    match fault {
        Fault::HalvesRepeated => random << 32 | random & 0xffff_ffff,
        Fault::SignExtended => random << 32 | i64::from(random as u32 as i32).cast_unsigned(),
        Fault::DoublePrecision => random & !0x7ff,
        Fault::LibraryRand => LIBRARY.get_or_init(library_numbers)[at],
        Fault::TinySeed => SMALL.get_or_init(small_numbers)[at],
        _ => random,
    }
}

/// Returns numbers assembled from the 15-bit results of Microsoft's rand() after srand(1).
fn library_numbers() -> Vec<u64> {
    let mut state = 1_u32;
    let mut rand = || {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        u64::from(state >> 16 & 0x7fff)
    };
    (0..DRAWN).map(|_| rand() | rand() << 15 | rand() << 30 | rand() << 45 | rand() << 60).collect()
}

/// Returns numbers from a generator with 16 bits of state.
fn small_numbers() -> Vec<u64> {
    let mut state = 1_u16;
    let mut draw = || {
        state ^= state << 7;
        state ^= state >> 9;
        state ^= state << 8;
        u64::from(state)
    };
    (0..DRAWN).map(|_| draw() | draw() << 16 | draw() << 32 | draw() << 48).collect()
}
