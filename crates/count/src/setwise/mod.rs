//! Many positions at once: the leaves of a tree, counted without making the last two plies.
//!
//! [`LeafCounter`] is the visitor that plugs this into the walk. Two plies above the leaves it takes over: the replies to all
//! moves of a position are counted set-wise ([`replies`]), and what the sets cannot say, in vectors of siblings
//! ([`lanes`]). Where a level has no vectors worth it, the last ply is counted in bulk, child by child. [`Hashed`] asks a
//! table first, and counts a position that it knows no more.

mod castling;
mod hashed;
mod king_lines;
mod lanes;
mod mobility_loss;
mod pawns;
mod per_move;
mod queue;
mod rays;
mod replies;
mod slides;
#[cfg(test)]
mod tests;
mod zone;

pub use hashed::Hashed;
use per_move::Scratch;
use perft_gate_simd::{Kernel, Token};
use perft_gate_walk::Position;
use perft_gate_walk::chess::{Board, Move, MoveList};
use perft_gate_walk::walk::{Game, Visitor};
use perft_gate_walk::zobrist::Tracker;
use replies::Replies;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many plies above the leaves the counter takes over.
pub const CUT: u32 = 2;

/// The number of leaves of a tree of two plies or more.
pub struct LeafCounter<'c> {
    /// LeafCounter counted.
    pub total: u64,
    /// Was the whole tree counted?
    pub complete: bool,
    room: Box<Scratch>,
    stop: &'c AtomicBool,
}

impl<'c> LeafCounter<'c> {
    /// A counter for one tree.
    pub fn new(stop: &'c AtomicBool) -> LeafCounter<'c> {
        LeafCounter { total: 0, complete: false, room: Box::new(Scratch::new()), stop }
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
    fn cut<L: Token>(&mut self, level: L, position: &mut Position<T>) {
        self.total += match level.call_wide(Replies(position.board(), &mut self.room)) {
            Some(replies) => replies,
            None => level.call(Bulk(position.board())),
        };
    }
    fn finish<L: Token>(&mut self, _: L) {
        self.complete = !self.stop.load(Ordering::Relaxed);
    }
    #[inline(always)]
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The replies to all moves, counted in bulk after each move.
struct Bulk<'p>(&'p Board);

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
            // Made from the prepared copy, so that nothing need be unmade.
            let _ = child.make(level, &prepared, mv);
            replies += child.count_moves(level);
        }
        replies
    }
}
