//! Set-wise perft(2): the replies to all moves of a position, most of them counted without looking at the single move.
//!
//! **The idea.** After a quiet move of a piece from `f` to `t`, the other side has nearly the same replies as if no piece
//! had moved. The difference lies on `t`: a slider that passed over it now stops there, a pawn cannot be pushed to it or
//! across it, and a pawn that attacks it may capture. So the number of replies is a *base*, the same for all moves, less
//! a *loss* that depends only on `t`. The losses of all squares are computed once, as a few bit planes. The number of
//! moves that *arrive* on each square is another such set of planes. The sum over all moves is then
//!
//! moves × base − Σ 2^(j + k) · popcount(arrivals bit j & loss bit k)
//!
//! with no loop over moves at all. Captures fit in: a capture takes away the moves of the captured piece (a loss on its
//! square), and every other piece that defended the square gains a move. A gain is counted as one more in the base, and as
//! a loss on the squares where it does not happen.
//!
//! **Worked example.** The replier has a rook on a8, and the a-file below it is empty. It has seven southward moves. A
//! piece that enters a3 leaves five of them (a7, a6, a5, a4 and the capture on a3): two are lost. One that enters a7 leaves
//! the capture: six are lost. One that takes the rook leaves none: seven are lost, the loss on a8. These numbers
//! come from walking back from the squares that the rook reaches: a square has loss ≥ 1 if the next square is reached, ≥ 2
//! if the next square has loss ≥ 1, and so on, for all eight directions at once, one in each lane ([`SliderLosses`]).
//!
//! **The exceptions** are counted child by child, in [`lanes`](super::lanes): pieces that leave or enter a line between a
//! slider and the king, where pins and checks change; pieces that alone guard a square that the king could enter, or that
//! uncover or block an attack on one; moves that affect castling; promotions. If a piece blocks a slider on its origin,
//! the losses themselves change when it leaves: they are computed again for all of its moves, or, if it has few moves,
//! these too are counted one by one. Squares next to the king that are newly attacked are counted by the type of the
//! piece that arrives ([`Zone`](super::zone::Steps)). Moves that uncover a check, and en-passant captures, are made.
//!
//! The board is turned so that the mover plays up the board.

use super::mobility_loss::{Arrivals, Flat, FreePawns, KnightLosses, Losses, Pawns, SliderLosses};
use super::parent::Parent;
use super::pawns::{DOUBLE, PawnWays, STEPS};
use super::per_move::{EachMove, Promotions, Scratch, any, counted};
use super::rays::{
    ANTIDIAGONAL, DIAGONAL, EmptyRuns, FILE, Jumps, Kinds, PiecesInLanes, PinsAndDiscoveries, RANK, met,
};
use super::zone::{Zone, pawns_that_attack};
use perft_gate_simd::{Rays, Token, U64s, WideKernel, Width};
use perft_gate_walk::chess::legality::Legality;
use perft_gate_walk::chess::{Bitboard, Black, Board, Side, SidePieces, White, attacks};

/// Greatest number of the mover's pieces for which each move is counted by itself: with few moves there is little to share.
/// Measured on the six classic positions at 6, 9, 12 and 16: position 3 gains a factor of 1.4, and from 12 on the others
/// lose.
const FEW_PIECES: u64 = 8;

/// Greatest number of pieces other than pawns that have a lane. More than that is rare, and needs a promotion.
const PIECES_IN_LANES: u64 = 8;

/// Counts the replies to all moves of a board.
pub(super) struct Replies<'b>(pub(super) &'b Board, pub(super) &'b mut Scratch);

impl WideKernel for Replies<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token, W: Width>(self, level: L, width: W) -> u64 {
        let Replies(board, scratch) = self;
        let mut parent = Parent::new(level, board);
        let SidePieces { all, pawns, .. } = parent.mover;
        if all.count() <= FEW_PIECES || (all & !pawns).count() > PIECES_IN_LANES {
            return counted(level.call_wide(EachMove(&mut parent, scratch)));
        }
        count(level, width, &mut parent, scratch)
    }
}

/// The data of a parent that the sums need.
struct Scene<'a, 'b, W: Width> {
    width: W,
    parent: &'a Parent<'b>,
    zone: &'a Zone,
    /// The replier's sliders, in the lanes of the directions in which they may move.
    sliders: W::Rays,
    /// The losses of its knights that are not pinned.
    knights: KnightLosses<W::Rays>,
    pawns: FreePawns,
    /// The moves of its pawns if no piece leaves a square.
    moves: Pawns,
    /// The losses of its pawns, in lanes.
    flat: W::Rays,
    losses: Losses<W::Rays>,
    /// Number of replies that do not depend on the move: of king and knights, castling, and the raised base of gains.
    fixed: u64,
}

