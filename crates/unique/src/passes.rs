//! Expansion of one ply within the memory limit: in one pass, or in several, each over a part of the positions.
//!
//! The number of distinct children is not known before they are counted. It is at most the number of moves; and the
//! share that is distinct usually falls from ply to ply, so the guess is somewhat less than the last ply's share, and
//! the tables have some spare room. If tables for the guess fit, there is one pass. Otherwise the positions' hash is
//! cut into [`SLICES`], and a pass takes as many of them as fit. The slices are an unbiased sample: after the first
//! pass its count replaces the guess. A pass whose tables fill up is discarded and restarted with a higher guess, so
//! with larger tables or fewer slices; the counts of other passes stay.

use super::expand::{Tables, count_moves, expand};
use super::frontier::{Frontier, KEY, POSITION};
use super::{By, Options, Ply, UniqueError};
use crate::set::{Entry, Refused, SLICES, Set, SetPart, Summary};
use perft_gate_walk::walk::Control;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Request for a ply.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a> {
    pub(super) ply: u32,
    pub(super) by: By<'a>,
    /// True if the positions are kept, not only counted.
    pub(super) keeps: bool,
}

/// Number of moves below which the share of distinct children is too uncertain to use.
const ENOUGH_MOVES: u64 = 100_000;
/// Safety factor on an estimate that an earlier pass gives for the remaining slices.
const CHANCE: f64 = 1.02;
/// Factor on the guess after a table was full.
const RAISE: f64 = 1.5;

/// Estimates the share of a ply's moves that lead to distinct positions, from the plies before.
fn guessed_share(plies: &[Ply]) -> f64 {
    let share = |back: usize| {
        let ply = plies.get(plies.len().checked_sub(back)?)?;
        (ply.made > ENOUGH_MOVES).then(|| ply.positions.distinct as f64 / ply.made as f64)
    };
    let last = share(1).unwrap_or(1.0);
    // The share falls steeply and gently in turn, as the sides alternate; half of the fall is expected again.
    last * share(2).zip(share(3)).map_or(1.0, |(later, earlier)| (later / earlier).min(1.0).sqrt())
}

/// Returns the next frontier (empty if it is not kept) and the ply's row, or `None` if it was stopped.
pub(super) fn next(
    frontier: &Frontier,
    plies: &[Ply],
    goal: Goal<'_>,
    options: &Options<'_>,
    control: &Control,
) -> Result<Option<(Frontier, Ply)>, UniqueError> {
    let ply = goal.ply;
    let (made, expected) = count_moves(frontier, options.level);
    let expected = expected.ok_or(UniqueError::TooMany { ply })?;
    let mut guess = made as f64 * guessed_share(plies);
    let mut row = Ply {
        ply,
        positions: Summary::EMPTY,
        diagrams: options.diagrams.then_some(Summary::EMPTY),
        expected_lost: None,
        made,
        passes: 0,
        restarts: 0,
        load: 0.0,
        bytes: 0,
        time: Duration::ZERO,
    };
    let (mut next, mut done) = (Frontier::default(), 0);
    while done < SLICES {
        let beside = frontier.bytes() + next.bytes();
        let pass = Pass::planned(guess, made, done, &goal, options, options.memory.saturating_sub(beside))?;
        let tables = pass.tables(&goal, options.diagrams)?;
        row.bytes = row.bytes.max(beside + pass.bytes);
        match expand(frontier, &tables, done..done + pass.slices, goal.by, options, control) {
            _ if control.stop.load(Ordering::Relaxed) => return Ok(None),
            Err(Refused::TooMany) => return Err(UniqueError::TooMany { ply }),
            Err(Refused::Full) => {
                row.restarts += 1;
                guess = (guess * RAISE).min(made as f64);
                continue;
            }
            Ok(()) => {}
        }
        let mut found = Summary::EMPTY;
        if let Some(parts) = tables.diagrams.map(Set::into_parts) {
            row.diagrams = row.diagrams.map(|sum| sum.and(Summary::of(&parts)));
        }
        if let Some(parts) = tables.keys.map(Set::into_parts) {
            found = Summary::of(&parts);
            row.load = row.load.max(load(&parts));
        }
        if let Some(parts) = tables.positions.map(Set::into_parts) {
            found = Summary::of(&parts);
            row.load = row.load.max(load(&parts));
            if goal.keeps {
                next.append(parts)?;
            }
        }
        row.positions = row.positions.and(found);
        row.passes += 1;
        done += pass.slices;
        if found.distinct > ENOUGH_MOVES {
            guess = found.distinct as f64 * f64::from(SLICES) / f64::from(pass.slices) * CHANCE;
        }
    }
    let found = row.positions.total.ok_or(UniqueError::TooMany { ply })?;
    if found != expected || row.diagrams.is_some_and(|diagrams| diagrams.total != Some(expected)) {
        return Err(UniqueError::Disagreement { ply, expected, found });
    }
    Ok(Some((next, row)))
}

/// Returns the ratio of keys to slots.
fn load<const N: usize>(parts: &[SetPart<N>]) -> f64 {
    let slots: usize = parts.iter().map(SetPart::slots).sum();
    parts.iter().map(SetPart::keys).sum::<usize>() as f64 / slots as f64
}

