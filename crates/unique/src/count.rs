//! A count, ply by ply and pass by pass, wherever its positions are kept.

use crate::error::UniqueError;
use crate::losses::expected_lost;
use crate::options::{By, Goal, UniqueOptions};
use crate::passes::{Open, Step};
use crate::ply::Ply;
use crate::set::Summary;
use crate::store::Store;
use perft_gate_walk::Control;
use std::time::Duration;

/// A count, and how far it is.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct UniqueCount<S> {
    /// Complete plies, from the root's on.
    pub(crate) plies: Vec<Ply>,
    /// Positions of the last complete one.
    pub(crate) kept: S,
    /// The ply that follows, if some of its passes are done.
    pub(crate) open: Option<Open<S>>,
}

impl<S: Store> UniqueCount<S> {
    /// Returns a count that keeps its root already.
    pub(crate) fn new(options: &UniqueOptions<'_>, root: S) -> UniqueCount<S> {
        let one = Summary { distinct: 1, total: Some(1), once: 1, highest: 1, with_highest: 1 };
        let ply = Ply {
            ply: 0,
            positions: one,
            diagrams: options.diagrams.then_some(one),
            expected_lost: None,
            made: 0,
            passes: 1,
            restarts: 0,
            load: 1.0,
            bytes: root.memory(),
            time: Duration::ZERO,
        };
        UniqueCount { plies: vec![ply], kept: root, open: None }
    }

    /// Makes the next pass of a count up to `depth`. Returns the positions of the ply before when a ply is complete.
    pub(crate) fn pass(
        &mut self,
        depth: u32,
        options: &UniqueOptions<'_>,
        control: &Control,
    ) -> Result<Step<S>, UniqueError> {
        let is_last = self.plies.len() == depth as usize;
        let by = if is_last { options.by } else { By::Position };
        let goal = Goal { by, keeps: !is_last || options.keep && matches!(by, By::Position) };
        let open = self.open.get_or_insert_with(|| Open::new(&self.kept, &self.plies, options));
        let before = self.plies.last().map_or(0, |ply| ply.positions.distinct);
        let by_groups = open.by_groups(&self.kept, before, goal, options, control)?;
        match by_groups.map_or_else(|| open.pass(&self.kept, goal, options, control), Ok)? {
            Step::Stopped => return Ok(Step::Stopped),
            Step::More => return Ok(Step::More),
            Step::Complete(()) => {}
        }
        let Open { mut row, next, .. } = self.open.take().expect("it is open");
        row.expected_lost = by.bits().map(|bits| expected_lost(row.positions.distinct, bits));
        self.plies.push(row);
        Ok(Step::Complete(std::mem::replace(&mut self.kept, next)))
    }
}
