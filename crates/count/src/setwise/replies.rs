//! Set-wise perft(2): the replies to all moves of a position, most of them without a look at the move.
//!
//! **The idea.** After a quiet move of a man from `f` to `t`, the other side has nearly the replies it would have had if
//! nothing had been moved. What differs lies on `t`: a slider that passed over it stops there now, a pawn that would
//! step on it cannot, and a pawn that attacks it may take. So the replies are a *base*, the same for all moves, less a
//! *loss* that depends on `t` alone. The mobility_loss of all squares are computed once, as a few bitboards of one bit of the
//! number each; the moves of all men together are another such number, how many of them *arrive* on each square. The
//! sum over all moves is then
//!
//! moves × base − Σ 2^(j + k) · popcount(arrivals bit j & loss bit k)
//!
//! with no loop over moves at all. Captures fit in: who takes a man takes its moves away (a loss on its square), and
//! every other man that defended the square gains one. A gain is counted as a loss where it does not happen, and the
//! base raised by one.
//!
//! **Worked example.** The replier has a rook on a8, and the a-file below it is empty. Its southward moves are seven. A
//! man that enters a3 leaves five of them (a7, a6, a5, a4 and the capture on a3): two are lost. One that enters a7 leaves
//! the capture: six are lost. One that takes the rook leaves none: seven are lost, the loss on a8. These numbers
//! come from walking back from the squares the rook reaches: a square has loss ≥ 1 if one step on is reached, ≥ 2 if one
//! step on has loss ≥ 1, and so on, in the eight directions at once, one a lane ([`SliderLosses`]).
//!
//! **What does not fit** is looked at child by child, in [`lanes`](super::lanes): men that stand or arrive on a line
//! between a slider and the king, where pins and checks change; men that alone guard a square the king could enter, or
//! that uncover or cut an attack on one; all that touches castling; promotions. If a man blocks a slider where it
//! stands, its leaving changes the mobility_loss themselves: they are computed once more for all of its moves, or, if these are
//! few, they too are looked at one by one. Squares next to the king that are newly attacked are counted by the kind of
//! man that arrives ([`Zone`](super::zone::Steps)). Moves that uncover a check, and en-passant captures, are made.
//!
//! The board is turned so that the mover plays up the board.

use super::mobility_loss::{Arrivals, Flat, FreePawns, KnightLosses, Losses, Pawns, SliderLosses};
use super::pawns::{DOUBLE, PawnWays, STEPS};
use super::per_move::{EachMove, Parent, Promotions, Scratch, any, counted};
use super::rays::{ANTIDIAGONAL, DIAGONAL, EmptyRuns, FILE, Jumps, Kinds, MenInLanes, PinsAndDiscoveries, RANK, met};
use super::zone::{Zone, pawns_that_attack};
use perft_gate_simd::{Lanes, Rays, Token, WideKernel, Width};
use perft_gate_walk::chess::legality::Legality;
use perft_gate_walk::chess::{Bitboard, Black, Board, Side, SidePieces, White, attacks};

/// Up to so many men of the mover, each move is looked at by itself: with few moves there is little to share. Measured on
/// the six classic positions at 6, 9, 12 and 16: position 3 gains 1.4, and from 12 on the others lose.
const FEW_MEN: u64 = 8;

/// So many men that are no pawns have a lane. More there are only after a promotion, and then seldom.
const MEN_IN_LANES: u64 = 8;

/// PerftTable the replies to all moves of a board.
pub(super) struct Replies<'b>(pub(super) &'b Board, pub(super) &'b mut Scratch);

impl WideKernel for Replies<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token, W: Width>(self, level: L, width: W) -> u64 {
        let Replies(board, room) = self;
        let mut parent = Parent::new(level, board);
        let SidePieces { all, pawns, .. } = parent.mover;
        if all.count() <= FEW_MEN || (all & !pawns).count() > MEN_IN_LANES {
            return counted(level.call_wide(EachMove(&mut parent, room)));
        }
        count(level, width, &mut parent, room)
    }
}

/// All of a parent that the sums need.
struct Scene<'a, 'b, W: Width> {
    width: W,
    parent: &'a Parent<'b>,
    zone: &'a Zone,
    /// The replier's sliders, in the lanes of the directions in which they are free to move.
    sliders: W::Rays,
    /// Its knights that are not pinned.
    knights: KnightLosses<W::Rays>,
    pawns: FreePawns,
    /// What its pawns do if nobody leaves, and the same in lanes.
    moves: Pawns,
    flat: W::Rays,
    mobility_loss: Losses<W::Rays>,
    /// Replies that do not depend on the move: of king and knights, castling, and what the complements count.
    fixed: u64,
}

