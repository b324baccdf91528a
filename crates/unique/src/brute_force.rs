//! Counts distinct leaves the slow way: puts every leaf of the tree into a set. It uses the same tables as the count
//! ply by ply, in the same sizes, but keeps no positions of earlier plies.

use crate::error::UniqueError;
use crate::frontier::Frontier;
use crate::options::{By, Goal, UniqueOptions};
use crate::plan::{ChildEstimate, Plan};
use crate::set::{Full, SLICES, Summary};
use crate::sink::{PutPosition, TableSink};
use perft_gate_chess::{Board, Move};
use perft_gate_simd::{Level, Token};
use perft_gate_walk::{Control, Position, Visitor, run_tasks};
use perft_gate_zobrist::{SchemeVisitor, Tracker};

/// Visitor that puts every leaf into the tables.
struct LeafVisitor<'t, 'c> {
    sink: TableSink<'t>,
    result: Result<(), Full>,
    control: &'c Control,
}

impl<T: Tracker> Visitor<Position<T>> for LeafVisitor<'_, '_> {
    // A separate function for the last ply would double the code.
    const OWN_LAST_PLY: bool = false;
    type Frame = ();

    #[inline(always)]
    fn enter<L: Token>(&mut self, level: L, position: &mut Position<T>, depth: u32, _: Option<(&(), Move)>) {
        if depth == 0 && self.result.is_ok() {
            self.result = self.sink.put(level, position, 1);
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

/// A walk whose key tracker is chosen later. It puts every leaf of a tree into the `sink` of the leaf's task.
struct LeafWalk<'a, F> {
    board: &'a Board,
    depth: u32,
    level: Level,
    control: &'a Control,
    sink: F,
}

impl<'t, F: Fn() -> TableSink<'t> + Sync> SchemeVisitor for LeafWalk<'_, F> {
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

/// Result of counting the leaves of a tree one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BruteForce {
    /// Summary of the leaves, comparable with [`Ply::positions`](crate::Ply::positions).
    Counted(Summary),
    /// There are more distinct leaves than `room`.
    MoreThanRoom,
    /// The walk was stopped.
    Interrupted,
}

/// Counts the distinct leaves of a tree `depth` plies deep by walking all of it, on the current rayon pool. `room` is
/// their expected number, and `total` the expected sum of their multiplicities. If a set for `room` positions does not
/// fit into the memory, the positions are divided into parts and the tree is walked once for each part.
///
/// **Errors**: a set for 1/4096 of the positions does not fit into the memory.
pub fn leaves(
    board: &Board,
    depth: u32,
    (room, total): (u64, u128),
    options: &UniqueOptions<'_>,
    control: &Control,
) -> Result<BruteForce, UniqueError> {
    let options = &UniqueOptions { diagrams: false, ..*options };
    let children = ChildEstimate { made: room, guess: room as f64, total };
    let plan = Plan::new::<Frontier>(children, &Goal { by: options.by, keeps: false }, options);
    let (mut sum, mut done) = (Summary::default(), 0);
    while done < SLICES {
        let pass = plan.pass(plan.slices((depth, done), options.memory)?);
        let (tables, slices) = (pass.tables(false)?, done..done + pass.slices);
        done = slices.end;
        let sink = || TableSink::new(&tables, options, slices.clone());
        let walk = LeafWalk { board, depth, level: options.level, control, sink };
        let result = match options.by {
            By::Position => walk.visit(()),
            By::Key { scheme, seed } => scheme.visit_several(seed, &[], walk),
        };
        if control.is_stopped() {
            return Ok(BruteForce::Interrupted);
        }
        if result.is_err() {
            return Ok(BruteForce::MoreThanRoom);
        }
        sum = sum.and(tables.sum_up().0);
    }
    Ok(BruteForce::Counted(sum))
}
