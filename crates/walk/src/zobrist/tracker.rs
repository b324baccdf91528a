//! The trackers: keys that follow every edit of a move.

use super::axes::{Castling, Combine};
use super::pieces::{FullTable, PieceKeys};
use super::{Key, KeyBatch, KeyTable, Targets, WrongKey};
use crate::chess::{Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Square};

/// Told of every edit that a move makes to the board.
///
/// `()` keeps no key: the cost of a scheme is its time less the time with `()`. A pair or an array of trackers is a
/// tracker that keeps several keys; the first is the position's.
#[allow(private_interfaces)]
pub trait Tracker: Copy + Send + Sync {
    /// What `unmake` restores.
    type Mark: Copy;
    /// Number of 64-bit lanes of its keys.
    fn lanes(&self) -> usize;
    /// Returns true if its kernels read bitboards.
    #[inline(always)]
    fn reads_sets(&self) -> bool {
        false
    }
    /// Is it compiled for the common level alone?
    const COMMON_ONLY: bool = false;

    /// When the en-passant square counts.
    fn policy(&self) -> EnPassantPolicy;
    /// Starts over from a board.
    fn restart(&mut self, board: &Board);
    /// A man moves; its target is empty by now.
    fn relocate(&mut self, code: Code, from: Square, to: Square);
    /// A man disappears. [`Code::EMPTY`] means nothing does: a row of zeros, so that the usual move has no branch.
    fn remove(&mut self, code: Code, square: Square);
    /// A man appears.
    fn place(&mut self, code: Code, square: Square);
    /// Rights change; they differ.
    fn castling(&mut self, old: CastlingRights, new: CastlingRights);
    /// The en-passant square changes, or not.
    fn en_passant(&mut self, old: EnPassant, new: EnPassant);
    /// The other side moves, `now`.
    fn side(&mut self, now: Color);
    /// What to restore.
    fn mark(&self) -> Self::Mark;
    /// Takes all edits since `mark` back.
    fn restore(&mut self, mark: Self::Mark);
    /// Are all keys the same?
    fn same(&self, other: &Self) -> bool;
    /// The position's key, if one is kept.
    fn key(&self) -> Option<Key>;
    /// The same from the board alone.
    fn recompute(&self, board: &Board) -> Option<Key>;
    /// The first of its keys that is not the board's.
    fn wrong(&self, board: &Board) -> Option<WrongKey> {
        let (found, expected) = (self.key()?, self.recompute(board)?);
        (found != expected).then_some(WrongKey { lane: 0, expected, found })
    }
    /// For each lane, what the men of the board must hash to by its key; entry number `at` of the first targets.
    fn expect(&self, board: &Board, at: usize, targets: &mut [Targets]);
    /// Adds the kernels of its lanes to a batch.
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>);
}

#[allow(private_interfaces)]
impl Tracker for () {
    type Mark = ();

    #[inline(always)]
    fn lanes(&self) -> usize {
        0
    }

    #[inline(always)]
    fn policy(&self) -> EnPassantPolicy {
        EnPassantPolicy::Legal
    }
    #[inline(always)]
    fn restart(&mut self, _: &Board) {}
    #[inline(always)]
    fn relocate(&mut self, _: Code, _: Square, _: Square) {}
    #[inline(always)]
    fn remove(&mut self, _: Code, _: Square) {}
    #[inline(always)]
    fn place(&mut self, _: Code, _: Square) {}
    #[inline(always)]
    fn castling(&mut self, _: CastlingRights, _: CastlingRights) {}
    #[inline(always)]
    fn en_passant(&mut self, _: EnPassant, _: EnPassant) {}
    #[inline(always)]
    fn side(&mut self, _: Color) {}
    #[inline(always)]
    fn mark(&self) {}
    #[inline(always)]
    fn restore(&mut self, (): ()) {}
    #[inline(always)]
    fn same(&self, (): &()) -> bool {
        true
    }
    #[inline(always)]
    fn key(&self) -> Option<Key> {
        None
    }
    fn recompute(&self, _: &Board) -> Option<Key> {
        None
    }
    #[inline(always)]
    fn expect(&self, _: &Board, _: usize, _: &mut [Targets]) {}
    fn join<'a>(&'a self, _: &mut KeyBatch<'a>) {}
}

/// How the castling words of a scheme follow a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Rights {
    /// The word of the old set goes, that of the new one comes.
    Sets,
    /// The word of each lost right is toggled.
    Each,
    /// The same, and the word of no right at all.
    EachOrNone,
}

