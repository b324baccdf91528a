//! Trackers, which update keys with every edit of a move.

use crate::axes::{Axes, Castling, Combine, Pieces, Width};
use crate::batch::{KeyBatch, Targets};
use crate::key_table::{Key, KeyTable, KeyTables, WrongKey};
use crate::pieces::{FullTable, PieceKeys};
use perft_gate_chess::{Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Square, State};
use perft_gate_simd::{inline_all, opaque};

/// Updates one or more keys with every edit of a move.
///
/// `()` keeps no key, so the cost of a scheme is the time with its tracker minus the time with `()`.
pub trait Tracker: Copy + Send + Sync {
    /// The data that `unmake` restores.
    type Mark: Copy;
    /// Returns the number of parts of all the tracker's keys. A part is up to 64 bits of a key.
    fn parts(&self) -> usize;
    /// True if the tracker is compiled for the common SIMD level only.
    const COMMON_ONLY: bool = false;
    /// True if the number of keys is known only at run time. An edit's code is then large, so few copies should exist.
    const IS_LIST: bool = false;

    /// Returns the rule that decides when the en-passant square counts.
    fn policy(&self) -> EnPassantPolicy;
    /// Sets the keys to those of a board, computed from scratch.
    fn restart(&mut self, board: &Board);
    /// Moves a piece to a square that is already empty.
    fn relocate(&mut self, code: Code, from: Square, to: Square);
    /// Removes a piece. [`Code::EMPTY`] removes nothing: its keys are zero, so a move without capture needs no branch.
    fn remove(&mut self, code: Code, square: Square);
    fn place(&mut self, code: Code, square: Square);
    /// Replaces the castling rights. `old` and `new` must differ.
    fn castling(&mut self, old: CastlingRights, new: CastlingRights);
    /// Replaces the en-passant square. `old` and `new` may be equal.
    fn en_passant(&mut self, old: EnPassant, new: EnPassant);
    fn side(&mut self, now: Color);
    /// Changes the halfmove clock. `old` and `new` may share a key, or have no key.
    fn clock(&mut self, old: u16, new: u16);
    /// Returns a mark with which [`Tracker::restore`] can return to the current keys.
    fn mark(&self) -> Self::Mark;
    /// Undoes all edits since `mark` was taken.
    fn restore(&mut self, mark: Self::Mark);
    /// Hides the keys from the compiler, which must not see that they belong to a child that is about to be unmade.
    #[inline(always)]
    fn opaque(&mut self) {
        std::hint::black_box(self);
    }
    /// Returns a mask of the bits in which any key differs from the same key of `other`, or 0 if all keys agree.
    fn differing(&self, other: &Self) -> u64;
    #[inline(always)]
    fn same(&self, other: &Self) -> bool {
        self.differing(other) == 0
    }
    /// Returns the position's key, if the tracker keeps one.
    fn key(&self) -> Option<Key>;
    /// Computes the position's key from the board alone.
    fn recompute(&self, board: &Board) -> Option<Key>;
    /// Returns the first incremental key that differs from the key computed from the board alone.
    fn wrong(&self, board: &Board) -> Option<WrongKey> {
        let (found, expected) = (self.key()?, self.recompute(board)?);
        (found != expected).then_some(WrongKey { part: 0, expected, found })
    }
    /// Stores entry `at` of each key part's targets: the piece hash, which is the part without the keys of `state`.
    fn expect(&self, state: &State, at: usize, targets: &mut [Targets]);
    /// Adds the parts of the tracker's keys to a batch.
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>);
}

/// Calls another macro to implement all edit methods except [`Tracker::clock`].
macro_rules! edits {
    ($implement:ident) => {
        $implement! {
            restart(board: &Board)
            relocate(code: Code, from: Square, to: Square)
            remove(code: Code, square: Square)
            place(code: Code, square: Square)
            castling(old: CastlingRights, new: CastlingRights)
            en_passant(old: EnPassant, new: EnPassant)
            side(now: Color)
        }
    };
}
pub(super) use edits;

macro_rules! no_edits {
    ($($edit:ident($($name:ident: $type:ty),*))*) => {
        $(#[inline(always)]
        fn $edit(&mut self, $(_: $type),*) {})*
    };
}

#[inline_all]
impl Tracker for () {
    type Mark = ();

    edits!(no_edits);

    fn parts(&self) -> usize {
        0
    }

    fn policy(&self) -> EnPassantPolicy {
        EnPassantPolicy::Legal
    }
    fn clock(&mut self, _: u16, _: u16) {}
    fn mark(&self) {}
    fn restore(&mut self, (): ()) {}
    fn opaque(&mut self) {}
    fn differing(&self, (): &()) -> u64 {
        0
    }
    fn key(&self) -> Option<Key> {
        None
    }
    fn recompute(&self, _: &Board) -> Option<Key> {
        None
    }
    fn expect(&self, _: &State, _: usize, _: &mut [Targets]) {}
    fn join<'a>(&'a self, _: &mut KeyBatch<'a>) {}
}

