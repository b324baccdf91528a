//! Counts distinct leaves the slow way: puts every leaf of the tree into a set. Shares only the set and the packing of
//! positions with the frontiers.

use crate::entries::{KEY, POSITION};
use crate::error::UniqueError;
use crate::leaf_walk::{LeafSink, take_leaves};
use crate::options::{By, UniqueOptions};
use crate::set::{Full, SLICES, Set, Summary};
use crate::sink::{TableSink, Tables};
use perft_gate_chess::Board;
use perft_gate_simd::Token;
use perft_gate_walk::{Control, Position};
use perft_gate_zobrist::{SchemeVisitor, Tracker};
use std::ops::Range;

impl LeafSink for TableSink<'_> {
    const HOT: bool = false;
    #[inline(always)]
    fn take<L: Token, T: Tracker>(&mut self, level: L, position: &Position<T>) -> Result<(), Full> {
        self.put(level, position, 1)
    }
    #[inline(always)]
    fn finish(&mut self) -> Result<(), Full> {
        TableSink::finish(self)
    }
}

struct LeafWalk<'a> {
    board: &'a Board,
    depth: u32,
    tables: &'a Tables,
    slices: Range<u32>,
    options: &'a UniqueOptions<'a>,
    control: &'a Control,
}

impl SchemeVisitor for LeafWalk<'_> {
    type Output = Result<(), Full>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let root = Position::new(*self.board, tracker);
        let LeafWalk { depth, tables, slices, options, control, .. } = self;
        take_leaves(options.level, root, depth, control, || TableSink::new(tables, options, slices.clone()))
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

/// Counts the distinct leaves of a tree `depth` plies deep by walking all of it, on the current rayon pool. If a set
/// for `room` positions does not fit into the memory, walks the tree once for each part of the positions.
///
/// **Errors**: a set for 1/4096 of the positions does not fit into the memory.
pub fn leaves(
    board: &Board,
    depth: u32,
    room: u64,
    options: &UniqueOptions<'_>,
    control: &Control,
) -> Result<BruteForce, UniqueError> {
    let pass = fitting((room, depth), options)?;
    let (mut sum, mut done) = (Summary::EMPTY, 0);
    while done < SLICES {
        let slices = done..(done + pass).min(SLICES);
        done = slices.end;
        match leaves_of((board, depth), slices, room, options, control)? {
            BruteForce::Counted(found) => sum = sum.and(found),
            other => return Ok(other),
        }
    }
    Ok(BruteForce::Counted(sum))
}

/// Returns the number of positions to make room for in some slices, if all slices hold `room` positions. Includes a
/// margin for chance.
fn room_of(slices: u32, room: u64) -> usize {
    let share = room as f64 * f64::from(slices) / f64::from(SLICES);
    ((share + 8.0 * share.sqrt() + 64.0) as usize).min(room as usize)
}

/// Returns how many slices fit into the memory at once.
fn fitting((room, depth): (u64, u32), options: &UniqueOptions<'_>) -> Result<u32, UniqueError> {
    let bytes = |slices: u32| match options.by {
        By::Position => Set::<POSITION>::bytes_for(room_of(slices, room)),
        By::Key { .. } => Set::<KEY>::bytes_for(room_of(slices, room)),
    };
    let slices = (0..=MAX_PASSES).map(|halvings| SLICES >> halvings).find(|&slices| bytes(slices) <= options.memory);
    slices.ok_or_else(|| UniqueError::Memory {
        ply: depth,
        found: options.memory,
        expected: bytes(SLICES >> MAX_PASSES),
    })
}

/// Binary logarithm of the maximum number of walks through the tree.
const MAX_PASSES: u32 = 12;

/// Counts the distinct leaves that fall into some slices.
fn leaves_of(
    (board, depth): (&Board, u32),
    slices: Range<u32>,
    room: u64,
    options: &UniqueOptions<'_>,
    control: &Control,
) -> Result<BruteForce, UniqueError> {
    let (room, mut tables) = (room_of(slices.end - slices.start, room), Tables::default());
    match options.by {
        By::Position => tables.positions = Some(Set::new(room)?),
        By::Key { .. } => tables.keys = Some(Set::new(room)?),
    }
    let walk = LeafWalk { board, depth, tables: &tables, slices, options, control };
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
    let positions = tables.positions.map(|set| Summary::new(&set.into_parts()));
    let keys = tables.keys.map(|set| Summary::new(&set.into_parts()));
    Ok(BruteForce::Counted(positions.or(keys).unwrap_or(Summary::EMPTY)))
}
