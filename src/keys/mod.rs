//! Zobrist keys: a scheme is a product of axes (pieces, castling, en passant, side) over a table of words.
//!
//! The incremental path ([`Tracker`]) and the full recompute are independent of each other: the first xors the words of
//! the edits as the scheme's axes define them, the second reads the board alone through the flattened [`Words`].

mod batch;
mod generate;
mod polyglot;
mod scheme;
mod zobrist;

pub use batch::{BATCH, Batch, WrongEntry};
pub use scheme::{PRESETS, Preset, SchemeVisitor, preset};
pub use zobrist::{Axes, Dynamic, Words, Zobrist};

use crate::chess::{Board, CastlingRights, Code, Color, EnPassant, EnPassantPolicy, Square};

/// A 64-bit key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Key(pub u64);

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Told of every edit that a move makes to the board.
///
/// `()` keeps no key: the cost of a scheme is its time less the time with `()`.
#[allow(private_interfaces)]
pub trait Tracker: Copy + Send + Sync {
    /// What `unmake` restores.
    type Mark: Copy;

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
    /// The incremental key, if one is kept.
    fn key(&self) -> Option<Key>;
    /// The same from the board alone.
    fn recompute(&self, board: &Board) -> Option<Key>;
    /// An empty batch that recomputes many at once; nothing if no key is kept.
    fn batch(&self) -> Option<Batch<'_>>;
}

#[allow(private_interfaces)]
impl Tracker for () {
    type Mark = ();

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
    fn key(&self) -> Option<Key> {
        None
    }
    #[inline(always)]
    fn recompute(&self, _: &Board) -> Option<Key> {
        None
    }
    fn batch(&self) -> Option<Batch<'_>> {
        None
    }
}
