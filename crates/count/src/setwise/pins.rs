//! The lines through the replier's king: pins, discovered checks, and the squares from which a slider would pin.
//!
//! **A pin is a constant.** A pinned piece keeps its moves along the line and loses its moves *off the line*. The
//! number of lost moves does not depend on the mover's move, as long as that move avoids the squares that the pinned
//! piece reaches. So a move that ends a pin *gains* that number, and a move that makes a pin *loses* it. Both are
//! summed over all moves of a piece. A *sniper* is a slider of the mover on a line through the king. Between the king
//! and a sniper, there is one of the following:
//!
//! - one piece of the replier: it is pinned. The sniper ends the pin by leaving the line. Any other piece ends it by
//!   entering the line *between* sniper and king, except a slider that can move along that line, which then pins the
//!   piece instead;
//! - one piece of the mover: if it leaves the line, it uncovers a check. All its moves are counted singly, in the
//!   lanes;
//! - one piece of each side: if the mover's piece leaves the line, the replier's piece is pinned;
//! - anything else: a single move changes nothing.
//!
//! The first and the third case each give a [`PinChange`]. A slider that arrives behind a piece of the replier, as seen
//! from the replier's king, also pins that piece: `rooks_pin` and `bishops_pin` hold the squares where it does so.
//!
//! **Conflicts.** The number of lost moves holds only if the move changes nothing else about the pinned piece. Suppose
//! the mover's piece goes to a square that the pinned piece reaches off its line. Then the mover's piece may block the
//! pinned piece or be captured by it. That square *conflicts*, and the move is counted singly. A move that starts on
//! such a square and ends the pin by entering the line is counted singly too (`line_conflicts`). For a pinned rook that
//! may castle, or a pinned pawn on its seventh rank, no such number covers all lost moves, so all moves that end the
//! pin are counted singly.
//!
//! **Worked example.** White to move.
//!
//! ```text
//! 8  . . . . k . . .
//! 7  . . . . n . . .
//! 6  . . . . . . . .
//! 5  . . . . . . . .
//! 4  . . . . . . . .
//! 3  . . . . . . . .
//! 2  . . . . . . . .
//! 1  . . . . R . K .
//!    a b c d e f g h
//! ```
//!
//! The knight is pinned, so after a pass the king can go to d7, d8, f7 and f8. Off the line the knight has six moves.
//!
//! - White's king has five moves, and the rook keeps the pin on e2 to e6: ten moves with four replies each.
//! - On a1, b1, c1, d1 and f1 the rook is off the line: each move gains six replies. From d1 it also takes two steps
//!   from the king, and from f1 two others.
//! - On e7 it gives check: three replies.
//!
//! The total is 15 × 4 + 5 × 6 − 2 × 2 + 3 = 89.
//!
//! A conflict: replace the knight with a bishop and put the rook on e4. Ra4 gains the bishop's nine moves off the line.
//! Rb4 gains only eight: the bishop can take the rook there, but no longer reaches a3.

use super::parent::ParentSets;
use super::pieces::PieceKind;
use perft_gate_chess::{Bitboard, Black, Lines, Side, SidePieces, attacks};
use perft_gate_simd::{Token, inline_all};

/// A piece of the replier that is pinned, or that would be pinned if a piece of the mover left its square.
#[derive(Clone, Copy, Default)]
pub(super) struct PinChange {
    /// The mover's piece that changes the pin by leaving: the sniper, or the mover's piece between it and the king.
    pub(super) mover: Bitboard,
    /// Target squares on which the mover's piece does not change the pin.
    pub(super) keeps_pin: Bitboard,
    /// True if the replier's piece is pinned now.
    pub(super) pinned: bool,
    /// Empty squares where another piece can end the pin by arriving.
    pub(super) between: Bitboard,
    /// Moves of the replier's piece off the line.
    pub(super) off_line: PinnedMoves,
}

/// The moves that a pin takes from a piece of the replier.
#[derive(Clone, Copy, Default)]
pub(super) struct PinnedMoves {
    pub(super) moves: i64,
    /// Squares off the line where an arrival may change these moves.
    pub(super) reach: Bitboard,
}

/// Capacity: one pin change per ray from the king. Moves that cause any further pin change are counted singly.
const ROOM: usize = 8;

