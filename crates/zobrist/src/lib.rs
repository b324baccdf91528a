//! Zobrist keys: a scheme is a product of axes (pieces, castling, en passant, side) over a key table.
//!
//! The incremental path ([`Tracker`]) and the full recompute are independent of each other: the first applies the keys of
//! the edits as the scheme's axes define them, the second reads only the board and the [`KeyTable`].
#![forbid(unsafe_code)]

pub mod all_presets;
mod axes;
mod batch;
mod block;
mod combined;
pub mod generate;
mod import;
mod kernels;
mod key_table;
mod pieces;
mod polyglot;
mod presets;
mod scheme;
mod secondary;
mod tracker;
mod weak_examples;

pub use axes::{Axes, Castling, Combine, EnPassantKeys, Pieces, Refusal, Side, Width};
pub use batch::Spoilt;
pub use batch::{BATCH, BLOCK, KeyBatch, MOST_APPENDED, MOST_PARTS, Targets, WrongEntry};
pub use block::Block;
pub use combined::{ListTracker, TrackedKeys, TwoHalfTracker};
pub use import::{Import, ImportError, Layout};
pub use key_table::KeyTable;
pub use presets::{ALL, PRESETS, preset, visit_fingerprint};
pub use scheme::{Scheme, SchemeError, SchemeVisitor};
pub use secondary::Secondary;
pub use tracker::{StaticTracker, TableTracker, Tracker};

use perft_gate_chess::{Board, Code};

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

/// An incremental key that differs from the board's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongKey {
    /// Number of the wrong key's first part; the position's key begins with part 0.
    pub part: usize,
    /// The key computed from the board alone.
    pub expected: Key,
    /// The incremental key.
    pub found: Key,
}

/// The key tables of a scheme. A key consists of parts of up to 64 bits, each with a table of its own.
#[derive(Clone, Debug)]
pub struct KeyTables {
    /// One table, or two that were drawn independently of each other.
    pub parts: Vec<KeyTable>,
    /// First bit of the second part in the key.
    shift: u32,
}

impl KeyTables {
    fn new(width: Width, parts: Vec<KeyTable>) -> KeyTables {
        match (width, &parts[..]) {
            (Width::W2x32, [low, high]) if low.combine == Combine::Xor => {
                KeyTables { parts: vec![KeyTable::packed(low, high)], shift: 64 }
            }
            (Width::W2x32, _) => KeyTables { parts, shift: 32 },
            _ => KeyTables { parts, shift: 64 },
        }
    }

    /// Computes the key of a board from the board alone.
    pub fn key(&self, board: &Board) -> Key {
        let parts = self.parts.iter().enumerate();
        Key(parts.fold(0, |key, (part, table)| key | u128::from(table.key(board)) << (self.shift * part as u32)))
    }

    /// Returns a copy in which the key that a recompute reads for a code on a square is wrong; only self-tests use it.
    pub fn corrupted(&self, square: usize, code: Code) -> KeyTables {
        let mut corrupted = self.clone();
        corrupted.parts.iter_mut().for_each(|table| table.corrupt(square, code));
        corrupted
    }

    /// Returns a copy whose castling keys take White's queen side for Black's king side, in the incremental path and in the
    /// recompute alike; only self-tests use it.
    pub fn with_swapped_rights(&self) -> KeyTables {
        let parts = self.parts.iter().map(KeyTable::with_swapped_rights).collect();
        KeyTables { parts, shift: self.shift }
    }

    /// Returns one part of a key.
    pub fn part_of(&self, key: Key, part: usize) -> u64 {
        (key.0 >> (self.shift * part as u32)) as u64 & self.parts[part].mask
    }
}