/// Sums over moves that are counted together.
struct ReplySums<W: Width> {
    arrivals: Arrivals,
    moves: u64,
    /// Number of attacks on steps of the king, by pieces.
    steps: <W::Rays as U64s>::Sums,
    /// Number of attacks on steps of the king, by pawns.
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
fn count<L: Token, W: Width>(level: L, width: W, parent: &mut Parent<'_>, scratch: &mut Scratch) -> u64 {
    let chain = EmptyRuns::<W::Rays>::new(width, !parent.occupied);
    let lines = PinsAndDiscoveries::new(width, &chain, &parent.mover, &parent.replier);
    parent.uncovering = lines.uncovering;
    let parent = &*parent;
    let sliders = sliders(width, &parent.replier, [Bitboard::ALL; 4]);
    let reached = chain.reach(sliders);
    let jumps = Jumps::<W::Rays>::new(width, parent.replier.knights);
    let legality = legality(level, parent, Bitboard((reached | jumps.0).any()));
    let pieces = PiecesInLanes::<W::Rays>::new(width, &parent.mover, &legality);
    let zone = Zone::new(level, parent, &lines, &pieces.attacked);
    let scene = Scene::new(width, parent, &zone, &lines, (&chain, sliders, reached), jumps);

    let mut sums = ReplySums::<W>::new(width);
    let mut total = scene.move_pieces(level, &pieces, &mut sums, scratch);
    if !legality.double_check {
        total += scene.move_pawns(level, &legality, &mut sums, scratch);
        total += parent.castling(level, scratch, &legality);
        total += parent.en_passant(level);
    }
    total += parent.finish(level, scratch);
    // The king's lost steps are subtracted in `summed`, also for moves that `alone` counts, so that part may be negative.
    total.wrapping_add(scene.summed(&sums, &scene.losses, &scene.moves))
}

/// Returns the replier's sliders in the lanes of their directions, those of each axis that are in a mask.
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

/// Returns the legality analysis of the mover, given the squares that the replier's sliders and knights reach. If the mover
/// is not in check, no slider sees through its king, so the king need not be lifted.
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
        // Gains that do not happen are counted as losses, so the base counts one for each direction, jump and side of pawns.
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
        let losses = SliderLosses::new(width, chain, sliders, reached, replier.all);
        let losses = losses.with(flat, &knights);
        Scene { width, parent, zone, sliders, knights, pawns, moves, flat, losses, fixed }
    }

    /// Returns the squares from which a piece opens a line for the replier, or frees a move of its pawns, when it leaves.
    #[inline(always)]
    fn opening(&self) -> Bitboard {
        self.losses.opening | self.pawns.reached()
    }

    /// Counts the moves of pieces other than pawns: sums those that can be summed, counts or queues the others.
    #[inline(always)]
    fn move_pieces<L: Token>(
        &self,
        level: L,
        pieces: &PiecesInLanes<W::Rays>,
        sums: &mut ReplySums<W>,
        scratch: &mut Scratch,
    ) -> u64 {
        let (width, parent) = (self.width, self.parent);
        let kinds = Kinds::new(width, pieces.from, &parent.mover);
        let Sorted { ordinary, loner, quiet, checking } = self.sorted(pieces, &kinds);
        sums.arrivals = Arrivals(ordinary.added_up().map(Bitboard));
        let moves = ordinary.count(W::Rays::tally(width));
        sums.moves = W::Rays::settled(width, moves).sum(width, W::Rays::LANES);
        sums.steps = self.zone.steps.attacked(width, &kinds, loner | ordinary, sums.steps);

        let mut total = 0;
        let mut origins = [0; 8];
        pieces.from.store(&mut origins);
        for (from, to) in LaneByLane::new(&origins, loner) {
            total += self.alone(from, to);
        }
        for (from, to) in LaneByLane::new(&origins, quiet) {
            scratch.moves.push::<W::Children>(width, from.first(), to);
        }
        let checking = LaneByLane::new(&origins, checking);
        if checking.lanes != 0 {
            total += counted(level.call_wide(Checks { parent, scratch, moves: checking }));
        }
        total
    }

    /// Sorts the moves of pieces other than pawns by the way in which they are counted.
    #[inline(always)]
    fn sorted(&self, pieces: &PiecesInLanes<W::Rays>, kinds: &Kinds<W::Rays>) -> Sorted<W::Rays> {
        let (width, parent, zone) = (self.width, self.parent, self.zone);
        let splat = |set: Bitboard| W::Rays::splat(width, set.0);
        let PiecesInLanes { from, attacks, to, .. } = *pieces;
        let apart = !(from & splat(zone.from) | attacks & splat(zone.guarded)).is_zero();
        let single = apart
            | splat(zone.to_all)
            | kinds.knights & splat(zone.to_knights)
            | kinds.diagonal & splat(zone.to_diagonal)
            | kinds.orthogonal & splat(zone.to_orthogonal)
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

    /// Counts the moves of pawns: sums those that can be summed, counts or queues the others.
    #[inline(always)]
    fn move_pawns<L: Token>(
        &self,
        level: L,
        legality: &Legality,
        sums: &mut ReplySums<W>,
        scratch: &mut Scratch,
    ) -> u64 {
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
            total += parent.pawns(level, width, scratch, per_move);
        }
        if any(promotions).any() {
            total += counted(level.call_wide(Promotions(parent, scratch, promotions)));
        }
        total
    }

    /// Returns the replies to all summed moves.
    #[inline(always)]
    fn summed(&self, sums: &ReplySums<W>, losses: &Losses<W::Rays>, pawns: &Pawns) -> u64 {
        let base = self.fixed + losses.moves + pawns.moves;
        let mut total = (sums.moves * base)
            .wrapping_sub(sums.steps_by_pawns)
            .wrapping_sub(W::Rays::settled(self.width, sums.steps).sum(self.width, 8));
        total = total.wrapping_sub(sums.arrivals.weigh(self.width, losses));
        if self.pawns.promote {
            let more = pawns.promotions();
            let lost = sums.arrivals.weigh(self.width, &Flat::<W::Rays>(more.flat(self.width)));
            let gained = (sums.moves * (more.moves + 2)).wrapping_sub(lost);
            total = total.wrapping_add(gained.wrapping_mul(3));
        }
        total
    }

    /// Counts the replies to the moves of a piece that opens lines for the replier when it leaves.
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
        let losses = SliderLosses::new(self.width, &chain, self.sliders, reached, replier.all);
        let losses = losses.with(flat, &self.knights);
        let mut sums = ReplySums::<W>::new(self.width);
        (sums.arrivals.0[0], sums.moves) = (to, to.count());
        self.summed(&sums, &losses, &pawns)
    }
}

