//! The counter of leaf nodes without a table.

use super::parent::ParentSets;
use super::scratch::{Scratch, SpareScratch};
use super::siblings::AfterMoves;
use perft_gate_chess::{Board, Move, MoveList};
use perft_gate_simd::{Kernel, Token};
use perft_gate_walk::{Game, Position, Visitor};
use perft_gate_zobrist::Tracker;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of plies above the leaf nodes at which the counter takes over.
pub const CUT: u32 = 2;

/// A counter of the leaf nodes of a tree of two plies or more.
pub struct LeafCounter<'c> {
    /// Number of leaf nodes so far.
    pub total: u64,
    /// True if the whole tree was counted.
    pub complete: bool,
    pub(super) scratch: SpareScratch,
    stop: &'c AtomicBool,
}

impl<'c> LeafCounter<'c> {
    /// Makes a counter for one tree.
    pub fn new(stop: &'c AtomicBool) -> LeafCounter<'c> {
        LeafCounter { total: 0, complete: false, scratch: SpareScratch::take(), stop }
    }
}

impl<T: Tracker> Visitor<Position<T>> for LeafCounter<'_> {
    const CUT: u32 = CUT;
    type Frame = ();

    #[inline(always)]
    fn enter<L: Token>(&mut self, _: L, _: &mut Position<T>, _: u32, _: Option<(&(), Move)>) {}
    #[inline(always)]
    fn open(&mut self, _: &Position<T>) {}

    #[inline(always)]
    fn take_known<L: Token>(
        &mut self,
        level: L,
        position: &Position<T>,
        _: &<Position<T> as Game>::Prepared,
        moves: &mut MoveList,
        depth: u32,
    ) {
        if L::FAST_VECTORS && depth == CUT + 1 {
            self.total += level.call(AfterMoves(position.board(), moves, &mut self.scratch));
        }
    }
    #[inline(always)]
    fn cut<L: Token>(&mut self, level: L, position: &mut Position<T>) {
        self.total += level.call(Subtree(position.board(), &mut self.scratch));
    }
    fn finish<L: Token>(&mut self, _: L) {
        self.complete = !self.stop.load(Ordering::Relaxed);
    }
    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Counts the replies to all moves, set-wise if the level has fast vectors.
pub(super) struct Subtree<'a>(pub(super) &'a Board, pub(super) &'a mut Scratch);

impl Kernel for Subtree<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let Subtree(board, scratch) = self;
        if L::FAST_VECTORS {
            let mut parent = ParentSets::new(level, board);
            scratch.queues.common = parent.common();
            scratch.found.pieces.forget();
            if let Some(replies) = parent.replies(level, scratch, true) {
                return replies;
            }
            cover!(TooManyPieces, 1);
        }
        level.call(Bulk(board))
    }
}

/// Counts the replies to all moves, in bulk after each move.
pub(super) struct Bulk<'p>(pub(super) &'p Board);

impl Kernel for Bulk<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let position = Position::new(*self.0, ());
        let mut moves = MoveList::default();
        position.moves(level, &mut moves);
        let (prepared, mut child) = (position.prepare(), position);
        let mut replies = 0;
        for &mv in moves.iter() {
            // Each child is made from the prepared copy, so no move has to be unmade.
            let _ = child.make(level, &prepared, mv);
            replies += child.count_moves(level);
        }
        replies
    }
}
