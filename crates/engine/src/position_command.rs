//! Position as it is given to an engine.

use perft_gate_chess::{Board, EnPassantPolicy, Fen};
use std::fmt;

/// A position as it is given to an engine: a FEN, and moves from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCommand {
    /// The FEN.
    pub fen: String,
    /// Moves, as the engine itself lists them.
    pub moves: Vec<String>,
}

impl PositionCommand {
    /// Returns a position given by FEN alone.
    pub fn new(fen: &str) -> PositionCommand {
        PositionCommand { fen: fen.into(), moves: Vec::new() }
    }

    /// Returns a position given by FEN, with the e.p. square after every double push, for the engine to judge.
    pub(crate) fn of(board: &Board) -> PositionCommand {
        PositionCommand::new(&Fen::write(board, EnPassantPolicy::Always))
    }

    /// Returns the position after one more move.
    pub(crate) fn then(&self, mv: &str) -> PositionCommand {
        let mut position = self.clone();
        position.moves.push(mv.into());
        position
    }
}

impl fmt::Display for PositionCommand {
    /// Writes the UCI command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position fen {}", self.fen)?;
        match self.moves[..] {
            [] => Ok(()),
            ref moves => write!(f, " moves {}", moves.join(" ")),
        }
    }
}

perft_gate_chess::serialize_as_text!(PositionCommand);
