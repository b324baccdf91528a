//! Positions that are listed twice.

use super::error::SuiteError;
use super::row::Row;
use super::row_text::RowText;
use perft_gate_chess::{Board, Color, EnPassantPolicy};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// Finds positions that are listed twice with different counts.
#[derive(Default)]
pub struct Repeats<'t> {
    /// First row for each position and depth, by their hash.
    first: HashMap<u64, RowText<'t>>,
    hasher: RandomState,
}

impl<'t> Repeats<'t> {
    /// Adds a row.
    ///
    /// **Errors**: an earlier one has the same position and another count; both lines are named.
    pub fn add(&mut self, text: &RowText<'t>, row: &Row) -> Result<(), SuiteError> {
        let Ok(board) = &row.position else { return Ok(()) };
        for (depth, count) in (1..).zip(&row.counts).filter_map(|(depth, count)| Some((depth, (*count)?))) {
            let hash = self.hasher.hash_one((depth, identity(board)));
            let Some(earlier) = self.first.get(&hash) else {
                self.first.insert(hash, text.clone());
                continue;
            };
            // Two positions may share a hash.
            let earlier_row = earlier.read()?;
            let is_same = earlier_row.position.as_ref().is_ok_and(|other| identity(other) == identity(board));
            if let Some(other) = earlier_row.count(depth).filter(|other| is_same && *other != count) {
                let line = earlier.line;
                let message = format!(
                    "found {count} for D{depth}, but {other} for the same position in line {line}, expected one count"
                );
                return Err(text.error(text.text, message));
            }
        }
        Ok(())
    }
}

/// Returns what decides the counts of a position: all but its clocks.
fn identity(board: &Board) -> ([u64; 4], bool, u64, Option<usize>) {
    let is_white = board.turn() == Color::White;
    let en_passant = board.en_passant(EnPassantPolicy::Always).map(|square| square.index());
    (board.planes(), is_white, board.castling_rooks().0, en_passant)
}
