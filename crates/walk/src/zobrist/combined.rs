//! Several keys at once: a key of two halves, a list of keys over flat tables.

use super::tracker::{TableTracker, Tracker};
use super::{Castling, Key, KeyBatch, KeyTable, KeyTables, MOST_LANES, Targets, WrongKey};
use crate::chess::{Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Square};
use arrayvec::ArrayVec;
use std::iter::once;

/// Passes each edit on to every part. The parts are iterators.
macro_rules! each_part {
    ($tracker:ident => $($parts:expr),+) => {
        each_part!(@one $tracker [$($parts),+] restart, (board: &Board), (board));
        each_part!(@one $tracker [$($parts),+] relocate, (code: Code, from: Square, to: Square), (code, from, to));
        each_part!(@one $tracker [$($parts),+] remove, (code: Code, square: Square), (code, square));
        each_part!(@one $tracker [$($parts),+] place, (code: Code, square: Square), (code, square));
        each_part!(@one $tracker [$($parts),+] castling, (old: CastlingRights, new: CastlingRights), (old, new));
        each_part!(@one $tracker [$($parts),+] en_passant, (old: EnPassant, new: EnPassant), (old, new));
        each_part!(@one $tracker [$($parts),+] side, (now: Color), (now));
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
pub struct TwoHalfTracker<T> {
    low: T,
    high: T,
    /// First bit of the upper lane.
    shift: u32,
}

impl<T> TwoHalfTracker<T> {
    /// Makes a key whose upper lane starts at bit `shift`.
    pub(super) fn new(low: T, high: T, shift: u32) -> TwoHalfTracker<T> {
        TwoHalfTracker { low, high, shift }
    }
}

#[allow(private_interfaces)]
impl<T: Tracker> Tracker for TwoHalfTracker<T> {
    type Mark = (T::Mark, T::Mark);
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    each_part!(wide => once(&mut wide.low), once(&mut wide.high));

    #[inline(always)]
    fn lanes(&self) -> usize {
        self.low.lanes() + self.high.lanes()
    }
    #[inline(always)]
    fn reads_sets(&self) -> bool {
        self.low.reads_sets()
    }

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
        self.low.expect(board, at, &mut targets[..self.low.lanes()]);
        self.high.expect(board, at, &mut targets[self.low.lanes()..]);
    }
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>) {
        self.low.join(batch);
        self.high.join(batch);
    }
}

/// The lanes of a [`ListTracker`], those of the position's key first. A lane that is off keeps its place.
#[derive(Clone, Debug)]
pub struct TrackedKeys<'w> {
    lanes: ArrayVec<Option<TableTracker<'w>>, MOST_LANES>,
    /// Number of lanes of the position's key.
    own: usize,
    /// First bit of the upper lane of the position's key.
    shift: u32,
}

impl<'w> TrackedKeys<'w> {
    /// Makes a list without keys.
    pub fn none() -> TrackedKeys<'w> {
        TrackedKeys { lanes: ArrayVec::new(), own: 0, shift: 64 }
    }

    /// Makes a list of the lanes of a scheme's key.
    pub fn of(tables: &'w KeyTables, castling: Castling) -> TrackedKeys<'w> {
        let lanes = tables.lanes.iter().map(|table| Some(TableTracker::new(table, castling)));
        TrackedKeys { lanes: lanes.collect(), own: tables.lanes.len(), shift: tables.shift }
    }

    /// Number of lanes of the position's key.
    pub fn own(&self) -> usize {
        self.own
    }

    /// Adds a key that is kept beside the position's, or its place.
    pub fn push(&mut self, table: Option<&'w KeyTable>, castling: Castling) {
        self.lanes.push(table.map(|table| TableTracker::new(table, castling)));
    }
}

/// Keys over flat tables, as many as there are at run time: one function serves wide keys, secondary keys and all presets
/// at once, where speed matters less than the code that a type for each combination would take.
#[derive(Clone, Copy, Debug)]
pub struct ListTracker<'w> {
    lanes: &'w TrackedKeys<'w>,
    keys: [u64; MOST_LANES],
}

