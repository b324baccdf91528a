//! The lines through the replier's king: pins, discovered checks, and the squares from which a slider would pin.
//!
//! **A pin is a constant.** A pinned piece keeps its moves along the line and loses its moves *off the line*. The
//! number of lost moves does not depend on the mover's move, as long as that move avoids the squares that the pinned
//! piece reaches. So a move that ends a pin *gains* that number, and a move that makes a pin *loses* it. Both are
//! summed over all moves of a piece. Between the king and a slider of the mover on its lines (the sniper), there is one
//! of these:
//!
//! - one piece of the replier: it is pinned. The sniper ends the pin by leaving the line. Any other piece ends it by
//!   entering the line *between* the two, except a slider that moves along that line, which then pins instead;
//! - one piece of the mover: if it leaves the line, it uncovers a check. All its moves are counted singly, in the
//!   lanes;
//! - one piece of each side: if the mover's piece leaves the line, the other is pinned;
//! - anything else: a single move changes nothing.
//!
//! The first and the third case give a [`PinChange`]. A slider that arrives behind a piece of the replier, as its king
//! sees it, also pins: `rooks_pin` and `bishops_pin` hold the squares where it does.
//!
//! **Conflicts.** The number holds only if the move changes nothing else about the pinned piece. Suppose the mover's
//! piece goes to a square that the pinned piece reaches off its line. Then it may block that piece or be captured. That
//! square *conflicts*, and the move is counted singly. So is a move that ends the pin from between and comes from such
//! a square (`line_conflicts`). For a pinned rook that may castle, or a pinned pawn before the last rank, no such
//! number covers all lost moves, so all moves that end the pin are counted singly.
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
//! The knight is pinned, so a pass leaves the king's steps to d7, d8, f7 and f8. Off the line the knight has six moves.
//!
//! - White's king has five moves, and the rook keeps the pin on e2 to e6: ten moves with four replies each.
//! - On a1, b1, c1, d1 and f1 the rook is off the line: each move gains six replies. From d1 and f1 it also takes two
//!   steps from the king.
//! - On e7 it gives check: three replies.
//!
//! The total is 15 × 4 + 5 × 6 − 2 × 2 + 3 = 89.
//!
//! A conflict: replace the knight with a bishop and put the rook on e4. Ra4 gains the bishop's nine moves off the line.
//! Rb4 gains only eight: the bishop can take the rook there, but no longer reaches a3.

use super::parent::ParentSets;
use super::pieces::PieceKind;
use perft_gate_chess::attacks::Lines;
use perft_gate_chess::{Bitboard, Black, Side, SidePieces, attacks};
use perft_gate_simd::Token;

/// A piece of the replier that is pinned, or that would be pinned if a piece of the mover left its square.
#[derive(Clone, Copy)]
pub(super) struct PinChange {
    /// The mover's piece that changes the pin by leaving: the sniper, or the mover's piece on its line to the king.
    pub(super) mover: Bitboard,
    /// Target squares on which the mover's piece changes nothing.
    pub(super) keeps_pin: Bitboard,
    /// True if the replier's piece is pinned now.
    pub(super) pinned: bool,
    /// Empty squares on which another piece ends the pin.
    pub(super) between: Bitboard,
    /// Moves of the replier's piece off the line.
    pub(super) off_line: PinnedMoves,
}

/// The moves that a pin takes from a piece of the replier.
#[derive(Clone, Copy)]
pub(super) struct PinnedMoves {
    pub(super) moves: i64,
    /// Squares off the line where an arrival may change these moves.
    pub(super) reach: Bitboard,
}

/// Capacity: one per ray from the king. The moves that change further pins are counted singly.
const ROOM: usize = 8;

/// The pins and discovered checks on the lines through the replier's king.
pub(super) struct PinsAndDiscoveries {
    /// The lines through the king.
    pub(super) lines: &'static Lines,
    /// The replier's pinned pieces.
    pub(super) pinned: Bitboard,
    /// Squares from which a move can make or end a pin: see [`PinChange`].
    pub(super) pin_changes_from: Bitboard,
    /// Squares from which every move is counted singly.
    pub(super) count_singly_from: Bitboard,
    /// Squares to which a move can end a pin: see [`PinChange`].
    pub(super) between: Bitboard,
    /// Squares between the king and a sniper to which every move is counted singly.
    pub(super) count_singly_to: Bitboard,
    /// The mover's pieces that uncover a check when they leave their line.
    pub(super) uncovering: Bitboard,
    /// Squares from which a rook of the mover would pin.
    pub(super) rooks_pin: Bitboard,
    /// Squares from which a bishop of the mover would pin.
    pub(super) bishops_pin: Bitboard,
}

