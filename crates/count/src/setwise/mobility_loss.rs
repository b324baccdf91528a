//! The mobility that the replier loses when a piece of the mover enters a square, summed over many moves.

use super::rays::{ANTIDIAGONAL, DIAGONAL, EmptyRuns, FILE, Jumps, PinsAndDiscoveries};
use perft_gate_simd::Rays;
use perft_gate_walk::chess::{Bitboard, Black, Side, SidePieces, White};

/// The number of replies lost on each square, if a piece of the mover enters it: four bit planes in each lane.
pub(super) struct Losses<R> {
    bits: [R; 4],
    /// Number of moves of all sliders, if no square is entered.
    pub(super) moves: u64,
    /// Squares from which a piece opens a line for a slider when it leaves.
    pub(super) opening: Bitboard,
}

/// The moves lost by sliders, with one direction in each lane.
pub(super) struct SliderLosses<R> {
    /// Number of moves that end beyond the square or start on it, in three bit planes.
    fours: R,
    twos: R,
    ones: R,
    /// Squares on which no slider of the replier defends an own piece: a recapture there is not gained.
    undefended: R,
    pub(super) moves: u64,
    pub(super) opening: Bitboard,
}

/// The moves that the replier's pawns lose and gain, each mask for a lane of its own.
#[derive(Clone, Copy)]
pub(super) struct Pawns {
    /// Squares that cost a move if they are entered: targets of pushes and double pushes, and origins of all moves.
    pub(super) lost: [Bitboard; 6],
    /// Squares that gain a capture if they are entered.
    pub(super) gained: [Bitboard; 2],
    pub(super) moves: u64,
}

/// The replier's pawns that are free to move, and their targets.
#[derive(Clone, Copy)]
pub(super) struct FreePawns {
    pub(super) pushers: Bitboard,
    /// The squares to which they could be pushed if nothing were in the way.
    pub(super) ahead: Bitboard,
    pub(super) west_attacks: Bitboard,
    pub(super) east_attacks: Bitboard,
    pub(super) promote: bool,
}

/// The replier's seventh rank.
const BEFORE_LAST: Bitboard = Bitboard::rank(1);
/// The replier's last rank.
const LAST: Bitboard = Bitboard::rank(0);

impl FreePawns {
    #[inline(always)]
    pub(super) fn new(replier: &SidePieces, lines: &PinsAndDiscoveries) -> FreePawns {
        let (west, east) = (replier.pawns & lines.free(DIAGONAL), replier.pawns & lines.free(ANTIDIAGONAL));
        let pushers = replier.pawns & lines.free(FILE);
        let ahead = Black::forward(pushers);
        FreePawns {
            pushers,
            ahead: ahead | Black::forward(ahead & Black::rank(2)),
            west_attacks: Black::attacks_west(west),
            east_attacks: Black::attacks_east(east),
            promote: (replier.pawns & BEFORE_LAST).any(),
        }
    }

    /// Returns the squares that they could enter or attack: a piece that leaves such a square changes their moves.
    #[inline(always)]
    pub(super) fn reached(&self) -> Bitboard {
        self.ahead | self.west_attacks | self.east_attacks
    }

    /// Returns the number of their moves, if no square is entered, and the squares where moves are lost or gained.
    #[inline(always)]
    pub(super) fn moves(&self, empty: Bitboard, enemy: Bitboard) -> Pawns {
        let pushed = Black::forward(self.pushers) & empty;
        let doubled = Black::forward(pushed & Black::rank(2)) & empty;
        let (to_west, to_east) = (self.west_attacks & enemy, self.east_attacks & enemy);
        let moves = pushed.count() + doubled.count() + to_west.count() + to_east.count();
        let push_from = White::forward(pushed);
        let double_from = White::forward(White::forward(doubled));
        let west_from = White::attacks_east(to_west);
        let east_from = White::attacks_west(to_east);
        Pawns {
            lost: [pushed, doubled | White::forward(doubled), push_from, double_from, west_from, east_from],
            gained: [self.west_attacks, self.east_attacks],
            moves,
        }
    }
}

impl Pawns {
    /// Returns the part of these moves that promotes: it counts three more times.
    #[inline(always)]
    pub(super) fn promotions(&self) -> Pawns {
        let [pushed, _, push_from, _, west_from, east_from] = self.lost;
        let none = Bitboard::EMPTY;
        let (push_from, west_from, east_from) =
            (push_from & BEFORE_LAST, west_from & BEFORE_LAST, east_from & BEFORE_LAST);
        Pawns {
            lost: [pushed & LAST, none, push_from, none, west_from, east_from],
            gained: self.gained.map(|set| set & LAST),
            moves: push_from.count() + west_from.count() + east_from.count(),
        }
    }

    #[inline(always)]
    pub(super) fn flat<R: Rays>(&self, proof: R::Proof) -> R {
        let [a, b, c, d, e, f] = self.lost.map(|set| set.0);
        let [g, h] = self.gained.map(|set| !set.0);
        R::load(proof, &[a, b, c, d, e, f, g, h])
    }
}

