//! StaticTracker keys: a scheme is a product of axes (pieces, castling, en passant, side) over a table of words.
//!
//! The incremental path ([`Tracker`]) and the full recompute are independent of each other: the first adds the words of
//! the edits as the scheme's axes define them, the second reads the board alone through the key_tables [`KeyTable`].

pub mod all_presets;
mod axes;
mod batch;
mod block;
mod combined;
mod fingerprint;
pub mod generate;
mod import;
mod key_table;
mod pieces;
mod polyglot;
mod scheme;
mod secondary;
mod tracker;
mod weak_examples;

pub use axes::{Axes, Castling, Combine, EnPassantWords, Pieces, Refusal, Side, Width};
pub use batch::Spoilt;
pub use batch::{BATCH, KeyBatch, MOST_LANES, Targets, WrongEntry};
pub use block::Block;
pub use combined::{ListTracker, TrackedKeys, TwoHalfTracker};
pub use fingerprint::visit_fingerprint;
pub use import::{Import, ImportError, Layout};
pub use key_table::KeyTable;
pub use scheme::{ALL, PRESETS, Scheme, SchemeError, SchemeVisitor, preset};
pub use secondary::Secondary;
pub use tracker::{StaticTracker, TableTracker, Tracker};

use crate::chess::{Board, Code};

/// A key of up to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Key(pub u128);

impl From<u64> for Key {
    #[inline(always)]
    fn from(bits: u64) -> Key {
        Key(bits.into())
    }
}

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

/// An incremental key that is not the board's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongKey {
    /// Which key: the first of its lanes, the position's being 0.
    pub lane: usize,
    /// From the board alone.
    pub expected: Key,
    /// By the moves.
    pub found: Key,
}

/// The words of a scheme, key_tables, a lane at a time.
#[derive(Clone, Debug)]
pub struct KeyTables {
    /// One, or two that were drawn independently of each other.
    pub lanes: Vec<KeyTable>,
    /// Where the second lane starts in the key.
    shift: u32,
}

impl KeyTables {
    fn new(width: Width, lanes: Vec<KeyTable>) -> KeyTables {
        match (width, &lanes[..]) {
            (Width::W2x32, [low, high]) if low.combine == Combine::Xor => {
                KeyTables { lanes: vec![KeyTable::packed(low, high)], shift: 64 }
            }
            (Width::W2x32, _) => KeyTables { lanes, shift: 32 },
            _ => KeyTables { lanes, shift: 64 },
        }
    }

    /// The key of a board, from the board alone.
    pub fn key(&self, board: &Board) -> Key {
        let lanes = self.lanes.iter().enumerate();
        Key(lanes.fold(0, |key, (lane, words)| key | u128::from(words.key(board)) << (self.shift * lane as u32)))
    }

    /// The same words, but what a kernel reads of this square's is wrong; only a proof wants that.
    pub fn corrupted(&self, square: usize, code: Code) -> KeyTables {
        let mut corrupted = self.clone();
        corrupted.lanes.iter_mut().for_each(|words| words.corrupt(square, code));
        corrupted
    }

    /// The same words, but the castling words take White's queen side for Black's king side, in all paths alike; only a
    /// proof wants that.
    pub fn with_swapped_rights(&self) -> KeyTables {
        let lanes = self.lanes.iter().map(KeyTable::with_swapped_rights).collect();
        KeyTables { lanes, shift: self.shift }
    }

    /// A lane of a key.
    pub fn lane_of(&self, key: Key, lane: usize) -> u64 {
        (key.0 >> (self.shift * lane as u32)) as u64 & self.lanes[lane].mask
    }
}