/// Moves that are counted together.
struct ReplySums<W: Width> {
    arrivals: Arrivals,
    moves: u64,
    /// How often one attacks a step of the king.
    steps: <W::Rays as Lanes>::Sums,
    /// The same of pawns.
    steps_by_pawns: u64,
}

impl<W: Width> ReplySums<W> {
    #[inline(always)]
    fn new(width: W) -> ReplySums<W> {
        let arrivals = Arrivals([Bitboard::EMPTY; 4]);
        ReplySums { arrivals, moves: 0, steps: W::Rays::tally(width), steps_by_pawns: 0 }
    }
}

#[inline(always)]
fn count<L: Token, W: Width>(level: L, width: W, parent: &mut Parent<'_>, room: &mut Scratch) -> u64 {
    let chain = EmptyRuns::<W::Rays>::new(width, !parent.occupied);
    let lines = PinsAndDiscoveries::new(width, &chain, &parent.mover, &parent.replier);
    parent.uncovering = lines.uncovering;
    let parent = &*parent;
    let sliders = sliders(width, &parent.replier, [Bitboard::ALL; 4]);
    let reached = chain.reach(sliders);
    let jumps = Jumps::<W::Rays>::new(width, parent.replier.knights);
    let legality = legality(level, parent, Bitboard((reached | jumps.0).any()));
    let men = MenInLanes::<W::Rays>::new(width, &parent.mover, &legality);
    let zone = Zone::new(level, parent, &lines, &men.attacked);
    let scene = Scene::new(width, parent, &zone, &lines, (&chain, sliders, reached), jumps);

    let mut sums = ReplySums::<W>::new(width);
    let mut total = scene.move_men(level, &men, &mut sums, room);
    if !legality.double_check {
        total += scene.move_pawns(level, &legality, &mut sums, room);
        total += parent.castling(level, room, &legality);
        total += parent.en_passant(level);
    }
    total += parent.finish(level, room);
    // What the moves of those that open lines lose in the zone is subtracted there, so that part may be below zero.
    total.wrapping_add(scene.summed(&sums, &scene.mobility_loss, &scene.moves))
}

/// The replier's sliders in the lanes of their directions, those of each axis that are in a mask.
#[inline(always)]
fn sliders<W: Width>(width: W, replier: &SidePieces, free: [Bitboard; 4]) -> W::Rays {
    let [file, rank, diagonal, antidiagonal] = free;
    let axes = [
        replier.orthogonal & file,
        replier.orthogonal & rank,
        replier.diagonal & diagonal,
        replier.diagonal & antidiagonal,
    ];
    W::Rays::axes(width, axes.map(|set| set.0))
}

/// What the mover may do, by what the replier's sliders and knights reach. Out of check no slider sees through the king, so that it
/// need not be lifted.
#[inline(always)]
fn legality<L: Token>(level: L, parent: &Parent<'_>, reached: Bitboard) -> Legality {
    let Parent { mover, replier, .. } = parent;
    let attacked = reached | Black::pawn_attacks(replier.pawns) | attacks::king(replier.king_square());
    match (attacked & mover.king).is_empty() {
        true => Legality::out_of_check(level, mover, replier, attacked),
        false => Legality::of::<White, L>(level, mover, replier),
    }
}

impl<'a, 'b, W: Width> Scene<'a, 'b, W> {
    #[inline(always)]
    fn new(
        width: W,
        parent: &'a Parent<'b>,
        zone: &'a Zone,
        lines: &PinsAndDiscoveries,
        (chain, sliders, reached): (&EmptyRuns<W::Rays>, W::Rays, W::Rays),
        jumps: Jumps<W::Rays>,
    ) -> Scene<'a, 'b, W> {
        let replier = &parent.replier;
        // U64x8 directions and eight jumps count where nothing is gained, two lanes of pawns.
        let mut fixed = zone.replies + 8 + 8 + 2;
        let (sliders, reached, jumps) = match lines.pinned.is_empty() {
            true => (sliders, reached, jumps),
            false => {
                let free = [lines.free(FILE), lines.free(RANK), lines.free(DIAGONAL), lines.free(ANTIDIAGONAL)];
                let sliders = self::sliders(width, replier, free);
                (sliders, chain.reach(sliders), Jumps::new(width, replier.knights & !lines.pinned))
            }
        };
        let knights = KnightLosses::new(width, jumps, replier.all);
        fixed += knights.moves;
        let pawns = FreePawns::new(replier, lines);
        let moves = pawns.moves(!parent.occupied, parent.mover.all);
        let flat = moves.flat(width);
        let mobility_loss = SliderLosses::new(width, chain, sliders, reached, replier.all);
        let mobility_loss = mobility_loss.with(flat, &knights);
        Scene { width, parent, zone, sliders, knights, pawns, moves, flat, mobility_loss, fixed }
    }

