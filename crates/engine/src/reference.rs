//! Our own counter beside an engine.

use crate::answer::Divide;
use crate::comparison::Comparison;
use crate::failure::{EngineFailure, FailureKind};
use crate::settings::EngineSettings;
use perft_gate_chess::{Board, Move};
use perft_gate_count::TreeCounter;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Leaves by root move.
type LeavesByMove = Vec<(Move, u128)>;

/// Our own counter, and the time it took.
pub(super) struct Reference<'a> {
    settings: &'a EngineSettings,
    /// The last position, and its leaves by root move for each number of plies that was asked.
    known: Option<(Board, BTreeMap<u32, LeavesByMove>)>,
    pub(super) time: Duration,
}

impl<'a> Reference<'a> {
    pub(super) fn new(settings: &'a EngineSettings) -> Reference<'a> {
        Reference { settings, known: None, time: Duration::ZERO }
    }

    /// Returns our leaves by root move. **Errors**: interrupted, because the list is then incomplete.
    pub(super) fn divide(&mut self, board: &Board, depth: u32) -> Result<LeavesByMove, EngineFailure> {
        match &self.known {
            Some((known, divided)) if known == board => {
                if let Some(divided) = divided.get(&depth) {
                    return Ok(divided.clone());
                }
            }
            _ => self.known = Some((*board, BTreeMap::new())),
        }
        let start = Instant::now();
        let divided = TreeCounter::new(self.settings.level).divide(board, depth, &self.settings.control);
        self.time += start.elapsed();
        if self.settings.control.stop.load(Ordering::Relaxed) {
            let (kind, message) = (FailureKind::Interrupted, "interrupted".into());
            return Err(EngineFailure { kind, message, ..EngineFailure::default() });
        }
        self.known.iter_mut().for_each(|(_, known)| drop(known.insert(depth, divided.clone())));
        Ok(divided)
    }

    /// Returns our number of leaves.
    pub(super) fn leaves(&mut self, board: &Board, depth: u32) -> Result<u128, EngineFailure> {
        Ok(self.divide(board, depth)?.iter().map(|(_, nodes)| nodes).sum())
    }

    pub(super) fn compare(&mut self, board: &Board, depth: u32, answer: &Divide) -> Result<Comparison, EngineFailure> {
        Ok(Comparison::of(board, &self.divide(board, depth)?, answer))
    }
}
