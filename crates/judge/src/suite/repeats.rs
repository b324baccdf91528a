//! Positions that are listed twice.

use super::{Entry, Row, SuiteError};
use perft_gate_chess::{Board, EnPassantPolicy};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// Finds positions that are listed twice with different counts.
#[derive(Default)]
pub struct Repeats<'t> {
    /// First entry for each position and depth, by their hash.
    first: HashMap<u64, Entry<'t>>,
    hasher: RandomState,
}

impl<'t> Repeats<'t> {
    /// Adds a row.
    ///
    /// **Errors**: an earlier one has the same position and another count; both lines are named.
    pub fn add(&mut self, entry: Entry<'t>, row: &Row) -> Result<(), SuiteError> {
        let Ok(board) = &row.position else { return Ok(()) };
        for (depth, count) in (1..).zip(&row.counts).filter_map(|(depth, count)| Some((depth, (*count)?))) {
            let hash = self.hasher.hash_one((depth, identity(board)));
            let Some(&earlier) = self.first.get(&hash) else {
                self.first.insert(hash, entry);
                continue;
            };
            // Two positions may share a hash.
            let earlier_row = earlier.row()?;
            let is_same = earlier_row.position.as_ref().is_ok_and(|other| identity(other) == identity(board));
            if let Some(other) = earlier_row.count(depth).filter(|other| is_same && *other != count) {
                let line = earlier.line;
                let message = format!(
                    "found {count} for D{depth}, but {other} for the same position in line {line}, expected one count"
                );
                return Err(entry.error(entry.text, message));
            }
        }
        Ok(())
    }
}

/// Returns what decides the counts of a position: all but its clocks.
fn identity(board: &Board) -> ([u64; 4], bool, u64, Option<usize>) {
    let is_white = board.turn() == perft_gate_chess::Color::White;
    let en_passant = board.en_passant(EnPassantPolicy::Always).map(|square| square.index());
    (board.planes(), is_white, board.castling_rooks().0, en_passant)
}
