//! Many positions at once: the leaves of a tree, counted without making the last two plies.
//!
//! [`Leaves`] is the visitor that plugs this into the walk. Two plies above the leaves it takes over: the replies to all
//! moves of a position are counted set-wise ([`replies`]), and what the sets cannot say, in vectors of siblings
//! ([`lanes`]). Where a level has no vectors worth it, the last ply is counted in bulk, child by child.

mod lanes;
mod losses;
mod replies;
mod sight;
mod singles;
mod zone;

use crate::Position;
use crate::chess::{Move, MoveList};
use crate::cpu::{Task, Token};
use crate::walk::{Children as Made, Game, Visitor};
use replies::Replies;
use singles::Room;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many plies above the leaves the counter takes over.
pub(crate) const CUT: u32 = 2;

/// The number of leaves of a tree of two plies or more.
pub struct Leaves<'c> {
    /// The moves from the root of all to the tree's.
    pub above: Vec<Move>,
    /// Leaves counted.
    pub total: u64,
    /// Was the whole tree counted?
    pub complete: bool,
    room: Box<Room>,
    stop: &'c AtomicBool,
}

impl<'c> Leaves<'c> {
    /// A counter for the tree below these moves.
    pub fn new(above: &[Move], stop: &'c AtomicBool) -> Leaves<'c> {
        Leaves { above: above.to_vec(), total: 0, complete: false, room: Box::new(Room::new()), stop }
    }
}

impl Visitor<Position<()>> for Leaves<'_> {
    const CUT: u32 = CUT;
    type Frame = ();

    #[inline(always)]
    fn enter<L: Token>(&mut self, _: L, _: &mut Position<()>, _: u32, _: Option<(&(), Move)>) {}
    #[inline(always)]
    fn open(&mut self, _: &Position<()>) {}
    #[inline(always)]
    fn descend(&mut self, _: &Position<()>, (): &(), _: u32, _: Move) {}
    #[inline(always)]
    fn unmade<L: Token>(&mut self, _: L, _: &Position<()>, (): &(), _: u32, _: Move) {}
    #[inline(always)]
    fn close<L: Token>(&mut self, _: L, _: &Position<()>, _: u32, _: Made) {}

    #[inline(always)]
    fn cut<L: Token>(&mut self, level: L, position: &mut Position<()>) {
        self.total += match level.call_wide(Replies(position.board(), &mut self.room)) {
            Some(replies) => replies,
            None => level.call(Bulk(position)),
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
struct Bulk<'p>(&'p Position<()>);

impl Task for Bulk<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let mut moves = MoveList::default();
        self.0.moves(level, &mut moves);
        let (prepared, mut child) = (self.0.prepare(), *self.0);
        let mut replies = 0;
        for &mv in moves.iter() {
            // Made from the prepared copy, so that nothing need be unmade.
            let _ = child.make(level, &prepared, mv);
            replies += child.count_moves(level);
        }
        replies
    }
}
