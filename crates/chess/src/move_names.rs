//! Moves as others write them: an engine over UCI, somebody's board in a test.

use crate::algebraic::Algebraic;
use crate::board::Board;
use crate::castling::Wing;
use crate::movegen::legal_moves;
use crate::moves::{Kind, Move, Uci};
use crate::square::Square;

/// Lookup of the legal moves of a position by the names that engines use: UCI notation, where castling is written as the
/// king's first and last square, as two squares towards the rook, or as king takes rook; or else algebraic notation, short
/// or long.
pub struct MoveNames<'b> {
    board: &'b Board,
    uci: Vec<(Uci, Move)>,
}

impl MoveNames<'_> {
    /// Returns the names of the legal moves of a position.
    pub fn of(board: &Board) -> MoveNames<'_> {
        let moves = legal_moves(board);
        let castles = moves.iter().filter(|mv| mv.kind() == Kind::Castle).flat_map(|&mv| {
            let (from, to) = (mv.from(), mv.to());
            let (king_to, _) = Wing::of(from, to).destinations(board.turn());
            // In Chess960 some programs write the king's two squares whatever its file; no king moves so without castling.
            let two = match Wing::of(from, to) {
                Wing::King => from.file() + 2,
                Wing::Queen => from.file().wrapping_sub(2),
            };
            let two = if two < 8 { Square::at(two, from.rank()) } else { to };
            [to, king_to, two].map(|to| (Uci::new(from, to), mv))
        });
        // The first move of a name has it: in Chess960 the king may go there without castling.
        MoveNames { board, uci: moves.iter().map(|&mv| (mv.uci(), mv)).chain(castles).collect() }
    }

    /// Returns the move that a text stands for; none if it may stand for several.
    pub fn read(&self, text: &str) -> Option<Move> {
        match self.candidates(text)[..] {
            [mv] => Some(mv),
            _ => None,
        }
    }

    /// Returns the count of a move in a listing, if the move is listed.
    pub fn find(&self, mv: Move, listing: &[(String, u128)]) -> Option<u128> {
        listing.iter().find(|(text, _)| self.read(text) == Some(mv)).map(|(_, count)| *count)
    }

    /// Returns the moves that a text may stand for: several for a promotion without its piece, and for a text in short
    /// notation that leaves out too much.
    pub fn candidates(&self, text: &str) -> Vec<Move> {
        if let Some(name) = Uci::parse(text)
            && let Some((_, mv)) = self.uci.iter().find(|(other, _)| *other == name)
        {
            return vec![*mv];
        }
        Algebraic::parse(text).map_or(Vec::new(), |read| read.legal(self.board))
    }
}
