//! The surroundings of the replier's king: which of the mover's moves touch its steps, its castling, its pins.

use super::per_move::Parent;
use super::rays::{Attacked, Kinds, PinsAndDiscoveries, RANK};
use perft_gate_simd::{Rays, Token};
use perft_gate_walk::chess::{Bitboard, Black, Side, White, attacks};

/// Squares next to the replier's king that the mover does not attack; whence each kind of man attacks them.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) number: usize,
    /// All of them.
    pub(super) squares: Bitboard,
    pub(super) knights: [u64; 8],
    pub(super) diagonal: [u64; 8],
    pub(super) orthogonal: [u64; 8],
    pub(super) kings: [u64; 8],
}

/// What the replier's king can do, and which moves change more of it than [`Steps`] says: those are looked at one by one.
pub(super) struct Zone {
    pub(super) steps: Steps,
    /// Steps and castling, if the mover passes.
    pub(super) replies: u64,
    /// Squares that only one man attacks, and the king could enter or cross.
    pub(super) guarded: Bitboard,
    /// Moves of these men, ...
    pub(super) from: Bitboard,
    /// ... of any man to these squares, ...
    pub(super) to_all: Bitboard,
    /// ... and to these of each kind of man.
    pub(super) to_pawns: Bitboard,
    pub(super) to_knights: Bitboard,
    pub(super) to_slanted: Bitboard,
    pub(super) to_straight: Bitboard,
    pub(super) to_kings: Bitboard,
}

/// Where pawns of the mover attack the squares from.
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

        // From where one attacks a square that nobody does.
        let (mut from_lines, mut from_diagonals) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut steps = Steps { squares: ring & !attacked, ..Steps::default() };
        for square in steps.squares {
            let orthogonal = attacks::rook(level, square, occupied);
            let diagonal = attacks::bishop(level, square, occupied);
            from_lines |= orthogonal;
            from_diagonals |= diagonal;
            let lane = steps.number & 7;
            steps.knights[lane] = attacks::knight(square).0;
            steps.diagonal[lane] = diagonal.0;
            steps.orthogonal[lane] = orthogonal.0;
            steps.kings[lane] = attacks::king(square).0;
            steps.number += 1;
        }
        let Parent { pawns_check, knights_check, bishops_check, rooks_check, .. } = *parent;
        let (mut to_pawns, mut to_knights, mut to_kings) = (pawns_check, knights_check, Bitboard::EMPTY);
        let (mut to_slanted, mut to_straight) =
            (bishops_check | lines.seen_diagonal, rooks_check | lines.seen_orthogonal);
        for square in crossed & !attacked {
            let orthogonal = attacks::rook(level, square, occupied);
            let diagonal = attacks::bishop(level, square, occupied);
            from_lines |= orthogonal;
            from_diagonals |= diagonal;
            to_pawns |= pawns_that_attack(square.into());
            to_knights |= attacks::knight(square);
            to_slanted |= diagonal;
            to_straight |= orthogonal;
            to_kings |= attacks::king(square);
        }
        // Where a man cuts an attack off.
        let entered = ring | crossed;
        let mut cutting = Bitboard::EMPTY;
        for square in entered & attacked & (on_lines | on_diagonals) {
            cutting |= attacks::rook(level, square, occupied) & on_lines;
            cutting |= attacks::bishop(level, square, occupied) & on_diagonals;
        }
        // A man between a slider and a square that nobody attacks opens a line when it leaves.
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
            to_slanted,
            to_straight,
            to_kings,
        }
    }
}

impl Steps {
    /// How often moves of men, one a lane, attack a square.
    #[inline(always)]
    pub(super) fn attacked<R: Rays>(&self, proof: R::Proof, kinds: &Kinds<R>, moves: R, mut tally: R::Sums) -> R::Sums {
        for square in 0..self.number & 15 {
            let attacks = kinds.knights & R::splat(proof, self.knights[square & 7])
                | kinds.diagonal & R::splat(proof, self.diagonal[square & 7])
                | kinds.orthogonal & R::splat(proof, self.orthogonal[square & 7])
                | kinds.kings & R::splat(proof, self.kings[square & 7]);
            tally = (attacks & moves).count(tally);
        }
        tally
    }

    /// The same of pawns that move to these targets.
    #[inline(always)]
    pub(super) fn attacked_by_pawns(&self, targets: [Bitboard; 2]) -> u64 {
        let [a, b] = targets;
        let (west, east) = (White::attacks_west, White::attacks_east);
        let count = |attacked: Bitboard| (attacked & self.squares).count();
        count(west(a)) + count(east(a)) + count(west(b)) + count(east(b))
    }
}
