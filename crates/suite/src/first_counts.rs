//! The first numbers beside a position, when nothing says of which depth they are: one and two plies are counted, and tell.

use super::row::Row;
use perft_gate_chess::legal_moves;
use perft_gate_walk::board_after;

/// Maximum number of legal moves in any position.
pub(super) const MAX_LEGAL_MOVES: u128 = 218;

/// Returns true if the counts begin with depth 0, whose count is 1: the second number is the number of legal moves, and
/// cannot be the count of depth 2 after the first one. Some lists have 0 or nothing for depth 0.
pub(super) fn begin_with_depth_0(row: &Row, first: Option<u128>, second: Option<u128>) -> bool {
    let Some(leaves) = leaves(row, 1).filter(|leaves| second == Some(*leaves)) else { return false };
    let is_depth_1 = first.is_none_or(|first| first == leaves);
    first.is_none_or(|first| first <= 1) && (!is_depth_1 || second != self::leaves(row, 2))
}

/// Returns true if the number after the count of depth 1 is too small for depth 2, such as a number of captures.
pub(super) fn have_another_kind(row: &Row, second: Option<u128>) -> bool {
    second < leaves(row, 1) && second.is_some() && second != leaves(row, 2)
}

/// Returns the number of leaves below a position.
fn leaves(row: &Row, depth: u32) -> Option<u128> {
    let board = row.position.as_ref().ok()?;
    let moves = legal_moves(board);
    let below = |mv| if depth == 1 { 1 } else { legal_moves(&board_after(board, mv)).len() as u128 };
    Some(moves.iter().map(|mv| below(*mv)).sum())
}
