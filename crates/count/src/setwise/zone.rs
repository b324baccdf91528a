//! The surroundings of the replier's king: the steps and castling moves that the mover's moves take or give.
//!
//! **Losses are sets.** The base holds one reply for each free square next to the king, and one for each castling move.
//! A piece that arrives where it attacks a free square takes that step away: a *loss*. The squares from which a knight,
//! a bishop or a rook does so are found before any move is looked at ([`Steps`]). Then one popcount per step counts the
//! losses of all moves of a piece. A castling move is also lost from a set: the squares of its way, and all squares
//! that attack a square the king crosses. So it is kept as one more step.
//!
//! **Gains.** A square next to the king that only one piece attacks is *guarded*. If the guard goes where it does not
//! attack that square, the king *gains* a step. If a piece captures next to the king, and no other protects it, the
//! king *recaptures*: also one more reply. Both are sums over all moves of the piece, unless a slider is behind it on
//! the line to that square. The slider does not count as an attacker, since the piece blocks it, but it attacks once
//! the piece has left. So a piece that *is backed* is counted singly (`is_backed` in [`scene`](super::scene)).
//!
//! **Cutting.** A piece that enters a line between a slider and an attacked square cuts the line. The king may gain a
//! step, unless another piece attacks the square. Moves to such squares are counted singly (`cutting`), and so are
//! moves of a piece on a line between a slider and a free square (`uncovering`): when it leaves, steps are lost.
//!
//! **Castling paths force single counting.** A castling move is lost if *any* square of its path is entered or
//! attacked, which is a union of sets. It is gained only if *all* of them are empty and unattacked, which depends on
//! the vacated and the entered square at once. One move seldom clears a hindered way, so nothing is summed there. Three
//! kinds of moves are counted singly: moves from a square of the way, moves of a piece that is the only guard of a
//! square of the king's path (`guarded_castling`), and moves that cut a line to one.
//!
//! **Worked example.** White to move; Black may castle.
//!
//! ```text
//! 8  . . . . k . . r
//! 7  . . . . . . . .
//! 6  . . . . . . . .
//! 5  . . . . . . . .
//! 4  . . . . . . . .
//! 3  . . . . . . . .
//! 2  . . . . . . . .
//! 1  . K . R . . . .
//!    a b c d e f g h
//! ```
//!
//! A pass leaves 13 replies: steps to e7, f7 and f8, castling, and nine rook moves. Only the white rook guards d7 and d8.
//!
//! - White's king has five moves, none of which changes anything.
//! - The rook goes to c1, f1, g1 or h1: each gains the two steps to d7 and d8. From f1 it takes three replies: the steps to f7 and f8,
//!   and castling, which crosses f8. From g1 it takes castling alone.
//! - On d2 to d7 it is on a line to a guarded square, so these moves are counted singly, even though the line is its
//!   own. On d2 to d6 it keeps guarding: 13 replies. On d7 the king may take it, but loses e7 and f7: 12.
//! - On e1 and d8 it checks: four replies and three.
//!
//! The total is 9 × 13 + 4 × 2 − 3 − 1 + 5 × 13 + 12 + 4 + 3 = 205.
//!
//! Now put a white bishop on b4. It guards e7 and f8, so only the step to f7 and the rook's nine moves remain, and castling is
//! hindered on f8 alone. After Bc3 the king gains e7, f8 *and* castling: 13 replies instead of 10. After Ba3 it gains nothing.
//! After Rd6, which cuts the bishop's line, it gains all three. With a queen on a3 behind the bishop, Bc3 gains nothing: the
//! queen still attacks e7 and f8.

use super::parent::ParentSets;
use super::pieces::{Attacked, PieceKind};
use super::pins::PinsAndDiscoveries;
use perft_gate_chess::{Bitboard, Black, Side, Square, White, attacks};
use perft_gate_simd::Token;

/// The moves of the replier's king: steps to squares that the mover does not attack, and castling.
pub(super) struct Steps {
    number: usize,
    /// The squares of all steps.
    squares: Bitboard,
    /// For each of these moves, the squares from which each type of piece prevents it.
    prevented: [[Bitboard; PieceKind::NUMBER]; 16],
    /// The squares from which a type of piece prevents any of these moves.
    pub(super) any: [Bitboard; PieceKind::NUMBER],
}

