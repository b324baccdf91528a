//! The surroundings of the replier's king: the moves of the mover that affect its steps, its castling or its pins.

use super::parent::Parent;
use super::rays::{Attacked, Kinds, PinsAndDiscoveries, RANK};
use perft_gate_simd::{Rays, Token};
use perft_gate_walk::chess::{Bitboard, Black, Side, White, attacks};

/// The steps of the replier's king: squares next to it that the mover does not attack, and, for each step, the squares from
/// which each type of piece attacks it.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) number: usize,
    /// All steps as a set.
    pub(super) squares: Bitboard,
    pub(super) knights: [u64; 8],
    pub(super) diagonal: [u64; 8],
    pub(super) orthogonal: [u64; 8],
    pub(super) kings: [u64; 8],
}

/// The moves of the replier's king, and the moves of the mover that change more of them than [`Steps`] covers: these are
/// counted one by one.
pub(super) struct Zone {
    pub(super) steps: Steps,
    /// Number of steps and castling moves, if the mover passes.
    pub(super) replies: u64,
    /// Squares that the king could enter or cross, were they not attacked by exactly one piece.
    pub(super) guarded: Bitboard,
    /// Squares from which every move is counted by itself.
    pub(super) from: Bitboard,
    /// Squares to which every move is counted by itself.
    pub(super) to_all: Bitboard,
    /// Squares to which moves of pawns are counted by themselves; likewise for the other types below.
    pub(super) to_pawns: Bitboard,
    pub(super) to_knights: Bitboard,
    pub(super) to_diagonal: Bitboard,
    pub(super) to_orthogonal: Bitboard,
    pub(super) to_kings: Bitboard,
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
        parent: &Parent<'_>,
        lines: &PinsAndDiscoveries,
        attacked: &Attacked,
    ) -> Zone {
        let Attacked { any: attacked, twice, on_lines, on_diagonals } = *attacked;
        let (replier, occupied, king) = (&parent.replier, parent.occupied, parent.replier.king_square());
        let ring = attacks::king(king) & !replier.all;
        let mut replies = (ring & !attacked).count();
        let (mut crossed, mut paths) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for castle in &parent.castles {
            crossed |= castle.king_path & !replier.king;
            paths |= castle.path;
            replies += u64::from(castle.may(occupied, attacked, lines.pins[RANK]));
        }

        // Squares from which a slider attacks a square that is not attacked now.
        let (mut from_lines, mut from_diagonals) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut steps = Steps { squares: ring & !attacked, ..Steps::default() };
        for square in steps.squares {
            let orthogonal = attacks::rook(level, square, occupied);
            let diagonal = attacks::bishop(level, square, occupied);
            from_lines |= orthogonal;
            from_diagonals |= diagonal;
            debug_assert!(steps.number < 8);
            let lane = steps.number & 7;
            steps.knights[lane] = attacks::knight(square).0;
            steps.diagonal[lane] = diagonal.0;
            steps.orthogonal[lane] = orthogonal.0;
            steps.kings[lane] = attacks::king(square).0;
            steps.number += 1;
        }
        let Parent { pawns_check, knights_check, bishops_check, rooks_check, .. } = *parent;
        let (mut to_pawns, mut to_knights, mut to_kings) = (pawns_check, knights_check, Bitboard::EMPTY);
        let (mut to_diagonal, mut to_orthogonal) =
            (bishops_check | lines.seen_diagonal, rooks_check | lines.seen_orthogonal);
        for square in crossed & !attacked {
            let orthogonal = attacks::rook(level, square, occupied);
            let diagonal = attacks::bishop(level, square, occupied);
            from_lines |= orthogonal;
            from_diagonals |= diagonal;
            to_pawns |= pawns_that_attack(square.into());
            to_knights |= attacks::knight(square);
            to_diagonal |= diagonal;
            to_orthogonal |= orthogonal;
            to_kings |= attacks::king(square);
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
        let castling_rooks = parent.rooks & White::rank(7);
        Zone {
            steps,
            replies,
            guarded: entered & attacked & !twice,
            from: lines.from | uncovering | paths,
            to_all: lines.to | attacks::king(king) | castling_rooks | paths | cutting & !occupied,
            to_pawns,
            to_knights,
            to_diagonal,
            to_orthogonal,
            to_kings,
        }
    }
}

impl Steps {
    /// Adds the number of steps that the moves of pieces, one piece in each lane, attack.
    #[inline(always)]
    pub(super) fn attacked<R: Rays>(&self, proof: R::Proof, kinds: &Kinds<R>, moves: R, mut tally: R::Sums) -> R::Sums {
        debug_assert!(self.number <= 8);
        for square in 0..self.number & 15 {
            let attacks = kinds.knights & R::splat(proof, self.knights[square & 7])
                | kinds.diagonal & R::splat(proof, self.diagonal[square & 7])
                | kinds.orthogonal & R::splat(proof, self.orthogonal[square & 7])
                | kinds.kings & R::splat(proof, self.kings[square & 7]);
            tally = (attacks & moves).count(tally);
        }
        tally
    }

    /// Returns the number of steps that pawns attack which move to these targets.
    #[inline(always)]
    pub(super) fn attacked_by_pawns(&self, targets: [Bitboard; 2]) -> u64 {
        let [a, b] = targets;
        let (west, east) = (White::attacks_west, White::attacks_east);
        let count = |attacked: Bitboard| (attacked & self.squares).count();
        count(west(a)) + count(east(a)) + count(west(b)) + count(east(b))
    }
}