/// Returns the term to xor into the key when castling rights change.
#[inline(always)]
fn lost_rights(table: &KeyTable, castling: Castling, old: CastlingRights, new: CastlingRights) -> u64 {
    let none = CastlingRights::NONE;
    let changed = old.index() ^ new.index();
    let mut term = match castling {
        Castling::C16 | Castling::C4x16 => return table.castling[old.index()] ^ table.castling[new.index()],
        Castling::C5 if old == none || new == none => table.castling[0],
        Castling::C4 | Castling::C5 => 0,
    };
    // This is a loop, because the closure of a fold would be compiled without the level's instructions.
    for bit in 0..4 {
        if changed >> bit & 1 != 0 {
            term ^= table.castling[1 << bit];
        }
    }
    term
}

/// The methods shared by all trackers of a single key with one part.
macro_rules! one_part {
    () => {
        type Mark = u64;

        #[inline(always)]
        fn parts(&self) -> usize {
            1
        }
        #[inline(always)]
        fn mark(&self) -> u64 {
            self.key
        }
        #[inline(always)]
        fn restore(&mut self, mark: u64) {
            self.key = mark;
        }
        #[inline(always)]
        fn opaque(&mut self) {
            self.key = opaque(self.key);
        }
        fn recompute(&self, board: &Board) -> Option<Key> {
            Some(Key(self.table.key(board).into()))
        }
        fn join<'a>(&'a self, batch: &mut KeyBatch<'a>) {
            batch.add(Some(self.table));
        }
    };
}

/// The tracker of a scheme whose axes are known at compile time. The key is an xor or a sum of up to 64 bits, with or
/// without the halfmove clock. `CASTLING` and `POLICY` are values of [`Castling`] and [`EnPassantPolicy`] as numbers.
#[derive(Clone, Copy, Debug)]
pub struct StaticTracker<'w, P, const CASTLING: usize, const POLICY: usize, const SUM: bool, const CLOCK: bool> {
    table: &'w KeyTable,
    pieces: P,
    key: u64,
}

impl<'w, P: PieceKeys<'w>, const CASTLING: usize, const POLICY: usize, const SUM: bool, const CLOCK: bool>
    StaticTracker<'w, P, CASTLING, POLICY, SUM, CLOCK>
{
    const CASTLING: Castling = Castling::ALL[CASTLING];
    const COMBINE: Combine = if SUM { Combine::Add } else { Combine::Xor };
    const EN_PASSANT: EnPassantPolicy = EnPassantPolicy::ALL[POLICY];

    /// Returns true if this tracker type can keep the keys of a scheme with these axes and tables.
    pub(super) fn follows(axes: &Axes, tables: &KeyTables) -> bool {
        let [table] = &tables.parts[..] else { return false };
        // A compact form of piece keys computes all 64 bits, so it serves only 64-bit keys.
        let pieces = P::AXES.contains(&axes.pieces) && (P::AXES[0] == Pieces::Table || axes.width == Width::W64);
        // With any castling axis, a sum looks up castling keys by set of rights. A sum is truncated to the key's width
        // only when it is read.
        let rest = SUM || table.mask == !0 && Self::CASTLING == axes.castling.by_look_up();
        let clock = table.clock.is_some() == CLOCK;
        pieces && rest && clock && table.combine == Self::COMBINE && table.policy == Self::EN_PASSANT
    }

    /// Makes a tracker from a key table and the fast form of the table's piece keys.
    pub(super) fn new(table: &'w KeyTable, pieces: P) -> Self {
        assert!(table.combine == Self::COMBINE && table.policy == Self::EN_PASSANT && (SUM || table.mask == !0));
        assert!((!SUM || Self::CASTLING == Castling::C16) && table.clock.is_some() == CLOCK);
        StaticTracker { table, pieces, key: 0 }
    }

    #[inline(always)]
    fn bits(&self) -> u64 {
        if SUM { self.key & self.table.mask } else { self.key }
    }
}