/// The surroundings of the replier's king, and the moves of the mover whose effects there [`Steps`] does not cover:
/// these are counted one by one.
pub(super) struct Zone {
    /// Number of steps and castling moves, if the mover passes.
    pub(super) replies: u64,
    /// Squares the king could step to, except that exactly one piece attacks them.
    pub(super) guarded: Bitboard,
    /// Squares the king could cross to castle, except that exactly one piece attacks them.
    pub(super) guarded_castling: Bitboard,
    /// Squares where the king may recapture a piece that nothing else protects.
    pub(super) recaptured: Bitboard,
    /// Squares from which every move is counted separately.
    pub(super) count_singly_from: Bitboard,
    /// Squares to which pawn moves are counted separately.
    pub(super) count_pawns_singly_to: Bitboard,
    /// Squares to which moves of all other pieces are counted separately, except pieces whose type checks from there.
    pub(super) count_singly_to: Bitboard,
    /// Squares to which a move of a type of piece may have an effect near the king.
    pub(super) affected: [Bitboard; PieceKind::NUMBER],
}

/// Returns the squares from which pawns of the mover attack the given squares.
#[inline(always)]
pub(super) fn pawns_that_attack(squares: Bitboard) -> Bitboard {
    Black::pawn_attacks(squares)
}

/// The squares from which each type of piece attacks one square, or any of several.
#[derive(Clone, Copy)]
struct Attackers {
    knights: Bitboard,
    diagonals: Bitboard,
    lines: Bitboard,
    kings: Bitboard,
}

impl Attackers {
    /// Returns the squares from which the types of pieces attack a square.
    #[inline(always)]
    fn find<L: Token>(level: L, square: Square, occupied: Bitboard) -> Attackers {
        Attackers {
            knights: attacks::knight(square),
            diagonals: attacks::bishop(level, square, occupied),
            lines: attacks::rook(level, square, occupied),
            kings: attacks::king(square),
        }
    }

    /// Returns the same squares for all types.
    #[inline(always)]
    fn all(squares: Bitboard) -> Attackers {
        Attackers { knights: squares, diagonals: squares, lines: squares, kings: squares }
    }

    #[inline(always)]
    fn add(&mut self, other: Attackers) {
        self.knights |= other.knights;
        self.diagonals |= other.diagonals;
        self.lines |= other.lines;
        self.kings |= other.kings;
    }

    #[inline(always)]
    fn by_kind(&self) -> [Bitboard; PieceKind::NUMBER] {
        let Attackers { knights, diagonals, lines, kings } = *self;
        [knights, diagonals, lines, diagonals | lines, kings]
    }
}

/// The replier's castling moves, as the mover allows or hinders them.
struct CastlingPaths {
    /// Squares that king and rook cross in castling moves that the mover now hinders.
    hindered: Bitboard,
    /// The subset that the king crosses with nothing in the way: only an attack hinders it.
    crossed: Bitboard,
    /// The subset of `crossed` with exactly one guard.
    guarded: Bitboard,
    /// Squares where a pawn move hinders castling.
    hindered_by_pawns: Bitboard,
}

impl CastlingPaths {
    /// Finds the castling moves. Adds the legal ones to the steps, and the pieces that prevent them to `attackers`.
    #[inline(always)]
    fn find<L: Token>(
        level: L,
        parent: &ParentSets<'_>,
        pinned: Bitboard,
        attacked: &Attacked,
        steps: &mut Steps,
        attackers: &mut Attackers,
    ) -> CastlingPaths {
        let (king, occupied, none) = (parent.replier.king, parent.occupied, Bitboard::EMPTY);
        let mut paths = CastlingPaths { hindered: none, crossed: none, guarded: none, hindered_by_pawns: none };
        for castle in parent.castles() {
            if !castle.is_allowed(occupied, attacked.any, pinned) {
                paths.hindered |= castle.path;
                if (castle.path & occupied).is_empty() {
                    paths.crossed |= castle.king_path & !king;
                    if (castle.king_path & attacked.twice).is_empty() {
                        paths.guarded |= castle.king_path & attacked.any;
                    }
                }
                continue;
            }
            let within = castle.path | castle.rook;
            paths.hindered_by_pawns |= within;
            let mut prevented = Attackers::all(within);
            for square in castle.king_path & !king {
                paths.hindered_by_pawns |= pawns_that_attack(square.into());
                prevented.add(Attackers::find(level, square, occupied));
            }
            steps.push(prevented.by_kind());
            attackers.add(prevented);
        }
        paths
    }
}

