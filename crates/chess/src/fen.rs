//! Strict FEN, X-FEN and Shredder-FEN.
//!
//! In a FEN that is read, castling rights may be written as `KQkq` (each letter means the outermost rook on its side of
//! the king, as in X-FEN) or as rook files (`HAha`, Shredder). The two move counters may both be absent, as in EPD. A
//! fullmove number of 0 is read as 1. FENs are written as X-FEN, or as Shredder-FEN on request. Sources:
//! <https://www.chessprogramming.org/Forsyth-Edwards_Notation>, <https://en.wikipedia.org/wiki/X-FEN>.

mod error;
mod read;

pub use error::{BYTE_ORDER_MARK, FenError, FenField, Severity, excerpt, quantity};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::Wing;
use crate::piece::{Color, Role};
use crate::square::Square;
use crate::state::EnPassantPolicy;
use read::Reader;
use std::fmt;

/// Reads and writes FENs.
pub struct Fen;

impl Fen {
    pub const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// Kiwipete, a test position by Peter McKenzie with moves of every kind in its tree.
    pub const KIWIPETE: &'static str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// Reads a FEN.
    ///
    /// **Errors**: the first fault found when the fields are checked in order.
    pub fn parse(text: &str) -> Result<Board, FenError> {
        Reader::STRICT.read(text, 0).map(|(board, _)| board)
    }

    /// Reads a FEN that a walk has written. Its clocks may exceed the limits of [`Fen::parse`] by up to `plies`, and it
    /// may have as many pawns and checkers as [`Fen::parse_tolerant`] accepts.
    pub fn parse_later(text: &str, plies: u32) -> Result<Board, FenError> {
        let (board, faults) = Reader::TOLERANT.read(text, plies)?;
        faults.into_iter().find(|fault| fault.field != FenField::Board).map_or(Ok(board), Err)
    }

    /// Reads a FEN even if no game can reach its position, for example with nine pawns or three checkers. Ignores
    /// castling rights if the king or rook is missing, and e.p. squares if the pawn is missing. Returns the board and
    /// the faults for which [`Fen::parse`] rejects the FEN.
    ///
    /// **Errors**: the first fault that is not [`Severity::Tolerable`]. An excess of pieces is reported last.
    pub fn parse_tolerant(text: &str) -> Result<(Board, Vec<FenError>), FenError> {
        Reader::TOLERANT.read(text, 0)
    }

    /// Writes X-FEN. Includes the en-passant square only if it counts under `policy`.
    pub fn write(board: &Board, policy: EnPassantPolicy) -> String {
        let mut text = String::with_capacity(96);
        write_fen(&mut text, board, policy, false).expect("a String takes all");
        text
    }

    /// Writes Shredder-FEN, in which castling rights are rook files.
    pub fn write_shredder(board: &Board, policy: EnPassantPolicy) -> String {
        let mut text = String::with_capacity(96);
        write_fen(&mut text, board, policy, true).expect("a String takes all");
        text
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fen(f, self, EnPassantPolicy::Always, false)
    }
}

/// Upper bound on the length of a FEN: 71 characters for the board, 26 for the other fields.
pub const MAX_FEN_LENGTH: usize = 97;

