//! Several keys at once: a key with two halves, or a list of keys.

use crate::axes::Castling;
use crate::batch::{KeyBatch, MAX_PARTS, Targets};
use crate::key_table::{Key, KeyTable, KeyTables, WrongKey};
use crate::tracker::{TableTracker, Tracker, edits};
use arrayvec::ArrayVec;
use perft_gate_chess::{Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Square, State};
use perft_gate_simd::inline_all;

/// Passes each edit to both halves of the key.
macro_rules! each_half {
    ($($edit:ident($($name:ident: $type:ty),*))*) => {
        $(#[inline(always)]
        fn $edit(&mut self, $($name: $type),*) {
            self.low.$edit($($name),*);
            self.high.$edit($($name),*);
        })*
    };
}

/// A key of two independently drawn 64-bit parts.
#[derive(Clone, Copy, Debug)]
pub struct TwoHalfTracker<T> {
    pub(super) low: T,
    pub(super) high: T,
}

#[inline_all]
impl<T: Tracker> Tracker for TwoHalfTracker<T> {
    type Mark = (T::Mark, T::Mark);
    const COMMON_ONLY: bool = T::COMMON_ONLY;

    edits!(each_half);

    fn clock(&mut self, old: u16, new: u16) {
        self.low.clock(old, new);
        self.high.clock(old, new);
    }

    fn parts(&self) -> usize {
        self.low.parts() + self.high.parts()
    }

    fn policy(&self) -> EnPassantPolicy {
        self.low.policy()
    }
    fn mark(&self) -> Self::Mark {
        (self.low.mark(), self.high.mark())
    }
    fn restore(&mut self, (low, high): Self::Mark) {
        self.low.restore(low);
        self.high.restore(high);
    }
    fn opaque(&mut self) {
        self.low.opaque();
        self.high.opaque();
    }
    fn differing(&self, other: &Self) -> u64 {
        self.low.differing(&other.low) | self.high.differing(&other.high)
    }
    fn key(&self) -> Option<Key> {
        Some(Key(self.low.key()?.0 | self.high.key()?.0 << 64))
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        Some(Key(self.low.recompute(board)?.0 | self.high.recompute(board)?.0 << 64))
    }
    fn expect(&self, state: &State, at: usize, targets: &mut [Targets]) {
        self.low.expect(state, at, &mut targets[..self.low.parts()]);
        self.high.expect(state, at, &mut targets[self.low.parts()..]);
    }
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>) {
        self.low.join(batch);
        self.high.join(batch);
    }
}

/// The parts of a [`ListTracker`]. The parts of the position's key come first. A part that is switched off keeps its
/// place. The default has no parts.
#[derive(Clone, Default, Debug)]
pub struct TrackedKeys<'w> {
    parts: ArrayVec<Option<TableTracker<'w>>, MAX_PARTS>,
    /// Number of parts that belong to the position's key.
    own: usize,
    /// Number of the bit at which the upper part of the position's key begins.
    shift: u32,
    /// True if any part has keys for the halfmove clock.
    has_clock: bool,
}

impl<'w> TrackedKeys<'w> {
    /// Makes a list of the parts of a scheme's key.
    pub fn new(tables: &'w KeyTables, castling: Castling) -> TrackedKeys<'w> {
        let parts = tables.parts.iter().map(|table| Some(TableTracker::new(table, castling)));
        TrackedKeys {
            parts: parts.collect(),
            own: tables.parts.len(),
            shift: tables.shift,
            has_clock: tables.have_clock(),
        }
    }

    /// Returns the number of parts that belong to the position's key.
    pub fn own(&self) -> usize {
        self.own
    }

    /// Appends a part for another key, or leaves its place empty if `table` is `None`.
    pub fn push(&mut self, table: Option<&'w KeyTable>, castling: Castling) {
        self.parts.push(table.map(|table| TableTracker::new(table, castling)));
    }
}

/// Tracks several keys by look-ups in key tables. The number of keys is known only at run time. Used for wide keys,
/// secondary keys and all presets at once. A separate type for each combination would be faster but take too much code.
#[derive(Clone, Copy, Debug)]
pub struct ListTracker<'w> {
    tracked: &'w TrackedKeys<'w>,
    keys: [u64; MAX_PARTS],
}

