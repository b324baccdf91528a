//! The legal moves of a position as sets of targets: what the moves of one piece share is then computed once a piece.

use super::{Bitboard, Board, MoveList, Sink, Square, movegen};
use arrayvec::ArrayVec;
use perft_gate_simd::Token;

/// Greatest number of entries: a queen has two, and the king one more.
const MOST_PIECES: usize = 33;

/// The moves of pawns that all go the same way.
#[derive(Clone, Copy, Default, Debug)]
pub struct PawnMoves {
    pub targets: Bitboard,
    /// Number of the target less that of the origin.
    pub delta: i32,
}

impl PawnMoves {
    /// Returns the origin of the move to a target.
    #[inline(always)]
    pub fn origin(&self, to: Square) -> Square {
        Square::new((to.index() as i32 - self.delta) as u32)
    }
}

/// The legal moves of a position: those of pieces and of pawns as sets, the few others one by one.
#[derive(Clone, Default)]
pub struct MoveSets {
    /// Squares of pieces, each with targets. A queen has an entry as a bishop and one as a rook.
    pub pieces: ArrayVec<(Square, Bitboard), MOST_PIECES>,
    /// Single pushes, then captures to either side, without promotions.
    pub pawns: ArrayVec<PawnMoves, 3>,
    pub double_pushes: PawnMoves,
    /// Promotions, e.p. captures and castling.
    pub others: MoveList,
    /// The enemy's pieces.
    pub enemy: Bitboard,
}

impl MoveSets {
    /// Lists the legal moves of a board; the sets must be empty.
    #[inline(always)]
    pub fn fill<L: Token>(&mut self, level: L, board: &Board) {
        self.enemy = board.color(!board.turn());
        movegen::generate(level, board, self);
    }

    /// Returns the number of moves.
    pub fn count(&self) -> u64 {
        let pieces = self.pieces.iter().map(|(_, targets)| targets.count());
        let pawns = self.pawns.iter().chain([&self.double_pushes]).map(|pawns| pawns.targets.count());
        pieces.chain(pawns).sum::<u64>() + self.others.len() as u64
    }
}

impl Sink for MoveSets {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        self.pieces.push((from, targets));
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, delta: i32) {
        self.pawns.push(PawnMoves { targets, delta });
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
