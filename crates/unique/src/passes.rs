//! Counts one ply within the memory limit: in one pass, or in several passes that each keep a part of the children.
//!
//! The number of distinct children is unknown until they are counted, but is at most the number of moves. The share of
//! distinct children usually falls from ply to ply, so the first guess assumes a smaller share than in the last ply,
//! and the tables have some spare room. If such tables fit, there is one pass. Otherwise the children are divided by
//! hash into [`SLICES`] slices, and each pass keeps as many slices as fit. The slices are an unbiased sample, so the
//! count of a completed pass replaces the guess. A pass whose tables fill up is discarded and restarted with a higher
//! guess, and therefore with larger tables or fewer slices. The counts of completed passes stay valid.

use crate::agreement::PassEnd;
use crate::entries::POSITION;
use crate::error::UniqueError;
use crate::expand::{ExpandError, Expanded, expand};
use crate::groups;
use crate::options::{Goal, UniqueOptions};
use crate::plan::{ChildEstimate, ENOUGH_MOVES, Pass, Plan, guessed_share};
use crate::ply::Ply;
use crate::set::{Entry, SLICES, Summary};
use crate::sink::Tables;
use crate::store::{MoveSum, Store};
use perft_gate_walk::Control;
use std::time::Instant;

/// Safety factor for the number of positions in the remaining slices, which is extrapolated from a single pass.
const CHANCE: f64 = 1.02;
/// Factor by which the estimated number of positions is raised when a table is full.
const RAISE: f64 = 1.5;

/// A ply being counted: the totals of its passes so far.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Open<S> {
    pub(crate) row: Ply,
    moves: MoveSum,
    /// Number of slices counted so far.
    pub(crate) done: u32,
    /// Estimated number of distinct positions of the ply.
    guess: f64,
    /// Positions counted so far, if they are kept.
    pub(crate) next: S,
}

/// Result of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step<T> {
    Stopped,
    /// More passes of the ply follow.
    More,
    Complete(T),
}

impl<S: Store> Open<S> {
    /// Begins the ply that follows the positions in `kept`.
    pub(crate) fn new(kept: &S, plies: &[Ply], options: &UniqueOptions<'_>) -> Open<S> {
        let moves = options.all_moves(kept.moves(options.level));
        let row = Ply {
            ply: plies.last().map_or(0, |ply| ply.ply + 1),
            diagrams: options.diagrams.then_some(Summary::default()),
            made: moves.moves,
            ..Ply::default()
        };
        Open { row, moves, done: 0, guess: moves.moves as f64 * guessed_share(plies), next: kept.empty() }
    }

    /// Runs the next pass. Restarts it if a table is full.
    pub(crate) fn pass(
        &mut self,
        kept: &S,
        goal: Goal<'_>,
        options: &UniqueOptions<'_>,
        control: &Control,
    ) -> Result<Step<()>, UniqueError> {
        let (ply, start) = (self.row.ply, Instant::now());
        let total = countable(self.moves.weighted, ply)?;
        let (pass, mut tables) = loop {
            let (pass, tables) = self.plan_pass(kept, total, goal, options)?;
            let pieces = kept.pieces() as u64;
            let left = (SLICES - self.done).div_ceil(pass.slices);
            control.begin(pieces * u64::from(self.row.passes + left));
            control.advance(pieces * u64::from(self.row.passes));
            let slices = self.done..self.done + pass.slices;
            options.exchange.inspect(|link| link.begin_pass());
            let (outcome, expanded) = match expand(kept, &tables, slices, goal.by, options, control) {
                Err(ExpandError::Fatal(error)) => return Err(error),
                _ if control.is_stopped() => (PassEnd::Stopped, Expanded::default()),
                Err(ExpandError::Full) => (PassEnd::Full, Expanded::default()),
                Ok(expanded) => (PassEnd::Done, expanded),
            };
            let Expanded { children, sent, received } = expanded;
            match options.leave_pass(ply, outcome, [children, sent.children, received])? {
                (PassEnd::Stopped, _) => return Ok(Step::Stopped),
                (PassEnd::Full, _) => {
                    self.row.restarts += 1;
                    self.guess = (self.guess * RAISE).min(self.moves.moves as f64);
                }
                (PassEnd::Done, found) if found != self.moves.moves => {
                    return Err(UniqueError::Children { ply, expected: self.moves.moves, found });
                }
                (PassEnd::Done, _) => {
                    options.exchange.inspect(|link| link.sent(sent));
                    break (pass, tables);
                }
            }
        };
        let diagrams = tables.diagrams.take().map(|diagrams| Summary::new(&diagrams.into_parts()));
        let (found, load, positions) = tables.sum_up();
        self.row.load = self.row.load.max(load);
        if goal.keeps {
            self.next.append(positions, found, options.level, control)?;
        }
        let Some(found) = options.all_found(found, control.is_stopped()) else {
            return Ok(Step::Stopped);
        };
        self.row.diagrams = self.row.diagrams.zip(diagrams).map(|(sum, found)| sum.and(found));
        self.row.positions = self.row.positions.and(found);
        self.row.passes += 1;
        self.row.time += start.elapsed();
        self.done += pass.slices;
        if found.distinct > ENOUGH_MOVES {
            self.guess = found.distinct as f64 * f64::from(SLICES) / f64::from(pass.slices) * CHANCE;
        }
        if self.done < SLICES {
            return Ok(Step::More);
        }
        self.complete(total)
    }

