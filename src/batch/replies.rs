//! Set-wise perft(2): the replies to all moves of a position, most of them without a look at the move.
//!
//! **The idea.** After a quiet move of a man from `f` to `t`, the other side has nearly the replies it would have had if
//! nothing had been moved. What differs lies on `t`: a slider that passed over it stops there now, a pawn that would
//! step on it cannot, and a pawn that attacks it may take. So the replies are a *base*, the same for all moves, less a
//! *loss* that depends on `t` alone. The losses of all squares are computed once, as a few bitboards of one bit of the
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
//! stands, its leaving changes the losses themselves: they are computed once more for all of its moves, or, if these are
//! few, they too are looked at one by one. Squares next to the king that are newly attacked are counted by the kind of
//! man that arrives ([`Zone`]). Moves that uncover a check, and en-passant captures, are made.
//!
//! The board is turned so that the mover plays up the board.

use super::losses::{Arrivals, Flat, FreePawns, Losses, Pawns, SliderLosses};
use super::sight::{ANTIDIAGONAL, Attacked, Chain, DIAGONAL, Eightmen, FILE, KingLines, MenInLanes, RANK, met};
use super::singles::{EachMove, Parent, Promotions, Room, counted, way};
use crate::chess::legality::Legality;
use crate::chess::movegen::{self, Sink};
use crate::chess::{Bitboard, Black, Board, Side, Square, White, attacks};
use crate::cpu::{Lanes, Rays, Token, WideTask, Width};

/// Up to so many men of the mover, each move is looked at by itself: with few moves there is little to share. Measured on
/// the six classic positions at 6, 9, 12 and 16: position 3 gains 1.4, and from 12 on the others lose.
const FEW_MEN: u64 = 8;

/// Counts the replies to all moves of a board.
pub(super) struct Replies<'b>(pub(super) &'b Board, pub(super) &'b mut Room);

impl WideTask for Replies<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token, W: Width>(self, level: L, width: W) -> u64 {
        count::<L, W>(level, width, self.0, self.1)
    }
}

/// Squares next to the replier's king that the mover does not attack; whence each kind of man attacks them.
struct Zone {
    number: usize,
    pawns: [u64; 8],
    knights: [u64; 8],
    slanted: [u64; 8],
    straight: [u64; 8],
    kings: [u64; 8],
}

/// What the sums need to know of the parent.
struct Scene<'a, 'b, W: Width> {
    width: W,
    parent: &'a Parent<'b>,
    pinned: Bitboard,
    /// The replier's free sliders.
    sliders: W::Rays,
    /// Where its knights defend nobody.
    knights: W::Rays,
    pawns: FreePawns,
    /// Replies that do not depend on the move: of king and knights, castling, and what the complements count.
    fixed: u64,
}

/// Moves that are counted together.
struct Sums<W: Width> {
    arrivals: Arrivals,
    moves: u64,
    /// How often one attacks a square of the zone.
    zone: <W::Rays as Lanes>::Tally,
    /// The same of pawns.
    by_pawns: u64,
}

/// Where pawns of the mover attack the squares from.
#[inline(always)]
fn pawns_that_attack(squares: Bitboard) -> Bitboard {
    Black::pawn_attacks(squares)
}