/// Writes the FEN, without allocating.
pub fn write_fen(out: &mut impl fmt::Write, board: &Board, policy: EnPassantPolicy, shredder: bool) -> fmt::Result {
    for rank in (0..8).rev() {
        let mut gap = 0;
        for file in 0..8 {
            match board.piece_on(Square::from_coords(file, rank)) {
                None => gap += 1,
                Some(piece) => {
                    if gap > 0 {
                        write!(out, "{gap}")?;
                        gap = 0;
                    }
                    out.write_char(piece.letter())?;
                }
            }
        }
        if gap > 0 {
            write!(out, "{gap}")?;
        }
        if rank > 0 {
            out.write_char('/')?;
        }
    }
    write!(out, " {} ", if board.turn() == Color::White { 'w' } else { 'b' })?;
    if board.castling_rooks().is_empty() {
        out.write_char('-')?;
    }
    for color in Color::ALL {
        let king = board.king(color);
        let rank = Bitboard::rank(color.back_rank());
        for wing in Wing::ALL {
            for rook in (board.castling_rooks() & rank).into_iter().filter(|&rook| Wing::of_rook(king, rook) == wing) {
                // X-FEN writes the rook's file only if the rook is not the outermost one on its wing.
                let rivals = board.pieces(color, Role::Rook) & rank;
                let outermost = match wing {
                    Wing::King => rivals.into_iter().last() == Some(rook),
                    Wing::Queen => rivals.first() == rook,
                };
                let letter = match wing {
                    _ if shredder || !outermost => rook.file_letter(),
                    Wing::King => 'k',
                    Wing::Queen => 'q',
                };
                out.write_char(if color == Color::White { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
    }
    match board.en_passant(policy) {
        Some(square) => write!(out, " {square}")?,
        None => out.write_str(" -")?,
    }
    write!(out, " {} {}", board.halfmove(), board.fullmove())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for fen in [
            Fen::START,
            Fen::KIWIPETE,
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1r1k3r/8/8/8/8/8/8/RR2K2R w KBk - 12 345",
        ] {
            let board = Fen::parse(fen).unwrap();
            assert_eq!(Fen::write(&board, EnPassantPolicy::Always), fen);
            let shredder = Fen::write_shredder(&board, EnPassantPolicy::Always);
            assert_eq!(Fen::parse(&shredder).unwrap(), board, "{shredder}");
        }
        let start = Fen::parse(Fen::START).unwrap();
        assert!(Fen::write_shredder(&start, EnPassantPolicy::Always).contains(" HAha "));
        assert_eq!(Fen::parse("\u{feff}rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").unwrap(), start);
        assert_eq!(Fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0").unwrap(), start);
    }

    #[test]
    fn each_fault_is_named() {
        for (fen, message) in [
            ("", "FEN field 'board': found 1 rank, expected 8 ranks separated by '/'"),
            ("8/8/8/8/8/8/8/8 w - -", "FEN field 'board': found 0 kings for White, expected 1"),
            ("k7/8/8/8/8/8/8/KK6 w - -", "found 2 kings for White"),
            ("k7/8/8/8/8/8/8/K8 w - -", "found more than 8 squares in rank 1"),
            ("k7/8/8/8/8/8/7/K7 w - -", "found 7 squares in rank 2"),
            ("k7/8/8/8/8/8/1/K7 w - -", "found 1 square in rank 2"),
            ("k7/8/8/8/8/8/x7/K7 w - -", "found 'x' in rank 2"),
            ("k6P/8/8/8/8/8/8/K7 w - -", "found a pawn on h8"),
            ("k7/8/8/8/NNNNNNNN/NNNNNNNN/8/K7 w - -", "found 17 pieces for White"),
            ("k7/8/8/8/8/8/8/K7", "FEN field 'side to move': found nothing"),
            ("k7/8/8/8/8/8/8/K7 x - -", "found 'x', expected 'w' or 'b'"),
            ("k7/8/8/8/8/8/8/4K2R w KQkqK -", "FEN field 'castling': found 'KQkqK'"),
            ("k7/4p3/8/4p3/8/8/8/K7 w - e6", "found e6 with a piece on e7"),
            ("k7/8/4n3/4p3/8/8/8/K7 w - e6", "found e6 with a piece on e6"),
            ("k7/8/8/8/8/8/8/K7 w - z", "FEN field 'en passant': found 'z'"),
            ("k7/8/8/8/8/8/8/K7 w - - x 1", "FEN field 'halfmove clock': found 'x'"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 100000000", "FEN field 'fullmove number'"),
            ("k7/8/8/8/8/8/8/K7 w - - 0", "FEN field 'fullmove number': found nothing"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 1 x", "FEN field 'end of line': found 'x'"),
            ("k7/8/8/8/8/8/8/K6r b - -", "found White in check with Black to move"),
            ("k7/8/8/8/8/1n1n4/8/K1r4r w - -", ""),
        ] {
            match Fen::parse(fen) {
                Ok(_) => assert!(message.is_empty(), "{fen} was accepted, not {message}"),
                Err(error) => assert!(error.to_string().contains(message), "{fen}: {error}, not {message}"),
            }
        }
    }

    #[test]
    fn a_position_that_no_game_leads_to_is_held_with_what_is_wrong() {
        for (fen, held, message) in [
            ("k7/8/8/PPPPPPPP/P7/8/8/K7 w - - 3 4", "k7/8/8/PPPPPPPP/P7/8/8/K7 w - - 3 4", "found 9 pawns for White"),
            ("k3r3/8/8/8/1b6/3n4/8/4K3 w - -", "k3r3/8/8/8/1b6/3n4/8/4K3 w - - 0 1", "found 3 pieces giving check"),
            ("k7/8/8/8/8/8/8/4K2R w KQ -", "k7/8/8/8/8/8/8/4K2R w K - 0 1", "found 'Q', expected a rook of White"),
            ("k7/8/8/8/8/8/4K3/7R w K -", "k7/8/8/8/8/8/4K3/7R w - - 0 1", "expected White's king on its back rank"),
            ("k7/8/8/8/8/8/8/4K2R w KK -", "k7/8/8/8/8/8/8/4K2R w K - 0 1", "expected each right once"),
            ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "k7/8/8/8/8/8/8/K7 w - - 0 1", "expected a black pawn on e5"),
            ("k7/8/8/8/8/8/8/K7 w - e3 0 1", "k7/8/8/8/8/8/8/K7 w - - 0 1", "expected a square on rank 6"),
        ] {
            let (board, faults) = Fen::parse_tolerant(fen).unwrap();
            assert_eq!(board.to_string(), held);
            assert!(faults[0].to_string().contains(message) && faults.len() == 1, "{fen}: {faults:?}");
            assert_eq!(Fen::parse(fen), Err(faults[0].clone()));
        }
        for (fen, severity) in [
            ("k7/8/8/8/NNNNNNNN/NNNNNNNN/8/K7 w - -", Severity::TooManyPieces),
            ("k7/8/8/8/NNNNNNNN/NNNNNNNN/8/K6r b - -", Severity::Illegal),
            ("k7/8/8/8/NNNNNNNN/NNNNNNNN/8/8 w - -", Severity::Illegal),
            ("k6P/8/8/8/8/8/8/K7 w - -", Severity::Illegal),
            ("k7/8/8/8/NNNNNNNN/NNNNNNNN/8/K7 w - z", Severity::Text),
            ("k7/8/8/8/8/8/8/K7 w x -", Severity::Text),
        ] {
            assert_eq!(Fen::parse_tolerant(fen).unwrap_err().severity, severity, "{fen}");
        }
    }
}