/// One pass over a part of a ply.
struct Pass {
    slices: u32,
    /// Number of distinct positions that there is room for.
    room: usize,
    /// Number of bytes of the tables.
    bytes: usize,
}

impl Pass {
    /// Plans a pass over as many slices from `done` on as fit into `memory`, if all of the remaining ones hold `guess`
    /// positions.
    fn planned(
        guess: f64,
        made: u64,
        done: u32,
        goal: &Goal<'_>,
        options: &Options<'_>,
        memory: usize,
    ) -> Result<Pass, UniqueError> {
        // Chance may add this much, with a wide margin; but there are no more positions than moves.
        let room = |slices: u32| {
            let share = guess * f64::from(slices) / f64::from(SLICES);
            ((share + 8.0 * share.sqrt() + 64.0) as usize).min(made as usize + 1)
        };
        let tables = |slices: u32| tables_bytes(room(slices), goal.by, options.diagrams);
        // A frontier that is kept grows beside the tables, pass by pass, up to its full size.
        let kept = |slices: u32| if goal.keeps { room(slices) * size_of::<Entry<POSITION>>() } else { 0 };
        let compacting = if goal.keeps { Set::<POSITION>::compacting_bytes_for } else { |_| 0 };
        let left = SLICES - done;
        let needed = |slices: u32| tables(slices) + if slices == left { compacting(room(left)) } else { kept(left) };
        // The smallest number of equal passes.
        let passes = (1..=left).find(|&passes| needed(left.div_ceil(passes)) <= memory || passes > 4096);
        let slices = left.div_ceil(passes.unwrap_or(1));
        if needed(slices) > memory {
            return Err(UniqueError::Memory { ply: goal.ply, found: memory, expected: needed(slices) });
        }
        Ok(Pass { slices, room: room(slices), bytes: tables(slices) })
    }

    fn tables(&self, goal: &Goal<'_>, diagrams: bool) -> Result<Tables, UniqueError> {
        let (positions, keys) = match goal.by {
            By::Position => (Some(Set::new(self.room)?), None),
            By::Key { .. } => (None, Some(Set::new(self.room)?)),
        };
        let diagrams = if diagrams { Some(Set::new(self.room)?) } else { None };
        Ok(Tables { positions, keys, diagrams })
    }
}

fn tables_bytes(room: usize, by: By<'_>, diagrams: bool) -> usize {
    let keyed = match by {
        By::Position => Set::<POSITION>::bytes_for(room),
        By::Key { .. } => Set::<KEY>::bytes_for(room),
    };
    keyed + if diagrams { Set::<POSITION>::bytes_for(room) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::unique;
    use super::*;
    use perft_gate_simd::Level;
    use perft_gate_walk::chess::{Board, EnPassantPolicy, Fen};

    fn options(memory: usize) -> Options<'static> {
        let (policy, by, level) = (EnPassantPolicy::Legal, By::Position, Level::detect());
        Options { policy, by, diagrams: true, keep: true, memory, level }
    }

    fn fourth(board: &Board) -> (Frontier, Ply) {
        let unique = unique(board, 4, &options(1 << 30), &Control::default(), |_| {}).unwrap();
        (unique.frontier.unwrap(), *unique.plies.last().unwrap())
    }

    #[test]
    fn a_guess_that_is_too_low_costs_restarts_and_nothing_else() {
        let (frontier, mut before) = fourth(&Fen::parse(Fen::START).unwrap());
        // As if nearly all moves of the ply before had led to the same few positions.
        before.positions.distinct = before.made / 20;
        let goal = Goal { ply: 5, by: By::Position, keeps: true };
        for memory in [1 << 30, 64 << 20] {
            let (next, row) = super::next(&frontier, &[before], goal, &options(memory), &Control::default())
                .unwrap()
                .expect("not stopped");
            assert!(row.restarts > 2, "{row:?}");
            assert_eq!((row.positions.distinct, row.diagrams.unwrap().distinct), (822_518, 815_677), "{row:?}");
            assert_eq!(next.positions(), 822_518);
            assert!(row.bytes <= memory, "{row:?}");
        }
    }

    #[test]
    fn a_slice_left_out_shows_in_the_sum() {
        let board = Fen::parse(Fen::START).unwrap();
        let (frontier, before) = fourth(&board);
        let goal = Goal { ply: 5, by: By::Position, keeps: false };
        let broken = |slices: u32| {
            let pass = Pass { slices, room: 2_000_000, bytes: 0 };
            let options = options(1 << 30);
            let tables = pass.tables(&goal, false).unwrap();
            expand(&frontier, &tables, 0..slices, goal.by, &options, &Control::default()).unwrap();
            Summary::of(&tables.positions.unwrap().into_parts()).total
        };
        // One slice of many left out loses some leaves, which the sum shows.
        assert_eq!(broken(SLICES), Some(4_865_609));
        assert!(broken(SLICES - SLICES / 1000).unwrap() < 4_865_609);
        assert_eq!(count_moves(&frontier, options(0).level), (1_797_389, Some(4_865_609)));
        assert_eq!(before.positions.total, Some(197_281));
    }
}
