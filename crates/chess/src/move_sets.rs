//! The legal moves of a position as sets of targets, so that work shared by the moves of a piece is done once.

use super::movegen;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::movegen::{MoveList, Sink};
use crate::square::Square;
use arrayvec::ArrayVec;
use perft_gate_simd::Token;

/// Upper bound on the entries: two per queen, one for the king.
const MAX_PIECES: usize = 33;

/// Pawn moves that all go in the same direction.
#[derive(Clone, Copy, Default, Debug)]
pub struct PawnMoves {
    pub targets: Bitboard,
    /// The target square's number minus the origin's.
    pub delta: i32,
}

impl PawnMoves {
    /// Returns the origin of the move to a target.
    #[inline(always)]
    pub fn origin(&self, to: Square) -> Square {
        Square::new((to.index() as i32 - self.delta) as u32)
    }
}

/// The legal moves of a position: sets for pieces and pawns, a list for the few other moves.
#[derive(Clone, Default)]
pub struct MoveSets {
    /// Each piece's square with its targets. A queen has one entry as a bishop and one as a rook.
    pub pieces: ArrayVec<(Square, Bitboard), MAX_PIECES>,
    pub pushes: PawnMoves,
    pub double_pushes: PawnMoves,
    /// Pawn captures, towards the a-file and towards the h-file.
    pub pawn_captures: ArrayVec<PawnMoves, 2>,
    /// Promotions, e.p. captures and castling.
    pub others: MoveList,
    /// The enemy's pieces.
    pub enemy: Bitboard,
}

impl MoveSets {
    /// Fills empty sets with the legal moves of a board.
    #[inline(always)]
    pub fn fill<L: Token>(&mut self, level: L, board: &Board) {
        self.enemy = board.color(!board.turn());
        movegen::generate(level, board, self);
    }
}

impl Sink for MoveSets {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        if targets.any() {
            self.pieces.push((from, targets));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, delta: i32) {
        let pawns = PawnMoves { targets, delta };
        if delta % 8 == 0 {
            self.pushes = pawns;
        } else {
            self.pawn_captures.push(pawns);
        }
    }
    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard, delta: i32) {
        self.double_pushes = PawnMoves { targets, delta };
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, delta: i32) {
        self.others.promotions(targets, delta);
    }
    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.others.en_passant(from, to);
    }
    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.others.castle(king, rook);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::Fen;
    use crate::movegen::legal_moves;
    use crate::moves::Move;
    use perft_gate_simd::V1;

    const FENS: [&str; 4] =
        [Fen::START, Fen::KIWIPETE, "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"];

    #[test]
    fn sets_hold_the_listed_moves() {
        for fen in FENS {
            let board = Fen::parse(fen).unwrap();
            let mut sets = MoveSets::default();
            sets.fill(V1::token(), &board);
            let mut moves = sets.others.to_vec();
            for &(from, targets) in &sets.pieces {
                moves.extend(targets.into_iter().map(|to| Move::new(from, to, Move::NORMAL)));
            }
            let captures = sets.pawn_captures.iter().map(|&pawns| (pawns, Move::NORMAL));
            let pushes = [(sets.pushes, Move::NORMAL), (sets.double_pushes, Move::DOUBLE_PUSH)];
            for (pawns, kind) in pushes.into_iter().chain(captures) {
                moves.extend(pawns.targets.into_iter().map(|to| Move::new(pawns.origin(to), to, kind)));
            }
            let number = |mv: &Move| u64::from(*mv);
            let mut listed = legal_moves(&board).to_vec();
            moves.sort_by_key(number);
            listed.sort_by_key(number);
            assert_eq!(moves, listed, "{fen}");
        }
    }
}