    /// SidePieces on these squares open lines for the replier, or ways for its pawns, when they leave.
    #[inline(always)]
    fn opening(&self) -> Bitboard {
        self.mobility_loss.opening | self.pawns.reached()
    }

    /// The moves of the men that are no pawns: those that can be summed are, others are counted or put down to be.
    #[inline(always)]
    fn move_men<L: Token>(
        &self,
        level: L,
        men: &MenInLanes<W::Rays>,
        sums: &mut ReplySums<W>,
        room: &mut Scratch,
    ) -> u64 {
        let (width, parent) = (self.width, self.parent);
        let kinds = Kinds::new(width, men.from, &parent.mover);
        let Sorted { ordinary, loner, quiet, checking } = self.sorted(men, &kinds);
        sums.arrivals = Arrivals(ordinary.added_up().map(Bitboard));
        let moves = ordinary.count(W::Rays::tally(width));
        sums.moves = W::Rays::settled(width, moves).sum(width, W::Rays::N);
        sums.steps = self.zone.steps.attacked(width, &kinds, loner | ordinary, sums.steps);

        let mut total = 0;
        let mut origins = [0; 8];
        men.from.store(&mut origins);
        for (from, to) in LaneByLane::new(&origins, loner) {
            total += self.alone(from, to);
        }
        for (from, to) in LaneByLane::new(&origins, quiet) {
            room.moves.push::<W::Children>(width, from.first(), to);
        }
        let checking = LaneByLane::new(&origins, checking);
        if checking.lanes != 0 {
            total += counted(level.call_wide(Checks { parent, room, moves: checking }));
        }
        total
    }

    /// The moves of the men that are no pawns, by what is to be done with them.
    #[inline(always)]
    fn sorted(&self, men: &MenInLanes<W::Rays>, kinds: &Kinds<W::Rays>) -> Sorted<W::Rays> {
        let (width, parent, zone) = (self.width, self.parent, self.zone);
        let splat = |set: Bitboard| W::Rays::splat(width, set.0);
        let MenInLanes { from, attacks, to, .. } = *men;
        let apart = !(from & splat(zone.from) | attacks & splat(zone.guarded)).is_zero();
        let single = apart
            | splat(zone.to_all)
            | kinds.knights & splat(zone.to_knights)
            | kinds.diagonal & splat(zone.to_slanted)
            | kinds.orthogonal & splat(zone.to_straight)
            | kinds.kings & splat(zone.to_kings);
        let rest = to & !single;
        let opens = met(width, from, self.opening());
        let one = splat(Bitboard(1));
        let fewer = rest & rest.minus(one);
        let few = (fewer & fewer.minus(one)).is_zero();
        let checking = kinds.knights & splat(parent.knights_check)
            | kinds.diagonal & splat(parent.bishops_check)
            | kinds.orthogonal & splat(parent.rooks_check)
            | met(width, from, parent.uncovering);
        let single = to & single | rest & opens & few;
        Sorted {
            ordinary: rest & !opens,
            loner: rest & opens & !few,
            quiet: single & !checking,
            checking: single & checking,
        }
    }