    /// Returns [`Step::Complete`] if the multiplicities of positions and those of diagrams each add up to `total`.
    fn complete(&self, total: u128) -> Result<Step<()>, UniqueError> {
        let ply = self.row.ply;
        for summary in [Some(self.row.positions), self.row.diagrams].into_iter().flatten() {
            let found = countable(summary.total, ply)?;
            if found != total {
                return Err(UniqueError::Disagreement { ply, expected: total, found });
            }
        }
        Ok(Step::Complete(()))
    }

    /// Counts the whole ply by [`groups`]. `positions` is the number of positions of the previous ply. Returns `None`
    /// if groups do not suit the options or do not fit into the memory, so that the ply must be counted in tables.
    pub(crate) fn by_groups(
        &mut self,
        kept: &S,
        positions: u64,
        goal: Goal<'_>,
        options: &UniqueOptions<'_>,
        control: &Control,
    ) -> Result<Option<Step<()>>, UniqueError> {
        let is_alone = options.groups && S::IN_MEMORY && options.exchange.is_none();
        if self.done > 0 || self.row.restarts > 0 || !is_alone || options.diagrams || !groups::suits(goal.by) {
            return Ok(None);
        }
        let (ply, start) = (self.row.ply, Instant::now());
        let total = countable(self.moves.weighted, ply)?;
        let beside = kept.memory() + self.next.memory();
        let memory = options.memory.saturating_sub(beside);
        let next = if goal.keeps { self.guess as usize * size_of::<Entry<POSITION>>() } else { 0 };
        if groups::least_memory(positions) + next > memory {
            return Ok(None);
        }
        let counted = groups::count(kept, (positions, self.moves.moves), goal, memory, options, control);
        self.row.time += start.elapsed();
        let found = match counted {
            Ok(found) => found,
            Err(ExpandError::Fatal(error)) => return Err(error),
            Err(ExpandError::Full) => return Ok(None),
        };
        if control.is_stopped() {
            return Ok(Some(Step::Stopped));
        }
        if found.children != self.moves.moves {
            return Err(UniqueError::Children { ply, expected: self.moves.moves, found: found.children });
        }
        let row = &mut self.row;
        (row.positions, row.load, row.bytes, row.passes) = (found.positions, found.load, beside + found.bytes, 1);
        self.next.append(found.kept, found.positions, options.level, control)?;
        self.done = SLICES;
        self.complete(total).map(Some)
    }

    /// Plans the next pass and allocates its tables. All processes take the smallest number of slices that any of them
    /// plans, so that the pass fits into the memory of each.
    fn plan_pass(
        &mut self,
        kept: &S,
        total: u128,
        goal: Goal<'_>,
        options: &UniqueOptions<'_>,
    ) -> Result<(Pass, Tables), UniqueError> {
        let beside = kept.memory() + self.next.memory();
        let guess = self.guess / options.processes() as f64;
        let children = ChildEstimate { made: self.moves.moves, guess, total };
        let plan = Plan::new::<S>(children, &goal, options);
        let memory = options.memory.saturating_sub(beside);
        let own = plan.slices((self.row.ply, self.done), memory)?;
        let [slices, _] = options.range(own.into());
        let pass = plan.pass(slices.max(1) as u32);
        self.row.bytes = self.row.bytes.max(beside + pass.bytes);
        let tables = pass.tables(options.diagrams)?;
        Ok((pass, tables))
    }
}

