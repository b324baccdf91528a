//! Generates key tables from ChaCha20 streams, one `u64` per key. The tables are the same on every machine.
//!
//! ChaCha20 is seeded with the 8 little-endian bytes of the seed, followed by 24 zero bytes. Each axis draws from a
//! separate stream, so changing one axis does not change the keys of the others. The streams are: pieces 0, castling 1,
//! en passant 2, side 3, the matrix of `bch` 4, the halfmove clock 5. For the second part of a key, 16 is added to
//! these numbers. The pieces are in the order White P N B R Q K, then Black's, each from a1 to h8.
//!
//! Every axis is implemented here in its plain form, as its source defines it. The trackers use separate fast forms
//! (`pieces`), and the walk compares the two forms.
//!
//! Some key tables only look random. They are examples of weak keys that the audits must detect, and are never used by
//! default. Each was used by an engine or recommended by somebody. Only their 768 piece keys are weak; the keys of
//! castling, en passant and side are sound.

use crate::axes::{Axes, CLOCKS, Castling, ClockKeys, EnPassantKeys, Pieces, Side};
use crate::key_table::{KeyTable, KeyTables, Terms};
use perft_gate_chess::{CastlingRights, Code, Piece, Square};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The random streams of a seed, one for each axis.
#[derive(Clone, Copy)]
pub struct Streams {
    pub seed: u64,
    /// 0 for the first part of a key, 1 for the second.
    pub part: u64,
}

impl Streams {
    pub const PIECES: u64 = 0;
    const CASTLING: u64 = 1;
    const EN_PASSANT: u64 = 2;
    const SIDE: u64 = 3;
    const MATRIX: u64 = 4;
    pub const CLOCK: u64 = 5;

    pub fn draw(self, number: u64) -> impl FnMut() -> u64 {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.seed.to_le_bytes());
        let mut generator = ChaCha20Rng::from_seed(bytes);
        generator.set_stream(number + 16 * self.part);
        move || generator.next_u64()
    }
}

/// Draws the key tables of a scheme from the streams of a seed.
pub fn from_seed(axes: &Axes, seed: u64) -> KeyTables {
    let part = |part: u64| {
        let streams = Streams { seed, part };
        let (castling, squares) = (streams.draw(Streams::CASTLING), streams.draw(Streams::EN_PASSANT));
        let terms = match axes.pieces {
            Pieces::Bch => listed(axes, bch_keys(streams.draw(Streams::MATRIX)), |piece| piece.number()),
            _ => Terms {
                clock: clock_keys(axes.clock, streams.draw(Streams::CLOCK)),
                ..terms(axes, piece_keys(axes.pieces, streams), castling, squares, streams.draw(Streams::SIDE))
            },
        };
        KeyTable::new(terms, axes.combine, axes.width.mask(), axes.policy)
    };
    KeyTables::new(axes.width, (0..axes.width.parts() as u64).map(part).collect())
}

/// Draws Rustic's keys from one ChaCha20 generator, seeded with 32 bytes of value 125. The order is side × K Q R B N P
/// × square, then castling, side and en passant. Source: <https://github.com/mvanthoor/rustic>, `zobrist.rs`.
pub fn rustic(axes: &Axes) -> KeyTables {
    let mut generator = ChaCha20Rng::from_seed([125; 32]);
    let mut drawn = |number: usize| -> Vec<u64> { (0..number).map(|_| generator.next_u64()).collect() };
    let (mut keys, castling) = (drawn(768), drawn(if axes.castling == Castling::C5 { 5 } else { 16 }));
    let (side, en_passant) = (drawn(2), drawn(65));
    keys.extend(castling.into_iter().chain(en_passant).chain(side));
    if axes.en_passant == EnPassantKeys::E17 {
        keys.drain(keys.len() - 2 - 48..keys.len() - 2);
    }
    imported(axes, keys, RUSTIC_ROWS)
}

/// Rustic's order of pieces: White's king down to the pawn, then Black's.
pub const RUSTIC_ROWS: fn(Piece) -> usize = |piece| piece.color.index() * 6 + 6 - piece.role as usize;
/// Polyglot's order of pieces: black pawn, white pawn, black knight, …
pub const POLYGLOT_ROWS: fn(Piece) -> usize = |piece| 2 * (piece.role as usize - 1) + 1 - piece.color.index();
/// The usual order of pieces: White P N B R Q K, then Black's.
pub const USUAL_ROWS: fn(Piece) -> usize = |piece| piece.number();

