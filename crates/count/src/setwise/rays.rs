//! Lines in lanes, one for each direction: slider moves, the lines through the replier's king, the mover's pieces.

use super::slides::{self, Slides};
use perft_gate_simd::{JUMP_LANDING, LANDING, Rays, U64s};
use perft_gate_walk::chess::legality::Legality;
use perft_gate_walk::chess::{Bitboard, Side, SidePieces, White};

/// The empty squares in runs of one, two and four along every direction.
pub(super) struct EmptyRuns<R> {
    land: R,
    pub(super) one: R,
    two: R,
    four: R,
}

impl<R: Rays> EmptyRuns<R> {
    #[inline(always)]
    pub(super) fn new(proof: R::Proof, empty: Bitboard) -> EmptyRuns<R> {
        let land = R::load(proof, &LANDING);
        let one = R::splat(proof, empty.0) & land;
        let two = one & one.along(1);
        let four = two & two.along(2);
        EmptyRuns { land, one, two, four }
    }

    /// Returns the squares that the sliders of each lane reach, the first piece in the way included.
    #[inline(always)]
    pub(super) fn reach(&self, from: R) -> R {
        let set = from | self.one & from.along(1);
        let set = set | self.two & set.along(2);
        let set = set | self.four & set.along(4);
        set.along(1) & self.land
    }
}

/// The pins and discovered checks on the lines through the replier's king.
pub(super) struct PinsAndDiscoveries {
    /// The replier's pinned pieces, by axis: file, rank, diagonal, antidiagonal.
    pub(super) pins: [Bitboard; 4],
    pub(super) pinned: Bitboard,
    /// Squares from which a move makes or ends a pin.
    pub(super) from: Bitboard,
    /// Squares to which a move makes or ends a pin.
    pub(super) to: Bitboard,
    /// The mover's pieces that uncover a check.
    pub(super) uncovering: Bitboard,
    /// Squares from which a rook would check or pin.
    pub(super) seen_orthogonal: Bitboard,
    /// Squares from which a bishop would check or pin.
    pub(super) seen_diagonal: Bitboard,
}

impl PinsAndDiscoveries {
    #[inline(always)]
    pub(super) fn new<R: Rays>(
        proof: R::Proof,
        chain: &EmptyRuns<R>,
        mover: &SidePieces,
        replier: &SidePieces,
    ) -> PinsAndDiscoveries {
        let splat = |set: Bitboard| R::splat(proof, set.0);
        let (own, enemy) = (splat(replier.all), splat(mover.all));
        let occupied = own | enemy;
        let sliders = R::axes(proof, [mover.orthogonal.0, mover.orthogonal.0, mover.diagonal.0, mover.diagonal.0]);
        let seen = chain.reach(splat(replier.king));
        let first = seen & occupied;
        let behind = chain.reach(first);
        let second = behind & occupied;
        let third = chain.reach(second) & occupied;
        let second_slides = !(second & sliders).is_zero();
        let third_slides = !(third & sliders).is_zero();
        let own_first = !(first & own).is_zero();
        let pinned = first & own & second_slides;
        let pin = own_first & second_slides;
        let uncovering = first & enemy & second_slides;
        let from = uncovering | second & pin | (first | second) & enemy & third_slides;
        let to = (seen | behind) & pin;
        let mut axes = [0; 8];
        pinned.or_opposite().store(&mut axes);
        let [orthogonal, diagonal] = (seen | behind & own_first).orthogonal_and_diagonal();
        let pins = [0, 1, 2, 3].map(|axis| Bitboard(axes[axis]));
        PinsAndDiscoveries {
            pins,
            pinned: pins[0] | pins[1] | pins[2] | pins[3],
            from: Bitboard(from.any()),
            to: Bitboard(to.any()),
            uncovering: Bitboard(uncovering.any()),
            seen_orthogonal: Bitboard(orthogonal),
            seen_diagonal: Bitboard(diagonal),
        }
    }

    /// Returns all squares but those of pieces that are pinned along another axis.
    #[inline(always)]
    pub(super) fn free(&self, axis: usize) -> Bitboard {
        !(self.pinned ^ self.pins[axis])
    }
}

pub(super) const FILE: usize = 0;
pub(super) const RANK: usize = 1;
pub(super) const DIAGONAL: usize = 2;
pub(super) const ANTIDIAGONAL: usize = 3;

