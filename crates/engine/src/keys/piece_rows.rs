//! Arranges the key numbers of each piece in a row of 64 squares, to find out if an engine permutes rows or squares.

use crate::keys::numbers::KeyComposition;
use perft_gate_chess::{Piece, Role, Square};
use perft_gate_zobrist::Term;
use std::collections::{BTreeMap, HashMap};

/// Minimum percentage of squares with equal numbers at which a row is taken to be the row of a given piece.
const SAME_ROW: usize = 90;

/// Order of the squares in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SquareOrder {
    /// Xor mask for the index of a square.
    flip: u32,
    pub(super) text: &'static str,
}

impl SquareOrder {
    /// Every order, the usual one first.
    pub(super) const ALL: [SquareOrder; 4] = [
        SquareOrder { flip: 0, text: "squares are counted from a1" },
        SquareOrder { flip: 56, text: "squares are counted from a8, expected from a1" },
        SquareOrder { flip: 7, text: "squares are counted from h1, expected from a1" },
        SquareOrder { flip: 63, text: "squares are counted from h8, expected from a1" },
    ];

    /// Returns the square whose usual place in the row is taken by `square` in this order.
    pub(super) fn place(self, square: Square) -> Square {
        Square::new(square.index() as u32 ^ self.flip)
    }
}

/// The engine's number and the scheme's number for each term. A king's numbers are relative to that of its home square.
pub(super) type MatchedNumbers = HashMap<Term, [u128; 2]>;

/// The best match between the rows of piece numbers of an engine and those of a scheme.
pub(super) struct MatchedRows {
    order: SquareOrder,
    /// For each piece, the piece whose expected numbers the engine uses for it.
    rows: [Option<Piece>; 12],
    pub(super) equal: usize,
    pub(super) compared: usize,
}

/// For each square, the engine's number and the scheme's number for a piece.
pub(super) type Row = Vec<Option<[u128; 2]>>;

/// Returns the row of each piece.
pub(super) fn rows(numbers: &MatchedNumbers) -> Vec<Row> {
    let row = |piece| Square::all().map(|square| numbers.get(&Term::Piece(piece, square)).copied()).collect();
    Piece::all().map(row).collect()
}

/// Returns on how many squares the first piece has the number that is expected for the second. A king's numbers are
/// relative to the unknown number of its home square, so the squares with the most common difference are counted. A loop
/// instead of an iterator, because this crate is not optimised and the function runs thousands of times.
fn equal_in([row, other]: [&Row; 2], is_king: bool, order: SquareOrder, composition: KeyComposition) -> usize {
    let (mut equal, mut differences) = (0, Vec::new());
    for square in 0..64 {
        if let (Some([found, _]), Some([_, expected])) = (row[square], other[square ^ order.flip as usize]) {
            if is_king {
                differences.push(composition.difference(found, expected));
            } else if found == expected {
                equal += 1;
            }
        }
    }
    most_common(differences.into_iter()).map_or(equal, |(_, number)| number)
}

/// Returns the most common number and how often it occurs.
pub(super) fn most_common(numbers: impl Iterator<Item = u128>) -> Option<(u128, usize)> {
    let mut counts: BTreeMap<u128, usize> = BTreeMap::new();
    numbers.for_each(|number| *counts.entry(number).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count)
}

impl MatchedRows {
    /// Finds, for each piece, the piece whose expected numbers the engine uses for it if the squares are in `order`.
    pub(super) fn new(rows: &[Row], order: SquareOrder, composition: KeyComposition) -> MatchedRows {
        let mut matched = MatchedRows { order, rows: [None; 12], equal: 0, compared: 0 };
        for piece in Piece::all() {
            let (row, is_king) = (&rows[piece.number()], piece.role == Role::King);
            let known = row.iter().flatten().count();
            let others = Piece::all().filter(|other| *other != piece && (other.role == Role::King) == is_king);
            // Of equally good fits, keep the first. The piece itself is tried before the others.
            let fitting = [piece]
                .into_iter()
                .chain(others)
                .map(|other| (other, equal_in([row, &rows[other.number()]], is_king, order, composition)));
            let best = fitting.reduce(|best, next| if next.1 > best.1 { next } else { best });
            matched.compared += known;
            if let Some((other, equal)) = best {
                matched.equal += equal;
                matched.rows[piece.number()] = (100 * equal >= SAME_ROW * known && known > 0).then_some(other);
            }
        }
        matched
    }

