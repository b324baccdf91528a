//! The key that tables of positions go by.

use super::axes::{Axes, Castling, Width};
use super::pieces::Table;
use super::tracker::{LEGAL, SETS};
use super::{Dynamic, SchemeVisitor, Wide, Zobrist, generate};
use perft_gate_simd::Level;

/// Runs `visitor` with a key of two lanes: a word of its own for everything in which positions differ for the moves.
///
/// Positions of the same side to move that differ, differ in at least one word of each lane, drawn independently of all
/// others: over the draw, a lane of theirs agrees with probability 2^-64 exactly, whatever the other lane does.
pub fn visit_fingerprint<V: SchemeVisitor>(level: Level, visitor: V) -> V::Output {
    let flattened = generate::seeded(&Axes { width: Width::W128, ..Axes::CPW793 }, 0);
    let [low, high] = &flattened.lanes[..] else { unreachable!("128 bits are two lanes") };
    if level.is_common() {
        let lane = |words| Zobrist::<_, SETS, LEGAL, false>::new(words, Table(&words.pieces));
        visitor.visit(Wide::new(lane(low), lane(high), 64))
    } else {
        let lane = |words| Dynamic::new(words, Castling::C16);
        visitor.visit(Wide::new(lane(low), lane(high), 64))
    }
}
