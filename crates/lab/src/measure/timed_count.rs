//! The count that is timed: every node is made and unmade, and none is checked; beside a transposition table, if there is one.

use super::transposition_table::{ProbeNode, TablePrefetch, TableProbe};
use perft_gate_chess::Move;
use perft_gate_simd::{Kernel, Token};
use perft_gate_walk::{Children, Game, Position, Prepared, Visitor};
use perft_gate_zobrist::Tracker;

/// Counts nodes one by one.
#[derive(Debug)]
pub(super) struct TimedCount<'t> {
    pub(super) nodes: u64,
    pub(super) probe: Option<TableProbe<'t>>,
}

impl<T: Tracker> Visitor<Position<T>> for TimedCount<'_> {
    const CUT: u32 = 0;
    const BY_PIECE: bool = true;
    /// What the keys of children are computed from, if they are wanted before the moves are made.
    type Frame = Option<Prepared<T>>;

    #[inline(always)]
    fn enter<L: Token>(&mut self, level: L, position: &mut Position<T>, _: u32, from: Option<(&Self::Frame, Move)>) {
        self.nodes += u64::from(from.is_none());
        if let (Some(probe), Some(key)) = (&mut self.probe, position.key()) {
            level.call(ProbeNode { probe, board: &position.board, key });
        }
    }
    #[inline(always)]
    fn open(&mut self, position: &Position<T>) -> Self::Frame {
        let foresees =
            |probe: &TableProbe<'_>| matches!(probe.prefetch(), TablePrefetch::KeyAfter | TablePrefetch::RoughKeyAfter);
        self.probe.as_ref().is_some_and(foresees).then(|| position.prepare())
    }
    #[inline(always)]
    fn descend<L: Token>(&mut self, level: L, _: &Position<T>, (prepared, mv): (&Self::Frame, Move), _: u32) {
        if let (Some(probe), Some(prepared)) = (&mut self.probe, prepared) {
            level.call(Foresee { probe, prepared, mv });
        }
    }
    #[inline(always)]
    fn close<L: Token>(&mut self, _: L, _: &Position<T>, _: &Self::Frame, _: u32, children: Children) {
        self.nodes += children.entered;
    }
    #[inline(always)]
    fn cut<L: Token>(&mut self, _: L, _: &mut Position<T>) {}
}

/// Asks for the line of a child. A function of its own: it does not burden the node.
struct Foresee<'p, 't, T: Tracker> {
    probe: &'p mut TableProbe<'t>,
    prepared: &'p Prepared<T>,
    mv: Move,
}

impl<T: Tracker> Kernel for Foresee<'_, '_, T> {
    type Output = ();
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        let Foresee { probe, prepared, mv } = self;
        let key = match probe.prefetch() {
            TablePrefetch::RoughKeyAfter => Position::rough_key_after(prepared, mv),
            _ => Position::key_after(level, prepared, mv),
        };
        if let Some(key) = key {
            probe.foresee(key);
        }
    }
}
