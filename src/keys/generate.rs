//! Where the words come from: ChaCha20 streams, one word a `u64`, the same on every machine.
//!
//! The seed `n` is its 8 little-endian bytes and 24 zeros. Each axis draws from a stream of its own (pieces 0, castling
//! 1, en passant 2, side 3), so that changing one axis leaves the words of the others alone. Pieces come in the order
//! White P N B R Q K, Black the same, a1..h8 each.

use super::Words;
use crate::chess::{CastlingRights, Code, Piece, Square};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// How many castling words a scheme has, and what they stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Castling {
    /// One per right.
    Four,
    /// One per set of rights.
    Sixteen,
}

/// How many en-passant words a scheme has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EnPassantWords {
    /// By file; none is 0.
    Files,
    /// By file and rank, and one for none.
    FilesAndRanks,
    /// By square, and one for none.
    Squares,
}

/// How many side words a scheme has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// Xored when Black moves.
    Black,
    /// Xored when White moves.
    White,
    /// One each.
    Both,
}

/// The axes of a scheme as data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) castling: Castling,
    pub(crate) en_passant: EnPassantWords,
    pub(crate) side: Side,
}

impl Shape {
    /// How many words there are.
    pub(crate) fn words(self) -> usize {
        let castling = if self.castling == Castling::Four { 4 } else { 16 };
        let en_passant = match self.en_passant {
            EnPassantWords::Files => 8,
            EnPassantWords::FilesAndRanks => 17,
            EnPassantWords::Squares => 65,
        };
        768 + castling + en_passant + if self.side == Side::Both { 2 } else { 1 }
    }

    /// Flattens words drawn in the scheme's own order. Each closure yields the next word of its axis.
    fn flatten(
        self,
        mut piece: impl FnMut(Piece, Square) -> u64,
        mut castling: impl FnMut() -> u64,
        mut en_passant: impl FnMut() -> u64,
        mut side: impl FnMut() -> u64,
    ) -> Words {
        let (mut pieces, mut rights, mut squares) = ([[0; 64]; 16], [0; 16], [0; 65]);
        for man in Piece::all() {
            for square in Square::all() {
                pieces[Code::from(man).index()][square.index()] = piece(man, square);
            }
        }
        match self.castling {
            Castling::Sixteen => rights.iter_mut().for_each(|word| *word = castling()),
            Castling::Four => {
                let each: [u64; 4] = std::array::from_fn(|_| castling());
                for (set, word) in rights.iter_mut().enumerate() {
                    let held = (0..4).filter(|bit| CastlingRights::new(set).index() >> bit & 1 != 0);
                    *word = held.fold(0, |word, bit| word ^ each[bit]);
                }
            }
        }
        match self.en_passant {
            EnPassantWords::Files => {
                let each: [u64; 8] = std::array::from_fn(|_| en_passant());
                (0..64).for_each(|square| squares[square] = each[square & 7]);
            }
            EnPassantWords::FilesAndRanks => {
                let each: [u64; 17] = std::array::from_fn(|_| en_passant());
                for square in Square::all() {
                    let index = square.file() as usize + if square.rank() == 5 { 8 } else { 0 };
                    squares[square.index()] = each[index];
                }
                squares[64] = each[16];
            }
            EnPassantWords::Squares => squares.iter_mut().for_each(|word| *word = en_passant()),
        }
        let sides = match self.side {
            Side::Black => [0, side()],
            Side::White => [side(), 0],
            Side::Both => [side(), side()],
        };
        Words::new(pieces, rights, squares, sides)
    }

    /// Words drawn from the streams of a seed.
    pub(crate) fn seeded(self, seed: u64) -> Words {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let stream = |number: u64| {
            let mut generator = ChaCha20Rng::from_seed(bytes);
            generator.set_stream(number);
            move || generator.next_u64()
        };
        let mut pieces = stream(0);
        self.flatten(|_, _| pieces(), stream(1), stream(2), stream(3))
    }

    /// Rustic's words: one ChaCha20 seeded with 32 bytes of 125; side × K Q R B N P × square, then castling, side and
    /// en passant. Source: <https://github.com/mvanthoor/rustic>, `zobrist.rs`.
    pub(crate) fn rustic(self) -> Words {
        let mut generator = ChaCha20Rng::from_seed([125; 32]);
        let pieces: Vec<u64> = (0..768).map(|_| generator.next_u64()).collect();
        let castling: Vec<u64> = (0..16).map(|_| generator.next_u64()).collect();
        let side: Vec<u64> = (0..2).map(|_| generator.next_u64()).collect();
        let next = |words: Vec<u64>| {
            let mut words = words.into_iter();
            move || words.next().expect("as many words as the shape names")
        };
        self.flatten(
            // Rustic counts from the king down to the pawn.
            |man, square| {
                let row = man.color.index() * 6 + 6 - man.role as usize;
                pieces[row * 64 + square.index()]
            },
            next(castling),
            || generator.next_u64(),
            next(side),
        )
    }

    /// Polyglot's published words.
    pub(crate) fn polyglot(self, random: &[u64; 781]) -> Words {
        let next = |from: usize| {
            let mut at = from;
            move || {
                at += 1;
                random[at - 1]
            }
        };
        self.flatten(
            // Black pawn, white pawn, black knight, …
            |man, square| {
                let row = 2 * (man.role as usize - 1) + 1 - man.color.index();
                random[64 * row + square.index()]
            },
            next(768),
            next(772),
            next(780),
        )
    }
}
