//! Counts the leaf nodes three plies below a board, handling sibling positions together.
//!
//! A plain move changes only two squares, so its child is built from sets alone ([`Family`]). The children's moves that
//! must be counted singly wait in shared queues, so that they can fill whole vectors. King moves are the exception: all
//! lanes of a vector share one king square, so the queues are emptied before and after a king move.

use super::few_pieces::may_have_few_pieces;
use super::parent::Family;
use super::scratch::Scratch;
use perft_gate_chess::{Board, MoveList};
use perft_gate_simd::{Token, kernel};

/// Counts the leaf nodes two plies below each position that one of `moves` leads to, and multiplies them by the move's
/// weight. Removes the moves whose leaf nodes were counted, and their weights.
#[kernel]
pub(super) fn count_after_moves<L: Token>(
    level: L,
    board: &Board,
    moves: &mut MoveList,
    weights: &mut [u32],
    scratch: &mut Scratch,
) -> u64 {
    let family = Family::new(board);
    let common = family.common();
    let may_be_few = may_have_few_pieces(&common);
    scratch.queues.common = common;
    scratch.found.pieces.forget();
    let mut total = 0;
    let mut remaining = 0;
    for at in 0..moves.len() {
        let (mv, weight) = (moves[at], weights[at]);
        let mut replies = None;
        if let Some(last_move) = family.plain_move(mv, weight) {
            let mut parent = family.child(level, mv, last_move);
            // All lanes of a vector share one king square.
            let alone = parent.has_king_moved();
            if alone {
                total += scratch.queues.take_total(level);
                scratch.queues.common = parent.common();
            }
            replies = parent.replies(level, scratch, may_be_few);
            if alone {
                scratch.queues.common = common;
            }
        }
        total += replies.unwrap_or(0) * u64::from(weight);
        (moves[remaining], weights[remaining]) = (mv, weight);
        remaining += usize::from(replies.is_none());
    }
    total += scratch.queues.take_total(level);
    moves.truncate(remaining);
    total
}
