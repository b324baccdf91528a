//! A row of a suite: a position, its name and its counts. Also the check for positions listed twice.

use super::class::{Class, classify};
use super::row_text::{RowText, SuiteError};
use perft_gate_chess::{Board, EnPassantPolicy, FenError, Packed, Severity};
use std::collections::HashMap;

/// A position with its name and known counts.
#[perft_gate_chess::document(Clone, Debug)]
pub struct Row {
    /// Name of the row; `line N` if the list gives none.
    pub id: String,
    /// The position as it is written, with single spaces.
    pub fen: String,
    /// The position, or the reason why no board holds it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub position: Result<Board, FenError>,
    /// Tolerated faults of the FEN.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub faults: Vec<FenError>,
    /// Number of leaf nodes by depth, from 1; a gap is `None`.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub counts: Vec<Option<u128>>,
    /// Line of the list, from 1; 0 for a position of the command line.
    pub line: usize,
}

impl Row {
    /// Returns a position without known counts.
    pub fn unknown(id: &str, board: Board) -> Row {
        let (fen, position) = (board.to_string(), Ok(board));
        Row { id: id.into(), fen, position, faults: Vec::new(), counts: Vec::new(), line: 0 }
    }

    /// Returns the board.
    ///
    /// # Panics
    ///
    /// If there is none; see [`Row::position`].
    pub fn board(&self) -> &Board {
        self.position.as_ref().expect("a row with a plan has a board")
    }

    /// Returns the class of the position, and the reason why it is not better.
    pub fn class(&self) -> (Class, Option<String>) {
        match &self.position {
            Ok(board) => classify(board, &self.faults),
            Err(fault) if fault.severity == Severity::TooManyPieces => (Class::Tolerated, Some(fault.to_string())),
            Err(fault) => (Class::Illegal, Some(fault.to_string())),
        }
    }

    /// Returns the count listed for this depth; for depth 0 it is always 1.
    pub fn count(&self, depth: u32) -> Option<u128> {
        match depth {
            0 => Some(1),
            _ => self.counts.get(depth as usize - 1).copied().flatten(),
        }
    }

    /// Returns the greatest depth up to `depth` that has a count.
    pub fn deepest(&self, depth: u32) -> Option<u32> {
        (1..=depth).rev().find(|&depth| self.count(depth).is_some())
    }
}

/// Finds positions listed twice with different counts.
#[derive(Default)]
pub struct Repeats {
    /// The first count of each position and depth, and its line.
    first: HashMap<(Packed, u32), (u128, usize)>,
}

impl Repeats {
    /// Adds a row.
    ///
    /// **Errors**: an earlier row has the same position with a different count. The error names both lines.
    pub fn add(&mut self, text: &RowText<'_>, row: &Row) -> Result<(), SuiteError> {
        let Ok(board) = &row.position else { return Ok(()) };
        let position = Packed::new(board, EnPassantPolicy::Always);
        for (depth, count) in (1..).zip(&row.counts).filter_map(|(depth, count)| Some((depth, (*count)?))) {
            let (other, line) = *self.first.entry((position, depth)).or_insert((count, text.line));
            if other != count {
                let message =
                    format!("found {count} for D{depth}, expected {other} as on line {line} for the same position");
                return Err(text.error(text.text, message));
            }
        }
        Ok(())
    }
}