/// The 781 random numbers of the Polyglot book format, which programs must share to be interoperable. They are listed
/// as in the specification (`book_format.html` of Debian's package `polyglot`): 12 × 64 for pieces, 4 for castling
/// rights, 8 for en-passant files, and 1 for the side.
pub(super) static POLYGLOT: [u64; 781] = include!("polyglot.in");

/// Builds key tables from a list of keys: 64 for each piece, in the order of `row`, then castling, en passant, side.
pub fn imported(axes: &Axes, keys: Vec<u64>, row: fn(Piece) -> usize) -> KeyTables {
    let terms = listed(axes, keys, row);
    KeyTables::new(axes.width, vec![KeyTable::new(terms, axes.combine, axes.width.mask(), axes.policy)])
}

fn listed(axes: &Axes, keys: Vec<u64>, row: fn(Piece) -> usize) -> Terms {
    let (pieces, rest) = keys.split_at(768);
    let rest = std::cell::RefCell::new(rest.iter().copied());
    let next = || rest.borrow_mut().next().expect("as many keys as the axes name");
    terms(axes, |piece: Piece, square| pieces[64 * row(piece) + square], next, next, next)
}

/// Returns the keys of all axes except the clock. `piece_key` returns the key of a piece on a square. Each of the other
/// closures returns the next key of its axis.
fn terms(
    axes: &Axes,
    mut piece_key: impl FnMut(Piece, usize) -> u64,
    mut castling: impl FnMut() -> u64,
    mut en_passant: impl FnMut() -> u64,
    mut side: impl FnMut() -> u64,
) -> Terms {
    let (mut pieces, mut rights, mut squares) = ([[0; 64]; 16], [0; 16], [0; 65]);
    for piece in Piece::all() {
        pieces[Code::from(piece).index()] = std::array::from_fn(|square| piece_key(piece, square));
    }
    if axes.castling == Castling::C16 {
        rights.iter_mut().for_each(|key| *key = castling());
    } else {
        let each: [u64; 4] = std::array::from_fn(|_| castling());
        for (set, key) in rights.iter_mut().enumerate() {
            let held = (0..4).filter(|bit| CastlingRights::new(set).index() >> bit & 1 != 0);
            *key = held.fold(0, |key, bit| axes.combine.join(key, each[bit]));
        }
        if axes.castling == Castling::C5 {
            rights[0] = castling();
        }
    }
    match axes.en_passant {
        EnPassantKeys::E8 | EnPassantKeys::E9 => {
            let each: [u64; 8] = std::array::from_fn(|_| en_passant());
            (0..64).for_each(|square| squares[square] = each[square & 7]);
            if axes.en_passant == EnPassantKeys::E9 {
                squares[64] = en_passant();
            }
        }
        EnPassantKeys::E17 => {
            let each: [u64; 17] = std::array::from_fn(|_| en_passant());
            for square in Square::all() {
                let index = square.file() as usize + if square.rank() == 5 { 8 } else { 0 };
                squares[square.index()] = each[index];
            }
            squares[64] = each[16];
        }
        EnPassantKeys::E64 => squares[..64].iter_mut().for_each(|key| *key = en_passant()),
        EnPassantKeys::E65 => squares.iter_mut().for_each(|key| *key = en_passant()),
    }
    let side = match axes.side {
        Side::S1 => [0, side()],
        Side::S1w => [side(), 0],
        Side::S2 => [side(), side()],
    };
    Terms { pieces, castling: rights, en_passant: squares, side, clock: None }
}

/// Returns the key for each value of the halfmove clock, or `None` if the scheme has no clock keys.
fn clock_keys(axis: ClockKeys, mut next: impl FnMut() -> u64) -> Option<Box<[u64; CLOCKS]>> {
    let last = axis.index(CLOCKS - 1)?;
    let drawn: Vec<u64> = (0..=last).map(|_| next()).collect();
    Some(Box::new(std::array::from_fn(|clock| axis.index(clock).map_or(0, |index| drawn[index]))))
}

