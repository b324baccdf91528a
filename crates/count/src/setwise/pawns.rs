//! The mover's pawn moves, as one set of targets for each direction.

use perft_gate_walk::chess::legality::Legality;
use perft_gate_walk::chess::movegen::{self, Sink};
use perft_gate_walk::chess::{Bitboard, Square, White};

/// Distance from a pawn to its target: push, double push, capture to the west, capture to the east.
pub(super) const STEPS: [u32; 4] = [8, 16, 7, 9];

/// Index of the double push in [`STEPS`].
pub(super) const DOUBLE: usize = 1;

/// The targets of a side's pawns.
pub(super) struct PawnWays {
    /// Targets of moves that do not promote, in the order of [`STEPS`].
    pub(super) targets: [Bitboard; 4],
    /// Targets of promotions, in the same order.
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