/// Returns `sum`, a sum of multiplicities, or an error if it is too large to count.
fn countable(sum: u128, ply: u32) -> Result<u128, UniqueError> {
    if sum < u128::MAX { Ok(sum) } else { Err(UniqueError::TooMany { ply }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{By, Frontier, unique};
    use perft_gate_chess::{Board, EnPassantPolicy, Fen};
    use perft_gate_simd::Level;

    fn options(memory: usize) -> UniqueOptions<'static> {
        let options = UniqueOptions::new(EnPassantPolicy::Legal, Level::detect(), memory);
        UniqueOptions { diagrams: true, keep: true, ..options }
    }

    fn fourth(board: &Board) -> (Frontier, Ply) {
        let unique = unique(board, 4, &options(1 << 30), &Control::default(), &mut |_| {}).unwrap();
        (unique.frontier.unwrap(), *unique.plies.last().unwrap())
    }

    #[test]
    fn a_guess_that_is_too_low_costs_restarts_and_nothing_else() {
        let (frontier, mut before) = fourth(&Fen::parse(Fen::START).unwrap());
        // Understates the number of distinct positions of the previous ply, so that the guess is too low.
        before.positions.distinct = before.made / 20;
        let goal = Goal { by: By::Position, keeps: true };
        for memory in [1 << 30, 64 << 20] {
            let options = options(memory);
            let mut open = Open::new(&frontier, &[before], &options);
            while open.pass(&frontier, goal, &options, &Control::default()).unwrap() == Step::More {}
            let Open { row, next, .. } = open;
            assert!(row.restarts > 2, "{row:?}");
            assert_eq!((row.positions.distinct, row.diagrams.unwrap().distinct), (822_518, 815_677), "{row:?}");
            assert_eq!(next.positions(), 822_518);
            assert!(row.bytes <= memory, "{row:?}");
        }
    }

    /// The number of leaves can be right even if the number of children is wrong, so both are compared.
    #[test]
    fn a_child_too_few_or_too_many_in_groups_is_no_result() {
        let (frontier, before) = fourth(&Fen::parse(Fen::START).unwrap());
        let (options, control) = (UniqueOptions { diagrams: false, ..options(1 << 30) }, Control::default());
        let goal = Goal { by: By::Position, keeps: false };
        for change in [0_i64, 1, -1, 1000] {
            let mut open = Open::new(&frontier, &[before], &options);
            let expected = open.moves.moves.strict_add_signed(change);
            open.moves.moves = expected;
            let counted = open.by_groups(&frontier, before.positions.distinct, goal, &options, &control);
            match counted {
                Ok(Some(Step::Complete(()))) if change == 0 => {}
                Err(UniqueError::Children { ply: 5, expected: moves, found: 1_797_389 }) if change != 0 => {
                    assert_eq!(moves, expected);
                }
                _ => panic!("{change}: {counted:?}"),
            }
        }
    }

    #[test]
    fn diagrams_must_have_as_many_leaves_as_positions() {
        let (frontier, before) = fourth(&Fen::parse(Fen::START).unwrap());
        let options = options(1 << 30);
        let total = 4_865_609;
        let complete = |positions: u128, diagrams: u128| {
            let mut open = Open::new(&frontier, &[before], &options);
            assert_eq!(open.moves.weighted, total);
            open.row.positions.total = positions;
            open.row.diagrams.as_mut().unwrap().total = diagrams;
            open.complete(total)
        };
        assert_eq!(complete(total, total).unwrap(), Step::Complete(()));
        for [positions, diagrams] in [[total, total - 1], [total, 0], [total + 1, total], [total - 1, total - 1]] {
            let other = if positions == total { diagrams } else { positions };
            match complete(positions, diagrams).unwrap_err() {
                UniqueError::Disagreement { ply: 5, expected, found } => assert_eq!((expected, found), (total, other)),
                error => panic!("{error}"),
            }
        }
        let error = complete(total, u128::MAX).unwrap_err();
        assert!(matches!(error, UniqueError::TooMany { ply: 5 }), "{error}");
    }
}
