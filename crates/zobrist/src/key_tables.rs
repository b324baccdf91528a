//! The key tables of a scheme: one, or two for the two parts of a wide key.

use crate::axes::{Combine, Width};
use crate::key::Key;
use crate::key_table::KeyTable;
use perft_gate_chess::{Board, Code};

/// The key tables of a scheme. A key consists of parts of up to 64 bits, each with a table of its own.
#[derive(Clone, Debug)]
pub struct KeyTables {
    /// One table, or two that were drawn independently of each other.
    pub parts: Vec<KeyTable>,
    /// First bit of the second part in the key.
    pub(crate) shift: u32,
}

impl KeyTables {
    pub(crate) fn new(width: Width, parts: Vec<KeyTable>) -> KeyTables {
        match (width, &parts[..]) {
            (Width::W2x32, [low, high]) if low.combine == Combine::Xor => {
                KeyTables { parts: vec![KeyTable::packed(low, high)], shift: 64 }
            }
            (Width::W2x32, _) => KeyTables { parts, shift: 32 },
            _ => KeyTables { parts, shift: 64 },
        }
    }

    /// Returns true if the halfmove clock is in the keys.
    pub fn have_clock(&self) -> bool {
        self.parts.iter().any(|part| part.clock.is_some())
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
