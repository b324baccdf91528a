//! Terms: the features of a position that each contribute a number to the key.

use crate::axes::{Axes, CLOCKS, Castling, EnPassantKeys, Side};
use perft_gate_chess::{Board, CastlingRights, Color, Piece, Role, Square};
use std::fmt;

/// A feature of a position that contributes a separate number to the key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    Piece(Piece, Square),
    /// A set of castling rights, or one right.
    Castling(CastlingRights),
    /// The file of an e.p. square, from 0.
    File(u32),
    /// An e.p. square, or none.
    EnPassant(Option<Square>),
    /// The side to move. `None` is the single number by which the keys of the two sides differ.
    Side(Option<Color>),
    /// The values of the halfmove clock that share a key, identified by the lowest of them.
    Clock(u16),
}

impl Term {
    /// Returns every piece on every square: White P N B R Q K, then Black's, a1..h8 each.
    pub fn all_pieces() -> impl Iterator<Item = Term> {
        Piece::all().flat_map(|piece| Square::all().map(move |square| Term::Piece(piece, square)))
    }

    /// Returns the pieces of a board.
    pub fn pieces_of(board: &Board) -> impl Iterator<Item = Term> {
        Square::all().filter_map(|square| Some(Term::Piece(board.piece_on(square)?, square)))
    }

    /// Returns true if a key can contain this term: pawns are never on a back rank, and e.p. squares only on ranks 3
    /// and 6.
    pub fn is_in_play(self) -> bool {
        match self {
            Term::Piece(Piece { role: Role::Pawn, .. }, square) => (1..=6).contains(&square.rank()),
            Term::EnPassant(Some(square)) => matches!(square.rank(), 2 | 5),
            _ => true,
        }
    }

    /// Returns the colour of the king, if the term is a king on a square.
    pub fn king(self) -> Option<Color> {
        match self {
            Term::Piece(Piece { color, role: Role::King }, _) => Some(color),
            _ => None,
        }
    }
}

impl Axes {
    /// Returns the terms of rights, en passant, side and clock for which the scheme draws an entry. Omits sets of
    /// rights whose entries combine the entries of single rights, and terms whose entry is 0.
    pub fn state_terms(&self) -> Vec<Term> {
        let mut terms: Vec<Term> = match self.castling {
            Castling::C16 => (0..16).map(CastlingRights::new).map(Term::Castling).collect(),
            _ => [1, 2, 4, 8].map(CastlingRights::new).map(Term::Castling).into(),
        };
        terms.extend((self.castling == Castling::C5).then_some(Term::Castling(CastlingRights::NONE)));
        match self.en_passant {
            EnPassantKeys::E8 | EnPassantKeys::E9 => terms.extend((0..8).map(Term::File)),
            squares => {
                let listed = Square::all().map(|square| Term::EnPassant(Some(square)));
                terms.extend(listed.filter(|term| squares != EnPassantKeys::E17 || term.is_in_play()));
            }
        }
        terms.extend(self.en_passant.has_none().then_some(Term::EnPassant(None)));
        match self.side {
            Side::S1 => terms.push(Term::Side(Some(Color::Black))),
            Side::S1w => terms.push(Term::Side(Some(Color::White))),
            Side::S2 => terms.extend(Color::ALL.map(|color| Term::Side(Some(color)))),
        }
        let has_own =
            |clock: &usize| self.clock.index(*clock) != clock.checked_sub(1).and_then(|last| self.clock.index(last));
        terms.extend((0..CLOCKS).filter(has_own).map(|first| Term::Clock(first as u16)));
        terms
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Piece(piece, square) => write!(f, "{piece} on {square}"),
            Term::Castling(CastlingRights::NONE) => f.write_str("no castling right"),
            Term::Castling(right) if right.index().is_power_of_two() => write!(f, "castling right {right}"),
            Term::Castling(rights) => write!(f, "castling rights {rights}"),
            Term::File(file) => write!(f, "e.p. file {}", Square::from_coords(file, 0).file_letter()),
            Term::EnPassant(Some(square)) => write!(f, "e.p. square {square}"),
            Term::EnPassant(None) => f.write_str("no e.p. square"),
            Term::Side(None) => f.write_str("side to move"),
            Term::Side(Some(color)) => write!(f, "{} to move", color.name()),
            Term::Clock(halfmove) => write!(f, "halfmove clock from {halfmove}"),
        }
    }
}

perft_gate_chess::serialize_as_text!(Term);