/// All [`PinChange`]s of a position.
pub(super) struct PinChanges {
    list: [PinChange; ROOM],
    number: usize,
}

impl PinChanges {
    pub(super) const fn new() -> PinChanges {
        let none = Bitboard::EMPTY;
        let off_line = PinnedMoves { moves: 0, reach: none };
        PinChanges {
            list: [PinChange { mover: none, keeps_pin: none, pinned: false, between: none, off_line }; ROOM],
            number: 0,
        }
    }

    /// Returns the target squares of a mover's piece that conflict with the pin it makes or ends by leaving.
    #[inline(always)]
    pub(super) fn conflicts(&self, mover: Bitboard) -> Bitboard {
        let mut conflicts = Bitboard::EMPTY;
        for change in &self.list[..self.number.min(ROOM)] {
            if (change.mover & mover).any() {
                conflicts |= change.off_line.reach & !change.keeps_pin;
            }
        }
        conflicts
    }

    /// Returns the target squares of a mover's piece that conflict because it ends a pin there, and the freed piece
    /// reaches the square that it leaves.
    #[inline(always)]
    pub(super) fn line_conflicts(&self, from: Bitboard) -> Bitboard {
        let mut conflicts = Bitboard::EMPTY;
        for change in &self.list[..self.number.min(ROOM)] {
            if (change.off_line.reach & from).any() {
                conflicts |= change.between;
            }
        }
        conflicts
    }

    /// Returns the moves that pinned pieces gain when a piece ends their pins by entering their lines, summed over its
    /// targets.
    #[inline(always)]
    pub(super) fn arrival_gains(&self, kind: PieceKind, from: Bitboard, to: Bitboard, lines: &Lines) -> i64 {
        let slides = match kind {
            PieceKind::Bishop => lines.diagonals(),
            PieceKind::Rook => lines.orthogonal(),
            PieceKind::Queen => Bitboard::ALL,
            PieceKind::Knight | PieceKind::King => Bitboard::EMPTY,
        };
        let mut gained = 0;
        for change in &self.list[..self.number.min(ROOM)] {
            // A slider that moves along the line pins instead.
            let entered = change.between & to & !slides;
            if (change.mover & from).is_empty() {
                gained += change.off_line.moves * entered.count() as i64;
            }
        }
        gained
    }

    /// Sums over the moves of the piece on `mover` to the squares `to`: the replies gained where leaving ends a pin,
    /// minus those lost where it begins one.
    #[inline(always)]
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

impl PinsAndDiscoveries {
    #[inline(always)]
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
        // On the line of a pinned piece, another slider pins nothing more.
        found.rooks_pin &= !found.between;
        found.bishops_pin &= !found.between;
        found
    }

    /// Returns the line through the king that contains a square.
    #[inline(always)]
    pub(super) fn line_of(&self, square: Bitboard) -> Bitboard {
        line_of(self.lines, square)
    }

    /// Returns the moves that a pin takes from a piece of the replier. Returns `None` for a rook that may castle and a
    /// pawn before the last rank: the number would not cover castling and promotions.
    #[inline(always)]
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

/// Returns the squares that a piece of `side` attacks; none for a pawn or a king.
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

#[cfg(test)]
mod tests {
    use super::{PinChange, PinChanges, PinsAndDiscoveries};
    use crate::setwise::parent::ParentSets;
    use crate::setwise::pieces::PieceKind;
    use crate::setwise::tests::{set, square};
    use perft_gate_chess::{Bitboard, Fen};
    use perft_gate_simd::V1;

    fn found(fen: &str) -> (PinsAndDiscoveries, PinChanges) {
        let (board, level) = (Fen::parse(fen).expect(fen), V1::token());
        let mut changes = PinChanges::new();
        (PinsAndDiscoveries::new(level, &ParentSets::new(level, &board), &mut changes), changes)
    }

