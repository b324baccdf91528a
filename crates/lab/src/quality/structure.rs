//! Regular words: rotations, shifts, sums and progressions, and what each of them costs.
//!
//! Every form is looked for in the words themselves, so an imported table of rotated words is found like the scheme that
//! makes them.

use super::term::{Term, WordList};
use perft_gate_walk::chess::{Piece, Square};
use perft_gate_walk::zobrist::Combine;
use std::fmt;

/// A regularity of the words of men.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Structure {
    /// The words of a piece are one word, rotated by the square; of so many pieces.
    Rotations {
        /// Pieces of which that is so.
        pieces: usize,
        /// Those whose word has an even number of ones.
        even: usize,
    },
    /// The halves of a piece's word are rotated each by itself.
    RotatedHalves,
    /// A piece's word on a square is that of the square before, shifted by so many bits, with new bits coming in.
    Overlaps(u32),
    /// A piece's word on a square is that of the square before, times x in a field.
    Products,
    /// A word of a piece xored with a word of a square.
    PieceXorSquare,
    /// A word of a piece plus a word of a square, where words are summed.
    PiecePlusSquare,
    /// Every word is the one before and a constant more.
    Progression,
}

impl Structure {
    /// Does it make keys worse, rather than only regular?
    pub fn is_harmful(&self) -> bool {
        match self {
            Structure::Rotations { even, .. } => *even > 0,
            Structure::Overlaps(_) | Structure::Products => false,
            Structure::RotatedHalves
            | Structure::PieceXorSquare
            | Structure::PiecePlusSquare
            | Structure::Progression => true,
        }
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Structure::Rotations { pieces, even: 0 } => write!(
                f,
                "the words of {pieces} pieces are rotations of one word each: high and low half folded together depend \
                 on the square modulo 32 only"
            ),
            Structure::Rotations { pieces, even } => write!(
                f,
                "the words of {pieces} pieces are rotations of one word each, of {even} pieces one of even weight, whose \
                 64 rotations xor to zero"
            ),
            Structure::RotatedHalves => {
                f.write_str("words are two halves rotated each by itself: squares half a board apart have the same word")
            }
            Structure::Overlaps(bits) => write!(
                f,
                "neighbouring squares share all bits but {bits}, shifted by as many: windows of neighbours overlap"
            ),
            Structure::Products => f.write_str(
                "words are multiples by powers of x in a field: linear hashing, two boards collide with 2^-64 over the seeds",
            ),
            Structure::PieceXorSquare => f.write_str(
                "every word is a piece's word xored with a square's: two men that swap squares leave the key as it was",
            ),
            Structure::PiecePlusSquare => f.write_str(
                "every word is a piece's word plus a square's: two men that swap squares leave the sum as it was",
            ),
            Structure::Progression => f.write_str("words are multiples of a constant: their low bits repeat"),
        }
    }
}

/// Every regularity that is found.
pub fn structures(list: &WordList) -> Vec<Structure> {
    let rows: Vec<Vec<u128>> = Piece::all().map(|piece| row(list, piece)).collect();
    match list.combine {
        Combine::Xor => of_xors(&rows, list.bits),
        Combine::Add => of_sums(&rows, list.bits),
    }
}

/// Those that matter to sums.
fn of_sums(rows: &[Vec<u128>], bits: u32) -> Vec<Structure> {
    let difference = |a: &u128, b: &u128| a.wrapping_sub(*b) & (!0 >> (128 - bits));
    let is_sum = rows
        .iter()
        .all(|row| row.iter().zip(&rows[0]).all(|(a, b)| difference(a, b) == difference(&row[0], &rows[0][0])));
    let found = [(is_sum, Structure::PiecePlusSquare), (is_progression(rows, bits), Structure::Progression)];
    found.into_iter().filter_map(|(is_found, structure)| is_found.then_some(structure)).collect()
}

/// Is every word the one before and a constant more?
fn is_progression(rows: &[Vec<u128>], bits: u32) -> bool {
    let flat = rows.concat();
    let step = |pair: &[u128]| pair[1].wrapping_sub(pair[0]) & (!0 >> (128 - bits));
    step(&flat) != 0 && flat.windows(2).all(|pair| step(pair) == step(&flat))
}