/// The targets of knights, with one of the eight jumps in each lane, so that no two knights share a target in a lane.
#[derive(Clone, Copy)]
pub(super) struct Jumps<R>(pub(super) R);

impl<R: Rays> Jumps<R> {
    #[inline(always)]
    pub(super) fn new(proof: R::Proof, knights: Bitboard) -> Jumps<R> {
        Jumps(R::splat(proof, knights.0).jumped() & R::load(proof, &JUMP_LANDING))
    }
}

/// The squares that the mover's pieces attack.
pub(super) struct Attacked {
    pub(super) any: Bitboard,
    /// Squares that two pieces or more attack.
    pub(super) twice: Bitboard,
    /// Squares that rooks and queens attack along ranks and files.
    pub(super) on_lines: Bitboard,
    /// Squares that bishops and queens attack along diagonals.
    pub(super) on_diagonals: Bitboard,
}

/// The mover's pieces other than pawns, one in each lane; there may be at most eight.
pub(super) struct PiecesInLanes<R> {
    pub(super) from: R,
    pub(super) attacks: R,
    pub(super) to: R,
    pub(super) attacked: Attacked,
}

impl<R: Rays> PiecesInLanes<R> {
    #[inline(always)]
    pub(super) fn new(proof: R::Proof, mover: &SidePieces, legality: &Legality) -> PiecesInLanes<R> {
        let splat = |set: Bitboard| R::splat(proof, set.0);
        debug_assert!((mover.all & !mover.pawns).count() as usize <= R::LANES);
        let from = R::take_bits(proof, &mut (mover.all & !mover.pawns).0, R::LANES);
        let slides = Slides::new(proof, splat(legality.occupied));
        let mut along = slides.orthogonal(from & splat(mover.orthogonal));
        let mut across = slides.diagonal(from & splat(mover.diagonal));
        let mut jumps = slides::knight_attacks(proof, from & splat(mover.knights));
        let steps = slides::king_attacks(proof, from & splat(mover.king));
        let attacks = along | across | jumps | steps;

        let (west, east) = (White::attacks_west(mover.pawns), White::attacks_east(mover.pawns));
        let [any, twice] = attacks.any_and_twice().map(Bitboard);
        let attacked = Attacked {
            any: any | west | east,
            twice: twice | any & (west | east) | west & east,
            on_lines: Bitboard(along.any()),
            on_diagonals: Bitboard(across.any()),
        };

        let pins = legality.orthogonal_pins | legality.diagonal_pins;
        if (pins & mover.all & !mover.pawns).any() {
            let orthogonal = met(proof, from, legality.orthogonal_pins);
            let diagonal = met(proof, from, legality.diagonal_pins);
            along = along & !diagonal & (!orthogonal | splat(legality.orthogonal_pins));
            across = across & !orthogonal & (!diagonal | splat(legality.diagonal_pins));
            jumps = jumps & !orthogonal & !diagonal;
        }
        let targets = if legality.double_check { Bitboard::EMPTY } else { !mover.all & legality.check_mask };
        let to = (along | across | jumps) & splat(targets) | steps & splat(!mover.all & !legality.attacked);
        PiecesInLanes { from, attacks, to, attacked }
    }
}

/// Masks of the lanes that hold a piece of each type: all ones there.
pub(super) struct Kinds<R> {
    pub(super) knights: R,
    /// Bishops and queens.
    pub(super) diagonal: R,
    /// Rooks and queens.
    pub(super) orthogonal: R,
    pub(super) kings: R,
}

impl<R: Rays> Kinds<R> {
    #[inline(always)]
    pub(super) fn new(proof: R::Proof, from: R, mover: &SidePieces) -> Kinds<R> {
        Kinds {
            knights: met(proof, from, mover.knights),
            diagonal: met(proof, from, mover.diagonal),
            orthogonal: met(proof, from, mover.orthogonal),
            kings: met(proof, from, mover.king),
        }
    }
}

/// Returns all ones in the lanes that share a bit with the set.
#[inline(always)]
pub(super) fn met<V: U64s>(proof: V::Proof, lanes: V, set: Bitboard) -> V {
    !(lanes & V::splat(proof, set.0)).is_zero()
}