    /// Returns the results for a position with exactly one [`PinChange`].
    fn only(fen: &str) -> (PinsAndDiscoveries, PinChanges, PinChange) {
        let (lines, changes) = found(fen);
        assert_eq!(changes.number, 1, "{fen}");
        let piece = changes.list[0];
        (lines, changes, piece)
    }

    const E_FILE: [&str; 7] = ["e1", "e2", "e3", "e4", "e5", "e6", "e7"];

    #[test]
    fn a_pinned_knight_is_released() {
        let (lines, changes, piece) = only("4k3/4n3/8/8/8/8/8/4R1K1 w - - 0 1");
        let between = set(&["e2", "e3", "e4", "e5", "e6"]);
        assert_eq!(
            (lines.pinned, lines.pin_changes_from, lines.count_singly_from),
            (set(&["e7"]), set(&["e1"]), Bitboard::EMPTY)
        );
        assert_eq!((lines.between, lines.count_singly_to), (between, Bitboard::EMPTY));
        assert_eq!((piece.mover, piece.pinned, piece.between), (set(&["e1"]), true, between));
        // The rook keeps the pin anywhere on the file.
        assert_eq!(piece.keeps_pin & set(&E_FILE), set(&E_FILE));
        let jumps = set(&["c8", "g8", "c6", "g6", "d5", "f5"]);
        assert_eq!((piece.off_line.moves, piece.off_line.reach), (6, jumps));
        // The rook leaves the line twice and stays on it once.
        assert_eq!(changes.vacating_gains(set(&["e1"]), set(&["a1", "f1", "e3"])), 12);
        assert_eq!(changes.vacating_gains(set(&["f1"]), set(&["a1"])), 0);
        assert_eq!((changes.conflicts(set(&["e1"])), changes.conflicts(set(&["f1"]))), (jumps, Bitboard::EMPTY));
        // Another piece enters the line. A rook there pins the knight itself, and the sniper ends no pin on its own
        // line.
        let (from, to) = (set(&["f3"]), set(&["e5", "e3", "h3"]));
        for (kind, expected) in [
            (PieceKind::Knight, 12),
            (PieceKind::Bishop, 12),
            (PieceKind::King, 12),
            (PieceKind::Rook, 0),
            (PieceKind::Queen, 0),
        ] {
            assert_eq!(changes.arrival_gains(kind, from, to, lines.lines), expected, "{kind:?}");
        }
        assert_eq!(changes.arrival_gains(PieceKind::Knight, set(&["e1"]), to, lines.lines), 0);
        // A piece that comes from a square of the knight's reach changes the number that the knight gains.
        assert_eq!((changes.line_conflicts(set(&["d5"])), changes.line_conflicts(from)), (between, Bitboard::EMPTY));
    }

    #[test]
    fn the_second_of_two_pieces_on_a_line_makes_a_pin() {
        let (lines, changes, piece) = only("4k3/4n3/8/4N3/8/8/8/4R1K1 w - - 0 1");
        assert_eq!(
            (lines.pinned, lines.pin_changes_from, lines.between),
            (Bitboard::EMPTY, set(&["e5"]), Bitboard::EMPTY)
        );
        assert_eq!((piece.mover, piece.pinned, piece.between), (set(&["e5"]), false, Bitboard::EMPTY));
        assert_eq!(piece.keeps_pin, set(&E_FILE));
        // On e7 the piece captures the other knight and stays on the line, so nothing is pinned.
        assert_eq!(changes.vacating_gains(set(&["e5"]), set(&["d3", "c6", "e7"])), -12);
        assert_eq!(changes.conflicts(set(&["e5"])), set(&["c8", "g8", "c6", "g6", "d5", "f5"]));
    }

    #[test]
    fn the_second_piece_may_stand_next_to_the_king() {
        let (lines, changes, piece) = only("4k3/4N3/8/4n3/8/8/8/4R1K1 w - - 0 1");
        assert_eq!((lines.pin_changes_from, piece.mover, piece.pinned), (set(&["e7"]), set(&["e7"]), false));
        assert_eq!((piece.off_line.moves, changes.vacating_gains(set(&["e7"]), set(&["g8"]))), (8, -8));
    }