/// The pins and discovered checks on the lines through the replier's king.
pub(super) struct PinsAndDiscoveries {
    pub(super) lines: &'static Lines,
    /// The replier's pinned pieces.
    pub(super) pinned: Bitboard,
    /// Squares from which a move can make or end a pin: see [`PinChange`].
    pub(super) pin_changes_from: Bitboard,
    /// Squares from which every move is counted singly.
    pub(super) count_singly_from: Bitboard,
    /// Squares on which an arriving piece can end a pin: see [`PinChange`].
    pub(super) between: Bitboard,
    /// Squares between the king and a sniper whose pin has no [`PinChange`]. Every move to them is counted singly.
    pub(super) count_singly_to: Bitboard,
    /// The mover's pieces that uncover a check when they leave their line.
    pub(super) uncovering: Bitboard,
    /// Squares from which a rook of the mover would pin a piece of the replier.
    pub(super) rooks_pin: Bitboard,
    /// Squares from which a bishop of the mover would pin a piece of the replier.
    pub(super) bishops_pin: Bitboard,
}

/// All [`PinChange`]s of a position.
#[derive(Default)]
pub(super) struct PinChanges {
    list: [PinChange; ROOM],
    number: usize,
}

#[inline_all]
impl PinChanges {
    /// If the piece on `mover` makes or ends a pin by leaving, returns its conflicting target squares.
    pub(super) fn conflicts(&self, mover: Bitboard) -> Bitboard {
        let mut conflicts = Bitboard::EMPTY;
        for change in &self.list[..self.number.min(ROOM)] {
            if (change.mover & mover).any() {
                conflicts |= change.off_line.reach & !change.keeps_pin;
            }
        }
        conflicts
    }

    /// Returns the squares to which a move from `from` must be counted singly: it ends the pin of a piece that reaches
    /// `from`.
    pub(super) fn line_conflicts(&self, from: Bitboard) -> Bitboard {
        let mut conflicts = Bitboard::EMPTY;
        for change in &self.list[..self.number.min(ROOM)] {
            if (change.off_line.reach & from).any() {
                conflicts |= change.between;
            }
        }
        conflicts
    }

    /// Returns the number of moves that pinned pieces gain when the piece on `from` moves to a square on the line of
    /// their pin and so unpins them. The sum is over all its target squares `to`.
    pub(super) fn arrival_gains(&self, kind: PieceKind, from: Bitboard, to: Bitboard, lines: &Lines) -> i64 {
        let slides = match kind {
            PieceKind::Bishop => lines.diagonals(),
            PieceKind::Rook => lines.orthogonal(),
            PieceKind::Queen => Bitboard::ALL,
            PieceKind::Knight | PieceKind::King => Bitboard::EMPTY,
        };
        let mut gained = 0;
        for change in &self.list[..self.number.min(ROOM)] {
            // A slider that can move along the line keeps the piece pinned.
            let entered = change.between & to & !slides;
            if (change.mover & from).is_empty() {
                gained += change.off_line.moves * entered.count() as i64;
            }
        }
        gained
    }

    /// Returns the number of replies gained when the piece on `mover` ends a pin by leaving, minus those lost when it
    /// makes one by leaving, summed over its targets `to`.
    pub(super) fn vacating_gains(&self, mover: Bitboard, to: Bitboard) -> i64 {
        let mut gained = 0;
        for change in &self.list[..self.number.min(ROOM)] {
            if (change.mover & mover).any() {
                let moves = change.off_line.moves * (to & !change.keeps_pin).count() as i64;
                gained += if change.pinned { moves } else { -moves };
            }
        }
        gained
    }
}

