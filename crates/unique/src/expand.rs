//! Expansion of a frontier: the children of its positions, on all workers.

use super::frontier::{KEY, NARROW_KEY, POSITION, entry_of};
use super::store::{Positions, Store};
use super::{By, Options, UniqueError};
use crate::set::{Entry, Refused, Set, Writer, slice_of};
use perft_gate_simd::{Kernel, Token};
use perft_gate_walk::chess::{EnPassantPolicy, Packed};
use perft_gate_walk::walk::{Control, Game};
use perft_gate_walk::zobrist::{Key, SchemeVisitor, Tracker};
use perft_gate_walk::{ChildKeys, Position};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
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

/// Kernel over the children of positions; returns how many there are.
struct Children<'c, 't, T> {
    positions: Positions<'c>,
    tracker: T,
    sink: &'c mut Sink<'t>,
}

impl<T: Tracker> Kernel for Children<'_, '_, T> {
    type Output = Result<u64, Refused>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Self::Output {
        let mut children = 0;
        for (dense, count) in self.positions.iter() {
            let mut position = Position::new(Packed::of_dense(level, dense).board(), self.tracker);
            let mut moves = <Position<T> as Game>::Moves::default();
            position.moves(level, &mut moves);
            children += moves.len() as u64;
            let prepared = position.prepare();
            for &mv in moves.iter() {
                // Starts from the prepared copy: the previous move need not be unmade.
                let _ = position.make(level, &prepared, mv);
                self.sink.put(level, &position, count)?;
            }
        }
        Ok(children)
    }
}

/// Kernel over the children of positions, of which only the keys are wanted; returns how many there are.
struct KeysOfChildren<'c, 't, T> {
    positions: Positions<'c>,
    tracker: T,
    sink: &'c mut Sink<'t>,
}

impl<T: Tracker> Kernel for KeysOfChildren<'_, '_, T> {
    type Output = Result<u64, Refused>;
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Self::Output {
        let (mut keys, mut children) = (ChildKeys::new(), 0);
        for (dense, count) in self.positions.iter() {
            let position = Position::new(Packed::of_dense(level, dense).board(), self.tracker);
            position.child_keys(level, &mut keys);
            children += keys.len() as u64;
            self.sink.put_keys(&keys, count)?;
            keys.clear();
        }
        Ok(children)
    }
}

/// Reason why an expansion ended early.
#[derive(Debug)]
pub(super) enum Ended {
    /// A table refused a child.
    Refused(Refused),
    /// The positions could not be read.
    Failed(UniqueError),
}

impl From<Refused> for Ended {
    fn from(refused: Refused) -> Ended {
        Ended::Refused(refused)
    }
}

/// Expansion of a whole ply.
struct Expansion<'e, S> {
    kept: &'e S,
    tables: &'e Tables,
    slices: Range<u32>,
    options: &'e Options<'e>,
    control: &'e Control,
}

impl<'e, S: Store> Expansion<'e, S> {
    /// Calls `expand` for every piece, on all workers; returns the sum of its results.
    fn each_piece(
        self,
        expand: impl Fn(Positions<'_>, &mut Sink<'e>) -> Result<u64, Refused> + Sync,
    ) -> Result<u64, Ended> {
        let (pieces, next) = (self.kept.pieces(), AtomicUsize::new(0));
        let (over, ended, children) = (AtomicBool::new(false), Mutex::new(None), AtomicU64::new(0));
        rayon::broadcast(|_| {
            let mut sink = Sink::new(self.tables, self.options, self.slices.clone());
            let mut buffer = S::Buffer::default();
            let mut work = || {
                loop {
                    let piece = next.fetch_add(1, Ordering::Relaxed);
                    if piece >= pieces {
                        return Ok(sink.finish()?);
                    }
                    if over.load(Ordering::Relaxed) || self.control.stop.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    let positions = self.kept.piece(piece, &mut buffer).map_err(Ended::Failed)?;
                    children.fetch_add(expand(positions, &mut sink)?, Ordering::Relaxed);
                    self.control.advance(1);
                }
            };
            if let Err(reason) = work() {
                over.store(true, Ordering::Relaxed);
                *ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
            }
        });
        ended.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(children.into_inner()), Err)
    }
}

/// Expansion by boards, before the tracker is chosen.
struct ByBoards<'e, S>(Expansion<'e, S>);

impl<S: Store> SchemeVisitor for ByBoards<'_, S> {
    type Output = Result<u64, Ended>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let level = self.0.options.level;
        self.0.each_piece(|positions, sink| level.dispatch(Children { positions, tracker, sink }))
    }
}

/// Expansion by keys alone, before the tracker is chosen.
struct ByKeys<'e, S>(Expansion<'e, S>);

impl<S: Store> SchemeVisitor for ByKeys<'_, S> {
    type Output = Result<u64, Ended>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let level = self.0.options.level;
        self.0.each_piece(|positions, sink| level.dispatch(KeysOfChildren { positions, tracker, sink }))
    }
}

/// Adds those children of a ply that fall into some slices to the tables; returns how many children there are in all
/// slices. After a stop the tables are incomplete.
///
/// **Errors**: a table was full, or positions could not be read.
pub(super) fn expand<S: Store>(
    kept: &S,
    tables: &Tables,
    slices: Range<u32>,
    by: By<'_>,
    options: &Options<'_>,
    control: &Control,
) -> Result<u64, Ended> {
    let expansion = Expansion { kept, tables, slices, options, control };
    match by {
        By::Position => ByBoards(expansion).visit(()),
        By::Key { scheme, seed } if options.diagrams => scheme.visit_dynamic(seed, ByBoards(expansion)),
        By::Key { scheme, seed } => scheme.visit_fast(options.level, seed, ByKeys(expansion)),
    }
}

/// Number of legal moves of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct MoveSum {
    pub(crate) moves: u64,
    /// Their sum weighted by multiplicity, which is perft of the next ply; `None` if it reaches 2^128.
    pub(crate) weighted: Option<u128>,
}

impl MoveSum {
    pub(crate) const ZERO: MoveSum = MoveSum { moves: 0, weighted: Some(0) };

    pub(crate) fn and(self, other: MoveSum) -> MoveSum {
        let weighted = self.weighted.zip(other.weighted).and_then(|(a, b)| a.checked_add(b));
        MoveSum { moves: self.moves + other.moves, weighted }
    }
}

/// Kernel that counts the legal moves of positions.
pub(crate) struct Moves<'p>(pub(crate) Positions<'p>);

impl Kernel for Moves<'_> {
    type Output = MoveSum;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Self::Output {
        let mut sum = MoveSum::ZERO;
        for (dense, count) in self.0.iter() {
            let moves = Position::new(Packed::of_dense(level, dense).board(), ()).count_moves(level);
            sum = sum.and(MoveSum { moves, weighted: count.checked_mul(moves.into()) });
        }
        sum
    }
}
