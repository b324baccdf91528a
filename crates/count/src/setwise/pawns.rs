//! The mover's pawn moves, as sets by the way the pawns go.

use perft_gate_walk::chess::legality::Legality;
use perft_gate_walk::chess::movegen::{self, Sink};
use perft_gate_walk::chess::{Bitboard, Square, White};

/// From where a pawn stands to its target: ahead, two steps ahead, to the west, to the east.
pub(super) const STEPS: [u32; 4] = [8, 16, 7, 9];

/// Two steps ahead, in [`STEPS`].
pub(super) const DOUBLE: usize = 1;

/// The targets of a side's pawns.
pub(super) struct PawnWays {
    /// In the order of [`STEPS`]; none promotes.
    pub(super) targets: [Bitboard; 4],
    /// Of those that promote, in the same order.
    pub(super) promotions: [Bitboard; 4],
}

impl PawnWays {
    #[inline(always)]
    pub(super) fn new(pawns: Bitboard, legality: &Legality) -> PawnWays {
        let mut ways = PawnWays { targets: [Bitboard::EMPTY; 4], promotions: [Bitboard::EMPTY; 4] };
        movegen::pawns::<White, _>(pawns, legality, &mut ways);
        ways
    }
}

#[inline(always)]
const fn way(delta: i32) -> usize {
    match delta {
        7 => 2,
        9 => 3,
        _ => 0,
    }
}

impl Sink for PawnWays {
    #[inline(always)]
    fn piece(&mut self, _: Square, _: Bitboard) {}
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, delta: i32) {
        self.targets[way(delta)] = targets;
    }
    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard, _: i32) {
        self.targets[DOUBLE] = targets;
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, delta: i32) {
        self.promotions[way(delta)] = targets;
    }
    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {}
    #[inline(always)]
    fn castle(&mut self, _: Square, _: Square) {}
}
