//! Judging a row, or random games, with a planted fault.

use super::game::Faulty;
use super::tracker::{Context, Planted, Sabotaged};
use super::{Fault, Plant};
use crate::gate::{Candidate, Options, PlayoutsVerdict, RowVerdict, judge_candidate, judge_played};
use crate::suite::Row;
use perft_gate_walk::Position;
use perft_gate_walk::chess::{Board, Code, Color, EnPassantPolicy, Role};
use perft_gate_walk::walk::Control;
use perft_gate_walk::zobrist::{
    Castling, KeyTable, KeyTables, ListTracker, Scheme, SchemeVisitor, Secondary, TrackedKeys, Tracker,
};
use perft_gate_walk::{Playouts, RowReport, Settings};
use std::sync::Arc;

/// Judges a row with a fault planted in the position that plays it: in its key, or in the secondary ones if there are any.
pub fn judge_planted(plant: Plant, row: &Row, options: Options<'_>, control: &Control) -> RowVerdict {
    visit(plant, &row.board, options.settings, Judge { row, options, control })
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
        visit(plant, board, settings, Play { playouts, settings, control })
    })
}

/// Does something with a position that has a fault, whatever its tracker is.
trait FaultyVisitor {
    type Output;
    fn visit<T: Sabotaged>(self, root: Faulty<T>, plant: Plant) -> Self::Output;
}

fn visit<V: FaultyVisitor>(plant: Plant, board: &Board, settings: Settings<'_>, visitor: V) -> V::Output {
    let Settings { scheme, seed, secondary, .. } = settings;
    let lanes = scheme.key_tables(seed).map(|words| Secondary::lanes(secondary, &words)).unwrap_or_default();
    scheme.visit_several(seed, &[], Planting { plant, board, secondary, lanes: &lanes, visitor })
}

/// A fault, before the tracker that it is planted in is known.
struct Planting<'a, V> {
    plant: Plant,
    board: &'a Board,
    secondary: &'a [Secondary],
    lanes: &'a [Option<KeyTable>; Secondary::LANES],
    visitor: V,
}

impl<V: FaultyVisitor> SchemeVisitor for Planting<'_, V> {
    type Output = V::Output;

    fn visit<T: Tracker>(self, tracker: T) -> V::Output {
        let Planting { plant, board, secondary, lanes, visitor } = self;
        let context = Context { turn: board.turn(), making: None, fault: Fault::None };
        match secondary {
            [] => {
                let tracker = Planted { inner: tracker, context };
                visitor.visit(Faulty::new(Position::new(*board, tracker), plant), plant)
            }
            _ => {
                let mut kept = TrackedKeys::none();
                lanes.iter().for_each(|words| kept.push(words.as_ref(), Castling::C16));
                let inner = ListTracker::<{ Secondary::LANES }>::new(&kept);
                let tracker = (tracker, Planted { inner, context });
                visitor.visit(Faulty::new(Position::new(*board, tracker), plant), plant)
            }
        }
    }
}

/// A position with a fault, to be judged.
struct Suspect<T: Sabotaged> {
    root: Faulty<T>,
    fault: Fault,
}

impl<T: Sabotaged> Candidate for Suspect<T> {
    type Keyless = Faulty<T>;

    fn keyless(&self) -> Faulty<T> {
        self.root
    }
    fn verified(&self, depth: u32, settings: Settings<'_>, control: &Control) -> RowReport {
        perft_gate_walk::verify_game(self.root, depth, settings, control)
    }
    fn key_tables(&self, scheme: &Scheme, seed: u64) -> Option<Arc<KeyTables>> {
        let mut tables = scheme.key_tables(seed)?;
        let lane = &mut tables.lanes[0];
        let knights = |color| Code::new(color, Role::Knight).index();
        match self.fault {
            Fault::KnightsShareKeys => lane.pieces[knights(Color::Black)] = lane.pieces[knights(Color::White)],
            Fault::PositionHasTwoKeys => lane.policy = EnPassantPolicy::Always,
            _ => {}
        }
        Some(Arc::new(tables))
    }
}

struct Judge<'a> {
    row: &'a Row,
    options: Options<'a>,
    control: &'a Control,
}

impl FaultyVisitor for Judge<'_> {
    type Output = RowVerdict;

    fn visit<T: Sabotaged>(self, root: Faulty<T>, plant: Plant) -> RowVerdict {
        judge_candidate(self.row, &Suspect { root, fault: plant.fault }, self.options, self.control)
    }
}

struct Play<'a> {
    playouts: Playouts,
    settings: Settings<'a>,
    control: &'a Control,
}

impl FaultyVisitor for Play<'_> {
    type Output = RowReport;

    fn visit<T: Sabotaged>(self, root: Faulty<T>, _: Plant) -> RowReport {
        perft_gate_walk::playouts_of(root, self.playouts, self.settings, self.control)
    }
}
