//! Comparison of a FEN that an engine shows with a board: its clocks only if the engine keeps them.

use perft_gate_chess::{Board, EnPassantPolicy, Fen, FenField, Square};

/// Clocks that an engine's FEN keeps: it shows those that it was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeptClocks {
    /// The halfmove clock.
    pub halfmove: bool,
    /// The number of the move.
    pub fullmove: bool,
}

impl KeptClocks {
    /// A position with clocks that no engine shows by default.
    pub(crate) const GIVEN: &'static str = "4k3/8/8/8/8/8/8/R3K3 w - - 13 60";

    /// Returns the clocks that are kept in the FEN shown for [`GIVEN`](Self::GIVEN).
    pub(crate) fn of(shown: &str) -> KeptClocks {
        let mut clocks = shown.split_ascii_whitespace().skip(4);
        KeptClocks { halfmove: clocks.next() == Some("13"), fullmove: clocks.next() == Some("60") }
    }

    /// Returns the fields of a FEN that are not those of a board, or why it is no FEN. Its e.p. square may be missing where no
    /// capture is legal.
    pub(super) fn wrong_fields(self, shown: &str, board: &Board) -> Option<String> {
        // The clocks of a row may be at the limits of a FEN.
        let fen = match Fen::parse_later(shown, MAX_PLIES) {
            Ok(fen) => fen,
            Err(error) => return Some(format!("it is none: {error}")),
        };
        let square = fen.en_passant(EnPassantPolicy::Always);
        let is_square = square == board.en_passant(EnPassantPolicy::Always)
            || square.is_none() && board.en_passant(EnPassantPolicy::Legal).is_none();
        let fields = [
            (FenField::Board, Square::all().all(|square| fen.piece_on(square) == board.piece_on(square))),
            (FenField::SideToMove, fen.turn() == board.turn()),
            (FenField::Castling, fen.castling_rooks() == board.castling_rooks()),
            (FenField::EnPassant, is_square),
            (FenField::Halfmove, !self.halfmove || fen.halfmove() == board.halfmove()),
            (FenField::Fullmove, !self.fullmove || fen.fullmove() == board.fullmove()),
        ];
        let wrong: Vec<String> =
            fields.iter().filter(|(_, is_right)| !is_right).map(|(field, _)| field.to_string()).collect();
        (!wrong.is_empty()).then(|| wrong.join(", "))
    }
}

/// Maximum number of plies after which a FEN is compared.
const MAX_PLIES: u32 = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::parts::board;

    #[test]
    fn a_wrong_field_is_named_and_habits_are_not() {
        let clocks = |halfmove, fullmove| KeptClocks { halfmove, fullmove };
        let both = KeptClocks::of("4k3/8/8/8/8/8/8/R3K3 w - - 13 60");
        assert_eq!(both, clocks(true, true));
        assert_eq!(KeptClocks::of("4k3/8/8/8/8/8/8/R3K3 w - - 0 60"), clocks(false, true));
        assert_eq!(KeptClocks::of("4k3/8/8/8/8/8/8/R3K3 w - -"), clocks(false, false));
        let pushed = board("r3k3/8/8/8/6P1/8/8/4K2R b Kq g3 0 7");
        let taken = board("8/8/4k3/8/2pP4/8/8/4K3 b - d3 0 9");
        for (kept, board, shown, expected) in [
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq g3 0 7", None),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq - 0 7", None),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Ha - 0 7", None),
            (clocks(false, false), &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq -", None),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq - 1 8", Some("halfmove clock, fullmove number")),
            (clocks(true, false), &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq - 1 8", Some("halfmove clock")),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R w K - 0 7", Some("side to move, castling")),
            (both, &pushed, "r3k3/8/8/8/8/6P1/8/4K2R b Kq - 0 7", Some("board")),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq g6 0 7", Some("it is none: ")),
            (both, &pushed, "4k3/8/8/8/8/8/8/4K3 b - - 0 7", Some("board, castling")),
            (both, &taken, "8/8/4k3/8/2pP4/8/8/4K3 b - - 0 9", Some("en passant")),
        ] {
            let found = kept.wrong_fields(shown, board);
            let is_it = found.as_deref().zip(expected).map(|(found, expected)| found.starts_with(expected));
            assert!(found.is_some() == expected.is_some() && is_it != Some(false), "{shown}: {found:?}");
        }
    }
}
