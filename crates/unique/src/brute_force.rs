//! Counts distinct leaves the slow way: puts every leaf of the tree into a set. Shares the tables and their sizes with
//! the passes, but expands no frontier.

use crate::error::UniqueError;
use crate::frontier::Frontier;
use crate::leaf_walk::{LeafSink, LeafWalk};
use crate::options::{By, Goal, UniqueOptions};
use crate::plan::{ChildEstimate, Plan};
use crate::set::{Full, SLICES, Summary};
use crate::sink::TableSink;
use perft_gate_chess::Board;
use perft_gate_simd::{Token, inline_all};
use perft_gate_walk::{Control, Position};
use perft_gate_zobrist::{SchemeVisitor, Tracker};

#[inline_all]
impl LeafSink for TableSink<'_> {
    const HOT: bool = false;
    fn take<L: Token, T: Tracker>(&mut self, level: L, position: &Position<T>) -> Result<(), Full> {
        self.put(level, position, 1)
    }
    fn finish(&mut self) -> Result<(), Full> {
        TableSink::finish(self)
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
/// fit into the memory, walks the tree once for each part of the positions.
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
