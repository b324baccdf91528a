//! The fields of a board one by one: named where two boards differ, and damaged by planted faults, so that each
//! comparison is seen to fail.

use super::{Bitboard, Board, EnPassantPolicy};
use std::fmt;

/// A field that V0, V3 and V4 compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The pawns' bitboard.
    Pawns,
    /// The knights' bitboard.
    Knights,
    /// The bishops' bitboard.
    Bishops,
    /// The rooks' bitboard.
    Rooks,
    /// The queens' bitboard.
    Queens,
    /// The kings' bitboard.
    Kings,
    /// The bitboard of White's pieces.
    White,
    /// The bitboard of Black's pieces.
    Black,
    /// The mailbox.
    Mailbox,
    /// The rooks that may castle and their kings.
    CastlingPieces,
    /// The castling rights.
    CastlingRights,
    /// The en-passant square after every double push.
    EnPassantAlways,
    /// The en-passant square if a pawn stands ready to capture.
    EnPassantPseudo,
    /// The en-passant square if a capture is legal.
    EnPassantLegal,
    /// The side to move.
    Turn,
    /// The halfmove clock.
    Halfmove,
    /// The fullmove number.
    Fullmove,
    /// The key, or the keys, that the tracker holds.
    Key,
    /// A code of the mailbox that is no role, with a white piece in the bitboards.
    SeventhRole,
    /// A black nothing in the mailbox, with a black piece in the bitboards.
    BlackNothing,
}

impl Field {
    /// The fields of the two pictures of the squares, which V0 compares with each other.
    pub const SQUARES: [Field; 11] = [
        Field::Pawns,
        Field::Knights,
        Field::Bishops,
        Field::Rooks,
        Field::Queens,
        Field::Kings,
        Field::White,
        Field::Black,
        Field::Mailbox,
        Field::SeventhRole,
        Field::BlackNothing,
    ];

    /// The fields that `unmake` restores: V3 and V4 compare them.
    pub const RESTORED: [Field; 18] = [
        Field::Pawns,
        Field::Knights,
        Field::Bishops,
        Field::Rooks,
        Field::Queens,
        Field::Kings,
        Field::White,
        Field::Black,
        Field::Mailbox,
        Field::CastlingPieces,
        Field::CastlingRights,
        Field::EnPassantAlways,
        Field::EnPassantPseudo,
        Field::EnPassantLegal,
        Field::Turn,
        Field::Halfmove,
        Field::Fullmove,
        Field::Key,
    ];

    /// Its name, as a report of two boards that differ says it.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Pawns => "pawns",
            Field::Knights => "knights",
            Field::Bishops => "bishops",
            Field::Rooks => "rooks",
            Field::Queens => "queens",
            Field::Kings => "kings",
            Field::White => "white",
            Field::Black => "black",
            Field::Mailbox => "mailbox",
            Field::CastlingPieces => "castling-pieces",
            Field::CastlingRights => "castling-rights",
            Field::EnPassantAlways => "ep-always",
            Field::EnPassantPseudo => "ep-pseudo",
            Field::EnPassantLegal => "ep-legal",
            Field::Turn => "turn",
            Field::Halfmove => "halfmove",
            Field::Fullmove => "fullmove",
            Field::Key => "key",
            Field::SeventhRole => "seventh-role",
            Field::BlackNothing => "black-nothing",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Board {
    /// The fields in which this board differs from another: each with the other's value and this one's.
    pub fn differing(&self, other: &Board) -> Vec<(Field, [String; 2])> {
        let values = Field::RESTORED.map(|field| (field, [other.value(field), self.value(field)]));
        values.into_iter().filter(|(_, [other, own])| other != own).collect()
    }

    /// A field as text; the key is no part of a board.
    fn value(&self, field: Field) -> String {
        let hexadecimal = |value: u64| format!("{value:016x}");
        let state = &self.state;
        let square = |policy| state.en_passant().get(policy).map_or("-".into(), |square| square.to_string());
        match field {
            Field::Pawns
            | Field::Knights
            | Field::Bishops
            | Field::Rooks
            | Field::Queens
            | Field::Kings
            | Field::White
            | Field::Black => hexadecimal(self.sets[field as usize >> 2].0[field as usize & 3]),
            Field::Mailbox | Field::SeventhRole | Field::BlackNothing => self.mailbox.0.map(hexadecimal).join(" "),
            Field::CastlingPieces => hexadecimal(state.castling_men.0),
            Field::CastlingRights => state.rights().to_string(),
            Field::EnPassantAlways => square(EnPassantPolicy::Always),
            Field::EnPassantPseudo => square(EnPassantPolicy::Pseudo),
            Field::EnPassantLegal => square(EnPassantPolicy::Legal),
            Field::Turn => format!("{:?}", state.turn()),
            Field::Halfmove => state.halfmove().to_string(),
            Field::Fullmove => state.fullmove().to_string(),
            Field::Key => String::new(),
        }
    }

    /// The board with one field changed; the key is no part of a board.
    pub fn damaged(mut self, field: Field) -> Board {
        let empty = (!self.occupied()).first().index();
        let nibble = |code: u64| code << (4 * (empty % 16));
        match field {
            Field::Pawns
            | Field::Knights
            | Field::Bishops
            | Field::Rooks
            | Field::Queens
            | Field::Kings
            | Field::White
            | Field::Black => {
                let number = field as usize;
                self.sets[number >> 2].0[number & 3] ^= 1 << empty;
            }
            Field::Mailbox => self.mailbox.0[empty / 16] ^= nibble(1),
            Field::CastlingPieces => self.state.castling_men ^= Bitboard(1 << empty),
            Field::CastlingRights => self.state.word ^= 1 << 24,
            // From a square to none, or from none to a square.
            Field::EnPassantAlways => self.state.word ^= 64,
            Field::EnPassantPseudo => self.state.word ^= 64 << 8,
            Field::EnPassantLegal => self.state.word ^= 64 << 16,
            Field::Turn => self.state.word ^= 1 << 28,
            Field::Halfmove => self.state.word ^= 1 << 29,
            Field::Fullmove => self.state.word ^= 1 << 44,
            Field::Key => {}
            Field::SeventhRole => {
                self.mailbox.0[empty / 16] ^= nibble(7);
                self.sets[1].0[2] ^= 1 << empty;
            }
            Field::BlackNothing => {
                self.mailbox.0[empty / 16] ^= nibble(8);
                self.sets[1].0[3] ^= 1 << empty;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Fen;
    use perft_gate_simd::V1;

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn every_field_is_compared_and_named() {
        let board = Fen::parse(FEN).unwrap();
        assert!(board.is_consistent(V1::token()) && board.differing(&board).is_empty());
        for field in Field::RESTORED.into_iter().filter(|field| *field != Field::Key) {
            let damaged = board.damaged(field);
            assert!(!damaged.same(V1::token(), &board), "{field}");
            let fields: Vec<_> = damaged.differing(&board).iter().map(|(field, _)| *field).collect();
            assert_eq!(fields, [field]);
        }
        for field in Field::SQUARES {
            assert!(!board.damaged(field).is_consistent(V1::token()), "{field}");
        }
    }
}
