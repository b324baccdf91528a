//! Passes all leaves of a tree one by one to the workers' sinks.

use crate::set::Full;
use perft_gate_chess::{Board, Move};
use perft_gate_simd::{Level, Token};
use perft_gate_walk::{Control, Position, Visitor, run_tasks};
use perft_gate_zobrist::{SchemeVisitor, Tracker};

/// A worker's sink for positions.
pub(crate) trait LeafSink: Send {
    /// True if the last ply is worth a separate function: faster, but twice the code.
    const HOT: bool;
    fn take<L: Token, T: Tracker>(&mut self, level: L, position: &Position<T>) -> Result<(), Full>;
    /// Adds the waiting positions.
    fn finish(&mut self) -> Result<(), Full>;
}

/// Visitor that passes every leaf to a sink.
struct LeafVisitor<'c, S> {
    sink: S,
    result: Result<(), Full>,
    control: &'c Control,
}

impl<T: Tracker, S: LeafSink> Visitor<Position<T>> for LeafVisitor<'_, S> {
    const OWN_LAST_PLY: bool = S::HOT;
    type Frame = ();

    #[inline(always)]
    fn enter<L: Token>(&mut self, level: L, position: &mut Position<T>, depth: u32, _: Option<(&(), Move)>) {
        if depth == 0 && self.result.is_ok() {
            self.result = self.sink.take(level, position);
        }
    }
    #[inline(always)]
    fn open(&mut self, _: &Position<T>) {}
    fn finish<L: Token>(&mut self, _: L) {
        if self.result.is_ok() {
            self.result = self.sink.finish();
        }
    }
    fn is_stopped(&self) -> bool {
        self.result.is_err() || self.control.is_stopped()
    }
}

/// A walk, before its tracker is chosen, that passes every leaf of a tree to a sink. Each task has one sink.
pub(crate) struct LeafWalk<'a, F> {
    pub(crate) board: &'a Board,
    pub(crate) depth: u32,
    pub(crate) level: Level,
    pub(crate) control: &'a Control,
    pub(crate) sink: F,
}

impl<S: LeafSink, F: Fn() -> S + Sync> SchemeVisitor for LeafWalk<'_, F> {
    type Output = Result<(), Full>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let LeafWalk { board, depth, level, control, sink } = self;
        let root = Position::new(*board, tracker);
        let visitor = |_: &[Move], _| LeafVisitor { sink: sink(), result: Ok(()), control };
        // Keeps only each task's result, so that the sink's buffers are freed before all tasks end.
        let results = run_tasks(level, root, depth, control, visitor, |visitor| visitor.result);
        results.into_iter().try_for_each(|(_, result)| result)
    }
}