/// Castling words per set of rights.
pub(super) const SETS: u8 = Rights::Sets as u8;
/// Castling words per right.
pub(super) const EACH: u8 = Rights::Each as u8;
/// Castling words per right, and one for none.
pub(super) const EACH_OR_NONE: u8 = Rights::EachOrNone as u8;
/// When the en-passant square counts, as constants.
pub(super) const ALWAYS: u8 = EnPassantPolicy::Always as u8;
pub(super) const PSEUDO: u8 = EnPassantPolicy::Pseudo as u8;
pub(super) const LEGAL: u8 = EnPassantPolicy::Legal as u8;

/// What to xor when rights change.
#[inline(always)]
fn lost_rights(words: &KeyTable, rights: u8, old: CastlingRights, new: CastlingRights) -> u64 {
    let none = CastlingRights::NONE;
    let changed = old.index() ^ new.index();
    let each = |word: u64, bit: usize| word ^ words.castling[1 << bit];
    match rights {
        SETS => words.castling[old.index()] ^ words.castling[new.index()],
        EACH => (0..4).filter(|bit| changed >> bit & 1 != 0).fold(0, each),
        _ => {
            let word = if old == none || new == none { words.castling[0] } else { 0 };
            (0..4).filter(|bit| changed >> bit & 1 != 0).fold(word, each)
        }
    }
}

/// The key of a scheme whose axes are known to the compiler: one lane, by xor or sum.
#[derive(Clone, Copy, Debug)]
pub struct StaticTracker<'w, P, const RIGHTS: u8, const POLICY: u8, const SUM: bool> {
    words: &'w KeyTable,
    pieces: P,
    key: u64,
}

impl<'w, P: PieceKeys, const RIGHTS: u8, const POLICY: u8, const SUM: bool> StaticTracker<'w, P, RIGHTS, POLICY, SUM> {
    const COMBINE: Combine = if SUM { Combine::Add } else { Combine::Xor };
    const EN_PASSANT: EnPassantPolicy = EnPassantPolicy::ALL[POLICY as usize];

    /// A tracker over these words, whose pieces axis has this fast form.
    pub(super) fn new(words: &'w KeyTable, pieces: P) -> Self {
        assert!(words.combine == Self::COMBINE && words.policy == Self::EN_PASSANT && (SUM || words.mask == !0));
        assert!(!SUM || RIGHTS == SETS);
        StaticTracker { words, pieces, key: 0 }
    }

    #[inline(always)]
    fn bits(&self) -> u64 {
        if SUM { self.key & self.words.mask } else { self.key }
    }
}

#[allow(private_interfaces)]
impl<P: PieceKeys, const RIGHTS: u8, const POLICY: u8, const SUM: bool> Tracker
    for StaticTracker<'_, P, RIGHTS, POLICY, SUM>
{
    type Mark = u64;
    const COMMON_ONLY: bool = true;

    #[inline(always)]
    fn lanes(&self) -> usize {
        1
    }
    #[inline(always)]
    fn reads_sets(&self) -> bool {
        P::SETS
    }

    #[inline(always)]
    fn policy(&self) -> EnPassantPolicy {
        Self::EN_PASSANT
    }
    fn restart(&mut self, board: &Board) {
        self.key = self.words.key(board);
    }
    #[inline(always)]
    fn relocate(&mut self, code: Code, from: Square, to: Square) {
        self.remove(code, from);
        self.place(code, to);
    }
    #[inline(always)]
    fn remove(&mut self, code: Code, square: Square) {
        self.key = Self::COMBINE.part(self.key, self.pieces.word(code, square));
    }
    #[inline(always)]
    fn place(&mut self, code: Code, square: Square) {
        self.key = Self::COMBINE.join(self.key, self.pieces.word(code, square));
    }
    #[inline(always)]
    fn castling(&mut self, old: CastlingRights, new: CastlingRights) {
        if SUM {
            let words = &self.words.castling;
            self.key = Combine::Add.part(self.key, words[old.index()]).wrapping_add(words[new.index()]);
        } else {
            self.key ^= lost_rights(self.words, RIGHTS, old, new);
        }
    }
    #[inline(always)]
    fn en_passant(&mut self, old: EnPassant, new: EnPassant) {
        let word = |square: EnPassant| self.words.en_passant[square.index(Self::EN_PASSANT)];
        self.key = Self::COMBINE.join(Self::COMBINE.part(self.key, word(old)), word(new));
    }
    #[inline(always)]
    fn side(&mut self, now: Color) {
        let [old, new] = [!now, now].map(|side| self.words.side[side.index()]);
        self.key = Self::COMBINE.join(Self::COMBINE.part(self.key, old), new);
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
    fn same(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
    #[inline(always)]
    fn key(&self) -> Option<Key> {
        Some(Key(self.bits().into()))
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        Some(Key(self.words.key(board).into()))
    }
    #[inline(always)]
    fn expect(&self, board: &Board, at: usize, targets: &mut [Targets]) {
        targets[0].0[at] = Self::COMBINE.part(self.key, self.words.rest(board, Self::EN_PASSANT, Self::COMBINE));
    }
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>) {
        batch.add(Some((self.words, P::SETS)));
    }
}

/// The data-driven tracker: one lane of any scheme, over flat tables.
#[derive(Clone, Copy, Debug)]
pub struct TableTracker<'w> {
    words: &'w KeyTable,
    rights: Rights,
    key: u64,
}

