//! The count that is timed beside a transposition table: every node is made, probes the table if it has a key, and is unmade.
//!
//! Moves are listed and made one by one, as an engine makes them, by one function for all plies: the walk of a tracker takes a
//! quarter of the code of one by piece. A visitor that only may have a table would not do for both: what the node holds in
//! registers is spilled around each call, and a key that cost 1.7 ns cost 3.5.

use super::transposition_table::{TablePrefetch, TableProbe, probe_node};
use perft_gate_chess::Move;
use perft_gate_simd::{Token, kernel};
use perft_gate_walk::{Children, Game, Position, Visitor};
use perft_gate_zobrist::Tracker;

/// Counts nodes one by one, each of which probes a table.
#[derive(Debug)]
pub(super) struct ProbedCount<'t> {
    pub(super) nodes: u64,
    pub(super) probe: TableProbe<'t>,
}

impl<T: Tracker> Visitor<Position<T>> for ProbedCount<'_> {
    const CUT: u32 = 0;
    const OWN_LAST_PLY: bool = false;
    type Frame = ();

    #[inline(always)]
    fn enter<L: Token>(&mut self, level: L, position: &mut Position<T>, _: u32, from: Option<(&(), Move)>) {
        self.nodes += u64::from(from.is_none());
        if let Some(key) = position.key() {
            probe_node(level, &mut self.probe, &position.board, key);
        }
    }
    #[inline(always)]
    fn open(&mut self, _: &Position<T>) {}
    #[inline(always)]
    fn descend<L: Token>(&mut self, level: L, position: &Position<T>, ((), mv): (&(), Move), _: u32) {
        if self.probe.foresees() {
            foresee(level, &mut self.probe, position, mv);
        }
    }
    #[inline(always)]
    fn close<L: Token>(&mut self, _: L, _: &Position<T>, (): &(), _: u32, children: Children) {
        self.nodes += children.entered;
    }
    #[inline(always)]
    fn cut<L: Token>(&mut self, _: L, _: &mut Position<T>) {}
}

/// Asks for the line of a child before its move is made.
#[kernel(common_only = T::COMMON_ONLY)]
fn foresee<L: Token, T: Tracker>(level: L, probe: &mut TableProbe<'_>, position: &Position<T>, mv: Move) {
    let prepared = position.prepare();
    let key = match probe.prefetch() {
        TablePrefetch::RoughKeyAfter => Position::rough_key_after(&prepared, mv),
        _ => Position::key_after(level, &prepared, mv),
    };
    if let Some(key) = key {
        probe.foresee(key);
    }
}