#[inline_all]
impl<'w, P: PieceKeys<'w>, const CASTLING: usize, const POLICY: usize, const SUM: bool, const CLOCK: bool> Tracker
    for StaticTracker<'w, P, CASTLING, POLICY, SUM, CLOCK>
{
    const COMMON_ONLY: bool = true;

    one_part!();

    fn policy(&self) -> EnPassantPolicy {
        Self::EN_PASSANT
    }
    #[inline]
    fn restart(&mut self, board: &Board) {
        self.key = if CLOCK { self.table.key(board) } else { self.table.key_without_clock(board) };
    }
    fn relocate(&mut self, code: Code, from: Square, to: Square) {
        self.remove(code, from);
        self.place(code, to);
    }
    fn remove(&mut self, code: Code, square: Square) {
        self.key = Self::COMBINE.remove(self.key, self.pieces.key(code, square));
    }
    fn place(&mut self, code: Code, square: Square) {
        self.key = Self::COMBINE.join(self.key, self.pieces.key(code, square));
    }
    fn castling(&mut self, old: CastlingRights, new: CastlingRights) {
        if SUM {
            let keys = &self.table.castling;
            self.key = Combine::Add.remove(self.key, keys[old.index()]).wrapping_add(keys[new.index()]);
        } else {
            self.key ^= lost_rights(self.table, Self::CASTLING, old, new);
        }
    }
    fn en_passant(&mut self, old: EnPassant, new: EnPassant) {
        let term = |square: EnPassant| self.table.en_passant[square.index(Self::EN_PASSANT)];
        self.key = Self::COMBINE.join(Self::COMBINE.remove(self.key, term(old)), term(new));
    }
    fn side(&mut self, now: Color) {
        let [old, new] = [!now, now].map(|side| self.table.side[side.index()]);
        self.key = Self::COMBINE.join(Self::COMBINE.remove(self.key, old), new);
    }
    fn clock(&mut self, old: u16, new: u16) {
        if CLOCK {
            let [old, new] = [old, new].map(|halfmove| self.table.clock_key(halfmove));
            self.key = Self::COMBINE.join(Self::COMBINE.remove(self.key, old), new);
        }
    }
    fn differing(&self, other: &Self) -> u64 {
        self.bits() ^ other.bits()
    }
    fn key(&self) -> Option<Key> {
        Some(Key(self.bits().into()))
    }
    fn expect(&self, state: &State, at: usize, targets: &mut [Targets]) {
        let key = if CLOCK { Self::COMBINE.remove(self.key, self.table.clock_key(state.halfmove())) } else { self.key };
        targets[0].expect(at, (key, state), self.table, (Self::EN_PASSANT, Self::COMBINE));
    }
}

/// The data-driven tracker. It keeps one part of any scheme's key, without the halfmove clock. Keys with the clock need
/// a [`ListTracker`](crate::combined::ListTracker), so that other schemes do not pay for the clock.
#[derive(Clone, Copy, Debug)]
pub struct TableTracker<'w> {
    table: &'w KeyTable,
    /// Never [`Castling::C4x16`], whose keys are looked up like those of [`Castling::C16`].
    castling: Castling,
    key: u64,
}

#[inline_all]
impl<'w> TableTracker<'w> {
    /// Makes a tracker over a key table.
    pub fn new(table: &'w KeyTable, castling: Castling) -> TableTracker<'w> {
        // Individual castling rights can be toggled only if keys are combined by xor, not by addition.
        let castling = if table.combine == Combine::Add { Castling::C16 } else { castling.by_look_up() };
        TableTracker { table, castling, key: 0 }
    }

    /// Updates the key for a change of the halfmove clock.
    pub(super) fn exchange_clocks(&mut self, old: u16, new: u16) {
        self.exchange(self.table.clock_key(old), self.table.clock_key(new));
    }

    /// Returns the tracker with the halfmove clock removed from its key.
    pub(super) fn without_clock(self, halfmove: u16) -> TableTracker<'w> {
        self.with(self.table.combine.remove(self.key, self.table.clock_key(halfmove)))
    }

    pub(super) fn with(self, key: u64) -> TableTracker<'w> {
        TableTracker { key, ..self }
    }

    fn exchange(&mut self, old: u64, new: u64) {
        self.key = self.table.combine.join(self.table.combine.remove(self.key, old), new);
    }
}

#[inline_all]
impl Tracker for TableTracker<'_> {
    one_part!();

    fn policy(&self) -> EnPassantPolicy {
        self.table.policy
    }
    #[inline(never)]
    fn restart(&mut self, board: &Board) {
        self.key = self.table.key(board);
    }
    fn relocate(&mut self, code: Code, from: Square, to: Square) {
        let pieces = FullTable(&self.table.pieces);
        self.exchange(pieces.key(code, from), pieces.key(code, to));
    }
    fn remove(&mut self, code: Code, square: Square) {
        self.exchange(FullTable(&self.table.pieces).key(code, square), 0);
    }
    fn place(&mut self, code: Code, square: Square) {
        self.exchange(0, FullTable(&self.table.pieces).key(code, square));
    }
    fn castling(&mut self, old: CastlingRights, new: CastlingRights) {
        match self.castling {
            Castling::C16 => self.exchange(self.table.castling[old.index()], self.table.castling[new.index()]),
            castling => self.key ^= lost_rights(self.table, castling, old, new),
        }
    }
    fn en_passant(&mut self, old: EnPassant, new: EnPassant) {
        let term = |square: EnPassant| self.table.en_passant[square.index(self.table.policy)];
        self.exchange(term(old), term(new));
    }
    fn side(&mut self, now: Color) {
        self.exchange(self.table.side[(!now).index()], self.table.side[now.index()]);
    }
    fn clock(&mut self, _: u16, _: u16) {}
    fn differing(&self, other: &Self) -> u64 {
        (self.key ^ other.key) & self.table.mask
    }
    fn key(&self) -> Option<Key> {
        Some(Key((self.key & self.table.mask).into()))
    }
    fn expect(&self, state: &State, at: usize, targets: &mut [Targets]) {
        targets[0].expect(at, (self.key, state), self.table, (self.table.policy, self.table.combine));
    }
}
