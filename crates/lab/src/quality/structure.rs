//! Finds regular structures in key tables, such as rotations, shifts, sums and progressions, and describes their
//! effect.
//!
//! The search looks only at the entries, so it also works on an imported table.

use super::entries::TableEntries;
use perft_gate_chess::{Piece, Square};
use perft_gate_zobrist::{Combine, Term};
use std::fmt;

/// Regularity of the piece entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Structure {
    /// All entries of a piece are rotations of one entry by the number of the square.
    Rotations {
        /// Number of pieces whose entries are such rotations.
        pieces: usize,
        /// Number of those pieces whose entries have an even number of ones.
        even: usize,
    },
    /// A piece's entries are rotations of one entry, whose two halves rotate separately.
    RotatedHalves,
    /// A piece's entry on a square is its entry on the previous square, shifted by this number of bits, with new bits
    /// shifted in.
    Overlaps(u32),
    /// A piece's entry on a square is its entry on the previous square, multiplied by x in a finite field.
    Products,
    /// Every entry is the xor of a number for the piece and a number for the square.
    PieceXorSquare,
    /// Every entry is the sum of a number for the piece and a number for the square, and keys are sums of entries.
    PiecePlusSquare,
    /// A piece's entry on a square is its entry on the previous square plus a constant.
    Progression,
    /// Each entry consists of several outputs of the generator with this name.
    LibraryRand(&'static str),
}

impl Structure {
    /// Returns true if the regularity makes keys worse.
    pub fn is_harmful(&self) -> bool {
        match self {
            Structure::Rotations { even, .. } => *even > 0,
            Structure::Overlaps(_) | Structure::Products | Structure::LibraryRand(_) => false,
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
                "the entries of {pieces} pieces are rotations of one entry each: both halves folded together depend \
                 on the square modulo 32 only"
            ),
            Structure::Rotations { pieces, even } => write!(
                f,
                "the entries of {pieces} pieces are rotations of one entry each; for {even} pieces it has even weight, and its \
                 64 rotations xor to zero"
            ),
            Structure::RotatedHalves => {
                f.write_str("entries are two halves, each rotated separately: squares half a board apart have the same entry")
            }
            Structure::Overlaps(bits) => write!(
                f,
                "neighbouring squares share all bits but {bits}, shifted by that number: windows of neighbours overlap"
            ),
            Structure::Products => f.write_str(
                "entries are multiples by powers of x in a field: linear hashing, two boards collide with 2^-64 over the seeds",
            ),
            Structure::PieceXorSquare => f.write_str(
                "every entry is a piece's number xored with a square's: two pieces that swap squares do not change the key",
            ),
            Structure::PiecePlusSquare => f.write_str(
                "every entry is a piece's number plus a square's: two pieces that swap squares do not change the sum",
            ),
            Structure::LibraryRand(name) => {
                write!(f, "entries are joined from outputs of {name}, whose state has 31 bits: one seed gives them all")
            }
            Structure::Progression => f.write_str("entries are multiples of a constant: their low bits repeat"),
        }
    }
}

/// Returns every regularity found in the entries of the pieces. Pieces that lack an entry for some square are ignored.
pub fn structures(list: &TableEntries) -> Vec<Structure> {
    let entry = |piece, square| list.entries.iter().find(|entry| entry.term == Term::Piece(piece, square));
    let row = |piece| Square::all().map(|square| Some(entry(piece, square)?.bits)).collect();
    let rows: Vec<Vec<u128>> = Piece::all().filter_map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut found = match list.axes.combine {
        Combine::Xor => xor_structures(&rows, list.bits()),
        Combine::Add => {
            let difference = |a: &u128, b: &u128| a.wrapping_sub(*b) & (!0 >> (128 - list.bits()));
            let is_shifted = |row: &Vec<u128>| {
                let offset = difference(&row[0], &rows[0][0]);
                row.iter().zip(&rows[0]).all(|(a, b)| difference(a, b) == offset)
            };
            Vec::from_iter(rows.iter().all(is_shifted).then_some(Structure::PiecePlusSquare))
        }
    };
    found.extend(is_progression(&rows, list.bits()).then_some(Structure::Progression));
    found.extend(library_rand(&rows[0]).map(Structure::LibraryRand));
    found
}

/// Returns true if every entry of a piece is the piece's previous entry plus a constant that is the same for all
/// pieces.
fn is_progression(rows: &[Vec<u128>], bits: u32) -> bool {
    let step = |pair: &[u128]| pair[1].wrapping_sub(pair[0]) & (!0 >> (128 - bits));
    let first = step(&rows[0]);
    first != 0 && rows.iter().all(|row| row.windows(2).all(|pair| step(pair) == first))
}

fn xor_structures(rows: &[Vec<u128>], bits: u32) -> Vec<Structure> {
    let low = |entry: u128| entry & (!0 >> (128 - bits));
    let steps = |of: &dyn Fn(u128, u128) -> bool| {
        rows.iter().all(|row| row.windows(2).all(|pair| of(pair[0], pair[1])) && row[0] != row[1])
    };
    let mut found = Vec::new();
    let rotate = |entry: u128, bits: u32| entry << 1 & (!0 >> (128 - bits)) | entry >> (bits - 1);
    let is_rotated = |row: &&Vec<u128>| row[0] != row[1] && row.windows(2).all(|pair| pair[1] == rotate(pair[0], bits));
    let rotations: Vec<_> = rows.iter().filter(is_rotated).collect();
    if !rotations.is_empty() {
        let even = rotations.iter().filter(|row| row[0].count_ones() % 2 == 0).count();
        found.push(Structure::Rotations { pieces: rotations.len(), even });
    }
    let half = bits / 2;
    let halves = |entry: u128| rotate(entry >> half, half) << half | rotate(entry & ((1 << half) - 1), half);
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
    found
}

