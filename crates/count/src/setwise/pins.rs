//! The lines through the replier's king: pins, discovered checks, and the squares from which a slider would check or pin.

use super::parent::Parent;
use super::pieces::Kind;
use perft_gate_chess::attacks::Lines;
use perft_gate_chess::{Bitboard, Black, Side, SidePieces, attacks};
use perft_gate_simd::Token;

/// A piece of the replier that is pinned, or would be, if a piece of the mover left its square.
#[derive(Clone, Copy)]
pub(super) struct Released {
    /// The mover's piece: the one that pins, or one of two that stand between.
    pub(super) mover: Bitboard,
    /// The squares on which the mover's piece leaves things as they are.
    pub(super) stays: Bitboard,
    /// True if the piece is pinned now.
    pub(super) pinned: bool,
    /// The empty squares on which another piece ends the pin.
    pub(super) between: Bitboard,
    /// Its moves off the line.
    pub(super) off_line: OffLine,
}

/// The moves that a pin takes from a piece of the replier.
#[derive(Clone, Copy)]
pub(super) struct OffLine {
    pub(super) moves: i64,
    /// Squares that change these moves when they are entered.
    pub(super) reach: Bitboard,
}

/// Room for a piece on each line through the king.
const ROOM: usize = 8;

/// The pins and discovered checks on the lines through the replier's king.
pub(super) struct PinsAndDiscoveries {
    /// The lines through the king.
    pub(super) lines: &'static Lines,
    /// The replier's pinned pieces.
    pub(super) pinned: Bitboard,
    /// Squares from which a move makes or ends a pin: see [`Released`].
    pub(super) releasing: Bitboard,
    /// Squares from which every move is counted by itself.
    pub(super) from: Bitboard,
    /// Squares to which a move ends a pin.
    pub(super) between: Bitboard,
    /// Those of them to which every move is counted by itself.
    pub(super) to: Bitboard,
    /// The mover's pieces that uncover a check.
    pub(super) uncovering: Bitboard,
    /// Squares from which a rook would pin.
    pub(super) rooks_pin: Bitboard,
    /// Squares from which a bishop would pin.
    pub(super) bishops_pin: Bitboard,
}

/// The pieces that a move can release or pin by leaving a square.
pub(super) struct ReleasedPieces {
    pieces: [Released; ROOM],
    number: usize,
}

impl ReleasedPieces {
    pub(super) const fn new() -> ReleasedPieces {
        let none = Bitboard::EMPTY;
        let off_line = OffLine { moves: 0, reach: none };
        ReleasedPieces {
            pieces: [Released { mover: none, stays: none, pinned: false, between: none, off_line }; ROOM],
            number: 0,
        }
    }

    /// Returns the squares that a mover's piece must not enter if what its leaving changes is to be added.
    #[inline(always)]
    pub(super) fn met(&self, mover: Bitboard) -> Bitboard {
        let mut met = Bitboard::EMPTY;
        for released in &self.pieces[..self.number.min(ROOM)] {
            if (released.mover & mover).any() {
                met |= released.off_line.reach & !released.stays;
            }
        }
        met
    }

    /// Returns the squares on lines of pinned pieces that a piece must not enter if what that changes is to be added: its leaving
    /// changes the moves off the line, too.
    #[inline(always)]
    pub(super) fn met_on_lines(&self, from: Bitboard) -> Bitboard {
        let mut met = Bitboard::EMPTY;
        for released in &self.pieces[..self.number.min(ROOM)] {
            if (released.off_line.reach & from).any() {
                met |= released.between;
            }
        }
        met
    }

