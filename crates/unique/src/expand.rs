//! Expansion of a frontier: the children of its positions, on all workers.

use super::frontier::{Chunk, Frontier, KEY, NARROW_KEY, POSITION, entry_of, position_of};
use super::{By, Options};
use crate::set::{Entry, Refused, Set, Writer, slice_of};
use perft_gate_simd::{Kernel, Level, Token};
use perft_gate_walk::Position;
use perft_gate_walk::chess::{EnPassantPolicy, Packed};
use perft_gate_walk::walk::{Control, Game};
use perft_gate_walk::zobrist::{SchemeVisitor, Tracker};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Tables that take a ply's children.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) positions: Option<Set<POSITION>>,
    pub(super) keys: Option<Set<KEY>>,
    pub(super) narrow_keys: Option<Set<NARROW_KEY>>,
    pub(super) diagrams: Option<Set<POSITION>>,
}

/// One worker's access to the tables, and the slices it takes.
pub(super) struct Sink<'t> {
    positions: Option<Writer<'t, POSITION>>,
    keys: Option<Writer<'t, KEY>>,
    narrow_keys: Option<Writer<'t, NARROW_KEY>>,
    diagrams: Option<Writer<'t, POSITION>>,
    policy: EnPassantPolicy,
    /// Slices of each table's keys that are taken.
    slices: Range<u32>,
}

impl<'t> Sink<'t> {
    pub(super) fn new(tables: &'t Tables, options: &Options<'_>, slices: Range<u32>) -> Sink<'t> {
        let level = options.level;
        Sink {
            positions: tables.positions.as_ref().map(|set| set.writer(level)),
            keys: tables.keys.as_ref().map(|set| set.writer(level)),
            narrow_keys: tables.narrow_keys.as_ref().map(|set| set.writer(level)),
            diagrams: tables.diagrams.as_ref().map(|set| set.writer(level)),
            policy: options.policy,
            slices,
        }
    }

    /// Adds a position that is reached `count` times.
    #[inline(always)]
    pub(super) fn put<L: Token, T: Tracker>(
        &mut self,
        level: L,
        position: &Position<T>,
        count: u128,
    ) -> Result<(), Refused> {
        let board = position.board();
        if let Some(writer) = &mut self.positions {
            put(writer, &entry_of(level, Packed::of(board, self.policy)), count, &self.slices)?;
        }
        if let Some(writer) = &mut self.narrow_keys {
            put(writer, &key_of(position), count, &self.slices)?;
        }
        if let Some(writer) = &mut self.keys {
            let [low, middle, high] = key_of(position);
            put(writer, &[low, middle, high, 0], count, &self.slices)?;
        }
        if let Some(writer) = &mut self.diagrams {
            put(writer, &entry_of(level, Packed::diagram_of(board)), count, &self.slices)?;
        }
        Ok(())
    }

    /// Adds the positions that are still waiting.
    pub(super) fn finish(&mut self) -> Result<(), Refused> {
        self.positions.as_mut().map_or(Ok(()), Writer::finish)?;
        self.keys.as_mut().map_or(Ok(()), Writer::finish)?;
        self.narrow_keys.as_mut().map_or(Ok(()), Writer::finish)?;
        self.diagrams.as_mut().map_or(Ok(()), Writer::finish)
    }
}

/// Returns the part of a position's key that is kept.
#[inline(always)]
fn key_of<T: Tracker>(position: &Position<T>) -> Entry<NARROW_KEY> {
    let key = position.key().expect("a tracker with a key").0;
    [key as u32, (key >> 32) as u32, (key >> 64) as u32]
}

#[inline(always)]
fn put<const N: usize>(
    writer: &mut Writer<'_, N>,
    entry: &Entry<N>,
    count: u128,
    slices: &Range<u32>,
) -> Result<(), Refused> {
    if slices.contains(&slice_of(entry)) { writer.insert(entry, count) } else { Ok(()) }
}

/// Kernel over the children of a chunk.
struct Children<'c, 't, T> {
    chunk: &'c Chunk<'c>,
    tracker: T,
    sink: &'c mut Sink<'t>,
}

impl<T: Tracker> Kernel for Children<'_, '_, T> {
    type Output = Result<(), Refused>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Self::Output {
        for (entry, count) in self.chunk.entries() {
            let mut position = Position::new(position_of(level, entry).board(), self.tracker);
            let mut moves = <Position<T> as Game>::Moves::default();
            position.moves(level, &mut moves);
            let prepared = position.prepare();
            for &mv in moves.iter() {
                // Starts from the prepared copy: the previous move need not be unmade.
                let _ = position.make(level, &prepared, mv);
                self.sink.put(level, &position, count)?;
            }
        }
        Ok(())
    }
}

/// Expansion of a whole frontier, before the tracker is chosen.
struct Expansion<'e> {
    frontier: &'e Frontier,
    tables: &'e Tables,
    slices: Range<u32>,
    options: &'e Options<'e>,
    control: &'e Control,
}

impl SchemeVisitor for Expansion<'_> {
    type Output = Result<(), Refused>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let (chunks, next) = (self.frontier.chunks(), AtomicUsize::new(0));
        let (over, refused) = (AtomicBool::new(false), Mutex::new(Ok(())));
        rayon::broadcast(|_| {
            let mut sink = Sink::new(self.tables, self.options, self.slices.clone());
            let mut work = || {
                while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if over.load(Ordering::Relaxed) || self.control.stop.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    self.options.level.dispatch(Children { chunk, tracker, sink: &mut sink })?;
                }
                sink.finish()
            };
            if let Err(reason) = work() {
                over.store(true, Ordering::Relaxed);
                *refused.lock().unwrap_or_else(PoisonError::into_inner) = Err(reason);
            }
        });
        refused.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds those children of a frontier that fall into some slices to the tables. After a stop the tables are incomplete.
///
/// **Errors**: a table was full.
pub(super) fn expand(
    frontier: &Frontier,
    tables: &Tables,
    slices: Range<u32>,
    by: By<'_>,
    options: &Options<'_>,
    control: &Control,
) -> Result<(), Refused> {
    let expansion = Expansion { frontier, tables, slices, options, control };
    match by {
        By::Position => expansion.visit(()),
        // The specialised trackers would add many copies of this code for little gain: memory takes most of the time.
        By::Key { scheme, seed } => scheme.visit_dynamic(seed, expansion),
    }
}

/// Returns the number of legal moves of all positions of a frontier, and their sum weighted by multiplicity, which is
/// perft of the next ply (`None` if it reaches 2^128).
pub(super) fn count_moves(frontier: &Frontier, level: Level) -> (u64, Option<u128>) {
    let count = |chunk: &Chunk<'_>| level.dispatch(Moves(chunk));
    let add =
        |a: (u64, Option<u128>), b: (u64, Option<u128>)| (a.0 + b.0, a.1.zip(b.1).and_then(|(a, b)| a.checked_add(b)));
    frontier.sum((0, Some(0)), count, add)
}

struct Moves<'c>(&'c Chunk<'c>);

impl Kernel for Moves<'_> {
    type Output = (u64, Option<u128>);

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Self::Output {
        let (mut moves, mut weighted) = (0, Some(0_u128));
        for (entry, count) in self.0.entries() {
            let legal = Position::new(position_of(level, entry).board(), ()).count_moves(level);
            moves += legal;
            weighted = weighted.zip(count.checked_mul(legal.into())).and_then(|(a, b)| a.checked_add(b));
        }
        (moves, weighted)
    }
}
