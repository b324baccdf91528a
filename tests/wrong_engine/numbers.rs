//! The numbers of the wrong engine's keys, and what may be wrong with them.

use crate::faults::Fault;
use perft_gate_chess::{CastlingRights, Color, Piece, Role, Square};
use std::sync::OnceLock;

/// Index of the number of Black to move.
pub const SIDE: u64 = 780;
/// Index of the number of the first castling right, and of the first e.p. file.
const RIGHTS: u64 = 768;
const FILES: u64 = 772;
/// Number of numbers that generators of whole tables draw.
const DRAWN: usize = 1000;
/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the number of a piece on a square.
pub fn piece(fault: Fault, piece: Piece, on: Square) -> u64 {
    let index = |piece: Piece, square: usize| number(fault, 64 * piece.number() as u64 + square as u64);
    let (own, square) = (piece.number() as u64, on.index());
    let is_black = |role| piece == Piece { color: Color::Black, role };
    match fault {
        Fault::WrongIndex if piece.role == Role::Knight => index(piece, square % 32),
        Fault::PiecesShare if piece.role == Role::Pawn => index(Piece { role: Role::King, ..piece }, square),
        Fault::NumberIsZero if is_black(Role::Queen) && square == 59 => 0,
        // That of a white knight on f3, on c6.
        Fault::TwoNumbersEqual if is_black(Role::Bishop) && square == 42 => number(fault, 64 + 21),
        Fault::BishopsAreKnights if is_black(Role::Bishop) => index(Piece { role: Role::Knight, ..piece }, square),
        Fault::RowsOf63 => number(fault, 63 * own + square as u64),
        Fault::ColoursMirrored => {
            index(Piece { color: Color::White, ..piece }, if own < 6 { square } else { square ^ 56 })
        }
        Fault::FilesMirrored => index(piece, square & 56 | (square & 7).min(7 - (square & 7))),
        Fault::RanksIgnored if piece.role == Role::Rook => index(piece, square & 7),
        Fault::Rotated => {
            let first = random(own);
            (first ^ u64::from(first.count_ones() % 2)).rotate_left(square as u32)
        }
        Fault::PieceXorSquare => random(own) ^ random(100 + square as u64),
        Fault::GoldenRatio => GOLDEN.wrapping_mul(64 * own + square as u64 + 1),
        Fault::KingNotHashed if piece.role == Role::King => 0,
        _ => index(piece, square),
    }
}

/// Returns the number of a set of castling rights.
pub fn rights(fault: Fault, rights: CastlingRights) -> u64 {
    let held = (0..4).filter(|right| rights.index() >> right & 1 != 0);
    held.fold(0, |key, right| {
        key ^ match fault {
            Fault::RightsNotHashed => 0,
            Fault::BlackQueenSideNotHashed if right == 3 => 0,
            Fault::RightsOfWhiteOnly if right > 1 => 0,
            Fault::RightsShareAKey => number(fault, RIGHTS + right % 2),
            Fault::RightIsSideKey if right == 0 => number(fault, SIDE),
            Fault::RightIsPawn if right == 1 => number(fault, 8),
            _ => number(fault, RIGHTS + right),
        }
    })
}

/// Returns the number of an e.p. square.
pub fn en_passant(fault: Fault, square: Square) -> u64 {
    match (fault, square.file()) {
        (Fault::EpFileIsZero, 7) => 0,
        (Fault::EpFilesShare, 4) => number(fault, FILES + 3),
        (Fault::EpFileIsSideKey, 2) => number(fault, SIDE),
        (Fault::EpFileIsRight, 3) => number(fault, RIGHTS),
        (Fault::EpFileModulo7, file) => number(fault, FILES + u64::from(file % 7)),
        (Fault::EpByRank, _) => number(fault, FILES + u64::from(square.rank())),
        (_, file) => number(fault, FILES + u64::from(file)),
    }
}

/// Returns a number of the table.
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

/// Returns numbers glued from the 15 bits that Microsoft's rand() returns after srand(1).
fn library_numbers() -> Vec<u64> {
    let mut state = 1_u32;
    let mut rand = || {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        u64::from(state >> 16 & 0x7fff)
    };
    (0..DRAWN).map(|_| rand() | rand() << 15 | rand() << 30 | rand() << 45 | rand() << 60).collect()
}

/// Returns numbers of a generator whose state has 16 bits.
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

/// Returns a pseudo-random number (splitmix64).
pub fn random(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(GOLDEN);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