impl<'w> ListTracker<'w> {
    /// Makes a tracker of these keys.
    pub fn new(tracked: &'w TrackedKeys<'w>) -> Self {
        ListTracker { tracked, keys: [0; MAX_PARTS] }
    }

    #[inline(always)]
    fn each(&mut self, edit: impl Fn(&mut TableTracker<'w>)) {
        for (part, key) in self.tracked.parts.iter().zip(&mut self.keys) {
            if let Some(part) = part {
                let mut part = part.with(*key);
                edit(&mut part);
                *key = part.mark();
            }
        }
    }

    /// Iterates over the enabled parts, each with its number.
    #[inline(always)]
    fn kept(&self) -> impl Iterator<Item = (usize, TableTracker<'w>)> + use<'w> {
        let (tracked, keys) = (self.tracked, self.keys);
        let kept =
            move |(number, part): (usize, &Option<TableTracker<'w>>)| Some((number, part.as_ref()?.with(keys[number])));
        tracked.parts.iter().enumerate().filter_map(kept)
    }

    fn own_key(&self, of: impl Fn(&TableTracker<'w>) -> Option<Key>) -> Option<Key> {
        let own = self.kept().take(self.tracked.own);
        own.fold(None, |key, (number, part)| {
            let bits = of(&part)?.0 << (self.tracked.shift * number as u32);
            Some(Key(key.map_or(0, |key: Key| key.0) | bits))
        })
    }
}

/// Passes each edit to every enabled part of the keys.
macro_rules! each_kept {
    ($($edit:ident($($name:ident: $type:ty),*))*) => {
        $(#[inline(always)]
        fn $edit(&mut self, $($name: $type),*) {
            self.each(|part| part.$edit($($name),*));
        })*
    };
}

#[inline_all]
impl Tracker for ListTracker<'_> {
    type Mark = [u64; MAX_PARTS];
    const IS_LIST: bool = true;

    edits!(each_kept);

    fn clock(&mut self, old: u16, new: u16) {
        if self.tracked.has_clock {
            self.each(|part| part.exchange_clocks(old, new));
        }
    }

    fn parts(&self) -> usize {
        self.tracked.parts.len()
    }
    fn policy(&self) -> EnPassantPolicy {
        self.tracked.parts.first().and_then(Option::as_ref).map_or(EnPassantPolicy::Legal, TableTracker::policy)
    }
    fn mark(&self) -> Self::Mark {
        self.keys
    }
    fn restore(&mut self, mark: Self::Mark) {
        self.keys = mark;
    }
    fn differing(&self, other: &Self) -> u64 {
        let pairs = self.kept().zip(other.kept());
        pairs.fold(0, |differing, ((_, part), (_, other))| differing | part.differing(&other))
    }
    fn key(&self) -> Option<Key> {
        self.own_key(|part| part.key())
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        self.own_key(|part| part.recompute(board))
    }
    #[inline(never)]
    fn wrong(&self, board: &Board) -> Option<WrongKey> {
        let own = self.key().zip(self.recompute(board)).filter(|(found, expected)| found != expected);
        let own = own.map(|(found, expected)| WrongKey { part: 0, expected, found });
        let mut others = self.kept().skip_while(|(number, _)| *number < self.tracked.own);
        own.or_else(|| others.find_map(|(number, part)| Some(WrongKey { part: number, ..part.wrong(board)? })))
    }
    fn expect(&self, state: &State, at: usize, targets: &mut [Targets]) {
        for (number, part) in self.kept() {
            let part = if self.tracked.has_clock { part.without_clock(state.halfmove()) } else { part };
            part.expect(state, at, &mut targets[number..]);
        }
    }
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>) {
        for part in &self.tracked.parts {
            match part {
                Some(part) => part.join(batch),
                None => batch.add(None),
            }
        }
    }
}
