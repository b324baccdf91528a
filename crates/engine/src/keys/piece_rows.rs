//! Numbers of pieces as rows of 64, to find rows and squares that stand in another order.

use crate::keys::composition::KeyComposition;
use crate::keys::parts::Part;
use perft_gate_chess::{Piece, Role, Square};
use std::collections::BTreeMap;

/// Percentage of equal numbers from which a row is another one.
const SAME_ROW: usize = 90;

/// Order of the squares in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SquareOrder {
    /// From a1 to h8.
    Usual,
    /// From a8 to h1.
    RanksMirrored,
    /// From h1 to a8.
    FilesMirrored,
    /// From h8 to a1.
    Reversed,
}

impl SquareOrder {
    /// Every order.
    pub(super) const ALL: [SquareOrder; 4] =
        [SquareOrder::Usual, SquareOrder::RanksMirrored, SquareOrder::FilesMirrored, SquareOrder::Reversed];

    /// Returns the square whose place this one takes.
    pub(super) fn of(self, square: Square) -> Square {
        let (file, rank) = (square.file(), square.rank());
        match self {
            SquareOrder::Usual => square,
            SquareOrder::RanksMirrored => Square::at(file, 7 - rank),
            SquareOrder::FilesMirrored => Square::at(7 - file, rank),
            SquareOrder::Reversed => Square::at(7 - file, 7 - rank),
        }
    }

    /// Describes the order.
    pub(super) const fn text(self) -> &'static str {
        match self {
            SquareOrder::Usual => "squares are counted from a1",
            SquareOrder::RanksMirrored => "squares are counted from a8, expected from a1",
            SquareOrder::FilesMirrored => "squares are counted from h1, expected from a1",
            SquareOrder::Reversed => "squares are counted from h8, expected from a1",
        }
    }
}

/// Numbers by piece and square; those of a king are relative to its first square.
pub(super) struct PieceRows([[Option<u128>; 64]; 12]);

/// The rows that fit best.
pub(super) struct MatchedRows {
    order: SquareOrder,
    /// For each piece, the one whose numbers it has.
    rows: [Option<Piece>; 12],
    pub(super) equal: usize,
    pub(super) compared: usize,
}

impl PieceRows {
    pub(super) fn of(numbers: impl Iterator<Item = (Part, u128)>) -> PieceRows {
        let mut rows = PieceRows([[None; 64]; 12]);
        for (part, value) in numbers {
            if let Part::Piece(piece, square) = part {
                rows.0[piece.number()][square.index()] = Some(value);
            }
        }
        rows
    }

    /// Finds for each piece the one whose expected numbers it has, with squares in this order.
    pub(super) fn matches(&self, expected: &PieceRows, order: SquareOrder, composition: KeyComposition) -> MatchedRows {
        let mut matched = MatchedRows { order, rows: [None; 12], equal: 0, compared: 0 };
        for piece in Piece::all() {
            let known = self.0[piece.number()].iter().flatten().count();
            let fits = |other: &Piece| self.equal_in((piece, *other), expected, order, composition);
            let own = Some(piece).into_iter().chain(Piece::all().filter(|other| *other != piece));
            let best = first_best(own, fits);
            matched.compared += known;
            if let Some((other, equal)) = best {
                matched.equal += equal;
                matched.rows[piece.number()] = (100 * equal >= SAME_ROW * known && known > 0).then_some(other);
            }
        }
        matched
    }

    /// Returns the number of squares on which a piece has the expected number of another. A king's are relative to its first
    /// square: those that differ from the expected ones by one number are equal.
    fn equal_in(
        &self,
        (piece, other): (Piece, Piece),
        expected: &PieceRows,
        order: SquareOrder,
        composition: KeyComposition,
    ) -> usize {
        let is_king = |piece: Piece| piece.role == Role::King;
        if is_king(piece) != is_king(other) {
            return 0;
        }
        let row = &expected.0[other.number()];
        let differences = Square::all().filter_map(|square| {
            let found = self.0[piece.number()][square.index()]?;
            Some(composition.difference(found, row[order.of(square).index()]?))
        });
        match is_king(piece) {
            true => most_common(differences).map_or(0, |(_, number)| number),
            false => differences.filter(|difference| *difference == 0).count(),
        }
    }
}

/// Returns the most common of some numbers, and how often it comes.
pub(super) fn most_common(numbers: impl Iterator<Item = u128>) -> Option<(u128, usize)> {
    let mut counts: BTreeMap<u128, usize> = BTreeMap::new();
    numbers.for_each(|number| *counts.entry(number).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count)
}

/// Returns the first piece of those that fit best, with the number of its equal numbers.
fn first_best(pieces: impl Iterator<Item = Piece>, equal: impl Fn(&Piece) -> usize) -> Option<(Piece, usize)> {
    pieces.map(|piece| (piece, equal(&piece))).reduce(|best, next| if next.1 > best.1 { next } else { best })
}

impl MatchedRows {
    /// Returns true if every piece and square is in its place.
    pub(super) fn is_plain(&self) -> bool {
        self.order == SquareOrder::Usual && self.moved().is_empty()
    }

    /// Returns the pieces that have the numbers of another, with that one.
    fn moved(&self) -> Vec<(Piece, Piece)> {
        Piece::all().filter_map(|piece| Some((piece, self.rows[piece.number()]?))).filter(|(a, b)| a != b).collect()
    }

    /// Describes the order of squares and pieces.
    pub(super) fn describe(&self) -> Vec<String> {
        let mut texts = Vec::new();
        if self.order != SquareOrder::Usual {
            texts.push(self.order.text().into());
        }
        let moved = self.moved();
        let swaps = moved.iter().filter(|(a, b)| a.number() < b.number() && moved.contains(&(*b, *a)));
        let swaps: Vec<&(Piece, Piece)> = swaps.collect();
        match () {
            () if moved.len() == 12 && moved.iter().all(|(a, b)| a.role == b.role) => {
                texts.push("the colours of the pieces are exchanged".into());
            }
            () if 2 * swaps.len() == moved.len() => {
                texts.extend(swaps.iter().map(|(a, b)| format!("{a}s and {b}s are exchanged")));
            }
            () => {
                let one = |(a, b): &(Piece, Piece)| format!("{a}s have the numbers of {b}s");
                texts.extend(moved.iter().map(one));
            }
        }
        texts
    }
}
