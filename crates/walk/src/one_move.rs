//! Moves apart from a walk: the legal ones of a position, and the position after one of them.

use crate::game::Game;
use crate::position::Position;
use perft_gate_chess::{Board, Move};
use perft_gate_simd::{Kernel, Level, Token, V1};

/// Returns the legal moves of a position.
pub fn moves<G: Game>(level: Level, game: &G) -> G::Moves {
    level.dispatch(Moves(game))
}

/// Makes a move that is not taken back.
pub fn make_move<G: Game>(game: &mut G, mv: G::Move) {
    V1::token().call(Make(game, mv));
}

/// Returns the board after a legal move.
pub fn board_after(board: &Board, mv: Move) -> Board {
    let mut position = Position::new(*board, ());
    make_move(&mut position, mv);
    position.board
}

/// Returns the board after a null move, or `None` if the side to move is in check.
pub fn board_after_null_move(board: &Board) -> Option<Board> {
    let mut position = Position::new(*board, ());
    let _ = position.make_null(V1::token())?;
    Some(position.board)
}

struct Moves<'a, G>(&'a G);

impl<G: Game> Kernel for Moves<'_, G> {
    type Output = G::Moves;
    const COMMON_ONLY: bool = G::COMMON_ONLY;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> G::Moves {
        let mut moves = G::Moves::default();
        self.0.moves_apart(level, &mut moves);
        moves
    }
}

struct Make<'a, G: Game>(&'a mut G, G::Move);

impl<G: Game> Kernel for Make<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        let _ = self.0.play(level, self.1);
    }
}