#[inline(always)]
fn count<L: Token, W: Width>(level: L, width: W, board: &Board, room: &mut Room) -> u64 {
    let mut parent = Parent::new(level, board);
    if parent.mover.all.count() <= FEW_MEN {
        return counted(level.call_wide(EachMove(&mut parent, room)));
    }
    let Parent { mover, replier, rooks, occupied, .. } = parent;
    let own_rooks = rooks & White::rank(0);
    let king = replier.king_square();
    let chain = Chain::<W::Rays>::new(width, !occupied);
    let lines = KingLines::new(width, &chain, &mover, &replier);
    parent.uncovering = lines.uncovering;

    // What the replier attacks. Out of check no slider sees through the king, so that it need not be lifted.
    let axes = [replier.straight, replier.straight, replier.slanted, replier.slanted].map(|set| set.0);
    let all_sliders = W::Rays::axes(width, axes);
    let all_reached = chain.reach(all_sliders);
    let mut under_attack = Bitboard(all_reached.any()) | Black::pawn_attacks(replier.pawns) | attacks::king(king);
    for knight in replier.knights {
        under_attack |= attacks::knight(knight);
    }
    let legality = match (under_attack & mover.king).is_empty() {
        true => Legality::out_of_check(level, &mover, &replier, under_attack),
        false => Legality::of::<White, L>(level, &mover, &replier),
    };

    let men = MenInLanes::<W::Rays>::new(width, &mover, &legality);
    let Attacked { any: attacked, twice, on_lines, on_diagonals } = men.attacked;
    let sole = attacked & !twice;

    // The squares that the replier's king may enter, and those it crosses when castling.
    let ring = attacks::king(king) & !replier.all;
    let mut fixed = (ring & !attacked).count();
    let (mut crossed, mut paths) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for castle in &parent.castles {
        crossed |= castle.king_path & !replier.king;
        paths |= castle.path;
        let bad = castle.path & occupied | castle.king_path & attacked | lines.pins[RANK] & castle.rook;
        fixed += u64::from(bad.is_empty());
    }
    let mut zone = Zone { number: 0, pawns: [0; 8], knights: [0; 8], slanted: [0; 8], straight: [0; 8], kings: [0; 8] };
    let (mut from_lines, mut from_diagonals) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for square in ring & !attacked {
        let (straight, slanted) = (attacks::rook(level, square, occupied), attacks::bishop(level, square, occupied));
        from_lines |= straight;
        from_diagonals |= slanted;
        let lane = zone.number & 7;
        zone.pawns[lane] = pawns_that_attack(square.into()).0;
        zone.knights[lane] = attacks::knight(square).0;
        zone.slanted[lane] = slanted.0;
        zone.straight[lane] = straight.0;
        zone.kings[lane] = attacks::king(square).0;
        zone.number += 1;
    }
    // Squares that are looked at one by one, beside those for all: of knights, of sliders by kind, of kings, of pawns.
    let Parent { pawns_check, knights_check, bishops_check, rooks_check, .. } = parent;
    let (mut to_pawns, mut to_knights, mut to_kings) = (pawns_check, knights_check, Bitboard::EMPTY);
    let (mut to_slanted, mut to_straight) = (bishops_check | lines.seen_slanted, rooks_check | lines.seen_straight);
    for square in crossed & !attacked {
        let (straight, slanted) = (attacks::rook(level, square, occupied), attacks::bishop(level, square, occupied));
        from_lines |= straight;
        from_diagonals |= slanted;
        to_pawns |= pawns_that_attack(square.into());
        to_knights |= attacks::knight(square);
        to_slanted |= slanted;
        to_straight |= straight;
        to_kings |= attacks::king(square);
    }
    let entered = ring | crossed;
    // A man between a slider and a square that nobody attacks.
    let opening = from_lines & on_lines | from_diagonals & on_diagonals;
    // Squares where a man cuts an attack off.
    let mut cutting = Bitboard::EMPTY;
    for square in entered & attacked & (on_lines | on_diagonals) {
        cutting |= attacks::rook(level, square, occupied) & on_lines;
        cutting |= attacks::bishop(level, square, occupied) & on_diagonals;
    }
    let to_all = lines.to | attacks::king(king) | rooks & White::rank(7) | paths | cutting & !occupied;
    let from = lines.from | opening | paths;

    // The replier's moves.
    let mut defended = [Bitboard::EMPTY; 3];
    for knight in replier.knights & !lines.pinned {
        fixed += (attacks::knight(knight) & !replier.all).count();
        let mut carry = attacks::knight(knight) & replier.all;
        for plane in &mut defended {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }
    let [k1, k2, k4] = defended.map(|set| !set.0);
    let knights = W::Rays::load(width, &[k1, k2, k2, k4, k4, k4, k4, !0]);
    let pawns = FreePawns::new(&replier, &lines);
    // Eight directions and eight lanes of knights count where nothing is gained, two lanes of pawns.
    fixed += 8 + 8 + 2;
    let (sliders, reached) = match lines.pinned.is_empty() {
        true => (all_sliders, all_reached),
        false => {
            let axes = [
                replier.straight & lines.free(FILE),
                replier.straight & lines.free(RANK),
                replier.slanted & lines.free(DIAGONAL),
                replier.slanted & lines.free(ANTIDIAGONAL),
            ];
            let sliders = W::Rays::axes(width, axes.map(|set| set.0));
            (sliders, chain.reach(sliders))
        }
    };
    let losses = SliderLosses::new(width, &chain, sliders, reached, replier.all);
    let moves = pawns.moves(!occupied, mover.all);
    let losses = losses.with(moves.flat(width), knights);

    let scene = Scene { width, parent: &parent, pinned: lines.pinned, sliders, knights, pawns, fixed };
    // Where a man that leaves changes more than its own attacks.
    let opening = losses.opening | pawns.ahead | pawns.west_attacks | pawns.east_attacks;
    let mut sums =
        Sums::<W> { arrivals: Arrivals([Bitboard::EMPTY; 5]), moves: 0, zone: W::Rays::tally(width), by_pawns: 0 };
    let mut total = 0_u64;
    let mut arriving = W::Rays::tally(width);
    let splat = |set: Bitboard| W::Rays::splat(width, set.0);
    for group in &men.groups[..men.number.min(2)] {
        let Eightmen { from: standing, attacks: attacking, to: going } = *group;
        let (is_knight, is_slanted) = (met(width, standing, mover.knights), met(width, standing, mover.slanted));
        let (is_straight, is_king) = (met(width, standing, mover.straight), met(width, standing, mover.king));
        let apart = !(standing & splat(from) | attacking & splat(entered & sole)).is_zero();
        let single = splat(to_all)
            | is_knight & splat(to_knights)
            | is_slanted & splat(to_slanted)
            | is_straight & splat(to_straight)
            | is_king & splat(to_kings)
            | apart;
        let rest = going & !single;
        let one = splat(Bitboard(1));
        let opens = met(width, standing, opening);
        let few = rest & rest.minus(one);
        let few = (few & few.minus(one)).is_zero();
        let single = going & single | rest & opens & few;
        let loner = rest & opens & !few;
        let ordinary = rest & !opens;
        let summed = loner | ordinary;
        for square in 0..zone.number & 15 {
            let attacks = is_knight & lane(width, &zone.knights, square)
                | is_slanted & lane(width, &zone.slanted, square)
                | is_straight & lane(width, &zone.straight, square)
                | is_king & lane(width, &zone.kings, square);
            sums.zone = (attacks & summed).count(sums.zone);
        }
        arriving = ordinary.count(arriving);
        sums.arrivals.add_all(ordinary.added_up());
        let checking = is_knight & splat(knights_check)
            | is_slanted & splat(bishops_check)
            | is_straight & splat(rooks_check)
            | met(width, standing, parent.uncovering);
        let checking = single & checking;
        let quiet = single & !checking;
        let (mut origins, mut words) = ([0; 8], [0; 8]);
        standing.store(&mut origins);
        let mut lanes = loner.lanes_with_bits();
        if lanes != 0 {
            loner.store(&mut words);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize & 7;
                lanes &= lanes - 1;
                total += scene.alone(Bitboard(origins[lane]), Bitboard(words[lane]));
            }
        }
        let mut lanes = quiet.lanes_with_bits();
        if lanes != 0 {
            quiet.store(&mut words);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize & 7;
                lanes &= lanes - 1;
                let (from, to) = (Bitboard(origins[lane]), Bitboard(words[lane]));
                room.push(from, to);
            }
        }
        let lanes = checking.lanes_with_bits();
        if lanes != 0 {
            checking.store(&mut words);
            total +=
                counted(level.call_wide(Checks { parent: &parent, room, origins: &origins, lanes, words: &words }));
        }
    }
    sums.moves = W::Rays::settled(width, arriving).sum(width, W::Rays::N);
    if !legality.double_check {
        // Pawns, in sets by the way they go.
        let guards = pawns_that_attack(entered & sole) & mover.pawns;
        let mut pawn_moves = PawnMoves {
            level,
            width,
            parent: &parent,
            room,
            apart: from | opening | guards,
            to: to_all | to_pawns,
            west: Bitboard::EMPTY,
            east: Bitboard::EMPTY,
            promotions: [Bitboard::EMPTY; 3],
            total: 0,
        };
        movegen::pawns::<White, _>(mover.pawns, &legality, &mut pawn_moves);
        let (west, east) = (pawn_moves.west, pawn_moves.east);
        for targets in [west, east] {
            sums.arrivals.add(targets);
            sums.moves += targets.count();
        }
        for square in 0..zone.number & 15 {
            let attacks = Bitboard(zone.pawns[square & 7]);
            sums.by_pawns += (attacks & west).count() + (attacks & east).count();
        }
        if own_rooks.any() {
            movegen::castles::<White, _>(own_rooks, &legality, &mut pawn_moves);
        }
        total += pawn_moves.total;
        let promotions = pawn_moves.promotions;
        if promotions.iter().any(|targets| targets.any()) {
            total += counted(level.call_wide(Promotions(&parent, room, promotions)));
        }
        total += parent.en_passant(level);
    }
    total += parent.finish(level, room);
    // What the moves of those that open lines lose in the zone is subtracted there, so that part may be below zero.
    total.wrapping_add(scene.summed(&sums, &losses, &moves))
}

