//! Several keys at once: a key of two lanes, a pair of trackers, a tracker that may be switched off.

use super::tracker::Tracker;
use super::{Batch, Key, Targets, WrongKey};
use crate::chess::{Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Square};
use std::iter::once;

/// The edits, each told to every part: the parts are iterators, since a pair's differ in type.
macro_rules! tell {
    ($tracker:ident => $($parts:expr),+) => {
        tell!(@one $tracker [$($parts),+] restart, (board: &Board), (board));
        tell!(@one $tracker [$($parts),+] relocate, (code: Code, from: Square, to: Square), (code, from, to));
        tell!(@one $tracker [$($parts),+] remove, (code: Code, square: Square), (code, square));
        tell!(@one $tracker [$($parts),+] place, (code: Code, square: Square), (code, square));
        tell!(@one $tracker [$($parts),+] castling, (old: CastlingRights, new: CastlingRights), (old, new));
        tell!(@one $tracker [$($parts),+] en_passant, (old: EnPassant, new: EnPassant), (old, new));
        tell!(@one $tracker [$($parts),+] side, (now: Color), (now));
    };
    (@one $tracker:ident [$($parts:expr),+] $edit:ident, ($($parameter:tt)+), $arguments:tt) => {
        #[inline(always)]
        fn $edit(&mut self, $($parameter)+) {
            let $tracker = self;
            $(for part in $parts {
                part.$edit $arguments;
            })+
        }
    };
}

/// A key of two lanes that were drawn independently of each other.
#[derive(Clone, Copy, Debug)]
pub struct Wide<T> {
    low: T,
    high: T,
    /// Bits of the lower lane.
    shift: u32,
}

impl<T> Wide<T> {
    /// A key whose upper lane starts at bit `shift`.
    pub(super) fn new(low: T, high: T, shift: u32) -> Wide<T> {
        Wide { low, high, shift }
    }
}

#[allow(private_interfaces)]
impl<T: Tracker> Tracker for Wide<T> {
    type Mark = (T::Mark, T::Mark);
    const LANES: usize = 2 * T::LANES;
    const SETS: bool = T::SETS;
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    tell!(wide => once(&mut wide.low), once(&mut wide.high));

    #[inline(always)]
    fn policy(&self) -> EnPassantPolicy {
        self.low.policy()
    }
    #[inline(always)]
    fn mark(&self) -> Self::Mark {
        (self.low.mark(), self.high.mark())
    }
    #[inline(always)]
    fn restore(&mut self, (low, high): Self::Mark) {
        self.low.restore(low);
        self.high.restore(high);
    }
    #[inline(always)]
    fn same(&self, other: &Self) -> bool {
        self.low.same(&other.low) && self.high.same(&other.high)
    }
    #[inline(always)]
    fn key(&self) -> Option<Key> {
        Some(Key(self.low.key()?.0 | self.high.key()?.0 << self.shift))
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        Some(Key(self.low.recompute(board)?.0 | self.high.recompute(board)?.0 << self.shift))
    }
    #[inline(always)]
    fn expect(&self, board: &Board, at: usize, targets: &mut [Targets]) {
        self.low.expect(board, at, &mut targets[..T::LANES]);
        self.high.expect(board, at, &mut targets[T::LANES..]);
    }
    fn join<'a>(&'a self, batch: &mut Batch<'a>) {
        self.low.join(batch);
        self.high.join(batch);
    }
}

#[allow(private_interfaces)]
impl<A: Tracker, B: Tracker> Tracker for (A, B) {
    type Mark = (A::Mark, B::Mark);
    const LANES: usize = A::LANES + B::LANES;
    const SETS: bool = A::SETS || B::SETS;
    const COMMON_ONLY: bool = A::COMMON_ONLY || B::COMMON_ONLY;

    tell!(pair => once(&mut pair.0), once(&mut pair.1));

    #[inline(always)]
    fn policy(&self) -> EnPassantPolicy {
        self.0.policy()
    }
    #[inline(always)]
    fn mark(&self) -> Self::Mark {
        (self.0.mark(), self.1.mark())
    }
    #[inline(always)]
    fn restore(&mut self, (first, second): Self::Mark) {
        self.0.restore(first);
        self.1.restore(second);
    }
    #[inline(always)]
    fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0) && self.1.same(&other.1)
    }
    #[inline(always)]
    fn key(&self) -> Option<Key> {
        self.0.key()
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        self.0.recompute(board)
    }
    fn wrong(&self, board: &Board) -> Option<WrongKey> {
        let second = || self.1.wrong(board).map(|wrong| WrongKey { lane: wrong.lane + A::LANES, ..wrong });
        self.0.wrong(board).or_else(second)
    }
    #[inline(always)]
    fn expect(&self, board: &Board, at: usize, targets: &mut [Targets]) {
        self.0.expect(board, at, &mut targets[..A::LANES]);
        self.1.expect(board, at, &mut targets[A::LANES..]);
    }
    fn join<'a>(&'a self, batch: &mut Batch<'a>) {
        self.0.join(batch);
        self.1.join(batch);
    }
}

/// A key that may not be wanted; its lanes stay where they are.
#[allow(private_interfaces)]
impl<T: Tracker> Tracker for Option<T> {
    type Mark = Option<T::Mark>;
    const LANES: usize = T::LANES;
    const SETS: bool = T::SETS;
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    tell!(tracker => tracker.iter_mut());

    #[inline(always)]
    fn policy(&self) -> EnPassantPolicy {
        self.as_ref().map_or(EnPassantPolicy::Legal, T::policy)
    }
    #[inline(always)]
    fn mark(&self) -> Self::Mark {
        self.as_ref().map(T::mark)
    }
    #[inline(always)]
    fn restore(&mut self, mark: Self::Mark) {
        if let (Some(tracker), Some(mark)) = (self, mark) {
            tracker.restore(mark);
        }
    }
    #[inline(always)]
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(tracker), Some(other)) => tracker.same(other),
            (None, None) => true,
            _ => false,
        }
    }
    #[inline(always)]
    fn key(&self) -> Option<Key> {
        self.as_ref()?.key()
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        self.as_ref()?.recompute(board)
    }
    #[inline(always)]
    fn expect(&self, board: &Board, at: usize, targets: &mut [Targets]) {
        if let Some(tracker) = self {
            tracker.expect(board, at, targets);
        }
    }
    fn join<'a>(&'a self, batch: &mut Batch<'a>) {
        match self {
            Some(tracker) => tracker.join(batch),
            None => (0..T::LANES).for_each(|_| batch.add(None)),
        }
    }
}
