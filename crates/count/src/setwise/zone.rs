//! The surroundings of the replier's king: the moves of the mover that affect its steps, its castling or its pins.

use super::parent::ParentSets;
use super::pieces::{Attacked, PieceKind};
use super::pins::PinsAndDiscoveries;
use perft_gate_chess::{Bitboard, Black, Side, White, attacks};
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

/// The surroundings of the replier's king, and the moves of the mover that change more there than [`Steps`] covers: these are
/// counted one by one.
pub(super) struct Zone {
    /// Number of steps and castling moves, if the mover passes.
    pub(super) replies: u64,
    /// Squares that the king could step to, were they not attacked by exactly one piece.
    pub(super) guarded: Bitboard,
    /// Squares that the king could cross to castle, were they not attacked by exactly one piece.
    pub(super) guarded_castling: Bitboard,
    /// Squares on which the king may recapture a piece that no other protects.
    pub(super) recaptured: Bitboard,
    /// Squares from which every move is counted by itself.
    pub(super) count_singly_from: Bitboard,
    /// Squares to which moves of pawns are counted by themselves.
    pub(super) count_pawns_singly_to: Bitboard,
    /// Squares to which moves of all other pieces are counted by themselves, those that check by type excepted.
    pub(super) count_singly_to: Bitboard,
    /// Squares to which a move of a type of piece may have an effect near the king.
    pub(super) affected: [Bitboard; PieceKind::NUMBER],
}

/// Returns the squares from which pawns of the mover attack the given squares.
#[inline(always)]
pub(super) fn pawns_that_attack(squares: Bitboard) -> Bitboard {
    Black::pawn_attacks(squares)
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
        let Attacked { any: attacked, twice, on_lines, on_diagonals } = *attacked;
        let (replier, occupied, king) = (&parent.replier, parent.occupied, parent.replier.king_square());
        let near = attacks::king(king);
        let ring = near & !replier.all;
        (steps.number, steps.squares) = (0, ring & !attacked);
        let (mut knights, mut kings) = (Bitboard::EMPTY, Bitboard::EMPTY);
        // Squares from which a slider attacks a square that is not attacked now.
        let (mut from_lines, mut from_diagonals) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for square in steps.squares {
            let orthogonal = attacks::rook(level, square, occupied);
            let diagonal = attacks::bishop(level, square, occupied);
            let (leap, step) = (attacks::knight(square), attacks::king(square));
            steps.push([leap, diagonal, orthogonal, diagonal | orthogonal, step]);
            knights |= leap;
            kings |= step;
            from_lines |= orthogonal;
            from_diagonals |= diagonal;
        }
        steps.any = [knights, from_diagonals, from_lines, from_diagonals | from_lines, kings];
        let (mut crossed, mut paths, mut pawns_singly_to) = (Bitboard::EMPTY, Bitboard::EMPTY, parent.pawns_check);
        let mut guarded_castling = Bitboard::EMPTY;
        for castle in parent.castles() {
            if !castle.is_allowed(occupied, attacked, lines.pinned) {
                paths |= castle.path;
                if (castle.path & occupied).is_empty() {
                    crossed |= castle.king_path & !replier.king;
                    if (castle.king_path & twice).is_empty() {
                        guarded_castling |= castle.king_path & attacked;
                    }
                }
                continue;
            }
            let within = castle.path | castle.rook;
            pawns_singly_to |= within;
            let [mut knights, mut diagonals, mut orthogonals, mut kings] = [within; 4];
            for square in castle.king_path & !replier.king {
                pawns_singly_to |= pawns_that_attack(square.into());
                knights |= attacks::knight(square);
                kings |= attacks::king(square);
                orthogonals |= attacks::rook(level, square, occupied);
                diagonals |= attacks::bishop(level, square, occupied);
            }
            from_lines |= orthogonals;
            from_diagonals |= diagonals;
            let prevented = [knights, diagonals, orthogonals, diagonals | orthogonals, kings];
            steps.push(prevented);
            for (any, prevented) in steps.any.iter_mut().zip(prevented) {
                *any |= prevented;
            }
        }
        // Squares on which a piece blocks an attack.
        let entered = ring | crossed;
        let mut cutting = Bitboard::EMPTY;
        for square in entered & attacked & (on_lines | on_diagonals) {
            cutting |= attacks::rook(level, square, occupied) & on_lines;
            cutting |= attacks::bishop(level, square, occupied) & on_diagonals;
        }
        // A piece between a slider and a square that is not attacked opens a line when it leaves.
        let uncovering = from_lines & on_lines | from_diagonals & on_diagonals;
        let recaptured = near & replier.all & !twice;
        let count_singly_to = lines.count_singly_to | cutting & !occupied;
        let ParentSets { knights_check, bishops_check, rooks_check, .. } = *parent;
        let [steps_of_knights, steps_of_bishops, steps_of_rooks, _, steps_of_kings] = steps.any;
        let of_all = count_singly_to | lines.between | recaptured;
        let of_bishops = of_all | bishops_check | steps_of_bishops | lines.bishops_pin;
        let of_rooks = of_all | rooks_check | steps_of_rooks | lines.rooks_pin;
        let affected = [
            of_all | knights_check | steps_of_knights,
            of_bishops,
            of_rooks,
            of_bishops | of_rooks,
            of_all | steps_of_kings,
        ];
        Zone {
            replies: steps.number as u64,
            guarded: ring & attacked & !twice,
            guarded_castling,
            count_singly_from: lines.count_singly_from | uncovering | paths,
            recaptured,
            count_pawns_singly_to: count_singly_to | pawns_singly_to | lines.between | recaptured,
            count_singly_to,
            affected,
        }
    }
}

impl Steps {
    pub(super) const fn new() -> Steps {
        let none = Bitboard::EMPTY;
        Steps { number: 0, squares: none, prevented: [[none; PieceKind::NUMBER]; 16], any: [none; PieceKind::NUMBER] }
    }

    #[inline(always)]
    fn push(&mut self, prevented: [Bitboard; PieceKind::NUMBER]) {
        self.prevented[self.number & 15] = prevented;
        self.number += 1;
    }

    /// Returns the number of the king's moves that a piece prevents, over all of its moves.
    #[inline(always)]
    pub(super) fn losses(&self, kind: PieceKind, to: Bitboard) -> i64 {
        #[cfg(test)]
        for (number, step) in self.prevented[..self.number & 15].iter().enumerate() {
            let castles = number as u64 >= self.squares.count();
            cover!(StepPrevented, !castles && (step[kind as usize] & to).any());
            cover!(CastlingPrevented, castles && (step[kind as usize] & to).any());
        }
        // Without a test whether there are any: the number of steps is the same for all pieces, so the loop is predicted.
        let mut prevented = 0;
        for step in &self.prevented[..self.number & 15] {
            prevented += (step[kind as usize] & to).count();
        }
        prevented as i64
    }

    /// Returns the number of steps that pawns attack which move to these targets.
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
