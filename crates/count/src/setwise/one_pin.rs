//! The pin that a side's only slider makes, for positions with few pieces.

use super::parent::ParentSets;
use super::pawns::FreePawns;
use super::pins::{line_of, reach};
use perft_gate_chess::attacks::Lines;
use perft_gate_chess::{Bitboard, SidePieces, Square, attacks};
use perft_gate_simd::{Kernel, Token};

/// What stands between the replier's king and the mover's only slider.
#[derive(Clone, Copy)]
pub(super) struct Pin {
    /// The replier's pinned piece, and the line on which a piece ends the pin.
    pub(super) pinned: Bitboard,
    pub(super) line: Bitboard,
    /// The mover's piece whose leaving uncovers a check.
    pub(super) uncovering: Bitboard,
    /// That piece, or the one whose leaving pins another.
    pub(super) releasing: Bitboard,
}

impl Pin {
    pub(super) const NONE: Pin =
        Pin { pinned: Bitboard::EMPTY, line: Bitboard::EMPTY, uncovering: Bitboard::EMPTY, releasing: Bitboard::EMPTY };

    /// Finds the pin of a mover with one slider at most, given the lines of the replier's king.
    #[inline(always)]
    pub(super) fn of(parent: &ParentSets<'_>, king: Square, rays: &Lines) -> Pin {
        let ParentSets { mover, replier, occupied, .. } = parent;
        let sniper = mover.orthogonal & rays.orthogonal() | mover.diagonal & rays.diagonals();
        debug_assert!(!sniper.several());
        let mut pin = Pin::NONE;
        if sniper.any() {
            let line = attacks::through(king, sniper.first());
            let blockers = line & *occupied & !sniper;
            let (own, others) = (blockers & replier.all, blockers.without_first());
            if others.is_empty() {
                pin.pinned = own;
                pin.line = if own.any() { line } else { Bitboard::EMPTY };
                pin.uncovering = blockers & mover.all;
                pin.releasing = pin.uncovering;
            } else if !others.several() && own.any() {
                pin.releasing = blockers & mover.all;
            }
        }
        pin
    }
}

/// Counts the moves off its line that a pinned piece must not make.
pub(super) struct CountPinnedMoves<'a> {
    pub(super) replier: &'a SidePieces,
    /// The lines through the king.
    pub(super) rays: &'a Lines,
    pub(super) occupied: Bitboard,
    /// The squares that a piece other than a pawn may enter; a pawn may enter any.
    pub(super) open: Bitboard,
    pub(super) pinned: Bitboard,
}

impl Kernel for CountPinnedMoves<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let CountPinnedMoves { replier, rays, occupied, open, pinned } = self;
        if (replier.pawns & pinned).is_empty() {
            return (reach(level, replier, occupied, pinned) & open & !line_of(rays, pinned)).count();
        }
        let enemies = occupied & !replier.all;
        let moves =
            |limited: Bitboard| FreePawns::new(pinned, limited, rays).replies(!occupied, enemies, Bitboard::ALL).moves;
        moves(Bitboard::EMPTY) - moves(pinned)
    }
}