impl Zone {
    #[inline(always)]
    pub(super) fn new<L: Token>(
        level: L,
        parent: &ParentSets<'_>,
        lines: &PinsAndDiscoveries,
        attacked: &Attacked,
        steps: &mut Steps,
    ) -> Zone {
        let Attacked { any, twice, on_lines, on_diagonals } = *attacked;
        let (replier, occupied) = (&parent.replier, parent.occupied);
        let near = attacks::king(replier.king_square());
        let ring = near & !replier.all;
        let mut attackers = steps.find(level, ring & !any, occupied);
        let paths = CastlingPaths::find(level, parent, lines.pinned, attacked, steps, &mut attackers);
        steps.any = attackers.by_kind();
        // Squares where a piece blocks an attack.
        let mut cutting = Bitboard::EMPTY;
        for square in (ring | paths.crossed) & any & (on_lines | on_diagonals) {
            cutting |= attacks::rook(level, square, occupied) & on_lines;
            cutting |= attacks::bishop(level, square, occupied) & on_diagonals;
        }
        // A piece between a slider and an unattacked square opens a line when it leaves.
        let uncovering = attackers.lines & on_lines | attackers.diagonals & on_diagonals;
        let recaptured = near & replier.all & !twice;
        let count_singly_to = lines.count_singly_to | cutting & !occupied;
        Zone {
            replies: steps.number as u64,
            guarded: ring & any & !twice,
            guarded_castling: paths.guarded,
            count_singly_from: lines.count_singly_from | uncovering | paths.hindered,
            recaptured,
            count_pawns_singly_to: count_singly_to
                | parent.pawns_check
                | paths.hindered_by_pawns
                | lines.between
                | recaptured,
            count_singly_to,
            affected: Zone::find_affected(parent, lines, &steps.any, count_singly_to | lines.between | recaptured),
        }
    }

    /// Returns, for each type of piece, the squares where its arrival may have an effect; `of_all` is common to all.
    #[inline(always)]
    fn find_affected(
        parent: &ParentSets<'_>,
        lines: &PinsAndDiscoveries,
        steps: &[Bitboard; PieceKind::NUMBER],
        of_all: Bitboard,
    ) -> [Bitboard; PieceKind::NUMBER] {
        let ParentSets { knights_check, bishops_check, rooks_check, .. } = *parent;
        let [steps_of_knights, steps_of_bishops, steps_of_rooks, _, steps_of_kings] = *steps;
        let of_bishops = of_all | bishops_check | steps_of_bishops | lines.bishops_pin;
        let of_rooks = of_all | rooks_check | steps_of_rooks | lines.rooks_pin;
        let of_knights = of_all | knights_check | steps_of_knights;
        [of_knights, of_bishops, of_rooks, of_bishops | of_rooks, of_all | steps_of_kings]
    }
}

impl Steps {
    pub(super) const fn new() -> Steps {
        let none = Bitboard::EMPTY;
        Steps { number: 0, squares: none, prevented: [[none; PieceKind::NUMBER]; 16], any: [none; PieceKind::NUMBER] }
    }

    /// Finds the steps to some squares; returns the squares from which pieces attack these.
    #[inline(always)]
    fn find<L: Token>(&mut self, level: L, squares: Bitboard, occupied: Bitboard) -> Attackers {
        (self.number, self.squares) = (0, squares);
        let mut all = Attackers::all(Bitboard::EMPTY);
        for square in squares {
            let attackers = Attackers::find(level, square, occupied);
            self.push(attackers.by_kind());
            all.add(attackers);
        }
        all
    }

    #[inline(always)]
    fn push(&mut self, prevented: [Bitboard; PieceKind::NUMBER]) {
        self.prevented[self.number & 15] = prevented;
        self.number += 1;
    }

