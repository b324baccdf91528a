//! Random games: the checks of a walk along single lines, deeper than any tree reaches.

use crate::game::Game;
use crate::playout::playout;
use crate::position::Position;
use crate::tasks::Control;
use crate::verify::{Course, RowReport, Settings, each_alone};
use crate::visitors::Verify;
use perft_gate_chess::{Board, Move};
use perft_gate_zobrist::{SchemeVisitor, Tracker};
use rayon::prelude::*;
use std::time::Instant;

/// Random games to verify.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Playouts {
    /// Number of games.
    pub games: u64,
    /// Number of the first game: games with different numbers differ.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub first: u64,
    /// Greatest length of a game, at most [`crate::game::MAX_PLAYOUT_PLIES`].
    pub plies: u32,
    /// Seed of the random moves.
    #[cfg_attr(feature = "serde", serde(with = "perft_gate_chess::json::Decimal"))]
    pub seed: u64,
}

/// Verifies random games from a position, with the checks of [`verify`](fn@super::verify). Each game is a task of the control,
/// whose owner says how many there will be.
pub fn playouts(board: &Board, playouts: Playouts, settings: Settings<'_>, control: &Control) -> RowReport {
    if settings.scheme.is_all() {
        return each_alone(settings, |settings| self::playouts(board, playouts, settings, control));
    }
    // A game spends its time in move generation, so the data-driven tracker serves all schemes.
    let course = Course { board, way: playouts, settings, control };
    settings.scheme.visit_several(settings.seed, settings.secondary, course)
}

impl SchemeVisitor for Course<'_, Playouts> {
    type Output = RowReport;
    fn visit<T: Tracker>(self, tracker: T) -> RowReport {
        playouts_of(Position::new(*self.board, tracker), self.way, self.settings, self.control)
    }
}

pub fn playouts_of<G: Game<Move = Move>>(
    root: G,
    playouts: Playouts,
    settings: Settings<'_>,
    control: &Control,
) -> RowReport {
    let start = Instant::now();
    let play = |number| {
        let mut visitor = Verify::new(&[], playouts.plies, settings.sample_mask, None, control);
        if !control.is_stopped() {
            playout(settings.level, root.clone(), &mut visitor, playouts.plies, playouts.seed, number);
        }
        control.advance(1);
        visitor.verified()
    };
    let games: Vec<_> = (playouts.first..playouts.first + playouts.games).into_par_iter().map(play).collect();
    let mut report = RowReport::new(playouts.plies, start.elapsed(), control);
    for game in games {
        report.add_verified(game, 0);
    }
    report.time = start.elapsed();
    report
}