/// Returns true if, for each piece, every entry is the previous entry shifted up by one bit, and xored with the same
/// polynomial whenever a set bit is shifted out.
fn is_product(rows: &[Vec<u128>], bits: u32) -> bool {
    let rest = |a: u128, b: u128| (a << 1 & (!0 >> (128 - bits))) ^ b;
    let steps = || rows.iter().flat_map(|row| row.windows(2).map(|pair| (pair[0], rest(pair[0], pair[1]))));
    let out = |a: u128| a >> (bits - 1) & 1 == 1;
    let Some((_, modulus)) = steps().find(|&(a, _)| out(a)) else { return false };
    modulus != 1 && modulus != 0 && steps().all(|(a, rest)| rest == if out(a) { modulus } else { 0 })
}

/// A C library's `rand()`: the next state is the state times a factor plus a term, and bits 16 to 30 are the output.
///
/// The state has 31 bits, of which 15 are output, so the first output leaves 2^16 possible states. An entry passes if
/// one of these states yields the entry's second and third outputs. Only one random entry in 2^14 passes, so it is no
/// coincidence if three entries pass.
struct LibraryRand {
    name: &'static str,
    factor: u32,
    term: u32,
}

const GENERATORS: [LibraryRand; 2] = [
    LibraryRand { name: "Microsoft's rand()", factor: 214_013, term: 2_531_011 },
    LibraryRand { name: "the rand() of the C standard", factor: 1_103_515_245, term: 12_345 },
];

/// Mask of an output.
const OUTPUT: u128 = 0x7fff;
const TRIED: usize = 3;

/// Returns the name of the known generator whose outputs form these entries, if there is one.
fn library_rand(entries: &[u128]) -> Option<&'static str> {
    let entries = entries.get(..TRIED)?;
    let is_glued = |generator: &&LibraryRand, shift: u32| {
        let outputs = |entry: u128| [0, 1, 2].map(|place| (entry >> (shift * place) & OUTPUT) as u32);
        entries.iter().all(|&entry| generator.may_return(outputs(entry)))
            || entries.iter().all(|&entry| {
                let [first, second, third] = outputs(entry);
                generator.may_return([third, second, first])
            })
    };
    let found = GENERATORS.iter().find(|generator| [15, 16].into_iter().any(|shift| is_glued(generator, shift)));
    found.map(|generator| generator.name)
}

impl LibraryRand {
    fn next(&self, state: u32) -> u32 {
        state.wrapping_mul(self.factor).wrapping_add(self.term)
    }

    /// Returns true if the generator can return these outputs one after another from some state.
    fn may_return(&self, [first, second, third]: [u32; 3]) -> bool {
        let output = |state: u32| state >> 16 & 0x7fff;
        (0..1 << 16)
            .map(|low| self.next(first << 16 | low))
            .any(|state| output(state) == second && output(self.next(state)) == third)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::tests::list;

    #[test]
    fn every_form_is_recognised_and_random_entries_have_none() {
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
            // The golden ratio's factor is 64p + s + 1 plus the seed: a number for piece p plus one for square s.
            ("pieces=golden-ratio,combine=add,width=48", vec![Structure::PiecePlusSquare, Structure::Progression]),
        ] {
            assert_eq!(structures(&list(name)), expected, "{name}");
        }
    }

    fn with_entries(entry: impl Fn(usize, usize) -> u64) -> TableEntries {
        let mut list = list("cpw793");
        let pieces = list.entries.iter_mut().enumerate().take(768);
        pieces.for_each(|(i, changed)| changed.bits = entry(i / 64, i % 64).into());
        list
    }

    #[test]
    fn weak_forms_are_harmful() {
        let mut random = crate::quality::tests::random(7);
        let drawn: Vec<u64> = (0..76).map(|_| random()).collect();
        let even = |piece: usize| drawn[piece] ^ u64::from(drawn[piece].count_ones() % 2);
        let half = |entry: u64, square: usize| u64::from((entry as u32).rotate_left(square as u32));
        for (list, expected) in [
            (
                with_entries(|piece, square| even(piece).rotate_left(square as u32)),
                Structure::Rotations { pieces: 12, even: 12 },
            ),
            (
                with_entries(|piece, square| half(drawn[piece] >> 32, square) << 32 | half(drawn[piece], square)),
                Structure::RotatedHalves,
            ),
            (with_entries(|piece, square| drawn[piece] ^ drawn[12 + square]), Structure::PieceXorSquare),
            (
                with_entries(|piece, square| 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul((64 * piece + square + 1) as u64)),
                Structure::Progression,
            ),
        ] {
            assert_eq!(structures(&list), std::slice::from_ref(&expected));
            assert!(expected.is_harmful());
        }
    }

    #[test]
    fn glued_outputs_are_recognised_and_random_entries_are_not() {
        for (generator, expected) in GENERATORS.iter().zip(["Microsoft's rand()", "the rand() of the C standard"]) {
            for shift in [15, 16] {
                let mut state = 7;
                let mut entry = || {
                    (0..4).fold(0_u128, |entry, place| {
                        state = generator.next(state);
                        entry | u128::from(state >> 16 & 0x7fff) << (shift * place)
                    })
                };
                let entries: Vec<u128> = (0..TRIED).map(|_| entry()).collect();
                assert_eq!(library_rand(&entries), Some(expected), "{shift}");
            }
        }
        let mut random = crate::quality::tests::random(7);
        let entries: Vec<u128> = (0..TRIED).map(|_| random().into()).collect();
        assert_eq!(library_rand(&entries), None);
        assert_eq!(library_rand(&[]), None);
    }
}