    /// Returns the moves that pinned pieces gain if a piece ends their pins by entering the lines.
    #[inline(always)]
    pub(super) fn ended(&self, kind: Kind, from: Bitboard, to: Bitboard, lines: &Lines) -> i64 {
        let slides = match kind {
            Kind::Bishop => lines.diagonals(),
            Kind::Rook => lines.orthogonal(),
            Kind::Queen => Bitboard::ALL,
            Kind::Knight | Kind::King => Bitboard::EMPTY,
        };
        let mut gained = 0;
        for released in &self.pieces[..self.number.min(ROOM)] {
            // A slider of the line pins as well.
            let entered = released.between & to & !slides;
            if (released.mover & from).is_empty() {
                note!(PinEnded, entered.any() && released.off_line.moves != 0);
                gained += released.off_line.moves * entered.count() as i64;
            }
        }
        gained
    }

    /// Returns the moves that pinned pieces gain, less those that pieces lose by a pin, over some moves of a mover's piece.
    #[inline(always)]
    pub(super) fn gained(&self, mover: Bitboard, to: Bitboard) -> i64 {
        let mut gained = 0;
        for released in &self.pieces[..self.number.min(ROOM)] {
            if (released.mover & mover).any() {
                let moves = released.off_line.moves * (to & !released.stays).count() as i64;
                note!(SniperLeaves, released.pinned && moves != 0);
                note!(SecondBlockerLeaves, !released.pinned && moves != 0);
                gained += if released.pinned { moves } else { -moves };
            }
        }
        gained
    }
}

