//! Pins in a position with few pieces. When a slider moves, the pins are recomputed without it. This costs less than
//! listing the effects of leaving and entering each line, as [`pins`](super::pins) does.

use super::parent::ParentSets;
use super::pawns::FreePawns;
use super::pins::{line_of, reach};
use perft_gate_chess::{Bitboard, Lines, SidePieces, Square, attacks};
use perft_gate_simd::{Token, inline_all, kernel};

/// The pieces between the replier's king and the mover's sliders.
#[derive(Clone, Copy, Default)]
pub(super) struct SparsePins {
    /// The replier's pinned pieces, and the squares where an arriving piece ends a pin.
    pub(super) pinned: Bitboard,
    pub(super) lines: Bitboard,
    /// The mover's pieces that uncover a check when they leave the line from a slider to the king.
    pub(super) uncovering: Bitboard,
    /// The pieces in `uncovering`, and those that make a pin when they leave the line.
    pub(super) releasing: Bitboard,
}

#[inline_all]
impl SparsePins {
    /// Finds the pins made by the mover's sliders other than `moving`, given the lines through the replier's king.
    /// `ONE_SLIDER` means that the mover has at most one slider.
    pub(super) fn new<const ONE_SLIDER: bool>(
        parent: &ParentSets<'_>,
        king: Square,
        rays: &'static Lines,
        moving: Bitboard,
    ) -> SparsePins {
        let ParentSets { mover, replier, occupied, .. } = parent;
        let mut pins = SparsePins::default();
        let snipers = mover.orthogonal & rays.orthogonal() | mover.diagonal & rays.diagonals();
        for sniper in snipers & !moving {
            let line = attacks::through(king, sniper);
            let blockers = line & *occupied & !Bitboard::from(sniper);
            let (own, others) = (blockers & replier.all, blockers.without_first());
            if others.is_empty() {
                pins.pinned |= own;
                pins.lines |= if own.any() { line } else { Bitboard::EMPTY };
                pins.uncovering |= blockers & mover.all;
            } else if !others.several() && own.any() {
                pins.releasing |= blockers & mover.all;
            }
            if ONE_SLIDER {
                break;
            }
        }
        pins.releasing |= pins.uncovering;
        pins
    }

    /// Returns the replier's pieces still pinned after a piece enters `to`, given the king and the lines through it.
    pub(super) fn pinned_after<const ONE_SLIDER: bool>(&self, king: Square, rays: &Lines, to: Bitboard) -> Bitboard {
        if (to & self.lines).is_empty() {
            return self.pinned;
        }
        if ONE_SLIDER || !self.pinned.several() {
            return Bitboard::EMPTY;
        }
        self.pinned & !ray_of(king, rays, to)
    }
}

/// Returns the ray from a king that contains a square, given the lines through the king.
#[inline(always)]
pub(super) fn ray_of(king: Square, rays: &Lines, square: Bitboard) -> Bitboard {
    let above = Bitboard(!0 << king.index());
    line_of(rays, square) & if (square & above).any() { above } else { !above }
}

/// Finds the pins that remain when the slider `moving` leaves its square.
#[kernel]
pub(super) fn pins_without<L: Token>(
    _: L,
    parent: &ParentSets<'_>,
    king: Square,
    rays: &'static Lines,
    moving: Bitboard,
) -> SparsePins {
    SparsePins::new::<false>(parent, king, rays, moving)
}

/// Counts the moves that pins take away from the pieces `pinned`, which must be either a single pawn or any number of
/// pieces other than pawns. `rays` are the lines through the king, and `open` holds the allowed targets of pieces other
/// than pawns. For a pawn, every target is allowed.
#[kernel]
pub(super) fn count_pinned_moves<L: Token>(
    level: L,
    replier: &SidePieces,
    rays: &Lines,
    occupied: Bitboard,
    open: Bitboard,
    pinned: Bitboard,
) -> u64 {
    if (replier.pawns & pinned).is_empty() {
        let mut moves = 0;
        for piece in pinned {
            let piece = piece.into();
            moves += (reach(level, replier, occupied, piece) & open & !line_of(rays, piece)).count();
        }
        return moves;
    }
    let enemies = occupied & !replier.all;
    let moves =
        |limited: Bitboard| FreePawns::new(pinned, limited, rays).replies(!occupied, enemies, Bitboard::ALL).moves;
    moves(Bitboard::EMPTY) - moves(pinned)
}
