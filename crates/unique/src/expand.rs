//! Expansion of a frontier: makes the children of its positions, on all workers.

use crate::entries::Positions;
use crate::error::UniqueError;
use crate::exchange::{Exchange, Sent};
use crate::options::{By, UniqueOptions};
use crate::set::Full;
use crate::sink::{PutPosition, TableSink, Tables};
use crate::store::Store;
use perft_gate_chess::Packed;
use perft_gate_simd::{Token, kernel};
use perft_gate_walk::{ChildKeys, Control, Game, Position};
use perft_gate_zobrist::{SchemeVisitor, Tracker};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Kernel that puts the children of positions into the sink and returns the number of children.
#[kernel]
pub(super) fn put_children<L: Token, T: Tracker, S: PutPosition>(
    level: L,
    positions: Positions<'_>,
    tracker: T,
    sink: &mut S,
) -> Result<u64, Full> {
    let mut children = 0;
    for (dense, count) in positions {
        let mut position = Position::new(Packed::of_dense(level, dense).board(), tracker);
        let mut moves = <Position<T> as Game>::Moves::default();
        position.moves(level, &mut moves);
        children += moves.len() as u64;
        let prepared = position.prepare();
        for &mv in moves.iter() {
            // The move is made from the prepared copy, so the previous move need not be unmade.
            let _ = position.make(level, &prepared, mv);
            sink.put(level, &position, count)?;
        }
    }
    Ok(children)
}

/// Kernel that puts only the keys of the children into the sink and returns the number of children.
#[kernel(common_only = T::COMMON_ONLY)]
fn put_child_keys<L: Token, T: Tracker>(
    level: L,
    positions: Positions<'_>,
    tracker: T,
    sink: &mut TableSink<'_>,
) -> Result<u64, Full> {
    let (mut keys, mut children) = (ChildKeys::new(), 0);
    for (dense, count) in positions {
        let position = Position::new(Packed::of_dense(level, dense).board(), tracker);
        position.child_keys(level, &mut keys);
        children += keys.len() as u64;
        sink.put_keys(&keys, count)?;
        keys.clear();
    }
    Ok(children)
}

/// Reason why an expansion ended early.
#[derive(Debug)]
pub(super) enum ExpandError {
    /// A table had no room for a child.
    Full,
    /// The positions could not be read.
    Fatal(UniqueError),
}

impl From<Full> for ExpandError {
    fn from(Full: Full) -> ExpandError {
        ExpandError::Full
    }
}

/// Totals of one expansion in this process.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Expanded {
    /// Number of children made.
    pub(super) children: u64,
    /// Children sent to other processes.
    pub(super) sent: Sent,
    /// Number of rows received from other processes.
    pub(super) received: u64,
}

/// Puts the children of some positions into a sink and returns the number of children.
type ExpandPiece<'f, 'e> = dyn Fn(Positions<'_>, &mut TableSink<'e>) -> Result<u64, Full> + Sync + 'f;

/// Expansion of a whole ply: makes the children of all its positions.
struct Expansion<'e, S> {
    kept: &'e S,
    tables: &'e Tables,
    slices: Range<u32>,
    options: &'e UniqueOptions<'e>,
    control: &'e Control,
}

