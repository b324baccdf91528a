//! The 128-bit key of tables of positions.

use super::axes::{Axes, Castling, Width};
use super::pieces::FullTable;
use super::tracker::{LegalPolicy, RightsBySet};
use super::{SchemeVisitor, StaticTracker, TableTracker, TwoHalfTracker, generate};
use perft_gate_simd::Level;

/// Runs `visitor` with a key of two lanes, in which every feature of a position that matters to its moves has a random
/// number of its own.
///
/// Two different positions with the same side to move differ in at least one random number of each lane, drawn
/// independently of all others. So over the draw a lane agrees with probability 2^-64 exactly, whatever the other lane
/// does.
pub fn visit_fingerprint<V: SchemeVisitor>(level: Level, visitor: V) -> V::Output {
    let key_tables = generate::seeded(&Axes { width: Width::W128, ..Axes::CPW793 }, 0);
    let [low, high] = &key_tables.lanes[..] else { unreachable!("128 bits are two lanes") };
    if level.is_common() {
        let lane = |table| StaticTracker::<_, RightsBySet, LegalPolicy, false>::new(table, FullTable(&table.pieces));
        visitor.visit(TwoHalfTracker::new(lane(low), lane(high), 64))
    } else {
        let lane = |table| TableTracker::new(table, Castling::C16);
        visitor.visit(TwoHalfTracker::new(lane(low), lane(high), 64))
    }
}