    /// Returns true if every piece and square is in its expected place.
    pub(super) fn is_plain(&self) -> bool {
        self.order.flip == 0 && self.find_moved().is_empty()
    }

    /// Returns each piece for which the engine uses the numbers of another piece, together with that other piece.
    fn find_moved(&self) -> Vec<(Piece, Piece)> {
        Piece::all().filter_map(|piece| Some((piece, self.rows[piece.number()]?))).filter(|(a, b)| a != b).collect()
    }

    /// Describes how the order of squares and pieces differs from the expected one.
    pub(super) fn describe(&self) -> Vec<String> {
        let mut texts = Vec::new();
        if self.order.flip != 0 {
            texts.push(self.order.text.into());
        }
        let moved = self.find_moved();
        let swaps = moved.iter().filter(|(a, b)| a.number() < b.number() && moved.contains(&(*b, *a)));
        let swaps: Vec<&(Piece, Piece)> = swaps.collect();
        match () {
            () if moved.len() == 12 && moved.iter().all(|(a, b)| a.role == b.role) => {
                texts.push("the colours of the pieces are swapped".into());
            }
            () if 2 * swaps.len() == moved.len() => {
                texts.extend(swaps.iter().map(|(a, b)| format!("{a}s and {b}s are swapped")));
            }
            () => {
                let one = |(a, b): &(Piece, Piece)| format!("{a}s have the numbers of {b}s");
                texts.extend(moved.iter().map(one));
            }
        }
        texts
    }
}

/// Maximum number of wrong entries that are described individually.
const MAX_NAMED: usize = 3;

/// Finds the wrong entries of a row from `known`, which holds the differences from the expected numbers. The numbers
/// may be relative to the entry `base`. If most numbers differ by the same amount, `base` itself is wrong, and only
/// entries that differ by another amount are exceptions. Returns texts, each with the number of entries that it
/// describes.
pub(super) fn find_odd_entries(
    known: &[(Term, u128)],
    (row, base): (&str, Option<Term>),
    composition: KeyComposition,
    describe: impl Fn(Term) -> String,
) -> Vec<(usize, String)> {
    let common = most_common(known.iter().map(|(_, difference)| *difference));
    let (common, agreeing) = common.filter(|(_, number)| 2 * number > known.len()).unwrap_or_default();
    let own = |difference| format!("{:016x}", composition.difference(difference, common));
    let of_row = match base {
        _ if common == 0 => None,
        Some(base) => Some((1, format!("{base} differs by {}: {agreeing} numbers of its row agree", own(0)))),
        None => Some((agreeing, format!("{row}: {agreeing} numbers differ by {common:016x}"))),
    };
    let others = known.iter().filter(|(_, difference)| *difference != common).map(|&(part, difference)| {
        (1, if common == 0 { describe(part) } else { format!("{part} differs by {}", own(difference)) })
    });
    of_row.into_iter().chain(others).collect()
}

/// Describes the first wrong entries, and counts the others.
pub(super) fn describe_odd_entries(odd: Vec<(usize, String)>) -> String {
    let more = match odd.len().saturating_sub(MAX_NAMED) {
        0 => None,
        1 => Some("and 1 other number differs".into()),
        more => Some(format!("and {more} other numbers differ")),
    };
    odd.into_iter().map(|(_, text)| text).take(MAX_NAMED).chain(more).collect::<Vec<_>>().join("; ")
}