impl<'e, S: Store> Expansion<'e, S> {
    /// Calls `expand` for every piece of `kept`, on all workers. `expand` is a pointer, so this function is compiled
    /// once.
    fn each_piece(self, expand: &ExpandPiece<'_, 'e>) -> Result<Expanded, ExpandError> {
        let (pieces, next) = (self.kept.pieces(), AtomicUsize::new(0));
        let (over, ended, all) = (AtomicBool::new(false), Mutex::new(None), Mutex::new(Expanded::default()));
        let link = self.options.exchange;
        let stopped = || self.control.is_stopped();
        let is_over = || over.load(Ordering::Relaxed) || stopped() || link.is_some_and(|link| link.is_abandoned());
        let expanding = AtomicUsize::new(rayon::current_num_threads());
        rayon::broadcast(|_| {
            let mut sink = TableSink::new(self.tables, self.options, self.slices.clone());
            let (mut buffer, mut children) = (S::Buffer::default(), 0);
            let mut work = || -> Result<(), ExpandError> {
                loop {
                    let piece = next.fetch_add(1, Ordering::Relaxed);
                    if is_over() {
                        return Ok(());
                    }
                    if piece >= pieces {
                        return Ok(sink.send_all()?);
                    }
                    let positions = self.kept.piece(piece, &mut buffer).map_err(ExpandError::Fatal)?;
                    children += expand(positions, &mut sink)?;
                    while sink.receive()? {}
                    self.control.advance(1);
                }
            };
            let mut result = work();
            if let (Some(link), false) = (link, matches!(result, Err(ExpandError::Fatal(_)))) {
                let is_last = expanding.fetch_sub(1, Ordering::AcqRel) == 1;
                let received = self.receive_all(link, &mut sink, is_last, result.is_err() || stopped());
                result = result.and(received.map_err(ExpandError::from));
            }
            if result.is_ok() && !is_over() {
                result = sink.finish().map_err(ExpandError::from);
            }
            if let Err(reason) = result {
                over.store(true, Ordering::Relaxed);
                link.inspect(|link| link.abandon_pass());
                *ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
            }
            let (sent, received) = sink.traffic();
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            (all.children, all.sent) = (all.children + children, all.sent.and(sent));
            all.received += received;
        });
        let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        ended.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(all), Err)
    }

    /// Receives children until no process sends more. The last worker to finish sending announces the end to the other
    /// processes.
    fn receive_all(
        &self,
        link: &dyn Exchange,
        sink: &mut TableSink<'_>,
        is_last: bool,
        gave_up: bool,
    ) -> Result<(), Full> {
        if gave_up {
            link.abandon_pass();
        }
        if is_last {
            link.close_pass();
        }
        let mut result = Ok(());
        while !link.is_over() {
            // Even a failed pass receives all its rows, so that none of them arrives during the next pass.
            let is_idle = match result {
                Ok(()) if !link.is_abandoned() => match sink.receive() {
                    Ok(is_any) => !is_any,
                    Err(Full) => {
                        result = Err(Full);
                        link.abandon_pass();
                        false
                    }
                },
                _ => !link.take(&mut |_| {}),
            };
            if self.control.is_stopped() {
                link.abandon_pass();
            }
            if is_idle {
                link.wait();
            }
        }
        result
    }
}

/// An expansion whose tracker is not chosen yet. With `KEYS_ALONE`, it makes only the keys of the children.
struct Untracked<'e, S, const KEYS_ALONE: bool>(Expansion<'e, S>);

impl<S: Store, const KEYS_ALONE: bool> SchemeVisitor for Untracked<'_, S, KEYS_ALONE> {
    type Output = Result<Expanded, ExpandError>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let level = self.0.options.level;
        self.0.each_piece(&|positions, sink| match KEYS_ALONE {
            true => put_child_keys(level, positions, tracker, sink),
            false => put_children(level, positions, tracker, sink),
        })
    }
}

/// Adds the children in `slices` to the tables. Returns totals; the children of other slices are included in the number
/// of children. If the run was stopped, the tables are incomplete.
///
/// **Errors**: a table was full, or positions could not be read.
pub(super) fn expand<'e, S: Store>(
    kept: &'e S,
    tables: &'e Tables,
    slices: Range<u32>,
    by: By<'_>,
    options: &'e UniqueOptions<'e>,
    control: &'e Control,
) -> Result<Expanded, ExpandError> {
    let expansion = Expansion { kept, tables, slices, options, control };
    match by {
        By::Position => Untracked::<_, false>(expansion).visit(()),
        // Diagrams are rarely counted, so this case is compiled only with the tracker that fits any scheme.
        By::Key { scheme, seed } if options.diagrams => {
            scheme.visit_several(seed, &[], Untracked::<_, false>(expansion))
        }
        // Unit tests that count whole plies use the library built without `cfg(test)`. Here, one tracker is enough.
        #[cfg(test)]
        By::Key { scheme, seed } => scheme.visit_several(seed, &[], Untracked::<_, true>(expansion)),
        #[cfg(not(test))]
        By::Key { scheme, seed } => scheme.visit_fast(options.level, seed, Untracked::<_, true>(expansion)),
    }
}
