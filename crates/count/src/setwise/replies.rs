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

use super::arrivals::Arrivals;
use super::castling::Castle;
use super::parent::{Family, Parent};
use super::pawns::{DOUBLE, FreePawns, PawnWays, STEPS};
use super::per_move::{Promotions, Queues, any};
use super::pieces::{Kind, MOST_PIECES, Piece, Pieces};
use super::pins::{PinsAndDiscoveries, ReleasedPieces};
use super::sliders::Sliders;
use super::zone::{Steps, Zone, pawns_that_attack};
use arrayvec::ArrayVec;
use perft_gate_simd::{Kernel, Token};
use perft_gate_walk::chess::legality::Legality;
use perft_gate_walk::chess::{
    Bitboard, Black, Board, Color, MAX_MOVES, MoveList, Side, SidePieces, Square, White, Wing, attacks,
};

/// Counts the replies to all moves of a parent, those that stay in the queue excepted; nothing if it has too many pieces.
pub(super) struct Replies<'a, 'b>(pub(super) &'a mut Parent<'b>, pub(super) &'a mut Scratch);

impl Kernel for Replies<'_, '_> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Option<u64> {
        let Replies(parent, scratch) = self;
        let SidePieces { all, pawns, .. } = parent.mover;
        ((all & !pawns).count() <= MOST_PIECES).then(|| count(level, parent, scratch))
    }
}

/// Counts the grandchildren below the moves of a board, and removes the moves that are counted.
pub(super) struct AfterMoves<'a, 'b>(pub(super) &'b Board, pub(super) &'a mut MoveList, pub(super) &'a mut Scratch);

impl Kernel for AfterMoves<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let AfterMoves(board, moves, scratch) = self;
        let family = Family::new(board);
        let base = family.base();
        scratch.queues.base = base;
        let mut total = 0;
        let mut left = ArrayVec::<bool, MAX_MOVES>::new();
        for &mv in moves.iter() {
            let mut replies = None;
            if let Some(mut parent) = family.after(level, mv) {
                // The lanes of a vector have one king's square in common.
                let alone = parent.king_moved();
                if alone {
                    total += scratch.queues.count(level);
                    scratch.queues.base = parent.base();
                }
                replies = level.call(Replies(&mut parent, scratch));
                if alone {
                    scratch.queues.base = base;
                }
            }
            total += replies.unwrap_or(0);
            left.push(replies.is_none());
        }
        total += scratch.queues.count(level);
        moves.keep(&left);
        total
    }
}

/// What is found of a parent before its moves are counted.
pub(super) struct Found {
    sliders: Sliders,
    pieces: Pieces,
    steps: Steps,
    released: ReleasedPieces,
}

impl Found {
    pub(super) const fn new() -> Found {
        Found { sliders: Sliders::new(), pieces: Pieces::new(), steps: Steps::new(), released: ReleasedPieces::new() }
    }
}

/// The memory of a counter, kept from one parent to the next.
pub(super) struct Scratch {
    found: Found,
    pub(super) queues: Queues,
}

impl Scratch {
    pub(super) const fn new() -> Scratch {
        Scratch { found: Found::new(), queues: Queues::new() }
    }
}

/// The data of a parent that the sums need.
struct Scene<'a, 'b> {
    parent: &'a Parent<'b>,
    zone: &'a Zone,
    lines: &'a PinsAndDiscoveries,
    released: &'a ReleasedPieces,
    sliders: &'a Sliders,
    steps: &'a Steps,
    pawns: &'a FreePawns,
    /// Squares from which a piece opens a line for the replier, or frees a move of its pawns, when it leaves.
    opening: Bitboard,
    /// Squares on which a slider of the mover defends a piece, or that it attacks.
    defended_on_lines: Bitboard,
    /// Squares on which an arrival changes the number of replies.
    map: Bitboard,
}

/// Sums over the moves that are counted together.
struct Sums {
    arrivals: Arrivals,
    moves: u64,
    /// Replies that single moves have more than the base, less those that they have fewer.
    more: i64,
}

