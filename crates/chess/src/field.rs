//! The individual fields of a board. Reports name the fields in which two boards differ. Planted faults corrupt a field
//! to prove that each comparison can fail.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::state::EnPassantPolicy;

crate::named! {
    /// A field that at least one of the verification checks V0, V3 and V4 compares. The first eight are bitboards.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Field {
        Pawns = "pawns",
        Knights = "knights",
        Bishops = "bishops",
        Rooks = "rooks",
        Queens = "queens",
        Kings = "kings",
        White = "white",
        Black = "black",
        Mailbox = "mailbox",
        /// The rooks that may castle, and their kings.
        CastlingPieces = "castling-pieces",
        CastlingRights = "castling-rights",
        /// The en-passant square under the `always` policy.
        EnPassantAlways = "ep-always",
        /// The en-passant square under the `pseudo` policy.
        EnPassantPseudo = "ep-pseudo",
        /// The en-passant square under the `legal` policy.
        EnPassantLegal = "ep-legal",
        Turn = "turn",
        Halfmove = "halfmove",
        Fullmove = "fullmove",
        /// The Zobrist key or keys, updated with each move and kept outside the board.
        Key = "key",
        /// A square with the unused code 7 in the mailbox and a white piece in the bitboards.
        SeventhRole = "seventh-role",
        /// A square with the unused code 8 (black, but no role) in the mailbox and a black piece in the bitboards.
        BlackNothing = "black-nothing",
    }
}

impl Field {
    /// The fields that V0 covers when it compares the bitboards with the mailbox: the first nine and the last two.
    pub const SQUARES: [Field; 11] = {
        let mut squares = *Field::ALL.last_chunk().unwrap();
        *squares.first_chunk_mut::<9>().unwrap() = *Field::ALL.first_chunk().unwrap();
        squares
    };

    /// The fields that `unmake` restores and that V3 and V4 compare: all but the last two.
    pub const RESTORED: [Field; 18] = *Field::ALL.first_chunk().unwrap();
}

impl Board {
    /// Returns the fields in which this board differs from another, each with the other board's value and this board's.
    pub fn differing(&self, other: &Board) -> Vec<(Field, [String; 2])> {
        let values = Field::RESTORED.map(|field| (field, [other.value(field), self.value(field)]));
        values.into_iter().filter(|(_, [other, own])| other != own).collect()
    }

    /// Returns a field as text. The text is empty for the key, which is not part of a board.
    fn value(&self, field: Field) -> String {
        let hexadecimal = |value: u64| format!("{value:016x}");
        let state = &self.state;
        let square = |policy| state.en_passant().get(policy).map_or("-".into(), |square| square.to_string());
        match field {
            Field::Mailbox | Field::SeventhRole | Field::BlackNothing => self.mailbox.0.map(hexadecimal).join(" "),
            Field::CastlingPieces => hexadecimal(state.castling_pieces.0),
            Field::CastlingRights => state.rights().to_string(),
            Field::EnPassantAlways => square(EnPassantPolicy::Always),
            Field::EnPassantPseudo => square(EnPassantPolicy::Pseudo),
            Field::EnPassantLegal => square(EnPassantPolicy::Legal),
            Field::Turn => format!("{:?}", state.turn()),
            Field::Halfmove => state.halfmove().to_string(),
            Field::Fullmove => state.fullmove().to_string(),
            Field::Key => String::new(),
            bitboard => hexadecimal(self.sets[bitboard as usize >> 2].0[bitboard as usize & 3]),
        }
    }

    /// Returns the board with one field corrupted. The key is not part of a board, so [`Field::Key`] changes nothing.
    pub fn damage(mut self, field: Field) -> Board {
        let empty = (!self.occupied()).first().index();
        let nibble = |code: u64| code << (4 * (empty % 16));
        match field {
            Field::Mailbox => self.mailbox.0[empty / 16] ^= nibble(1),
            Field::CastlingPieces => self.state.castling_pieces ^= Bitboard(1 << empty),
            Field::CastlingRights => self.state.word ^= 1 << 24,
            // Flipping bit 6 removes the e.p. square, or sets one if there is none.
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
            bitboard => self.sets[bitboard as usize >> 2].0[bitboard as usize & 3] ^= 1 << empty,
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::Fen;
    use perft_gate_simd::V1;

    #[test]
    fn every_field_is_compared_and_named() {
        let board = Fen::parse(Fen::KIWIPETE).unwrap();
        assert!(board.is_consistent(V1::token()) && board.differing(&board).is_empty());
        for field in Field::RESTORED.into_iter().filter(|field| *field != Field::Key) {
            let damaged = board.damage(field);
            assert!(!damaged.same(V1::token(), &board), "{field}");
            let fields: Vec<_> = damaged.differing(&board).iter().map(|(field, _)| *field).collect();
            assert_eq!(fields, [field]);
        }
        for field in Field::SQUARES {
            assert!(!board.damage(field).is_consistent(V1::token()), "{field}");
        }
    }
}
