//! Verdicts on rows and random games with a planted fault.

use super::fault::{Fault, Plant};
use super::game::Faulty;
use super::tracker::Planted;
use crate::gate::{Candidate, Keyless, Options, PlannedWalk, PlayoutsVerdict, RowVerdict};
use crate::gate::{judge_candidate, judge_games, plan};
use perft_gate_chess::{Board, Code, Color, EnPassantPolicy, Role};
use perft_gate_suite::Row;
use perft_gate_walk::{Control, Playouts, Position, RowReport, Settings, playouts_of, verify_game};
use perft_gate_zobrist::{KeyTables, Scheme};
use std::sync::Arc;

pub fn judge_planted(plant: Plant, row: &Row, options: Options<'_>, control: &Control) -> RowVerdict {
    let plan = plan(row, options.depth, options.max_nodes);
    RowVerdict::by_plan(&plan, row, options, |walk| judge_planted_walk(plant, walk, options, control))
}

/// Judges a planned walk with a fault planted in its position. Key faults affect only secondary keys, if there are any.
pub fn judge_planted_walk(plant: Plant, walk: PlannedWalk<'_>, options: Options<'_>, control: &Control) -> RowVerdict {
    with_fault(plant, walk.row.board(), options.settings, |root| judge_candidate(walk, &root, options, control))
}

pub fn judge_planted_playouts(
    plant: Plant,
    rows: (impl IntoIterator<Item = Row>, u64),
    playouts: Playouts,
    settings: Settings<'_>,
    control: &Control,
) -> PlayoutsVerdict {
    judge_games(rows, playouts, settings, |board, playouts| {
        with_fault(plant, board, settings, |root| playouts_of(root, playouts, settings, control))
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

impl Keyless for Faulty<'_> {}

impl<'k> Candidate for Faulty<'k> {
    type Keyless = Faulty<'k>;

    fn keyless(&self) -> Faulty<'k> {
        *self
    }
    fn verify(&self, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport {
        verify_game(*self, depth, settings, control)
    }
    fn key_tables(&self, scheme: &Scheme, seed: u64) -> Option<Arc<KeyTables>> {
        let mut tables = scheme.key_tables(seed)?;
        let part = &mut tables.parts[0];
        let knights = |color| Code::new(color, Role::Knight).index();
        match self.plant.fault {
            Fault::KnightsShareKeys => {
                *part = part.edited(|terms| terms.pieces[knights(Color::Black)] = terms.pieces[knights(Color::White)]);
            }
            Fault::PositionHasTwoKeys => part.policy = EnPassantPolicy::Always,
            _ => {}
        }
        Some(Arc::new(tables))
    }
}
