//! Moves outside a walk: the legal moves of a position, and the position after one of them.

use crate::game::Game;
use crate::position::Position;
use perft_gate_chess::{Board, Move};
use perft_gate_simd::{Token, V1, kernel};

/// Makes a move and does not take it back.
#[inline(never)]
pub fn make_move<G: Game>(game: &mut G, mv: G::Move) {
    let _ = game.play(V1::token(), mv);
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

/// Returns the legal moves of a position.
#[kernel(common_only = G::COMMON_ONLY)]
pub fn moves<L: Token, G: Game>(level: L, game: &G) -> G::Moves {
    let mut moves = G::Moves::default();
    game.moves_apart(level, &mut moves);
    moves
}
