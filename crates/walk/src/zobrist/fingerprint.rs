//! The key that tables of positions go by.

use super::axes::{Axes, Castling, Width};
use super::pieces::FullTable;
use super::tracker::{LEGAL, SETS};
use super::{SchemeVisitor, StaticTracker, TableTracker, TwoHalfTracker, generate};
use perft_gate_simd::Level;

/// Runs `visitor` with a key of two lanes: a word of its own for everything in which positions differ for the moves.
///
/// Positions of the same side to move that differ, differ in at least one word of each lane, drawn independently of all
/// others: over the draw, a lane of theirs agrees with probability 2^-64 exactly, whatever the other lane does.
pub fn visit_fingerprint<V: SchemeVisitor>(level: Level, visitor: V) -> V::Output {
    let key_tables = generate::seeded(&Axes { width: Width::W128, ..Axes::CPW793 }, 0);
    let [low, high] = &key_tables.lanes[..] else { unreachable!("128 bits are two lanes") };
    if level.is_common() {
        let lane = |words| StaticTracker::<_, SETS, LEGAL, false>::new(words, FullTable(&words.pieces));
        visitor.visit(TwoHalfTracker::new(lane(low), lane(high), 64))
    } else {
        let lane = |words| TableTracker::new(words, Castling::C16);
        visitor.visit(TwoHalfTracker::new(lane(low), lane(high), 64))
    }
}
