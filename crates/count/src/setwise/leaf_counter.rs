//! The counter of leaf nodes without a table.

use super::parent::ParentSets;
use super::scratch::{Scratch, SpareScratch};
use super::siblings::count_after_moves;
use perft_gate_chess::{Board, MAX_MOVES, MoveList};
use perft_gate_simd::{Token, inline_all, kernel};
use perft_gate_walk::{Control, Game, Position, Visitor};
use perft_gate_zobrist::Tracker;

/// Number of plies above the leaf nodes at which the counter takes over.
pub const CUT: u32 = 2;

/// A counter of the leaf nodes of a tree of two plies or more.
pub struct LeafCounter<'c> {
    /// Number of leaf nodes so far.
    pub total: u64,
    /// True if the whole tree was counted.
    pub complete: bool,
    pub(super) scratch: SpareScratch,
    control: &'c Control,
}

#[inline_all]
impl<'c> LeafCounter<'c> {
    pub fn new(control: &'c Control) -> LeafCounter<'c> {
        LeafCounter { total: 0, complete: false, scratch: SpareScratch::take(), control }
    }

    /// Counts the leaf nodes two plies below each position that a move of the board leads to, and multiplies them by
    /// the move's weight. Removes the moves that it counted, and their weights.
    pub(crate) fn count_after<L: Token>(
        &mut self,
        level: L,
        board: &Board,
        moves: &mut MoveList,
        weights: &mut [u32],
    ) -> u64 {
        if L::FAST_VECTORS { count_after_moves(level, board, moves, weights, &mut self.scratch) } else { 0 }
    }

    /// Counts the leaf nodes two plies below a position.
    pub(crate) fn count_subtree<L: Token>(&mut self, level: L, board: &Board) -> u64 {
        count_subtree(level, board, &mut self.scratch)
    }

    /// Returns true if the count should stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.control.is_stopped()
    }
}

#[inline_all]
impl<T: Tracker> Visitor<Position<T>> for LeafCounter<'_> {
    const CUT: u32 = CUT;
    type Frame = ();

    fn open(&mut self, _: &Position<T>) {}

    fn take_known<L: Token>(
        &mut self,
        level: L,
        position: &Position<T>,
        _: &<Position<T> as Game>::Prepared,
        moves: &mut MoveList,
        depth: u32,
    ) {
        if depth == CUT + 1 {
            self.total += self.count_after(level, position.board(), moves, &mut [1; MAX_MOVES]);
        }
    }
    fn cut<L: Token>(&mut self, level: L, position: &mut Position<T>) {
        self.total += self.count_subtree(level, position.board());
    }
    fn finish<L: Token>(&mut self, _: L) {
        self.complete = !self.is_stopping();
    }
    fn is_stopped(&self) -> bool {
        self.is_stopping()
    }
}

/// Counts the replies to all moves, set-wise if the level has fast vectors.
#[kernel]
pub(super) fn count_subtree<L: Token>(level: L, board: &Board, scratch: &mut Scratch) -> u64 {
    if L::FAST_VECTORS {
        let mut parent = ParentSets::new(level, board);
        scratch.queues.common = parent.common();
        scratch.found.pieces.forget();
        if let Some(replies) = parent.replies(level, scratch, true) {
            return replies;
        }
    }
    count_in_bulk(level, board)
}

/// Counts the replies to all moves by making each move and counting in bulk.
#[kernel]
pub(super) fn count_in_bulk<L: Token>(level: L, board: &Board) -> u64 {
    let position = Position::new(*board, ());
    let mut moves = MoveList::default();
    position.moves(level, &mut moves);
    let (prepared, mut child) = (position.prepare(), position);
    let mut replies = 0;
    for &mv in moves.iter() {
        // Each child is made from the prepared copy, so no move needs unmaking.
        let _ = child.make(level, &prepared, mv);
        replies += child.count_moves(level);
    }
    replies
}