impl<'w> ListTracker<'w> {
    /// Makes a tracker of these lanes.
    pub fn new(lanes: &'w TrackedKeys<'w>) -> Self {
        ListTracker { lanes, keys: [0; MOST_LANES] }
    }

    /// Iterates over the lanes that are on, each with its number.
    #[inline(always)]
    fn kept(&self) -> impl Iterator<Item = (usize, TableTracker<'w>)> + use<'w> {
        let (lanes, keys) = (self.lanes, self.keys);
        let kept =
            move |(number, lane): (usize, &Option<TableTracker<'w>>)| Some((number, lane.as_ref()?.with(keys[number])));
        lanes.lanes.iter().enumerate().filter_map(kept)
    }

    fn own_key(&self, of: impl Fn(&TableTracker<'w>) -> Option<Key>) -> Option<Key> {
        let own = self.kept().take(self.lanes.own);
        own.fold(None, |key, (number, lane)| {
            let bits = of(&lane)?.0 << (self.lanes.shift * number as u32);
            Some(Key(key.map_or(0, |key: Key| key.0) | bits))
        })
    }
}

/// Passes each edit on to every lane that is on.
macro_rules! each_lane {
    ($($edit:ident($($name:ident: $type:ty),*))*) => {
        $(#[inline(always)]
        fn $edit(&mut self, $($name: $type),*) {
            for (lane, key) in self.lanes.lanes.iter().zip(&mut self.keys) {
                if let Some(lane) = lane {
                    let mut lane = lane.with(*key);
                    lane.$edit($($name),*);
                    *key = lane.mark();
                }
            }
        })*
    };
}

#[allow(private_interfaces)]
impl Tracker for ListTracker<'_> {
    type Mark = [u64; MOST_LANES];

    each_lane! {
        restart(board: &Board)
        relocate(code: Code, from: Square, to: Square)
        remove(code: Code, square: Square)
        place(code: Code, square: Square)
        castling(old: CastlingRights, new: CastlingRights)
        en_passant(old: EnPassant, new: EnPassant)
        side(now: Color)
    }

    #[inline(always)]
    fn lanes(&self) -> usize {
        self.lanes.lanes.len()
    }
    #[inline(always)]
    fn reads_sets(&self) -> bool {
        self.lanes.lanes.iter().flatten().any(TableTracker::reads_sets)
    }
    #[inline(always)]
    fn policy(&self) -> EnPassantPolicy {
        self.lanes.lanes.first().and_then(Option::as_ref).map_or(EnPassantPolicy::Legal, TableTracker::policy)
    }
    #[inline(always)]
    fn mark(&self) -> Self::Mark {
        self.keys
    }
    #[inline(always)]
    fn restore(&mut self, mark: Self::Mark) {
        self.keys = mark;
    }
    #[inline(always)]
    fn same(&self, other: &Self) -> bool {
        self.kept().zip(other.kept()).all(|((_, lane), (_, other))| lane.same(&other))
    }
    fn key(&self) -> Option<Key> {
        self.own_key(|lane| lane.key())
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        self.own_key(|lane| lane.recompute(board))
    }
    fn wrong(&self, board: &Board) -> Option<WrongKey> {
        let own = self.key().zip(self.recompute(board)).filter(|(found, expected)| found != expected);
        let own = own.map(|(found, expected)| WrongKey { lane: 0, expected, found });
        let mut others = self.kept().skip_while(|(number, _)| *number < self.lanes.own);
        own.or_else(|| others.find_map(|(number, lane)| Some(WrongKey { lane: number, ..lane.wrong(board)? })))
    }
    #[inline(always)]
    fn expect(&self, board: &Board, at: usize, targets: &mut [Targets]) {
        for (number, lane) in self.kept() {
            lane.expect(board, at, &mut targets[number..]);
        }
    }
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>) {
        for lane in &self.lanes.lanes {
            match lane {
                Some(lane) => lane.join(batch),
                None => batch.add(None),
            }
        }
    }
}