fn of_xors(rows: &[Vec<u128>], bits: u32) -> Vec<Structure> {
    let low = |word: u128| word & (!0 >> (128 - bits));
    let steps = |of: &dyn Fn(u128, u128) -> bool| {
        rows.iter().all(|row| row.windows(2).all(|pair| of(pair[0], pair[1])) && row[0] != row[1])
    };
    let mut found = Vec::new();
    let rotated = |word: u128, bits: u32| word << 1 & (!0 >> (128 - bits)) | word >> (bits - 1);
    let is_rotated =
        |row: &&Vec<u128>| row[0] != row[1] && row.windows(2).all(|pair| pair[1] == rotated(pair[0], bits));
    let rotations: Vec<_> = rows.iter().filter(is_rotated).collect();
    if !rotations.is_empty() {
        let even = rotations.iter().filter(|row| row[0].count_ones() % 2 == 0).count();
        found.push(Structure::Rotations { pieces: rotations.len(), even });
    }
    let half = bits / 2;
    let halves = |word: u128| rotated(word >> half, half) << half | rotated(word & ((1 << half) - 1), half);
    if steps(&|a, b| b == halves(a)) {
        found.push(Structure::RotatedHalves);
    }
    for shift in [1, 8] {
        let down = |a: u128, b: u128| a >> shift == b & (!0 >> (128 - bits + shift));
        let up = |a: u128, b: u128| low(a << shift) == b & !((1 << shift) - 1);
        if rotations.is_empty() && !is_product(rows, bits) && (steps(&down) || steps(&up)) {
            found.push(Structure::Overlaps(shift));
        }
    }
    if is_product(rows, bits) {
        found.push(Structure::Products);
    }
    if rows.iter().all(|row| row.iter().zip(&rows[0]).all(|(a, b)| a ^ b == row[0] ^ rows[0][0])) {
        found.push(Structure::PieceXorSquare);
    }
    if is_progression(rows, bits) {
        found.push(Structure::Progression);
    }
    found
}

/// The words of a piece by square.
fn row(list: &WordList, piece: Piece) -> Vec<u128> {
    let word = |square| {
        let term = Term::Man(piece, square);
        list.words.iter().find(|word| word.term == term).expect("a list has every man").bits
    };
    Square::all().map(word).collect()
}

/// Is every word the one before, shifted up, with one polynomial added if a bit fell out?
fn is_product(rows: &[Vec<u128>], bits: u32) -> bool {
    let rest = |a: u128, b: u128| (a << 1 & (!0 >> (128 - bits))) ^ b;
    let steps = || rows.iter().flat_map(|row| row.windows(2).map(|pair| (pair[0], rest(pair[0], pair[1]))));
    let out = |a: u128| a >> (bits - 1) & 1 == 1;
    let Some((_, modulus)) = steps().find(|&(a, _)| out(a)) else { return false };
    modulus != 1 && modulus != 0 && steps().all(|(a, rest)| rest == if out(a) { modulus } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::tests::list;

    #[test]
    fn every_form_is_recognised_and_random_words_have_none() {
        for (name, expected) in [
            ("cpw793", vec![]),
            ("polyglot", vec![]),
            ("computed", vec![]),
            ("bch", vec![]),
            ("rotate", vec![Structure::Rotations { pieces: 12, even: 0 }]),
            ("gf64", vec![Structure::Products]),
            ("overlap-bits", vec![Structure::Overlaps(1)]),
            ("overlap-bytes", vec![Structure::Overlaps(8)]),
            ("additive48", vec![]),
            ("composite,combine=add", vec![Structure::PiecePlusSquare]),
            // The numbers of man and square are themselves such a sum.
            ("pieces=golden-ratio,combine=add,width=48", vec![Structure::PiecePlusSquare, Structure::Progression]),
        ] {
            assert_eq!(structures(&list(name)), expected, "{name}");
        }
    }

    /// A list whose men have other words.
    fn changed(word: impl Fn(usize, usize) -> u64) -> WordList {
        let mut list = list("cpw793");
        let men = list.words.iter_mut().enumerate().take(768);
        men.for_each(|(i, entry)| entry.bits = word(i / 64, i % 64).into());
        list
    }

    #[test]
    fn weak_forms_are_harmful() {
        let mut random = crate::quality::tests::random(7);
        let drawn: Vec<u64> = (0..76).map(|_| random()).collect();
        let even = |piece: usize| drawn[piece] ^ u64::from(drawn[piece].count_ones() % 2);
        let half = |word: u64, square: usize| u64::from((word as u32).rotate_left(square as u32));
        for (list, expected) in [
            (
                changed(|piece, square| even(piece).rotate_left(square as u32)),
                Structure::Rotations { pieces: 12, even: 12 },
            ),
            (
                changed(|piece, square| half(drawn[piece] >> 32, square) << 32 | half(drawn[piece], square)),
                Structure::RotatedHalves,
            ),
            (changed(|piece, square| drawn[piece] ^ drawn[12 + square]), Structure::PieceXorSquare),
            (
                changed(|piece, square| 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul((64 * piece + square + 1) as u64)),
                Structure::Progression,
            ),
        ] {
            assert_eq!(structures(&list), std::slice::from_ref(&expected));
            assert!(expected.is_harmful());
        }
    }
}
