//! Moves as others write them: an engine over UCI, somebody's board in a test.
//!
//! They are compared with the legal moves of our own board; each missing or extra move is reported with the rule behind
//! it.

use super::explain_move;
use perft_gate_simd::V1;
use perft_gate_walk::Position;
use perft_gate_walk::chess::{Board, Color, Kind, Move, Uci, Wing, legal_moves};
use perft_gate_walk::walk::Game;
use std::collections::BTreeSet;
use std::fmt;

/// A move with its explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExplainedMove {
    /// The move, as written.
    pub text: String,
    /// The rule behind it.
    pub rule: String,
}

impl fmt::Display for ExplainedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.rule)
    }
}

/// Lookup of the legal moves of a position by the names that engines use: castling is written as the king's two
/// squares, or as king takes rook.
pub struct Names(Vec<(Uci, Move)>);

impl Names {
    pub fn new(moves: impl Iterator<Item = Move> + Clone) -> Names {
        let castles = moves.clone().filter(|mv| mv.kind() == Kind::Castle).flat_map(|mv| {
            let (from, to) = (mv.from(), mv.to());
            let color = Color::ALL[from.index() >> 5];
            let (king_to, _) = Wing::of(from, to).destinations(color);
            [to, king_to].map(|to| (Uci::new(from, to), mv))
        });
        // The first move of a name has it: in Chess960 the king may go there without castling.
        Names(moves.map(|mv| (mv.uci(), mv)).chain(castles).collect())
    }

    pub fn read(&self, text: &str) -> Option<Move> {
        let name = Uci::parse(text)?;
        self.0.iter().find(|(other, _)| *other == name).map(|(_, mv)| *mv)
    }
}

/// Returns the board after a legal move.
pub fn after(board: &Board, mv: Move) -> Board {
    let mut position = Position::new(*board, ());
    let _ = position.play(V1::token(), mv);
    *position.board()
}

/// Returns the board after a null move, or `None` if the side to move is in check.
pub fn passed(board: &Board) -> Option<Board> {
    let mut position = Position::new(*board, ());
    let _ = position.make_null(V1::token())?;
    Some(*position.board())
}

/// Explains a legal move.
pub fn legal(board: &Board, mv: Move) -> ExplainedMove {
    ExplainedMove { text: mv.uci().to_string(), rule: explain_move::of_legal(board, mv) }
}

/// Explains the moves that are illegal or listed twice, each once.
pub fn extras(board: &Board, texts: &[String]) -> Vec<ExplainedMove> {
    let distinct: BTreeSet<&String> = texts.iter().collect();
    let names = Names::new(legal_moves(board).to_vec().into_iter());
    let rule = |text: &str| match names.read(text) {
        Some(_) => "a legal move, listed twice".into(),
        None => explain_move::of_illegal(board, text),
    };
    distinct.into_iter().map(|text| ExplainedMove { text: text.clone(), rule: rule(text) }).collect()
}