    /// The moves of pawns.
    #[inline(always)]
    fn move_pawns<L: Token>(&self, level: L, legality: &Legality, sums: &mut ReplySums<W>, room: &mut Scratch) -> u64 {
        let (width, parent, zone) = (self.width, self.parent, self.zone);
        let pawns = parent.mover.pawns;
        let PawnWays { targets, promotions } = PawnWays::new(pawns, legality);
        let from = pawns & (zone.from | self.opening() | pawns_that_attack(zone.guarded));
        let to = zone.to_all | zone.to_pawns;
        let mut per_move = targets;
        for (targets, delta) in per_move.iter_mut().zip(STEPS) {
            *targets &= to | Bitboard(from.0 << delta);
        }
        let [ahead, double, west, east] = std::array::from_fn(|way| targets[way] & !per_move[way]);
        // Pushes and captures never share a square.
        let (once, again) = (ahead | double | west, east);
        sums.arrivals.add_two(once, again);
        sums.moves += once.count() + again.count();
        sums.steps_by_pawns = zone.steps.attacked_by_pawns([once, again]);

        let mut total = parent.double_pushes(level, targets[DOUBLE], &mut per_move);
        if any(per_move).any() {
            total += parent.pawns(level, width, room, per_move);
        }
        if any(promotions).any() {
            total += counted(level.call_wide(Promotions(parent, room, promotions)));
        }
        total
    }

    /// All moves that were summed.
    #[inline(always)]
    fn summed(&self, sums: &ReplySums<W>, mobility_loss: &Losses<W::Rays>, pawns: &Pawns) -> u64 {
        let base = self.fixed + mobility_loss.moves + pawns.moves;
        let mut total = (sums.moves * base)
            .wrapping_sub(sums.steps_by_pawns)
            .wrapping_sub(W::Rays::settled(self.width, sums.steps).sum(self.width, 8));
        total = total.wrapping_sub(sums.arrivals.weigh(self.width, mobility_loss));
        if self.pawns.promote {
            let more = pawns.promotions();
            let lost = sums.arrivals.weigh(self.width, &Flat::<W::Rays>(more.flat(self.width)));
            let gained = (sums.moves * (more.moves + 2)).wrapping_sub(lost);
            total = total.wrapping_add(gained.wrapping_mul(3));
        }
        total
    }

    /// The moves of a man that opens lines for the replier when it leaves.
    #[inline(always)]
    fn alone(&self, from: Bitboard, to: Bitboard) -> u64 {
        let occupied = self.parent.occupied ^ from;
        let chain = EmptyRuns::new(self.width, !occupied);
        let (mut pawns, mut flat) = (self.moves, self.flat);
        if (from & self.pawns.reached()).any() {
            pawns = self.pawns.moves(!occupied, self.parent.mover.all ^ from);
            flat = pawns.flat(self.width);
        }
        let replier = &self.parent.replier;
        let reached = chain.reach(self.sliders);
        let mobility_loss = SliderLosses::new(self.width, &chain, self.sliders, reached, replier.all);
        let mobility_loss = mobility_loss.with(flat, &self.knights);
        let mut sums = ReplySums::<W>::new(self.width);
        (sums.arrivals.0[0], sums.moves) = (to, to.count());
        self.summed(&sums, &mobility_loss, &pawns)
    }
}

/// Moves of men in lanes.
struct Sorted<R> {
    /// Summed with all others.
    ordinary: R,
    /// Of men that open lines: the mobility_loss are computed anew for each man, if it has three moves or more.
    loner: R,
    /// Looked at one by one: those that do not check, and those that do or uncover one.
    quiet: R,
    checking: R,
}

/// SidePieces and their moves, lane by lane, where there are any.
struct LaneByLane<'a> {
    origins: &'a [u64; 8],
    words: [u64; 8],
    lanes: u32,
}

impl<'a> LaneByLane<'a> {
    #[inline(always)]
    fn new<R: Rays>(origins: &'a [u64; 8], moves: R) -> LaneByLane<'a> {
        let mut words = [0; 8];
        moves.store(&mut words);
        LaneByLane { origins, words, lanes: moves.lanes_with_bits() }
    }
}

impl Iterator for LaneByLane<'_> {
    type Item = (Bitboard, Bitboard);

    #[inline(always)]
    fn next(&mut self) -> Option<(Bitboard, Bitboard)> {
        if self.lanes == 0 {
            return None;
        }
        let lane = self.lanes.trailing_zeros() as usize & 7;
        self.lanes &= self.lanes - 1;
        Some((Bitboard(self.origins[lane]), Bitboard(self.words[lane])))
    }
}

/// Moves of men that are no pawns which check, or uncover a check.
struct Checks<'a, 'b> {
    parent: &'a Parent<'b>,
    room: &'a mut Scratch,
    moves: LaneByLane<'a>,
}

impl WideKernel for Checks<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token, W: Width>(self, level: L, width: W) -> u64 {
        let mut total = 0;
        for (from, to) in self.moves {
            total += self.parent.checks(level, width, self.room, from, to);
        }
        total
    }
}