#[inline(always)]
fn count<L: Token>(level: L, parent: &mut Parent<'_>, scratch: &mut Scratch) -> u64 {
    let Scratch { found: Found { sliders, pieces, steps, released }, queues } = scratch;
    let lines = PinsAndDiscoveries::new(level, parent, released);
    parent.uncovering = lines.uncovering;
    let parent = &*parent;
    sliders.find(level, parent, &lines);
    let replier = &parent.replier;
    let mut attacked = sliders.attacked | Black::pawn_attacks(replier.pawns) | attacks::king(replier.king_square());
    let mut jumps = 0;
    for knight in replier.knights & !lines.pinned {
        attacked |= attacks::knight(knight);
        jumps += (attacks::knight(knight) & !replier.all).count();
    }
    for knight in replier.knights & lines.pinned {
        attacked |= attacks::knight(knight);
    }
    let legality = legality(level, parent, attacked);
    pieces.find(level, &parent.mover, &legality);
    let zone = Zone::new(level, parent, &lines, &pieces.attacked, steps);
    let pawns = FreePawns::new(replier, &lines);
    let pawn_replies = pawns.replies(!parent.occupied, parent.mover.all);
    let opening = sliders.reach | pawns.reach();
    let map = opening | replier.all;
    let scene = Scene {
        parent,
        zone: &zone,
        lines: &lines,
        released,
        sliders,
        steps,
        pawns: &pawns,
        opening,
        defended_on_lines: pieces.attacked.on_lines | pieces.attacked.on_diagonals,
        map,
    };

    let mut sums = Sums { arrivals: Arrivals::NONE, moves: 0, more: 0 };
    let mut total = scene.move_pieces(level, pieces, &mut sums, queues);
    if !legality.double_check {
        total += scene.move_pawns(level, &legality, &mut sums, queues);
        total += scene.castle(level, &legality, &mut sums, queues);
        total += parent.en_passant(level);
    }
    total += parent.finish(level, queues);

    let arrivals = &sums.arrivals;
    let mut lost = sliders.lost(level, replier.all, arrivals);
    lost += pawns.lost(&pawn_replies, replier.pawns, arrivals);
    if (arrivals.any() & replier.all).any() {
        for knight in replier.knights & !lines.pinned {
            let (captured, attacks) = (arrivals.on(knight), attacks::knight(knight));
            lost += captured * (attacks & !replier.all).count() as i64;
            lost -= arrivals.within(attacks & replier.all);
        }
    }
    let base = zone.replies + sliders.moves + jumps + pawn_replies.moves;
    let summed = (sums.moves * base) as i64 + sums.more - lost;
    debug_assert!(summed >= 0);
    total + summed as u64
}

/// Returns the legality analysis of the mover, given the squares that the replier attacks. If the mover is not in check,
/// no slider sees through its king, so the king need not be lifted.
#[inline(always)]
fn legality<L: Token>(level: L, parent: &Parent<'_>, attacked: Bitboard) -> Legality {
    let Parent { mover, replier, .. } = parent;
    match (attacked & mover.king).is_empty() {
        true => Legality::out_of_check(mover, replier, attacked),
        false => Legality::of::<White, L>(level, mover, replier),
    }
}

impl Scene<'_, '_> {
    /// Counts the moves of pieces other than pawns: sums those that can be summed, counts or queues the others.
    #[inline(always)]
    fn move_pieces<L: Token>(&self, level: L, pieces: &Pieces, sums: &mut Sums, scratch: &mut Queues) -> u64 {
        let (parent, zone, lines) = (self.parent, self.zone, self.lines);
        let mut total = 0;
        let pin =
            [Bitboard::EMPTY, lines.bishops_pin, lines.rooks_pin, lines.bishops_pin | lines.rooks_pin, Bitboard::EMPTY];
        let affected: [Bitboard; Kind::NUMBER] = std::array::from_fn(|kind| {
            zone.to[kind] | self.steps.any[kind] | pin[kind] | lines.between | zone.recaptured
        });
        let Parent { knights_check, bishops_check, rooks_check, .. } = *parent;
        let checks_of = [knights_check, bishops_check, rooks_check, bishops_check | rooks_check, Bitboard::EMPTY];
        let from = zone.from | lines.releasing | self.opening;
        let guarded = zone.guarded | zone.guarded_castling;
        for piece in pieces.iter() {
            let (bit, kind) = (Bitboard::from(piece.from), piece.kind as usize);
            let mut rest = piece.to;
            if (bit & from | piece.attacks & guarded | rest & affected[kind]).any() {
                let single = rest & self.single(level, piece, pin[kind], &mut sums.more);
                rest ^= single;
                sums.more -= self.steps.prevented(piece.kind, rest);
                if (bit & self.opening).any() && rest.any() {
                    sums.more += self.gained(level, piece.from, rest);
                }
                if single.any() {
                    let mut checks = checks_of[kind];
                    if (bit & parent.uncovering).any() {
                        checks = Bitboard::ALL;
                    }
                    scratch.moves.push(parent.before, piece.from, single & !checks);
                    if (single & checks).any() {
                        total += parent.checks(level, scratch, bit, single & checks);
                    }
                }
            }
            sums.moves += rest.count();
            sums.arrivals.add(rest & self.map);
        }
        total
    }

