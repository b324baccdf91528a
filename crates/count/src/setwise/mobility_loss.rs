//! What the replier loses when a man of the mover enters a square, and the sum of it over many moves.

use super::rays::{ANTIDIAGONAL, DIAGONAL, EmptyRuns, FILE, Jumps, PinsAndDiscoveries};
use perft_gate_simd::Rays;
use perft_gate_walk::chess::{Bitboard, Black, Side, SidePieces, White};

/// What the replies lose on each square, if a man of the mover enters it: in every lane a number of four bits.
pub(super) struct Losses<R> {
    bits: [R; 4],
    /// Moves of all sliders, nothing entered.
    pub(super) moves: u64,
    /// Squares from which a man, when it leaves, opens a line for a slider.
    pub(super) opening: Bitboard,
}

/// What is lost by a slider of a direction, in a lane.
pub(super) struct SliderLosses<R> {
    /// Moves that end beyond the square, or start on it, in three bits.
    fours: R,
    twos: R,
    ones: R,
    /// Where no slider of the replier defends an own man: that move is not gained.
    undefended: R,
    pub(super) moves: u64,
    pub(super) opening: Bitboard,
}

/// What the replier's pawns lose and gain, each mask in a lane of its own.
#[derive(Clone, Copy)]
pub(super) struct Pawns {
    /// Lost on entering: pushed and doubled targets, ...
    pub(super) lost: [Bitboard; 6],
    /// ... and not gained.
    pub(super) gained: [Bitboard; 2],
    pub(super) moves: u64,
}

/// The replier's free pawns.
#[derive(Clone, Copy)]
pub(super) struct FreePawns {
    pub(super) pushers: Bitboard,
    /// One and two squares ahead of them, as far as they could be pushed.
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

    /// Where they go or attack: who leaves such a square changes their moves.
    #[inline(always)]
    pub(super) fn reached(&self) -> Bitboard {
        self.ahead | self.west_attacks | self.east_attacks
    }

    /// Their moves, if nothing is entered, and what is lost where.
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
    /// The same for the three additional moves of a promotion, each.
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
    /// Of the free sliders and what they reach, among own men and others.
    #[inline(always)]
    pub(super) fn new(proof: R::Proof, chain: &EmptyRuns<R>, sliders: R, reached: R, own: Bitboard) -> SliderLosses<R> {
        let own = R::splat(proof, own.0);
        let moves = reached & !own;
        let passed = reached & chain.one;
        let kept = passed | sliders;
        // `a1` has the squares with one move or more beyond, `a2` with two or more, and so on.
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
            moves: R::settled(proof, tally).sum(proof, R::N),
            opening: Bitboard(reached.any()),
        }
    }

    /// Adds one move for each lane of pawns and of knights.
    #[inline(always)]
    pub(super) fn with(&self, pawns: R, knights: &KnightLosses<R>) -> Losses<R> {
        let SliderLosses { fours, twos, ones, undefended, moves, opening } = *self;
        let (sum, carry) = added(undefended, pawns, knights.undefended);
        let (bit, more) = added(ones, sum, knights.jumps);
        let (two, carry) = added(twos, carry, more);
        Losses { bits: [bit, two, fours ^ carry, fours & carry], moves, opening }
    }
}

/// The sum of three bits, in two.
#[inline(always)]
fn added<R: Rays>(a: R, b: R, c: R) -> (R, R) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
}

/// What is lost and gained by the replier's knights, each of their jumps in a lane.
pub(super) struct KnightLosses<R> {
    /// Where a knight stands that could jump: the jump is lost if it is taken.
    jumps: R,
    /// Where no knight defends an own man: that move is not gained.
    undefended: R,
    pub(super) moves: u64,
}

impl<R: Rays> KnightLosses<R> {
    /// Of what free knights reach, among own men and others.
    #[inline(always)]
    pub(super) fn new(proof: R::Proof, reached: Jumps<R>, own: Bitboard) -> KnightLosses<R> {
        let (Jumps(reached), own) = (reached, R::splat(proof, own.0));
        let moves = reached & !own;
        KnightLosses {
            jumps: moves.jumped_back(),
            undefended: !(reached & own),
            moves: R::settled(proof, moves.count(R::tally(proof))).sum(proof, R::N),
        }
    }
}

/// What is lost on some squares together, in the lanes of a vector. A trait, because a closure would be compiled without
/// the level's instructions.
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

/// How many moves arrive on each square, a bit of the number a set: of eight men and, from two sides, of pawns.
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

    /// The sum over all arrivals of what is lost on each square.
    #[inline(always)]
    pub(super) fn weigh<R: Rays>(&self, proof: R::Proof, by: &impl Weights<R>) -> u64 {
        let [ones, twos, fours, eights] = self.0;
        let mut sum = R::splat(proof, 0);
        if (fours | eights).any() {
            let more = by.lost(proof, eights);
            sum = by.lost(proof, fours).plus(more).plus(more);
        }
        let sum = by.lost(proof, twos).plus(sum).plus(sum);
        by.lost(proof, ones).plus(sum).plus(sum).sum(proof, R::N)
    }
}
