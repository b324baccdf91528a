//! The surroundings of the replier's king: the king steps and castling moves that each of the mover's moves takes away
//! or allows.
//!
//! **Losses are sets.** The base, which is the number of replies to a pass, includes one reply for each free square
//! next to the king and one for each castling move. A piece that attacks a free square from its target takes that step
//! away, which is a *loss*. For each free square, [`Steps`] finds in advance the squares from which a knight, a bishop
//! or a rook attacks it. Then one popcount per step counts the moves of a piece that take this step away. A castling
//! move also has a set of squares from which a piece prevents it: its path, and all squares from which the piece
//! attacks a square that the king crosses. So a castling move is stored as one more step.
//!
//! **Gains.** A square next to the king that only one piece attacks is *guarded*. If the guard moves so that it no
//! longer attacks that square, the king *gains* a step. If a piece captures next to the king and no other piece
//! protects it, the king can *recapture*: one more reply. Both gains are summed over all moves of the piece, unless a
//! slider *backs* the piece by standing behind it on the line to that square. A blocked slider does not count as an
//! attacker, but once the piece has left, the slider attacks the square. So the moves of a backed piece are counted
//! singly (`is_backed` in [`scene`](super::scene)).
//!
//! **Cutting.** A piece that enters the line from a slider to an attacked square near the king cuts that line. The king
//! gains a step, unless another piece attacks the square. Moves to such a line are counted singly (`cutting`), except
//! the slider's own moves, since it still attacks along the line. Moves of a piece between a slider and a free square
//! (`uncovering`) are counted singly, too: when the piece leaves, steps are lost.
//!
//! **Castling.** A castling move is lost if *any* square of its path is entered or attacked, so a single set holds its
//! losses. It is gained only if *all* of them are empty and unattacked. If a single piece prevents it, each of this
//! piece's moves gains it, except those that still prevent it, and these gains are summed (`castling_gains` in
//! [`scene`](super::scene)). Other moves that may clear a path are counted singly: moves from a square of the path, pawn
//! moves, moves of a backed piece, and moves that cut a line to a square that the king crosses.
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
//! A pass leaves 13 replies: steps to e7, f7 and f8, castling, and nine rook moves. Only Rd1 guards d7 and d8.
//!
//! - White's king has five moves. None of them changes anything.
//! - The rook can go to c1, f1, g1 or h1: each move gains the two steps to d7 and d8. On f1 it takes away three
//!   replies: the steps to f7 and f8, and castling, which crosses f8. On g1 it takes away only castling.
//! - On d2 to d7 it stays on its line. On d2 to d6 it still guards d7 and d8. On d7 the king can take it, one step
//!   more, but loses the two steps to e7 and f7.
//! - On e1 and d8 it gives check, which leaves four and three replies.
//!
//! The total is 15 × 13 + 4 × 2 − 3 − 1 + 1 − 2 + 4 + 3 = 205.
//!
//! Now put a white bishop on b4. It guards e7 and f8. Only the step to f7 and the black rook's nine moves remain, and
//! only the attack on f8 hinders castling. After Bc3 the king gains e7, f8 *and* castling: 13 replies instead of 10.
//! After Ba3 it gains nothing. After Rd6, which cuts the bishop's line, it gains all three. Add a queen on a3, behind
//! the bishop. Now Bc3 gains nothing, because the queen attacks e7 and f8.

use super::parent::ParentSets;
use super::pieces::{Attacked, PieceKind};
use super::pins::PinsAndDiscoveries;
use perft_gate_chess::{Bitboard, Black, Side, Square, White, attacks};
use perft_gate_simd::{Token, inline_all};

