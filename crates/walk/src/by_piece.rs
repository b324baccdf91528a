//! The children of a chess position, piece by piece.
//!
//! Consecutive nodes of a walk are mostly siblings, and most of the work of making a move is the same for all moves of
//! a piece: removing it from its square, on the board and in the key, updating the castling rights, and advancing the
//! clocks. So a piece is lifted once and put down on each of its targets. A single move is made in the same two steps.

use crate::game::{Game, Siblings, each_child_listed, visit_and_unmake};
use perft_gate_chess::{Move, MoveSets, Square};
use perft_gate_simd::Token;

/// A chess game whose moves are made in two steps: lifting the piece and putting it down.
pub trait ByPiece: Game<Move = Move> {
    /// A piece lifted off its square.
    type Lifted: Copy;

    /// Fills `sets` with the legal moves of the prepared position.
    fn move_sets<L: Token>(&self, level: L, prepared: &Self::Prepared, sets: &mut MoveSets);
    /// Does the work shared by all moves of the piece on `from`. `PAWN` is true if the piece is known to be a pawn.
    fn lift<L: Token, const PAWN: bool>(&self, level: L, prepared: &Self::Prepared, from: Square) -> Self::Lifted;
    /// Makes a plain move of a lifted piece. `MAY_CAPTURE` is false if the target is known to be empty.
    fn put_down<L: Token, const MAY_CAPTURE: bool>(
        &mut self,
        level: L,
        prepared: &Self::Prepared,
        lifted: &Self::Lifted,
        mv: Move,
    ) -> Self::Undo;
}

/// Implements [`Game::each_child`] for a [`ByPiece`] game. Goes through the pieces and makes the quiet moves and then
/// the captures of each. Pawn moves and special moves come last. Returns `None` if the walk should stop.
#[inline(always)]
pub fn each_child_by_piece<L: Token, G: ByPiece, S: Siblings<G, L>>(
    level: L,
    game: &mut G,
    prepared: &G::Prepared,
    siblings: &mut S,
) -> Option<()> {
    let mut sets = MoveSets::default();
    game.move_sets(level, prepared, &mut sets);
    for &(from, targets) in &sets.pieces {
        siblings.make_room(level);
        let lifted = game.lift::<L, false>(level, prepared, from);
        for to in targets & !sets.enemy {
            plain::<L, G, S, false>(level, game, prepared, &lifted, Move::new(from, to, Move::NORMAL), siblings)?;
        }
        for to in targets & sets.enemy {
            plain::<L, G, S, true>(level, game, prepared, &lifted, Move::new(from, to, Move::NORMAL), siblings)?;
        }
    }
    siblings.make_room(level);
    for to in sets.pushes.targets {
        let from = sets.pushes.origin(to);
        let lifted = game.lift::<L, true>(level, prepared, from);
        plain::<L, G, S, false>(level, game, prepared, &lifted, Move::new(from, to, Move::NORMAL), siblings)?;
    }
    siblings.make_room(level);
    for to in sets.double_pushes.targets {
        let from = sets.double_pushes.origin(to);
        let lifted = game.lift::<L, true>(level, prepared, from);
        plain::<L, G, S, false>(level, game, prepared, &lifted, Move::new(from, to, Move::DOUBLE_PUSH), siblings)?;
    }
    for pawns in &sets.pawn_captures {
        siblings.make_room(level);
        for to in pawns.targets {
            let from = pawns.origin(to);
            let lifted = game.lift::<L, true>(level, prepared, from);
            plain::<L, G, S, true>(level, game, prepared, &lifted, Move::new(from, to, Move::NORMAL), siblings)?;
        }
    }
    each_child_listed(level, game, prepared, &sets.others, siblings)
}

/// Makes a plain move of a lifted piece, visits the child, and takes the move back. Returns `None` if the walk should
/// stop.
#[inline(always)]
fn plain<L: Token, G: ByPiece, S: Siblings<G, L>, const MAY_CAPTURE: bool>(
    level: L,
    game: &mut G,
    prepared: &G::Prepared,
    lifted: &G::Lifted,
    mv: Move,
    siblings: &mut S,
) -> Option<()> {
    siblings.before(level, game, mv);
    let undo = game.put_down::<L, MAY_CAPTURE>(level, prepared, lifted, mv);
    visit_and_unmake(level, game, mv, undo, siblings)
}
