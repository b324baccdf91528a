//! Our own counter, asked about the same positions as an engine.

use crate::outcome::{EngineFailure, FailureKind, Result};
use crate::settings::EngineSettings;
use perft_gate_chess::{Board, Move};
use perft_gate_count::TreeCounter;
use perft_gate_listing::{Comparison, Divide};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Our own counter, and the time it has spent.
#[derive(Debug)]
pub(super) struct Reference<'a> {
    settings: &'a EngineSettings,
    /// The position of the last request.
    board: Option<Board>,
    /// The leaf counts of `board` by root move, for each requested depth.
    known: BTreeMap<u32, Vec<(Move, u128)>>,
    pub(super) time: Duration,
}

impl<'a> Reference<'a> {
    pub(super) fn new(settings: &'a EngineSettings) -> Reference<'a> {
        Reference { settings, board: None, known: BTreeMap::new(), time: Duration::ZERO }
    }

    /// Returns our leaf counts by root move. **Errors**: if interrupted, because the list is then incomplete.
    pub(super) fn divide(&mut self, board: &Board, depth: u32) -> Result<Vec<(Move, u128)>> {
        if self.board != Some(*board) {
            self.board = Some(*board);
            self.known.clear();
        }
        if let Some(divided) = self.known.get(&depth) {
            return Ok(divided.clone());
        }
        let start = Instant::now();
        let divided = TreeCounter::new(self.settings.level).divide(board, depth, &self.settings.control);
        self.time += start.elapsed();
        if self.settings.control.stop.load(Ordering::Relaxed) {
            return Err(EngineFailure::new(FailureKind::Interrupted, "interrupted".into()));
        }
        self.known.insert(depth, divided.clone());
        Ok(divided)
    }

    pub(super) fn leaves(&mut self, board: &Board, depth: u32) -> Result<u128> {
        Ok(self.divide(board, depth)?.iter().map(|(_, nodes)| nodes).sum())
    }

    pub(super) fn compare(&mut self, board: &Board, depth: u32, answer: &Divide) -> Result<Comparison> {
        Ok(Comparison::new(board, &self.divide(board, depth)?, answer))
    }
}