/// The moves of the replier's king: steps to squares that the mover does not attack, and castling.
#[derive(Default)]
pub(super) struct Steps {
    number: usize,
    /// The target squares of the steps.
    squares: Bitboard,
    /// For each step and then each castling move, the squares from which each type of piece prevents it.
    prevented: [[Bitboard; PieceKind::NUMBER]; 16],
    /// For each castling move, the squares from which a pawn prevents it.
    prevented_by_pawns: [Bitboard; 2],
    /// The squares from which each type of piece prevents at least one step or castling move.
    pub(super) any: [Bitboard; PieceKind::NUMBER],
}

/// The effects of the mover's moves near the replier's king, except for the losses in [`Steps`]. Also holds the moves
/// that are counted one at a time because of these effects.
pub(super) struct Zone {
    /// Number of the king's steps and castling moves if the mover passes.
    pub(super) replies: u64,
    /// Squares that exactly one of the mover's pieces attacks and that the king could otherwise enter.
    pub(super) guarded: Bitboard,
    /// Squares that exactly one of the mover's pieces attacks and that the king could otherwise cross when castling.
    pub(super) guarded_castling: Bitboard,
    /// Squares that the king crosses in castling moves that attacks or a pin prevent, but no piece in the way.
    pub(super) crossed: Bitboard,
    /// The replier's pieces next to its king that are attacked by at most one of the mover's pieces. If that piece
    /// captures there, the king can recapture.
    pub(super) recaptured: Bitboard,
    /// Squares from which every move is counted singly.
    pub(super) count_singly_from: Bitboard,
    /// Squares to which pawn moves are counted singly.
    pub(super) count_pawns_singly_to: Bitboard,
    /// Squares to which moves of all other pieces are counted singly, in addition to moves that give check.
    pub(super) count_singly_to: Bitboard,
    /// For each type of piece, the squares where its arrival may affect the king, lines through the king, or castling.
    pub(super) affected: [Bitboard; PieceKind::NUMBER],
}

/// Returns the squares from which pawns of the mover attack the given squares.
#[inline(always)]
pub(super) fn pawns_that_attack(squares: Bitboard) -> Bitboard {
    Black::pawn_attacks(squares)
}

/// The squares from which each type of piece attacks a given square, or at least one of several squares.
#[derive(Clone, Copy)]
struct Attackers {
    knights: Bitboard,
    diagonals: Bitboard,
    lines: Bitboard,
    kings: Bitboard,
}

#[inline_all]
impl Attackers {
    /// Returns, for each type of piece, the squares from which it would attack `square`.
    fn find<L: Token>(level: L, square: Square, occupied: Bitboard) -> Attackers {
        Attackers {
            knights: attacks::knight(square),
            diagonals: attacks::bishop(level, square, occupied),
            lines: attacks::rook(level, square, occupied),
            kings: attacks::king(square),
        }
    }

    /// Returns `squares` for every type of piece.
    fn all(squares: Bitboard) -> Attackers {
        Attackers { knights: squares, diagonals: squares, lines: squares, kings: squares }
    }

    fn add(&mut self, other: Attackers) {
        self.knights |= other.knights;
        self.diagonals |= other.diagonals;
        self.lines |= other.lines;
        self.kings |= other.kings;
    }

    fn by_kind(&self) -> [Bitboard; PieceKind::NUMBER] {
        let Attackers { knights, diagonals, lines, kings } = *self;
        [knights, diagonals, lines, diagonals | lines, kings]
    }
}

/// The paths of the replier's castling moves.
#[derive(Default)]
struct CastlingPaths {
    /// King and rook paths of those castling moves of the replier that are currently prevented.
    hindered: Bitboard,
    /// The squares of `hindered` that the king crosses, for castling moves with an empty path.
    crossed: Bitboard,
    /// The squares of `crossed` that one piece attacks, except on paths with a square that is attacked twice.
    guarded: Bitboard,
}

