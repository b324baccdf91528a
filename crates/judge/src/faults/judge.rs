//! Verdicts on rows and random games with a planted fault.

use super::game::Faulty;
use super::tracker::Planted;
use super::{Fault, Plant};
use crate::gate::{Candidate, Options, PlayoutsVerdict, RowVerdict, judge_candidate, judge_played};
use crate::suite::Row;
use perft_gate_chess::{Board, Code, Color, EnPassantPolicy, Role};
use perft_gate_walk::Control;
use perft_gate_walk::Position;
use perft_gate_walk::{Playouts, RowReport, Settings};
use perft_gate_zobrist::{KeyTables, Scheme};
use std::sync::Arc;

/// Judges a row with a fault planted in its position: in the key, or in the secondary keys if there are any.
pub fn judge_planted(plant: Plant, row: &Row, options: Options<'_>, control: &Control) -> RowVerdict {
    let Ok(board) = &row.position else { return RowVerdict::skipped(row, options) };
    with_fault(plant, board, options.settings, |root| {
        judge_candidate(row, &Suspect { root, fault: plant.fault }, options, control)
    })
}

/// Verifies random games with a planted fault.
pub fn judge_planted_playouts(
    plant: Plant,
    rows: (impl IntoIterator<Item = Row>, u64),
    playouts: Playouts,
    settings: Settings<'_>,
    control: &Control,
) -> PlayoutsVerdict {
    judge_played(rows, playouts, settings, |board, playouts| {
        with_fault(plant, board, settings, |root| perft_gate_walk::playouts_of(root, playouts, settings, control))
    })
}

/// Runs `work` with a position that has a fault.
fn with_fault<R>(plant: Plant, board: &Board, settings: Settings<'_>, work: impl FnOnce(Faulty<'_>) -> R) -> R {
    let Settings { scheme, seed, secondary, .. } = settings;
    scheme.with_keys(seed, secondary, |keys| {
        let tracker = Planted::new(keys, board.turn(), !secondary.is_empty());
        work(Faulty::new(Position::new(*board, tracker), plant))
    })
}

/// A position with a fault, to be judged.
struct Suspect<'k> {
    root: Faulty<'k>,
    fault: Fault,
}

impl<'k> Candidate for Suspect<'k> {
    type Keyless = Faulty<'k>;

    fn keyless(&self) -> Faulty<'k> {
        self.root
    }
    fn verified(&self, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport {
        perft_gate_walk::verify_game(self.root, depth, settings, control)
    }
    fn key_tables(&self, scheme: &Scheme, seed: u64) -> Option<Arc<KeyTables>> {
        let mut tables = scheme.key_tables(seed)?;
        let part = &mut tables.parts[0];
        let knights = |color| Code::new(color, Role::Knight).index();
        match self.fault {
            Fault::KnightsShareKeys => part.pieces[knights(Color::Black)] = part.pieces[knights(Color::White)],
            Fault::PositionHasTwoKeys => part.policy = EnPassantPolicy::Always,
            _ => {}
        }
        Some(Arc::new(tables))
    }
}
