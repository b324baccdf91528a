//! A pasted position: its class, its moves, and the position after each move.

use perft_gate_chess::{Board, Move, legal_moves};
use perft_gate_listing::position_text::{PositionError, parse_tolerant};
use perft_gate_suite::{Class, Row};
use perft_gate_walk::board_after;
use serde::Serialize;

/// A pasted position.
#[derive(Serialize)]
pub struct PastedPosition {
    /// The FEN of the position, or the pasted text if the position cannot be represented on a board.
    fen: String,
    class: Class,
    /// Why the position is not in a better class.
    reason: Option<String>,
    is_chess960: bool,
    /// Legal moves, each with the position after it. `None` if the position cannot be represented on a board.
    moves: Option<Vec<(Move, String)>>,
}

impl PastedPosition {
    /// Reads a FEN or a `position` line. **Errors**: the text is not a position, or a move is not legal.
    pub fn read(text: &str) -> Result<PastedPosition, String> {
        let (position, faults) = match parse_tolerant(text, &[]) {
            Ok((board, faults)) => (Ok(board), faults),
            Err(PositionError::Fen(fault)) => (Err(fault), Vec::new()),
            Err(error) => return Err(error.to_string()),
        };
        let fen = position.as_ref().map_or(text.into(), Board::to_string);
        let row = Row { id: String::new(), fen, position, faults, counts: Vec::new(), line: 0 };
        let (class, reason) = row.class();
        let board = row.position.ok();
        let after = |board: &Board| {
            legal_moves(board).iter().map(|&mv| (mv, board_after(board, mv).to_string())).collect::<Vec<_>>()
        };
        let is_chess960 = board.is_some_and(|board| board.is_chess960());
        Ok(PastedPosition { fen: row.fen, class, reason, is_chess960, moves: board.as_ref().map(after) })
    }
}