    /// Returns the squares to which the moves of a piece are counted one by one, and adds what pins and guarded squares
    /// change of its other moves.
    #[inline(always)]
    fn single<L: Token>(&self, level: L, piece: &Piece, pin: Bitboard, more: &mut i64) -> Bitboard {
        let (zone, bit) = (self.zone, Bitboard::from(piece.from));
        if (bit & zone.from | piece.attacks & zone.guarded_castling).any() {
            return Bitboard::ALL;
        }
        let (guarded, recaptured) = (piece.attacks & zone.guarded, piece.to & zone.recaptured);
        if (guarded | recaptured).any() && self.is_backed(level, bit, guarded | recaptured) {
            return Bitboard::ALL;
        }
        let mut single = zone.to[piece.kind as usize];
        let ends_pins = (piece.to & self.lines.between).any();
        if ends_pins {
            single |= self.released.met_on_lines(bit);
        }
        let releases = (bit & self.lines.releasing).any();
        if releases {
            single |= self.released.met(bit);
        }
        let mut pinning = piece.to & pin & !single;
        if pinning.any() && (bit & self.opening).any() {
            single |= pinning;
            pinning = Bitboard::EMPTY;
        }
        for square in pinning {
            let target = Bitboard::from(square);
            let own = self.parent.replier.all & !target;
            let pinned = attacks::through(self.parent.replier.king_square(), square) & own;
            match self.lines.off_line(level, self.parent, pinned) {
                Some(off_line) => *more -= off_line.moves,
                None => single |= target,
            }
        }
        let rest = piece.to & !single;
        *more += (rest & recaptured).count() as i64;
        if ends_pins {
            *more += self.released.ended(piece.kind, bit, rest, self.lines.lines);
        }
        if releases {
            *more += self.released.gained(bit, rest);
        }
        if guarded.any() {
            *more += self.unguarded(level, Some(piece.kind), bit, guarded, rest);
        }
        single
    }

    /// Returns true if a slider behind a piece attacks one of the squares as soon as the piece leaves.
    #[inline(always)]
    fn is_backed<L: Token>(&self, level: L, from: Bitboard, guarded: Bitboard) -> bool {
        if (from & self.defended_on_lines).is_empty() {
            return false;
        }
        let (mover, occupied) = (&self.parent.mover, self.parent.occupied ^ from);
        let mut backing = Bitboard::EMPTY;
        for square in guarded {
            backing |= attacks::rook(level, square, occupied) & mover.orthogonal;
            backing |= attacks::bishop(level, square, occupied) & mover.diagonal;
        }
        (backing & !from).any()
    }

    /// Returns the number of steps that the king gains over some moves of a piece that alone guards some squares.
    #[inline(always)]
    fn unguarded<L: Token>(
        &self,
        level: L,
        kind: Option<Kind>,
        from: Bitboard,
        guarded: Bitboard,
        to: Bitboard,
    ) -> i64 {
        let occupied = self.parent.occupied ^ from;
        let mut gained = 0;
        for square in guarded {
            let attackers = match kind {
                None => pawns_that_attack(square.into()),
                Some(Kind::Knight) => attacks::knight(square),
                Some(Kind::Bishop) => attacks::bishop(level, square, occupied),
                Some(Kind::Rook) => attacks::rook(level, square, occupied),
                Some(Kind::Queen) => attacks::rook(level, square, occupied) | attacks::bishop(level, square, occupied),
                Some(Kind::King) => attacks::king(square),
            };
            gained += (to & !attackers).count() as i64;
        }
        gained
    }

    /// Returns the replies that some moves of one piece have more than if it had not left its square.
    #[inline(always)]
    fn gained<L: Token>(&self, level: L, from: Square, to: Bitboard) -> i64 {
        let (parent, bit) = (self.parent, Bitboard::from(from));
        let mut gained = 0;
        if (self.sliders.reach & bit).any() {
            gained = self.sliders.gained(level, parent, self.lines, from, to);
        }
        gained + self.pawns.gained(!parent.occupied, bit, to)
    }