    #[test]
    fn a_single_piece_of_the_mover_uncovers_a_check() {
        let (lines, changes) = found("4k3/8/8/4N3/8/8/8/4R1K1 w - - 0 1");
        assert_eq!((changes.number, lines.pinned, lines.pin_changes_from), (0, Bitboard::EMPTY, Bitboard::EMPTY));
        assert_eq!((lines.uncovering, lines.count_singly_from), (set(&["e5"]), set(&["e5"])));
    }

    #[test]
    fn two_pieces_of_one_side_shield_the_king() {
        for fen in [
            "4k3/4n3/4n3/8/8/8/8/4R1K1 w - - 0 1",
            "4k3/4N3/4N3/8/8/8/8/4R1K1 w - - 0 1",
            "4k3/4n3/4N3/4n3/8/8/8/4R1K1 w - - 0 1",
            // A bishop does not pin along a file.
            "4k3/4n3/8/8/8/8/8/4B1K1 w - - 0 1",
        ] {
            let (lines, changes) = found(fen);
            assert_eq!(
                (changes.number, lines.pinned | lines.uncovering | lines.count_singly_from),
                (0, Bitboard::EMPTY),
                "{fen}"
            );
        }
    }

    #[test]
    fn rooks_that_may_castle_and_pawns_before_the_last_rank_are_counted_one_by_one() {
        let (lines, changes) = found("4kr1R/8/8/8/8/8/8/4K3 w f - 0 1");
        assert_eq!((changes.number, lines.pinned), (0, set(&["f8"])));
        assert_eq!(
            (lines.count_singly_from, lines.count_singly_to, lines.between),
            (set(&["h8"]), set(&["g8"]), Bitboard::EMPTY)
        );
        let (lines, changes) = found("8/8/8/8/8/8/3kp2R/K7 w - - 0 1");
        assert_eq!((changes.number, lines.pinned), (0, set(&["e2"])));
        assert_eq!(
            (lines.count_singly_from, lines.count_singly_to, lines.between),
            (set(&["h2"]), set(&["f2", "g2"]), Bitboard::EMPTY)
        );
        // Without the right to castle, the rook loses only its moves along the file. Its other moves are on the rank of
        // the pin.
        let (_, _, piece) = only("4kr1R/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!((piece.pinned, piece.off_line.moves), (true, 7));
    }

    #[test]
    fn pinned_pawns_lose_pushes_and_captures_off_the_line() {
        // Two pushes and the capture on e6. A capture on c6 would be on the line.
        let (_, _, piece) = only("4k3/3p4/4N3/1B6/8/8/8/6K1 w - - 0 1");
        assert_eq!((piece.off_line.moves, piece.off_line.reach), (3, set(&["d6", "d5", "e6"])));
        assert_eq!((piece.mover, piece.between), (set(&["b5"]), set(&["c6"])));
        // A pawn pinned on its file keeps its pushes.
        let (_, _, piece) = only("4k3/4p3/3P4/8/8/8/8/4R1K1 w - - 0 1");
        assert_eq!((piece.off_line.moves, piece.off_line.reach), (1, set(&["d6", "f6"])));
        // A blocked pawn loses no moves, but the piece that blocks it may leave.
        let (_, _, piece) = only("4k3/3p4/3R4/1B6/8/8/8/6K1 w - - 0 1");
        assert_eq!((piece.off_line.moves, piece.off_line.reach), (0, set(&["d6", "d5", "e6"])));
    }

    #[test]
    fn squares_from_which_a_slider_would_pin() {
        let (lines, _) = found("4k3/4n3/2p5/8/8/8/8/3R2K1 w - - 0 1");
        // Behind the knight on the file.
        assert_eq!(lines.rooks_pin, set(&["e1", "e2", "e3", "e4", "e5", "e6"]));
        // Behind the pawn on c6, seen from e8.
        assert_eq!(lines.bishops_pin, set(&["b5", "a4"]));
        // If a rook already pins, another on its line changes nothing.
        let (lines, _) = found("4k3/4n3/8/8/8/4R3/8/6K1 w - - 0 1");
        assert_eq!(lines.rooks_pin, set(&["e3"]));
        assert_eq!(lines.line_of(square("e7").into()), set(&E_FILE));
    }
}