impl<R: Rays> SliderLosses<R> {
    /// Finds the losses of the free sliders from the squares that they reach, among own and enemy pieces.
    #[inline(always)]
    pub(super) fn new(proof: R::Proof, chain: &EmptyRuns<R>, sliders: R, reached: R, own: Bitboard) -> SliderLosses<R> {
        let own = R::splat(proof, own.0);
        let moves = reached & !own;
        let passed = reached & chain.one;
        let kept = passed | sliders;
        // `a1` holds the squares with one move or more beyond them, `a2` those with two or more, and so on.
        let a1 = moves.back() & kept;
        let a2 = (a1 & passed).back() & kept;
        let a3 = (a2 & passed).back() & kept;
        let a4 = (a3 & passed).back() & kept;
        let a5 = (a4 & passed).back() & kept;
        let a6 = (a5 & passed).back() & kept;
        let a7 = (a6 & passed).back() & kept;
        let tally = moves.count(R::tally(proof));
        SliderLosses {
            fours: a4,
            twos: a2 ^ a4 ^ a6,
            ones: a1 ^ a2 ^ a3 ^ a4 ^ a5 ^ a6 ^ a7,
            undefended: !(reached & own),
            moves: R::settled(proof, tally).sum(proof, R::LANES),
            opening: Bitboard(reached.any()),
        }
    }

    /// Adds the losses of pawns and knights, one move in each of their lanes.
    #[inline(always)]
    pub(super) fn with(&self, pawns: R, knights: &KnightLosses<R>) -> Losses<R> {
        let SliderLosses { fours, twos, ones, undefended, moves, opening } = *self;
        let (sum, carry) = added(undefended, pawns, knights.undefended);
        let (bit, more) = added(ones, sum, knights.jumps);
        let (two, carry) = added(twos, carry, more);
        Losses { bits: [bit, two, fours ^ carry, fours & carry], moves, opening }
    }
}

/// Adds three bits into two, the low one first.
#[inline(always)]
fn added<R: Rays>(a: R, b: R, c: R) -> (R, R) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
}

/// The moves lost and gained by the replier's knights, with one of the eight jumps in each lane.
pub(super) struct KnightLosses<R> {
    /// Squares of knights that can make the jump: it is lost if the knight is captured.
    jumps: R,
    /// Squares on which no knight defends an own piece: a recapture there is not gained.
    undefended: R,
    pub(super) moves: u64,
}

impl<R: Rays> KnightLosses<R> {
    /// Finds the losses of the free knights from the squares that they reach, among own and enemy pieces.
    #[inline(always)]
    pub(super) fn new(proof: R::Proof, reached: Jumps<R>, own: Bitboard) -> KnightLosses<R> {
        let (Jumps(reached), own) = (reached, R::splat(proof, own.0));
        let moves = reached & !own;
        KnightLosses {
            jumps: moves.jumped_back(),
            undefended: !(reached & own),
            moves: R::settled(proof, moves.count(R::tally(proof))).sum(proof, R::LANES),
        }
    }
}

/// The sum of the losses on some squares, in each lane. It is a trait because a closure would be compiled without the
/// level's instructions.
pub(super) trait Weights<R: Rays> {
    fn lost(&self, proof: R::Proof, squares: Bitboard) -> R;
}

/// One move on each square of each lane.
pub(super) struct Flat<R>(pub(super) R);

impl<R: Rays> Weights<R> for Flat<R> {
    #[inline(always)]
    fn lost(&self, proof: R::Proof, squares: Bitboard) -> R {
        let squares = R::splat(proof, squares.0);
        R::settled(proof, (squares & self.0).count(R::tally(proof)))
    }
}

impl<R: Rays> Weights<R> for Losses<R> {
    #[inline(always)]
    fn lost(&self, proof: R::Proof, squares: Bitboard) -> R {
        let squares = R::splat(proof, squares.0);
        let [ones, twos, fours, eights] = self.bits;
        let tally = R::twice((squares & eights).count(R::tally(proof)));
        let tally = R::twice((squares & fours).count(tally));
        let tally = R::twice((squares & twos).count(tally));
        R::settled(proof, (squares & ones).count(tally))
    }
}

/// The number of moves that arrive on each square, as four bit planes: of up to eight pieces, and of pawns from two sides.
#[derive(Clone, Copy)]
pub(super) struct Arrivals(pub(super) [Bitboard; 4]);

impl Arrivals {
    /// Adds one arrival on each square of two sets.
    #[inline(always)]
    pub(super) fn add_two(&mut self, a: Bitboard, b: Bitboard) {
        let [ones, higher @ ..] = &mut self.0;
        let either = a ^ b;
        let mut carry = a & b | *ones & either;
        *ones ^= either;
        for plane in higher {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    /// Returns the sum of the losses over all arrivals.
    #[inline(always)]
    pub(super) fn weigh<R: Rays>(&self, proof: R::Proof, by: &impl Weights<R>) -> u64 {
        let [ones, twos, fours, eights] = self.0;
        let mut sum = R::splat(proof, 0);
        if (fours | eights).any() {
            let more = by.lost(proof, eights);
            sum = by.lost(proof, fours).plus(more).plus(more);
        }
        let sum = by.lost(proof, twos).plus(sum).plus(sum);
        by.lost(proof, ones).plus(sum).plus(sum).sum(proof, R::LANES)
    }
}
