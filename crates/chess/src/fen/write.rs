//! Writing of a FEN.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::Wing;
use crate::piece::{Color, Role};
use crate::square::Square;
use crate::state::EnPassantPolicy;
use std::fmt;

/// Length of the longest FEN: 71 characters for the board, 26 for the rest.
pub const MAX_FEN_LENGTH: usize = 97;

/// Writes the FEN, without allocating.
pub fn write_fen(out: &mut impl fmt::Write, board: &Board, policy: EnPassantPolicy, shredder: bool) -> fmt::Result {
    for rank in (0..8).rev() {
        let mut gap = 0;
        for file in 0..8 {
            match board.piece_on(Square::at(file, rank)) {
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
            for rook in (board.castling_rooks() & rank).into_iter().filter(|&rook| Wing::of(king, rook) == wing) {
                // X-FEN: the file only when it is not the outermost rook of its wing.
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