/// Returns a function that computes the key of a piece on a square as the axis defines it.
fn piece_keys(axis: Pieces, streams: Streams) -> impl FnMut(Piece, usize) -> u64 {
    let mut next = streams.draw(Streams::PIECES);
    let drawn: Vec<u64> = match axis {
        Pieces::Rotate => (0..12).map(|_| odd(&mut next)).collect(),
        Pieces::Lcg15 => lcg15(next()),
        Pieces::GoldenRatio => golden_ratio(next()),
        Pieces::TinySeed => tiny_seed(next()),
        axis => (0..axis.numbers()).map(|_| next()).collect(),
    };
    let bit = |drawn: &[u64], at: usize| drawn[at / 64] >> (at % 64) & 1;
    move |piece, square| {
        let piece = piece.number();
        match axis {
            Pieces::Table | Pieces::Lcg15 | Pieces::GoldenRatio | Pieces::TinySeed => drawn[64 * piece + square],
            Pieces::OverlapBytes => (0..8).fold(0, |key, byte| {
                let at = 64 * piece + square + byte;
                key | (drawn[at / 8] >> (8 * (at % 8)) & 255) << (8 * byte)
            }),
            Pieces::OverlapBits => (0..64).fold(0, |key, i| key | bit(&drawn, 64 * piece + square + i) << i),
            Pieces::Rotate => drawn[piece].rotate_left(square as u32),
            Pieces::Gf64 => (0..square).fold(drawn[piece], |key, _| times_x(key)),
            Pieces::Composite => drawn[piece].wrapping_add(drawn[12 + square]),
            Pieces::PieceXorSquare => drawn[piece] ^ drawn[12 + square],
            Pieces::RotateHalves => rotate_halves(drawn[piece], square),
            Pieces::Computed | Pieces::Bch => finalize(drawn[0], (64 * piece + square) as u64),
        }
    }
}

/// Draws keys until one has an odd number of set bits. The rotations of any other key are linearly dependent.
pub fn odd(mut next: impl FnMut() -> u64) -> u64 {
    loop {
        let key = next();
        if key.count_ones() % 2 == 1 {
            return key;
        }
    }
}

/// Returns a polynomial times x, modulo x^64 + x^4 + x^3 + x + 1.
fn times_x(word: u64) -> u64 {
    word << 1 ^ if word >> 63 == 1 { 0b1_1011 } else { 0 }
}