/// The moves of pieces in lanes, by the way in which they are counted.
struct Sorted<R> {
    /// Moves that are summed with all others.
    ordinary: R,
    /// Moves of pieces that open lines: the losses are computed again for each such piece with three moves or more.
    loner: R,
    /// Moves that are counted one by one and neither give nor uncover a check.
    quiet: R,
    /// Moves that are counted one by one and give or uncover a check.
    checking: R,
}

/// An iterator over the lanes that have moves: the square of a piece and its targets.
struct LaneByLane<'a> {
    origins: &'a [u64; 8],
    targets: [u64; 8],
    lanes: u32,
}

impl<'a> LaneByLane<'a> {
    #[inline(always)]
    fn new<R: Rays>(origins: &'a [u64; 8], moves: R) -> LaneByLane<'a> {
        let mut targets = [0; 8];
        moves.store(&mut targets);
        LaneByLane { origins, targets, lanes: moves.lanes_with_bits() }
    }
}

impl Iterator for LaneByLane<'_> {
    type Item = (Bitboard, Bitboard);

    #[inline(always)]
    fn next(&mut self) -> Option<(Bitboard, Bitboard)> {
        if self.lanes == 0 {
            return None;
        }
        debug_assert!(self.lanes < 1 << 8);
        let lane = self.lanes.trailing_zeros() as usize & 7;
        self.lanes &= self.lanes - 1;
        Some((Bitboard(self.origins[lane]), Bitboard(self.targets[lane])))
    }
}

/// Counts moves of pieces other than pawns that give or uncover a check.
struct Checks<'a, 'b> {
    parent: &'a Parent<'b>,
    scratch: &'a mut Scratch,
    moves: LaneByLane<'a>,
}

impl WideKernel for Checks<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token, W: Width>(self, level: L, width: W) -> u64 {
        let mut total = 0;
        for (from, to) in self.moves {
            total += self.parent.checks(level, width, self.scratch, from, to);
        }
        total
    }
}