#[inline_all]
impl PinsAndDiscoveries {
    pub(super) fn new<L: Token>(level: L, parent: &ParentSets<'_>, changes: &mut PinChanges) -> PinsAndDiscoveries {
        let ParentSets { mover, replier, occupied, bishops_check, rooks_check, .. } = parent;
        let king = replier.king_square();
        let lines = attacks::lines_through(king);
        let none = Bitboard::EMPTY;
        let mut found = PinsAndDiscoveries {
            lines,
            pinned: none,
            pin_changes_from: none,
            count_singly_from: none,
            between: none,
            count_singly_to: none,
            uncovering: none,
            rooks_pin: attacks::rook(level, king, *occupied ^ *rooks_check & replier.all) & !*rooks_check,
            bishops_pin: attacks::bishop(level, king, *occupied ^ *bishops_check & replier.all) & !*bishops_check,
        };
        changes.number = 0;
        for sniper in mover.orthogonal & lines.orthogonal() | mover.diagonal & lines.diagonals() {
            let ray = attacks::through(king, sniper);
            let blockers = ray & !Bitboard::from(sniper) & *occupied;
            let own = blockers & replier.all;
            let (mover, keeps_pin, pinned) = match blockers.count() {
                1 if own.any() => {
                    found.pinned |= own;
                    (sniper.into(), found.line_of(own), true)
                }
                1 => {
                    found.uncovering |= blockers;
                    continue;
                }
                2 if own.any() && blockers != own => (blockers & !own, ray, false),
                _ => continue,
            };
            let between = if pinned { ray & !*occupied } else { none };
            match found.pinned_moves(level, parent, own) {
                Some(off_line) if changes.number < ROOM => {
                    changes.list[changes.number] = PinChange { mover, keeps_pin, pinned, between, off_line };
                    changes.number += 1;
                    found.pin_changes_from |= mover;
                    found.between |= between;
                }
                _ => {
                    found.count_singly_from |= mover;
                    found.count_singly_to |= between;
                }
            }
        }
        found.count_singly_from |= found.uncovering;
        // A slider that arrives on the line of a pinned piece, short of the sniper, pins nothing new.
        found.rooks_pin &= !found.between;
        found.bishops_pin &= !found.between;
        found
    }

    /// Returns the line through the king that contains a square.
    pub(super) fn line_of(&self, square: Bitboard) -> Bitboard {
        line_of(self.lines, square)
    }

    /// Returns the moves that a pin takes from a piece of the replier. Returns `None` for a rook that may castle or a
    /// pawn on its seventh rank, because [`PinnedMoves`] does not cover castling and promotions.
    pub(super) fn pinned_moves<L: Token>(
        &self,
        level: L,
        parent: &ParentSets<'_>,
        piece: Bitboard,
    ) -> Option<PinnedMoves> {
        let ParentSets { replier, mover, occupied, .. } = parent;
        let line = self.line_of(piece);
        if (piece & (parent.rooks | replier.pawns & Bitboard::rank(1))).any() {
            return None;
        }
        let (moves, reach) = if (piece & replier.pawns).any() {
            let ahead = Black::forward(piece);
            let (push, captures) = (ahead & !*occupied, Black::pawn_attacks(piece));
            let double = Black::forward(ahead & Black::rank(2));
            let doubled = Black::forward(push & Black::rank(2)) & !*occupied;
            (push | doubled | captures & mover.all, ahead | double | captures)
        } else {
            let reach = reach(level, replier, *occupied, piece);
            (reach & !replier.all, reach)
        };
        Some(PinnedMoves { moves: (moves & !line).count() as i64, reach: reach & !line })
    }
}

/// Returns the squares that a piece of `side` attacks, or an empty set for a pawn or a king.
#[inline(always)]
pub(super) fn reach<L: Token>(level: L, side: &SidePieces, occupied: Bitboard, piece: Bitboard) -> Bitboard {
    let square = piece.first();
    let mut reach = Bitboard::EMPTY;
    if (piece & side.knights).any() {
        reach = attacks::knight(square);
    }
    if (piece & side.diagonal).any() {
        reach = attacks::bishop(level, square, occupied);
    }
    if (piece & side.orthogonal).any() {
        reach |= attacks::rook(level, square, occupied);
    }
    reach
}

/// Returns the line through a king that contains a square.
#[inline(always)]
pub(super) fn line_of(lines: &Lines, square: Bitboard) -> Bitboard {
    let Lines { file, rank, diagonal, antidiagonal } = *lines;
    let on = |line: u64| if square.0 & line != 0 { line } else { 0 };
    Bitboard(on(file) | on(rank) | on(diagonal) | on(antidiagonal))
}

/// Returns the mover's pieces that uncover a check when they leave their line.
#[inline(always)]
pub(super) fn uncovering(parent: &ParentSets<'_>) -> Bitboard {
    let ParentSets { mover, replier, occupied, .. } = parent;
    let king = replier.king_square();
    let lines = attacks::lines_through(king);
    let mut uncovering = Bitboard::EMPTY;
    for sniper in mover.orthogonal & lines.orthogonal() | mover.diagonal & lines.diagonals() {
        let blockers = attacks::through(king, sniper) & !Bitboard::from(sniper) & *occupied;
        if !blockers.several() {
            uncovering |= blockers & mover.all;
        }
    }
    uncovering
}