/// Applies MurmurHash3's finaliser to 1024 times the seed, plus a number from 1 to 768 for the piece and its square.
/// The finaliser is a bijection and its argument is never 0, so the key is never 0.
pub fn finalize(seed: u64, index: u64) -> u64 {
    let mut word = seed.wrapping_mul(1024).wrapping_add(index + 1);
    word = (word ^ word >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    word = (word ^ word >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}

/// An echelon basis of the span of a set of numbers, taken as vectors over GF(2).
#[derive(Clone, Debug, Default)]
pub struct Basis {
    /// Rows with different highest bits, largest first.
    rows: Vec<u128>,
}

impl Basis {
    /// Builds a basis of the span of these numbers.
    pub fn new(numbers: impl IntoIterator<Item = u128>) -> Basis {
        let mut basis = Basis::default();
        numbers.into_iter().for_each(|number| _ = basis.add(number));
        basis
    }

    /// Adds a number. Returns true if it is linearly independent of the numbers added before.
    pub fn add(&mut self, number: u128) -> bool {
        // No two rows share a highest bit. The smaller of `rest` and `rest ^ row` is the one in which the row's highest
        // bit is clear.
        let rest = self.rows.iter().fold(number, |rest, &row| rest.min(rest ^ row));
        if rest != 0 {
            let at = self.rows.partition_point(|&row| row > rest);
            self.rows.insert(at, rest);
        }
        rest != 0
    }

    /// Returns the dimension of the span.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }
}

/// Draws the 781 keys of `bch`. Column j of the code's parity-check matrix is 1, α^j, α^3j, … α^11j, in 61 bits. A
/// seeded matrix of full rank spreads these 61 bits over 64.
fn bch_keys(mut next: impl FnMut() -> u64) -> Vec<u64> {
    // Powers of α = x in GF(2^10), modulo x^10 + x^3 + 1.
    let mut powers = vec![1_u64];
    for i in 1..1023 {
        let word = powers[i - 1] << 1;
        powers.push(if word >> 10 == 1 { word ^ 0b100_0000_1001 } else { word });
    }
    let (mut matrix, mut basis) = (Vec::new(), Basis::default());
    while matrix.len() < 61 {
        let word = next();
        if basis.add(word.into()) {
            matrix.push(word);
        }
    }
    let column = |j: usize| (0..6).fold(1, |bits, i| bits | powers[(2 * i + 1) * j % 1023] << (1 + 10 * i));
    let spread = |bits: u64| (0..61).filter(|bit| bits >> bit & 1 == 1).fold(0, |word, bit| word ^ matrix[bit]);
    (0..781).map(|j| spread(column(j))).collect()
}

/// Returns keys, each made of five outputs of a linear congruential generator modulo 2^15. In some C libraries,
/// `rand()` returns 15 bits, and the low bits of a generator with such a small state have a short period.
fn lcg15(seed: u64) -> Vec<u64> {
    let mut state = seed & 0x7fff;
    let mut output = || {
        state = (state * 25173 + 13849) & 0x7fff;
        state
    };
    (0..768).map(|_| (0..5).fold(0, |word, _| word << 15 | output())).collect()
}

/// Returns consecutive multiples of the multiplier of Fibonacci hashing (2^64 divided by the golden ratio, made odd),
/// starting with multiple `seed + 1`.
fn golden_ratio(seed: u64) -> Vec<u64> {
    (1..=768).map(|number| seed.wrapping_add(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

/// Returns keys, each made of four outputs of a xorshift generator. All keys are linear in the initial 16-bit state.
fn tiny_seed(seed: u64) -> Vec<u64> {
    let mut state = seed as u16 | 1;
    let mut output = || {
        state ^= state << 7;
        state ^= state >> 9;
        state ^= state << 8;
        u64::from(state)
    };
    (0..768).map(|_| (0..4).fold(0, |word, _| word << 16 | output())).collect()
}

/// Rotates the two halves of a word separately, each by the number of the square. Squares whose numbers differ by 32
/// get the same key.
fn rotate_halves(word: u64, square: usize) -> u64 {
    let half = |half: u64| u64::from((half as u32).rotate_left(square as u32));
    half(word >> 32) << 32 | half(word & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn any_few_keys_of_bch_are_independent() {
        let keys = bch_keys(Streams { seed: 7, part: 0 }.draw(Streams::MATRIX));
        let mut pick = Streams { seed: 8, part: 0 }.draw(0);
        for _ in 0..10_000 {
            let (mut basis, mut chosen) = (Basis::default(), Vec::new());
            while chosen.len() < 13 {
                let j = (pick() % 781) as usize;
                if !chosen.contains(&j) {
                    chosen.push(j);
                    assert!(basis.add(keys[j].into()), "{chosen:?}");
                }
            }
        }
    }

    #[test]
    fn the_rank_is_the_size_of_the_span() {
        // Reichard's three bytes pairwise differ in four bits and xor to zero, so their rank is 2.
        assert_eq!(Basis::new([0b1111_0000, 0b1100_1100, 0b0011_1100]).rank(), 2);
        assert_eq!(Basis::new((0..128).map(|bit| 1 << bit)).rank(), 128);
        assert_eq!((Basis::new([0, 5, 5]).rank(), Basis::new([]).rank()), (1, 0));
        let mut random = Streams { seed: 1, part: 0 }.draw(40);
        // Sign-extended 16-bit numbers.
        assert_eq!(Basis::new((0..200).map(|_| u128::from(i64::from(random() as i16) as u64))).rank(), 16);
        for _ in 0..200 {
            let numbers: Vec<u128> = (0..8).map(|_| u128::from(random() >> 55 & random())).collect();
            let member = |set: u32, at: usize| if set >> at & 1 == 1 { numbers[at] } else { 0 };
            let sums = (0..256).map(|set| (0..8).fold(0, |sum, at| sum ^ member(set, at)));
            assert_eq!(1 << Basis::new(numbers.clone()).rank(), sums.collect::<HashSet<u128>>().len());
        }
    }

    #[test]
    fn computed_keys_are_distinct_and_not_zero() {
        // 1024 times `u64::MAX >> 10` is 2^64 - 1024, the highest value to which an index is added.
        for seed in [0, 1, u64::MAX >> 10, u64::MAX] {
            let mut keys: Vec<u64> = (0..768).map(|index| finalize(seed, index)).collect();
            keys.sort_unstable();
            keys.dedup();
            assert!(keys.len() == 768 && keys[0] != 0, "{seed}");
        }
    }
}