impl<'w> TableTracker<'w> {
    /// A tracker over these words.
    pub fn new(words: &'w KeyTable, castling: Castling) -> TableTracker<'w> {
        let rights = match castling {
            // A sum has no words that toggle.
            _ if words.combine == Combine::Add => Rights::Sets,
            Castling::C16 | Castling::C4x16 => Rights::Sets,
            Castling::C4 => Rights::Each,
            Castling::C5 => Rights::EachOrNone,
        };
        TableTracker { words, rights, key: 0 }
    }

    /// The same tracker with another key.
    #[inline(always)]
    pub(super) fn with(self, key: u64) -> TableTracker<'w> {
        TableTracker { key, ..self }
    }

    #[inline(always)]
    fn exchange(&mut self, old: u64, new: u64) {
        self.key = self.words.combine.join(self.words.combine.part(self.key, old), new);
    }
}

#[allow(private_interfaces)]
impl Tracker for TableTracker<'_> {
    type Mark = u64;

    #[inline(always)]
    fn lanes(&self) -> usize {
        1
    }
    #[inline(always)]
    fn reads_sets(&self) -> bool {
        self.words.product.is_some()
    }

    #[inline(always)]
    fn policy(&self) -> EnPassantPolicy {
        self.words.policy
    }
    fn restart(&mut self, board: &Board) {
        self.key = self.words.key(board);
    }
    #[inline(always)]
    fn relocate(&mut self, code: Code, from: Square, to: Square) {
        let table = FullTable(&self.words.pieces);
        self.exchange(table.word(code, from), table.word(code, to));
    }
    #[inline(always)]
    fn remove(&mut self, code: Code, square: Square) {
        self.exchange(FullTable(&self.words.pieces).word(code, square), 0);
    }
    #[inline(always)]
    fn place(&mut self, code: Code, square: Square) {
        self.exchange(0, FullTable(&self.words.pieces).word(code, square));
    }
    #[inline(always)]
    fn castling(&mut self, old: CastlingRights, new: CastlingRights) {
        match self.rights {
            Rights::Sets => self.exchange(self.words.castling[old.index()], self.words.castling[new.index()]),
            rights => self.key ^= lost_rights(self.words, rights as u8, old, new),
        }
    }
    #[inline(always)]
    fn en_passant(&mut self, old: EnPassant, new: EnPassant) {
        let word = |square: EnPassant| self.words.en_passant[square.index(self.words.policy)];
        self.exchange(word(old), word(new));
    }
    #[inline(always)]
    fn side(&mut self, now: Color) {
        self.exchange(self.words.side[(!now).index()], self.words.side[now.index()]);
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
    fn same(&self, other: &Self) -> bool {
        (self.key ^ other.key) & self.words.mask == 0
    }
    #[inline(always)]
    fn key(&self) -> Option<Key> {
        Some(Key((self.key & self.words.mask).into()))
    }
    fn recompute(&self, board: &Board) -> Option<Key> {
        Some(Key(self.words.key(board).into()))
    }
    #[inline(always)]
    fn expect(&self, board: &Board, at: usize, targets: &mut [Targets]) {
        targets[0].0[at] =
            self.words.combine.part(self.key, self.words.rest(board, self.words.policy, self.words.combine));
    }
    fn join<'a>(&'a self, batch: &mut KeyBatch<'a>) {
        batch.add(Some((self.words, self.reads_sets())));
    }
}