    /// Returns the number of the king's moves that a piece prevents, summed over its moves.
    #[inline(always)]
    pub(super) fn losses(&self, kind: PieceKind, to: Bitboard) -> i64 {
        #[cfg(test)]
        for (number, step) in self.prevented[..self.number & 15].iter().enumerate() {
            let castles = number as u64 >= self.squares.count();
            cover!(StepPrevented, !castles && (step[kind as usize] & to).any());
            cover!(CastlingPrevented, castles && (step[kind as usize] & to).any());
        }
        // No test for an empty set: the number of steps is the same for all pieces, so the loop predicts well.
        let mut prevented = 0;
        for step in &self.prevented[..self.number & 15] {
            prevented += (step[kind as usize] & to).count();
        }
        prevented as i64
    }

    /// Returns the number of steps attacked by pawns that move to these targets.
    #[inline(always)]
    pub(super) fn losses_to_pawns(&self, [a, b]: [Bitboard; 2]) -> i64 {
        if self.number == 0 {
            return 0;
        }
        let mut attacked =
            (White::attacks_west(a) & self.squares).count() + (White::attacks_east(a) & self.squares).count();
        attacked += (White::attacks_west(b) & self.squares).count();
        attacked += (White::attacks_east(b) & self.squares).count();
        cover!(StepPreventedByPawn, attacked);
        attacked as i64
    }
}

#[cfg(test)]
mod tests {
    use super::{Steps, Zone};
    use crate::setwise::parent::ParentSets;
    use crate::setwise::pieces::{PieceKind, Pieces};
    use crate::setwise::pins::{PinChanges, PinsAndDiscoveries};
    use crate::setwise::tests::set;
    use perft_gate_chess::legality::Legality;
    use perft_gate_chess::{Bitboard, Fen, White};
    use perft_gate_simd::V1;

    /// Returns the king's surroundings, and the mover's pieces whose moves are all counted singly.
    fn zone(fen: &str) -> (Zone, Steps, Bitboard) {
        let (board, level) = (Fen::parse(fen).expect(fen), V1::token());
        let (parent, mut pieces, mut steps) = (ParentSets::new(level, &board), Pieces::new(), Steps::new());
        let lines = PinsAndDiscoveries::new(level, &parent, &mut PinChanges::new());
        pieces.find(level, &parent.mover, &Legality::new::<White, _>(level, &parent.mover, &parent.replier));
        let zone = Zone::new(level, &parent, &lines, &pieces.attacked, &mut steps);
        let singly = zone.count_singly_from & parent.mover.all;
        (zone, steps, singly)
    }

    const D_FILE: [&str; 6] = ["d2", "d3", "d4", "d5", "d6", "d7"];

    #[test]
    fn a_guard_gives_steps_and_takes_others() {
        let (zone, steps, singly) = zone("4k2r/8/8/8/8/8/8/1K1R4 w k - 0 1");
        assert_eq!((zone.replies, zone.guarded), (4, set(&["d7", "d8"])));
        let losses = |square| steps.losses(PieceKind::Rook, set(&[square]));
        assert_eq!(["c1", "f1", "g1", "h1", "d6", "d7"].map(losses), [0, 3, 1, 0, 0, 2]);
        assert_eq!(zone.count_singly_to & set(&D_FILE), set(&D_FILE));
        // Castling is legal, so it is a step, and nothing can be gained.
        assert_eq!((zone.guarded_castling, singly), (Bitboard::EMPTY, Bitboard::EMPTY));
    }

    #[test]
    fn a_hindered_castling_move_makes_moves_be_counted_singly() {
        let (zone, steps, singly) = zone("4k2r/8/8/8/1B6/8/8/1K1R4 w k - 0 1");
        assert_eq!((zone.replies, zone.guarded), (1, set(&["d7", "d8", "e7", "f8"])));
        assert_eq!((zone.guarded_castling, singly), (set(&["f8"]), Bitboard::EMPTY));
        assert_eq!(zone.count_singly_to & set(&["c5", "d6", "a3", "c3"]), set(&["c5", "d6"]));
        assert_eq!(steps.losses(PieceKind::Rook, set(&["f1", "g1"])), 1);
        // Two pieces attack f8: if one of them leaves, castling stays hindered.
        let (zone, ..) = self::zone("4k2r/8/8/8/1B6/5Q2/8/1K1R4 w k - 0 1");
        assert_eq!(zone.guarded_castling, Bitboard::EMPTY);
        // A piece in the way may clear it.
        let (.., singly) = self::zone("4k1Nr/8/8/8/8/8/8/1K6 w k - 0 1");
        assert_eq!(singly, set(&["g8"]));
    }
}