/// A word of an array in all lanes.
#[inline(always)]
fn lane<V: Lanes>(proof: V::Proof, words: &[u64; 8], at: usize) -> V {
    V::splat(proof, words[at & 7])
}

/// Moves that check, or uncover a check, of up to eight men.
struct Checks<'a, 'b> {
    parent: &'a Parent<'b>,
    room: &'a mut Room,
    origins: &'a [u64; 8],
    /// The lanes that have moves, and the moves.
    lanes: u32,
    words: &'a [u64; 8],
}

impl WideTask for Checks<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token, W: Width>(self, level: L, width: W) -> u64 {
        let (mut total, mut lanes) = (0, self.lanes);
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize & 7;
            lanes &= lanes - 1;
            let (from, to) = (Bitboard(self.origins[lane]), Bitboard(self.words[lane]));
            total += self.parent.checks(level, width, self.room, from, to);
        }
        total
    }
}

impl<W: Width> Scene<'_, '_, W> {
    /// All moves that were summed.
    #[inline(always)]
    fn summed(&self, sums: &Sums<W>, losses: &Losses<W::Rays>, pawns: &Pawns) -> u64 {
        let base = self.fixed + losses.moves + pawns.moves;
        let mut total = (sums.moves * base)
            .wrapping_sub(sums.by_pawns)
            .wrapping_sub(W::Rays::settled(self.width, sums.zone).sum(self.width, 8));
        total = total.wrapping_sub(sums.arrivals.weigh(self.width, losses));
        if self.pawns.promote {
            let more = pawns.promotions();
            let lost = sums.arrivals.weigh(self.width, &Flat::<W::Rays>(more.flat(self.width)));
            let gained = (sums.moves * (more.moves + 2)).wrapping_sub(lost);
            total = total.wrapping_add(gained.wrapping_mul(3));
        }
        for knight in self.parent.replier.knights & !self.pinned {
            let moves = (attacks::knight(knight) & !self.parent.replier.all).count();
            total = total.wrapping_sub(moves * sums.arrivals.on(knight));
        }
        total
    }

