//! Random games. They run the checks of a walk along a single line of moves, which can be far deeper than any tree that
//! can be walked in full. The games cover long undo stacks, large clocks and late promotions.

use crate::game::Game;
use crate::position::Position;
use crate::tasks::Control;
use crate::verify::{Course, RowReport, Settings, each_alone};
use crate::visitor::{Children, Restored, Visitor};
use crate::visitors::Verify;
use perft_gate_chess::{Board, Move};
use perft_gate_simd::{Token, kernel};
use perft_gate_zobrist::{SchemeVisitor, Tracker};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use std::time::Instant;

/// Random games to verify.
#[perft_gate_chess::document(Clone, Copy, Debug)]
pub struct Playouts {
    /// Number of games.
    pub games: u64,
    /// The number given to the first game. A game's moves are determined by the seed and the game's number.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub first: u64,
    /// Maximum length of a game, at most [`crate::game::MAX_PLAYOUT_PLIES`].
    pub plies: u32,
    /// Seed of the random moves.
    #[cfg_attr(feature = "serde", serde(with = "perft_gate_chess::json::Decimal"))]
    pub seed: u64,
}

/// Verifies random games from a position, with the checks of [`verify`](fn@super::verify). Each game counts as one task
/// of `control`. The caller announces the total number of tasks with [`Control::begin`].
pub fn playouts(board: &Board, playouts: Playouts, settings: Settings<'_>, control: &Control) -> RowReport {
    if settings.scheme.is_all() {
        return each_alone(settings, |settings| self::playouts(board, playouts, settings, control));
    }
    // Most of the time of a random game is spent generating moves, so the data-driven tracker is fast enough for all
    // schemes.
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
        visitor.found
    };
    let games: Vec<_> = (playouts.first..playouts.first + playouts.games).into_par_iter().map(play).collect();
    let mut report = RowReport::new(playouts.plies, start.elapsed(), control);
    for game in games {
        report.add_verified(game, 0);
    }
    report
}

/// Plays a game of at most `plies` plies from `root`, with moves determined by `seed` and `number`. Walks it like a
/// tree that consists of a single line, then unmakes all moves back to the root.
#[kernel]
pub fn playout<L: Token, G: Game, V: Visitor<G>>(
    level: L,
    root: G,
    visitor: &mut V,
    plies: u32,
    seed: u64,
    number: u64,
) {
    let mut random = ChaCha20Rng::seed_from_u64(seed);
    random.set_stream(number);
    let (game, mut made) = (&mut root.clone(), Vec::with_capacity(plies as usize));
    visitor.enter(level, game, plies, None);
    for depth in (1..=plies).rev() {
        let mut moves = G::Moves::default();
        game.moves_apart(level, &mut moves);
        if moves.is_empty() {
            break;
        }
        let mv = moves[(random.next_u64() % moves.len() as u64) as usize];
        let frame = visitor.open(game);
        visitor.descend(level, game, (&frame, mv), depth);
        let undo = game.play(level, mv);
        visitor.enter(level, game, depth - 1, Some((&frame, mv)));
        made.push((frame, mv, undo, depth));
    }
    while let Some((frame, mv, undo, depth)) = made.pop() {
        game.unmake(level, mv, undo);
        let mut restored = Restored::new(level);
        visitor.after_unmake::<L, false>(level, game, &frame, (depth, mv), &mut restored);
        let children = Children { entered: 1, compared: restored.compared, differ: restored.differences.any() };
        visitor.close(level, game, &frame, depth, children);
    }
    visitor.finish(level);
}