impl PinsAndDiscoveries {
    #[inline(always)]
    pub(super) fn new<L: Token>(level: L, parent: &Parent<'_>, released: &mut ReleasedPieces) -> PinsAndDiscoveries {
        let Parent { mover, replier, occupied, bishops_check, rooks_check, .. } = parent;
        let king = replier.king_square();
        let lines = attacks::lines_through(king);
        let none = Bitboard::EMPTY;
        let mut found = PinsAndDiscoveries {
            lines,
            pinned: none,
            releasing: none,
            from: none,
            between: none,
            to: none,
            uncovering: none,
            rooks_pin: attacks::rook(level, king, *occupied ^ *rooks_check & replier.all) & !*rooks_check,
            bishops_pin: attacks::bishop(level, king, *occupied ^ *bishops_check & replier.all) & !*bishops_check,
        };
        released.number = 0;
        for sniper in mover.orthogonal & lines.orthogonal() | mover.diagonal & lines.diagonals() {
            let ray = attacks::through(king, sniper);
            let blockers = ray & !Bitboard::from(sniper) & *occupied;
            let own = blockers & replier.all;
            let (mover, stays, pinned) = match blockers.count() {
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
            match found.off_line(level, parent, own) {
                Some(off_line) if released.number < ROOM => {
                    released.pieces[released.number] = Released { mover, stays, pinned, between, off_line };
                    released.number += 1;
                    found.releasing |= mover;
                    found.between |= between;
                }
                _ => {
                    found.from |= mover;
                    found.to |= between;
                }
            }
        }
        found.from |= found.uncovering;
        // On the line of a pinned piece another slider pins it once more.
        found.rooks_pin &= !found.between;
        found.bishops_pin &= !found.between;
        found
    }

    /// Returns the line through the king and a square on one of its lines.
    #[inline(always)]
    pub(super) fn line_of(&self, square: Bitboard) -> Bitboard {
        line_of(self.lines, square)
    }

    /// Returns the moves that a pin on its line takes from a piece, or nothing if the pin changes more than these.
    #[inline(always)]
    pub(super) fn off_line<L: Token>(&self, level: L, parent: &Parent<'_>, piece: Bitboard) -> Option<OffLine> {
        let Parent { replier, mover, occupied, .. } = parent;
        let line = self.line_of(piece);
        if (piece & (parent.rooks | replier.pawns & Bitboard::rank(1))).any() {
            // Castling, or a promotion.
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
        Some(OffLine { moves: (moves & !line).count() as i64, reach: reach & !line })
    }
}

/// Returns the squares that one of a side's pieces attacks, if it is neither pawn nor king.
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

/// Returns that of a king's lines on which a square is.
#[inline(always)]
pub(super) fn line_of(lines: &Lines, square: Bitboard) -> Bitboard {
    let Lines { file, rank, diagonal, antidiagonal } = *lines;
    let on = |line: u64| if square.0 & line != 0 { line } else { 0 };
    Bitboard(on(file) | on(rank) | on(diagonal) | on(antidiagonal))
}

/// Returns the mover's pieces that uncover a check when they leave their line.
#[inline(always)]
pub(super) fn uncovering(parent: &Parent<'_>) -> Bitboard {
    let Parent { mover, replier, occupied, .. } = parent;
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
    use super::{PinsAndDiscoveries, Released, ReleasedPieces};
    use crate::setwise::parent::Parent;
    use crate::setwise::pieces::Kind;
    use crate::setwise::tests::{set, square};
    use perft_gate_chess::{Bitboard, Fen};
    use perft_gate_simd::V1;

    fn found(fen: &str) -> (PinsAndDiscoveries, ReleasedPieces) {
        let (board, level) = (Fen::parse(fen).expect(fen), V1::token());
        let mut released = ReleasedPieces::new();
        (PinsAndDiscoveries::new(level, &Parent::new(level, &board), &mut released), released)
    }

    /// Returns what is found of the one piece that a move can release or pin.
    fn only(fen: &str) -> (PinsAndDiscoveries, ReleasedPieces, Released) {
        let (lines, released) = found(fen);
        assert_eq!(released.number, 1, "{fen}");
        let piece = released.pieces[0];
        (lines, released, piece)
    }

    const E_FILE: [&str; 7] = ["e1", "e2", "e3", "e4", "e5", "e6", "e7"];

    #[test]
    fn a_pinned_knight_is_released() {
        let (lines, released, piece) = only("4k3/4n3/8/8/8/8/8/4R1K1 w - - 0 1");
        let between = set(&["e2", "e3", "e4", "e5", "e6"]);
        assert_eq!((lines.pinned, lines.releasing, lines.from), (set(&["e7"]), set(&["e1"]), Bitboard::EMPTY));
        assert_eq!((lines.between, lines.to), (between, Bitboard::EMPTY));
        assert_eq!((piece.mover, piece.pinned, piece.between), (set(&["e1"]), true, between));
        // It has only to stay on the file.
        assert_eq!(piece.stays & set(&E_FILE), set(&E_FILE));
        let jumps = set(&["c8", "g8", "c6", "g6", "d5", "f5"]);
        assert_eq!((piece.off_line.moves, piece.off_line.reach), (6, jumps));
        // The rook leaves the line, or stays on it.
        assert_eq!(released.gained(set(&["e1"]), set(&["a1", "f1", "e3"])), 12);
        assert_eq!(released.gained(set(&["f1"]), set(&["a1"])), 0);
        assert_eq!((released.met(set(&["e1"])), released.met(set(&["f1"]))), (jumps, Bitboard::EMPTY));
        // Another piece enters the line; a rook there pins the knight as well, and the sniper itself ends nothing.
        let (from, to) = (set(&["f3"]), set(&["e5", "e3", "h3"]));
        for (kind, expected) in
            [(Kind::Knight, 12), (Kind::Bishop, 12), (Kind::King, 12), (Kind::Rook, 0), (Kind::Queen, 0)]
        {
            assert_eq!(released.ended(kind, from, to, lines.lines), expected, "{kind:?}");
        }
        assert_eq!(released.ended(Kind::Knight, set(&["e1"]), to, lines.lines), 0);
        // A piece that leaves a square of the knight's changes what the knight gains.
        assert_eq!((released.met_on_lines(set(&["d5"])), released.met_on_lines(from)), (between, Bitboard::EMPTY));
    }

    #[test]
    fn the_second_of_two_pieces_on_a_line_makes_a_pin() {
        let (lines, released, piece) = only("4k3/4n3/8/4N3/8/8/8/4R1K1 w - - 0 1");
        assert_eq!((lines.pinned, lines.releasing, lines.between), (Bitboard::EMPTY, set(&["e5"]), Bitboard::EMPTY));
        assert_eq!((piece.mover, piece.pinned, piece.between), (set(&["e5"]), false, Bitboard::EMPTY));
        assert_eq!(piece.stays, set(&E_FILE));
        // Capturing the knight, it stays on the line: nothing is pinned.
        assert_eq!(released.gained(set(&["e5"]), set(&["d3", "c6", "e7"])), -12);
        assert_eq!(released.met(set(&["e5"])), set(&["c8", "g8", "c6", "g6", "d5", "f5"]));
    }

    #[test]
    fn the_second_piece_may_stand_next_to_the_king() {
        let (lines, released, piece) = only("4k3/4N3/8/4n3/8/8/8/4R1K1 w - - 0 1");
        assert_eq!((lines.releasing, piece.mover, piece.pinned), (set(&["e7"]), set(&["e7"]), false));
        assert_eq!((piece.off_line.moves, released.gained(set(&["e7"]), set(&["g8"]))), (8, -8));
    }

    #[test]
    fn a_single_piece_of_the_mover_uncovers_a_check() {
        let (lines, released) = found("4k3/8/8/4N3/8/8/8/4R1K1 w - - 0 1");
        assert_eq!((released.number, lines.pinned, lines.releasing), (0, Bitboard::EMPTY, Bitboard::EMPTY));
        assert_eq!((lines.uncovering, lines.from), (set(&["e5"]), set(&["e5"])));
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
            let (lines, released) = found(fen);
            assert_eq!((released.number, lines.pinned | lines.uncovering | lines.from), (0, Bitboard::EMPTY), "{fen}");
        }
    }

    #[test]
    fn rooks_that_may_castle_and_pawns_before_the_last_rank_are_counted_one_by_one() {
        let (lines, released) = found("4kr1R/8/8/8/8/8/8/4K3 w f - 0 1");
        assert_eq!((released.number, lines.pinned), (0, set(&["f8"])));
        assert_eq!((lines.from, lines.to, lines.between), (set(&["h8"]), set(&["g8"]), Bitboard::EMPTY));
        let (lines, released) = found("8/8/8/8/8/8/3kp2R/K7 w - - 0 1");
        assert_eq!((released.number, lines.pinned), (0, set(&["e2"])));
        assert_eq!((lines.from, lines.to, lines.between), (set(&["h2"]), set(&["f2", "g2"]), Bitboard::EMPTY));
        // Without the right to castle the rook loses nothing by the pin: all its moves are on the rank, but those along the file.
        let (_, _, piece) = only("4kr1R/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!((piece.pinned, piece.off_line.moves), (true, 7));
    }

    #[test]
    fn pinned_pawns_lose_pushes_and_captures_off_the_line() {
        // Two pushes and the capture on e6; the one on c6 would be on the line.
        let (_, _, piece) = only("4k3/3p4/4N3/1B6/8/8/8/6K1 w - - 0 1");
        assert_eq!((piece.off_line.moves, piece.off_line.reach), (3, set(&["d6", "d5", "e6"])));
        assert_eq!((piece.mover, piece.between), (set(&["b5"]), set(&["c6"])));
        // On the file the pushes stay.
        let (_, _, piece) = only("4k3/4p3/3P4/8/8/8/8/4R1K1 w - - 0 1");
        assert_eq!((piece.off_line.moves, piece.off_line.reach), (1, set(&["d6", "f6"])));
        // A blocked pawn loses none, but what stops it may leave.
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
        // Where one pins already, another changes nothing.
        let (lines, _) = found("4k3/4n3/8/8/8/4R3/8/6K1 w - - 0 1");
        assert_eq!(lines.rooks_pin, set(&["e3"]));
        assert_eq!(lines.line_of(square("e7").into()), set(&E_FILE));
    }
}
