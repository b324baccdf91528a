//! Expansion of a frontier: the children of its positions, on all workers.

use super::frontier::{Chunk, Frontier, KEY, NARROW_KEY, POSITION, entry_of, position_of};
use super::{By, Options};
use crate::set::{Entry, Refused, Set, Writer, slice_of};
use perft_gate_simd::{Kernel, Level, Token};
use perft_gate_walk::chess::{EnPassantPolicy, Packed};
use perft_gate_walk::walk::{Control, Game};
use perft_gate_walk::zobrist::{Key, SchemeVisitor, Tracker};
use perft_gate_walk::{ChildKeys, Position};
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
        if let Some(key) = position.key() {
            self.put_keys(&[key], count)?;
        }
        if let Some(writer) = &mut self.diagrams {
            put(writer, &entry_of(level, Packed::diagram_of(board)), count, &self.slices)?;
        }
        Ok(())
    }

    /// Adds keys of positions that are each reached `count` times.
    #[inline(always)]
    fn put_keys(&mut self, keys: &[Key], count: u128) -> Result<(), Refused> {
        if let Some(writer) = &mut self.narrow_keys {
            writer.insert_all(keys.iter().map(|key| kept(*key)), &self.slices, count)?;
        }
        if let Some(writer) = &mut self.keys {
            let widened = |[low, middle, high]: Entry<NARROW_KEY>| [low, middle, high, 0];
            writer.insert_all(keys.iter().map(|key| widened(kept(*key))), &self.slices, count)?;
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

/// Returns the part of a key that is kept.
#[inline(always)]
fn kept(Key(key): Key) -> Entry<NARROW_KEY> {
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

/// Kernel over the children of a chunk, of which only the keys are wanted.
struct KeysOfChildren<'c, 't, T> {
    chunk: &'c Chunk<'c>,
    tracker: T,
    sink: &'c mut Sink<'t>,
}

impl<T: Tracker> Kernel for KeysOfChildren<'_, '_, T> {
    type Output = Result<(), Refused>;
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Self::Output {
        let mut keys = ChildKeys::new();
        for (entry, count) in self.chunk.entries() {
            let position = Position::new(position_of(level, entry).board(), self.tracker);
            position.child_keys(level, &mut keys);
            self.sink.put_keys(&keys, count)?;
            keys.clear();
        }
        Ok(())
    }
}

/// Expansion of a whole frontier.
struct Expansion<'e> {
    frontier: &'e Frontier,
    tables: &'e Tables,
    slices: Range<u32>,
    options: &'e Options<'e>,
    control: &'e Control,
}

impl<'e> Expansion<'e> {
    /// Calls `expand` for every chunk, on all workers.
    fn each_chunk(
        self,
        expand: impl Fn(&Chunk<'_>, &mut Sink<'e>) -> Result<(), Refused> + Sync,
    ) -> Result<(), Refused> {
        let (chunks, next) = (self.frontier.chunks(), AtomicUsize::new(0));
        let (over, refused) = (AtomicBool::new(false), Mutex::new(Ok(())));
        rayon::broadcast(|_| {
            let mut sink = Sink::new(self.tables, self.options, self.slices.clone());
            let mut work = || {
                while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if over.load(Ordering::Relaxed) || self.control.stop.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    expand(chunk, &mut sink)?;
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

/// Expansion by boards, before the tracker is chosen.
struct ByBoards<'e>(Expansion<'e>);

impl SchemeVisitor for ByBoards<'_> {
    type Output = Result<(), Refused>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let level = self.0.options.level;
        self.0.each_chunk(|chunk, sink| level.dispatch(Children { chunk, tracker, sink }))
    }
}

/// Expansion by keys alone, before the tracker is chosen.
struct ByKeys<'e>(Expansion<'e>);

impl SchemeVisitor for ByKeys<'_> {
    type Output = Result<(), Refused>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let level = self.0.options.level;
        self.0.each_chunk(|chunk, sink| level.dispatch(KeysOfChildren { chunk, tracker, sink }))
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
        By::Position => ByBoards(expansion).visit(()),
        By::Key { scheme, seed } if options.diagrams => scheme.visit_dynamic(seed, ByBoards(expansion)),
        By::Key { scheme, seed } => scheme.visit_fast(options.level, seed, ByKeys(expansion)),
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