impl CastlingPaths {
    /// Finds the castling moves. Adds the legal ones to `steps`, and adds to `attackers` the squares from which pieces
    /// prevent them.
    #[inline(always)]
    fn find<L: Token>(
        level: L,
        parent: &ParentSets<'_>,
        pinned: Bitboard,
        attacked: &Attacked,
        steps: &mut Steps,
        attackers: &mut Attackers,
    ) -> CastlingPaths {
        let (king, occupied) = (parent.replier.king, parent.occupied);
        let mut paths = CastlingPaths::default();
        for (number, castle) in parent.castles().enumerate() {
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
            steps.prevented_by_pawns[number & 1] = within | pawns_that_attack(castle.king_path & !king);
            let mut prevented = Attackers::all(within);
            for square in castle.king_path & !king {
                prevented.add(Attackers::find(level, square, occupied));
            }
            steps.push(prevented.by_kind());
            attackers.add(prevented);
        }
        paths
    }
}

#[inline_all]
impl Zone {
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
        // Squares where an arriving piece can block an attack by a slider on a square near the king.
        let mut cutting = Bitboard::EMPTY;
        for square in (ring | paths.crossed) & any & (on_lines | on_diagonals) {
            cutting |= attacks::rook(level, square, occupied) & on_lines;
            cutting |= attacks::bishop(level, square, occupied) & on_diagonals;
        }
        // A piece between a slider and a square that the king can enter opens a line when it leaves.
        let uncovering = attackers.lines & on_lines | attackers.diagonals & on_diagonals;
        let recaptured = near & replier.all & !twice;
        // A piece that moves to a square which nothing else attacks cuts no line but its own.
        let count_singly_to = lines.count_singly_to | cutting & twice & !occupied;
        Zone {
            replies: steps.number as u64,
            guarded: ring & any & !twice,
            guarded_castling: paths.guarded,
            crossed: paths.crossed,
            count_singly_from: lines.count_singly_from | uncovering | paths.hindered,
            recaptured,
            count_pawns_singly_to: count_singly_to
                | cutting & !occupied
                | parent.pawns_check
                | lines.between
                | recaptured,
            count_singly_to,
            affected: Zone::find_affected(parent, lines, &steps.any, count_singly_to | lines.between | recaptured),
        }
    }

    /// Returns [`Zone::affected`]; `of_all` holds squares that belong to the result for every type of piece.
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

#[inline_all]
impl Steps {
    /// Replaces the stored steps with the steps to `squares`. Returns, for each type of piece, the squares from which
    /// it attacks at least one of `squares`.
    fn find<L: Token>(&mut self, level: L, squares: Bitboard, occupied: Bitboard) -> Attackers {
        (self.number, self.squares, self.prevented_by_pawns) = (0, squares, [Bitboard::EMPTY; 2]);
        let mut all = Attackers::all(Bitboard::EMPTY);
        for square in squares {
            let attackers = Attackers::find(level, square, occupied);
            self.push(attackers.by_kind());
            all.add(attackers);
        }
        all
    }

    fn push(&mut self, prevented: [Bitboard; PieceKind::NUMBER]) {
        self.prevented[self.number & 15] = prevented;
        self.number += 1;
    }

    /// Returns the number of the king's moves that a piece prevents, summed over its targets.
    pub(super) fn losses(&self, kind: PieceKind, to: Bitboard) -> i64 {
        // Empty sets are not skipped. The loop has the same length for all pieces, so its branch is easy to predict.
        let mut prevented = 0;
        for step in &self.prevented[..self.number & 15] {
            prevented += (step[kind as usize] & to).count();
        }
        prevented as i64
    }

    /// Returns the number of the king's moves that pawn moves prevent, summed over the targets in both sets.
    pub(super) fn losses_to_pawns(&self, [a, b]: [Bitboard; 2]) -> i64 {
        if self.number == 0 {
            return 0;
        }
        let mut prevented = 0;
        for to in [a, b] {
            prevented += (White::attacks_west(to) & self.squares).count();
            prevented += (White::attacks_east(to) & self.squares).count();
            prevented += (to & self.prevented_by_pawns[0]).count() + (to & self.prevented_by_pawns[1]).count();
        }
        prevented as i64
    }
}