    /// Counts the mover's castling moves: sums those that have no effect but to keep the king from steps, queues the others.
    #[inline(always)]
    fn castle<L: Token>(&self, level: L, legality: &Legality, sums: &mut Sums, scratch: &mut Queues) -> u64 {
        let (parent, zone, king) = (self.parent, self.zone, legality.king);
        let mut total = 0;
        for rook in parent.rooks & White::rank(0) {
            if !Castle::of_mover(king, rook).may(parent.occupied, legality.attacked, legality.orthogonal_pins) {
                continue;
            }
            let (king_to, rook_to) = Wing::of(king, rook).destinations(Color::White);
            let (left, entered) = (Bitboard::from(king) | rook.into(), Bitboard::from(king_to) | rook_to.into());
            let guarded = attacks::king(king) | attacks::rook(level, rook, parent.occupied);
            let near = attacks::king(parent.replier.king_square());
            let effects = left & (zone.from | self.lines.releasing | self.opening | entered)
                | entered & (self.map | zone.to[Kind::Rook as usize] | zone.to[Kind::King as usize])
                | entered & (self.lines.rooks_pin | self.lines.between)
                | guarded & (near | zone.guarded_castling)
                | parent.replier.king & White::rank(0);
            if effects.any() {
                total += parent.castle(level, scratch, king, rook);
            } else {
                sums.moves += 1;
                sums.more -= self.steps.prevented(Kind::Rook, rook_to.into());
                sums.more -= self.steps.prevented(Kind::King, king_to.into());
            }
        }
        total
    }

    /// Counts the moves of pawns: sums those that can be summed, counts or queues the others.
    #[inline(always)]
    fn move_pawns<L: Token>(&self, level: L, legality: &Legality, sums: &mut Sums, scratch: &mut Queues) -> u64 {
        let (parent, zone) = (self.parent, self.zone);
        let pawns = parent.mover.pawns;
        let PawnWays { targets, promotions } = PawnWays::new(pawns, legality);
        // Pawns that alone guard squares, or whose leaving makes a pin: what that changes is added, if nothing stands behind.
        let (mut from, guards) = (pawns & zone.from, pawns & pawns_that_attack(zone.guarded | zone.guarded_castling));
        from |= guards & pawns_that_attack(zone.guarded_castling);
        for pawn in guards & !from {
            let guarded = White::pawn_attacks(pawn.into()) & zone.guarded;
            if self.is_backed(level, pawn.into(), guarded) {
                from |= pawn.into();
            }
        }
        let mut per_move = targets;
        for (targets, delta) in per_move.iter_mut().zip(STEPS) {
            *targets &= zone.to_pawns | Bitboard(from.0 << delta);
        }
        let mut summed = [0, 1, 2, 3].map(|way| targets[way] & !per_move[way]);
        for pawn in pawns & (self.opening | self.lines.releasing | guards) & !from {
            let bit = Bitboard::from(pawn);
            let to = [0, 1, 2, 3].map(|way| summed[way] & Bitboard(bit.0 << STEPS[way]));
            let mut set = any(to);
            if set.is_empty() {
                continue;
            }
            if (bit & self.lines.releasing).any() {
                let single = self.released.met(bit) & set;
                set ^= single;
                sums.more += self.released.gained(bit, set);
                for way in 0..4 {
                    per_move[way] |= to[way] & single;
                    summed[way] &= !(to[way] & single);
                }
            }
            if (bit & self.opening).any() {
                sums.more += self.gained(level, pawn, set);
            }
            if (bit & guards).any() {
                let guarded = White::pawn_attacks(bit) & zone.guarded;
                sums.more += self.unguarded(level, None, bit, guarded, set);
            }
        }
        let [ahead, double, west, east] = summed;
        // Pushes and captures never share a square.
        let (once, again) = (ahead | double | west, east);
        let (arriving, arriving_again) = (once & self.map, again & self.map);
        if (arriving | arriving_again).any() {
            sums.arrivals.add(arriving);
            sums.arrivals.add(arriving_again);
        }
        sums.moves += once.count() + again.count();
        sums.more -= self.steps.attacked_by_pawns([once, again]);

        let mut total = parent.double_pushes(level, targets[DOUBLE], &mut per_move);
        if any(per_move).any() {
            total += parent.pawns(level, scratch, per_move);
        }
        if any(promotions).any() {
            total += level.call(Promotions(parent, scratch, promotions));
        }
        total
    }
}