    /// The moves of a man that opens lines for the replier when it leaves.
    #[inline(always)]
    fn alone(&self, from: Bitboard, to: Bitboard) -> u64 {
        let occupied = self.parent.occupied ^ from;
        let chain = Chain::new(self.width, !occupied);
        let pawns = self.pawns.moves(!occupied, self.parent.mover.all ^ from);
        let replier = &self.parent.replier;
        let reached = chain.reach(self.sliders);
        let losses = SliderLosses::new(self.width, &chain, self.sliders, reached, replier.all);
        let losses = losses.with(pawns.flat(self.width), self.knights);
        let none = Bitboard::EMPTY;
        let sums = Sums::<W> {
            arrivals: Arrivals([to, none, none, none, none]),
            moves: to.count(),
            zone: W::Rays::tally(self.width),
            by_pawns: 0,
        };
        self.summed(&sums, &losses, &pawns)
    }
}

/// Takes the mover's pawn moves and castling: what can be summed is kept, the rest is looked at one by one.
struct PawnMoves<'a, 'b, L, W> {
    level: L,
    width: W,
    parent: &'a Parent<'b>,
    room: &'a mut Room,
    /// Pawns on these squares move one by one, ...
    apart: Bitboard,
    /// ... and all pawns to these.
    to: Bitboard,
    /// Targets of moves that are summed: pushes and captures to the west, which never share one; captures to the east.
    west: Bitboard,
    east: Bitboard,
    /// Ahead, to the west, to the east.
    promotions: [Bitboard; 3],
    total: u64,
}

impl<L: Token, W: Width> PawnMoves<'_, '_, L, W> {
    /// Splits targets into those that are summed and the others, which it yields.
    #[inline(always)]
    fn split(&mut self, targets: Bitboard, delta: i32) -> Bitboard {
        let apart = targets & (Bitboard(self.apart.0 << delta) | self.to);
        let sum = if delta == 9 { &mut self.east } else { &mut self.west };
        *sum |= targets & !apart;
        apart
    }
}

impl<L: Token, W: Width> Sink for PawnMoves<'_, '_, L, W> {
    #[inline(always)]
    fn man(&mut self, _: Square, _: Bitboard) {}

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, delta: i32) {
        let to = self.split(targets, delta);
        self.total += self.parent.pawns(self.level, self.width, self.room, to, delta);
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard, delta: i32) {
        let mut to = self.split(targets, delta);
        self.total += self.parent.double_pushes(self.level, targets, delta, &mut to);
        self.total += self.parent.pawns(self.level, self.width, self.room, to, delta);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, delta: i32) {
        self.promotions[way(delta)] = targets;
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {}

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.total += self.parent.castle(self.level, self.room, king, rook);
    }
}
