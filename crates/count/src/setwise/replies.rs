//! Set-wise perft(2): the replies to all moves of a position, most of them counted without looking at the single move.
//!
//! **The idea.** If the mover passed, the other side, the replier, would have a certain number of replies: the *base*. After
//! nearly any move it has as many, but for a few squares: a slider that passed over the square entered stops there, a line
//! through the square vacated is open, a pawn is blocked or may capture. So the sum over all moves is
//!
//! moves × base − losses by the squares entered + gains by the squares vacated + a few effects near the king
//!
//! and each term is found for many moves at once, or not at all where no move meets what it depends on. (The null move as a
//! base for all quiet moves that meet nothing is from chessbit, <https://github.com/thomashuijbregts/chessbit>, which counts
//! all other moves one by one.)
//!
//! 1. The replier's sliders, knights and pawns give the base, and the *map*: the squares where an arrival changes it
//!    ([`Sliders`], [`FreePawns`]). For knights these are only the squares of the replier's own pieces: a capture takes the
//!    piece's moves away, and every other piece that defended it gains a move.
//! 2. The mover's moves are added up as sets: the number of moves that *arrive* on each square of the map, in bit planes
//!    ([`Arrivals`]). At the end each line of a slider, each set of pawn moves and each knight is met with the planes once.
//! 3. A piece that leaves a square *gains* replies for all of its moves together: a slider's line opens ([`Sliders::vacating_gains`]), a
//!    pawn is free ([`FreePawns::vacating_gains`]), a pin ends or begins, a square beside the king is no longer guarded.
//! 4. Near the replier's king ([`Zone`], [`PinsAndDiscoveries`]): each type of piece prevents steps and castling moves from
//!    certain squares, pins from others; the king may recapture.
//! 5. What remains is counted one by one, in vectors of siblings ([`lanes`](super::lanes)): checks, moves that change more than
//!    one of these things at once, promotions. An en-passant capture is made, and a double push or castling that checks.
//!
//! With eight lanes, the moves of a side with few pieces are all counted in this last way ([`OneByOne`]). With four, positions in
//! which both sides have few are counted without vectors, if PEXT is fast ([`FewPieces`]).
//!
//! **A node where nothing meets.** At the start, White to move: Black has 20 replies to a pass. Its sliders see only its own
//! pieces, its pawns reach the fifth and sixth rank. White's 20 moves end on the third and fourth, none leaves a square that
//! Black reaches, and no piece comes near the king. So all replies are 20 × 20 = 400.
//!
//! **A node where all does.** White: Kg1, Rd1; Black: Kh8, Rd8; White to move. A pass leaves 16 replies: seven and six of the
//! rook, three of the king. White's king has five moves, the rook five along the rank: ten that change nothing, since the
//! black rook reaches d1 whether a rook stands there or not. Up the file the rook arrives on d2 to d7, squares on the black
//! rook's line with 1 to 6 of its moves beyond: 21 are lost. On d7 it also keeps the king from g7 and h7: two more. The capture
//! on d8 gives check and is counted by itself: two replies. Together 16 × 16 − 21 − 2 + 2 = 235.
//!
//! The board is flipped so that the mover plays up the board.

use super::arrivals::Arrivals;
use super::castling::Castle;
use super::few_pieces::{FewPieces, has_few_pieces, may_have_few_pieces};
use super::one_by_one::{MAX_PIECES_IN_LANES, OneByOne};
use super::parent::{Family, ParentSets};
use super::pawns::{DOUBLE, FreePawns, PawnWays, STEPS, beside, origins};
use super::per_move::{QueuePromotions, Queues, union};
use super::pieces::{MAX_PIECES_SUMMED, MovablePiece, PieceKind, Pieces};
use super::pins::{PinChanges, PinsAndDiscoveries};
use super::sliders::Sliders;
use super::zone::{Steps, Zone, pawns_that_attack};
use perft_gate_chess::legality::Legality;
use perft_gate_chess::{Bitboard, Black, Board, Color, MoveList, Side, SidePieces, Square, White, Wing, attacks};
use perft_gate_simd::{Kernel, Token};

impl ParentSets<'_> {
    /// Counts the replies to all moves, those that stay in the queue excepted; nothing if there are too many pieces. `may_be_few` is
    /// what [`may_have_few_pieces`] says of the siblings.
    #[inline(always)]
    pub(super) fn replies<L: Token>(&mut self, level: L, scratch: &mut Scratch, may_be_few: bool) -> Option<u64> {
        if may_be_few && L::FAST_PEXT && !level.has_eight_lanes() && has_few_pieces(self) {
            return Some(level.call(FewPieces(self, scratch)));
        }
        level.call(Replies(self, scratch))
    }
}

/// Counts the replies to all moves of a parent, those that stay in the queue excepted; nothing if it has too many pieces.
pub(super) struct Replies<'a, 'b>(pub(super) &'a mut ParentSets<'b>, pub(super) &'a mut Scratch);

impl Kernel for Replies<'_, '_> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> Option<u64> {
        let Replies(parent, scratch) = self;
        let SidePieces { all, pawns, .. } = parent.mover;
        let pieces = (all & !pawns).count();
        if pieces <= MAX_PIECES_IN_LANES && level.has_eight_lanes() {
            return Some(level.call(OneByOne(parent, scratch)));
        }
        (pieces <= MAX_PIECES_SUMMED).then(|| count(level, parent, scratch))
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
        let common = family.common();
        let may_be_few = may_have_few_pieces(&common);
        scratch.queues.common = common;
        scratch.found.pieces.forget();
        let mut total = 0;
        let mut remaining = 0;
        for at in 0..moves.len() {
            let mv = moves[at];
            let mut replies = None;
            if let Some(last_move) = family.plain_move(mv) {
                let mut parent = family.child(level, mv, last_move);
                // The lanes of a vector have one king's square in common.
                let alone = parent.has_king_moved();
                if alone {
                    cover!(KingMoved, 1);
                    cover!(KingMovedBehindQueue, !scratch.queues.moves.is_empty());
                    total += scratch.queues.count(level);
                    scratch.queues.common = parent.common();
                }
                replies = parent.replies(level, scratch, may_be_few);
                if alone {
                    scratch.queues.common = common;
                }
            }
            cover!(LeftToTheWalk, replies.is_none());
            total += replies.unwrap_or(0);
            moves.put(remaining, mv);
            remaining += usize::from(replies.is_none());
        }
        total += scratch.queues.count(level);
        moves.truncate(remaining);
        total
    }
}

/// What is found of a parent before its moves are counted.
pub(super) struct Found {
    sliders: Sliders,
    pub(super) pieces: Pieces,
    steps: Steps,
    pin_changes: PinChanges,
}

impl Found {
    pub(super) const fn new() -> Found {
        Found { sliders: Sliders::new(), pieces: Pieces::new(), steps: Steps::new(), pin_changes: PinChanges::new() }
    }
}

/// The memory of a counter, kept from one parent to the next.
pub(super) struct Scratch {
    pub(super) found: Found,
    pub(super) queues: Queues,
}

impl Scratch {
    pub(super) const fn new() -> Scratch {
        Scratch { found: Found::new(), queues: Queues::new() }
    }
}

/// The data of a parent that the sums need.
struct Scene<'a, 'b> {
    parent: &'a ParentSets<'b>,
    zone: &'a Zone,
    lines: &'a PinsAndDiscoveries,
    pin_changes: &'a PinChanges,
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
fn count<L: Token>(level: L, parent: &mut ParentSets<'_>, scratch: &mut Scratch) -> u64 {
    let Scratch { found: Found { sliders, pieces, steps, pin_changes }, queues } = scratch;
    let lines = PinsAndDiscoveries::new(level, parent, pin_changes);
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
    cover!(InCheck, legality.check_mask != Bitboard::ALL);
    cover!(DoubleCheck, legality.double_check);
    pieces.find(level, &parent.mover, &legality);
    let zone = Zone::new(level, parent, &lines, &pieces.attacked, steps);
    let pawns = FreePawns::new(replier.pawns, lines.pinned, lines.lines);
    let pawn_replies = pawns.replies(!parent.occupied, parent.mover.all, Bitboard::ALL);
    let opening = sliders.reach | pawns.reach();
    let map = opening | replier.all;
    let scene = Scene {
        parent,
        zone: &zone,
        lines: &lines,
        pin_changes,
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
        if (parent.rooks & White::rank(0)).any() {
            total += scene.castle(level, &legality, &mut sums, queues);
        }
        total += parent.count_en_passant(level);
    }
    total += parent.finish(level, queues);

    let arrivals = &sums.arrivals;
    cover!(EightArrivals, arrivals.0[3].any());
    let mut lost = sliders.arrival_losses(level, replier.all, arrivals) + pawns.arrival_losses(&pawn_replies, arrivals);
    if (arrivals.any() & replier.all).any() {
        lost += sliders.capture_losses(replier.all, arrivals) + pawns.capture_losses(&pawn_replies, arrivals);
        for knight in replier.knights & !lines.pinned {
            let (captured, attacks) = (arrivals.on(knight), attacks::knight(knight));
            cover!(KnightCaptured, captured);
            cover!(KnightRecaptures, arrivals.within(attacks & replier.all));
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
pub(super) fn legality<L: Token>(level: L, parent: &ParentSets<'_>, attacked: Bitboard) -> Legality {
    let ParentSets { mover, replier, .. } = parent;
    match (attacked & mover.king).is_empty() {
        true => Legality::out_of_check(mover, replier, attacked),
        false => Legality::of::<White, L>(level, mover, replier),
    }
}

impl Scene<'_, '_> {
    /// Counts the moves of pieces other than pawns: sums those that can be summed, counts or queues the others.
    #[inline(always)]
    fn move_pieces<L: Token>(&self, level: L, pieces: &Pieces, sums: &mut Sums, queues: &mut Queues) -> u64 {
        let (parent, zone, lines) = (self.parent, self.zone, self.lines);
        let mut total = 0;
        let affected_from = zone.count_singly_from | lines.pin_changes_from | self.opening;
        let guarded = zone.guarded | zone.guarded_castling;
        for piece in pieces.iter() {
            let (bit, kind) = (Bitboard::from(piece.from), piece.kind as usize);
            let mut rest = piece.to;
            if (bit & affected_from | piece.attacks & guarded | rest & zone.affected[kind]).any() {
                let single = rest & self.sort_piece(level, piece, &mut sums.more);
                rest ^= single;
                sums.more -= self.steps.losses(piece.kind, rest);
                if (bit & self.opening).any() && rest.any() {
                    sums.more += self.vacating_gains(level, piece.from, rest);
                }
                if single.any() {
                    total += parent.queue(level, queues, piece.kind, piece.from, single);
                }
            } else {
                cover!(Untouched, (rest & !self.map).count());
            }
            sums.moves += rest.count();
            sums.arrivals.add(rest & self.map);
        }
        total
    }

    /// Returns the squares to which the moves of a piece are counted one by one, and adds what pins and guarded squares
    /// change of its other moves.
    #[inline(always)]
    fn sort_piece<L: Token>(&self, level: L, piece: &MovablePiece, more: &mut i64) -> Bitboard {
        let (zone, bit) = (self.zone, Bitboard::from(piece.from));
        if (bit & zone.count_singly_from | piece.attacks & zone.guarded_castling).any() {
            cover!(SniperLeavesAlone, (bit & self.lines.count_singly_from & !self.lines.uncovering).any());
            cover!(CastlingGuardLeaves, (piece.attacks & zone.guarded_castling).any());
            return Bitboard::ALL;
        }
        let (guarded, recaptured) = (piece.attacks & zone.guarded, piece.to & zone.recaptured);
        if (guarded | recaptured).any() && self.is_backed(level, bit, guarded | recaptured) {
            cover!(GuardIsBacked, 1);
            return Bitboard::ALL;
        }
        let mut single = zone.count_singly_to | self.parent.checks_by(piece.kind);
        let ends_pins = (piece.to & self.lines.between).any();
        if ends_pins {
            single |= self.pin_changes.line_conflicts(bit);
        }
        cover!(PinEndedAlone, (piece.to & self.lines.count_singly_to).any());
        let releases = (bit & self.lines.pin_changes_from).any();
        if releases {
            single |= self.pin_changes.conflicts(bit);
        }
        let pin = piece.kind.of(Bitboard::EMPTY, self.lines.bishops_pin, self.lines.rooks_pin);
        let mut pinning = piece.to & pin & !single;
        if pinning.any() && (bit & self.opening).any() {
            cover!(PinningAndOpening, 1);
            single |= pinning;
            pinning = Bitboard::EMPTY;
        }
        for square in pinning {
            let target = Bitboard::from(square);
            let own = self.parent.replier.all & !target;
            let pinned = attacks::through(self.parent.replier.king_square(), square) & own;
            match self.lines.pinned_moves(level, self.parent, pinned) {
                Some(taken) => {
                    cover!(PinningArrival, taken.moves != 0);
                    *more -= taken.moves;
                }
                None => {
                    cover!(PinningArrivalAlone, 1);
                    single |= target;
                }
            }
        }
        let rest = piece.to & !single;
        cover!(KingRecaptures, (rest & recaptured).count());
        *more += (rest & recaptured).count() as i64;
        if ends_pins {
            *more += self.pin_changes.arrival_gains(piece.kind, bit, rest, self.lines.lines);
        }
        if releases {
            *more += self.pin_changes.vacating_gains(bit, rest);
        }
        if guarded.any() {
            *more += self.unguarding_gains(level, Some(piece.kind), bit, guarded, rest);
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
    fn unguarding_gains<L: Token>(
        &self,
        level: L,
        kind: Option<PieceKind>,
        from: Bitboard,
        guarded: Bitboard,
        to: Bitboard,
    ) -> i64 {
        let occupied = self.parent.occupied ^ from;
        let mut gained = 0;
        for square in guarded {
            let attackers = match kind {
                None => pawns_that_attack(square.into()),
                Some(PieceKind::Knight) => attacks::knight(square),
                Some(PieceKind::Bishop) => attacks::bishop(level, square, occupied),
                Some(PieceKind::Rook) => attacks::rook(level, square, occupied),
                Some(PieceKind::Queen) => {
                    attacks::rook(level, square, occupied) | attacks::bishop(level, square, occupied)
                }
                Some(PieceKind::King) => attacks::king(square),
            };
            gained += (to & !attackers).count() as i64;
        }
        cover!(GuardLeaves, kind.is_some() && gained > 0);
        cover!(PawnGuardLeaves, kind.is_none() && gained > 0);
        gained
    }

    /// Returns the replies that some moves of one piece have more than if it had not vacated its square.
    #[inline(always)]
    fn vacating_gains<L: Token>(&self, level: L, from: Square, to: Bitboard) -> i64 {
        let (parent, bit) = (self.parent, Bitboard::from(from));
        let mut gained = 0;
        if (self.sliders.reach & bit).any() {
            gained = self.sliders.vacating_gains(level, parent, self.lines, from, to);
        }
        gained + self.pawns.vacating_gains(!parent.occupied, bit, to)
    }

    /// Counts the mover's castling moves: sums those that have no effect but to keep the king from steps, queues the others.
    #[inline(always)]
    fn castle<L: Token>(&self, level: L, legality: &Legality, sums: &mut Sums, queues: &mut Queues) -> u64 {
        let (parent, zone, king) = (self.parent, self.zone, legality.king);
        let mut total = 0;
        for rook in parent.rooks & White::rank(0) {
            if !Castle::of_mover(king, rook).is_allowed(parent.occupied, legality.attacked, legality.orthogonal_pins) {
                continue;
            }
            let (king_to, rook_to) = Wing::of(king, rook).destinations(Color::White);
            let (vacated, entered) = (Bitboard::from(king) | rook.into(), Bitboard::from(king_to) | rook_to.into());
            let guarded = attacks::king(king) | attacks::rook(level, rook, parent.occupied);
            // In front of the rook both of them attack, and each would prevent the same step.
            let guarded = guarded | White::forward(rook_to.into());
            let near = attacks::king(parent.replier.king_square());
            let effects = vacated & (zone.count_singly_from | self.lines.pin_changes_from | self.opening | entered)
                | entered & (self.map | zone.count_singly_to | parent.rooks_check)
                | entered & (self.lines.rooks_pin | self.lines.between)
                | guarded & (near | zone.guarded_castling)
                | parent.replier.king & White::rank(0);
            if effects.any() {
                total += parent.queue_castle(level, queues, king, rook);
            } else {
                cover!(SummedCastling, 1);
                sums.moves += 1;
                sums.more -= self.steps.losses(PieceKind::Rook, rook_to.into());
                sums.more -= self.steps.losses(PieceKind::King, king_to.into());
            }
        }
        total
    }

    /// Counts the moves of pawns: sums those that can be summed, counts or queues the others.
    #[inline(always)]
    fn move_pawns<L: Token>(&self, level: L, legality: &Legality, sums: &mut Sums, queues: &mut Queues) -> u64 {
        let (parent, zone) = (self.parent, self.zone);
        let pawns = parent.mover.pawns;
        let PawnWays { targets, promotions } = PawnWays::new(pawns, legality);
        let guards = pawns & pawns_that_attack(zone.guarded | zone.guarded_castling);
        let (summed, mut per_move) = self.sort_pawns(level, targets, guards, &mut sums.more);
        let [ahead, double, west, east] = summed;
        // Pushes and captures never share a square.
        let (once, again) = (ahead | double | west, east);
        sums.arrivals.add(once & self.map);
        sums.moves += once.count();
        cover!(UntouchedPawn, ((once | again) & !self.map).count());
        if again.any() {
            sums.arrivals.add(again & self.map);
            sums.moves += again.count();
        }
        sums.more -= self.steps.losses_to_pawns([once, again]);

        let mut total = 0;
        if (targets[DOUBLE] & beside(parent.replier.pawns)).any() {
            total += parent.count_double_pushes(level, targets[DOUBLE], &mut per_move);
        }
        if union(per_move).any() {
            total += parent.queue_pawns(level, queues, per_move);
        }
        if union(promotions).any() {
            total += level.call(QueuePromotions(parent, queues, promotions));
        }
        total
    }

    /// Sorts the targets of pawns, in the order of [`STEPS`], into those of moves that are summed and the others, which are counted
    /// one by one; adds to `more` what the leaving of single pawns changes.
    #[inline(always)]
    fn sort_pawns<L: Token>(
        &self,
        level: L,
        targets: [Bitboard; 4],
        guards: Bitboard,
        more: &mut i64,
    ) -> ([Bitboard; 4], [Bitboard; 4]) {
        let zone = self.zone;
        // Pawns that alone guard squares, or whose leaving makes a pin: what that changes is added, if nothing stands behind.
        let mut singly_from =
            self.parent.mover.pawns & zone.count_singly_from | guards & pawns_that_attack(zone.guarded_castling);
        for pawn in guards & !singly_from {
            let guarded = White::pawn_attacks(pawn.into()) & zone.guarded;
            if self.is_backed(level, pawn.into(), guarded) {
                singly_from |= pawn.into();
            }
        }
        let mut per_move = targets;
        for (targets, delta) in per_move.iter_mut().zip(STEPS) {
            *targets &= zone.count_pawns_singly_to | Bitboard(singly_from.0 << delta);
        }
        let mut summed = [0, 1, 2, 3].map(|way| targets[way] & !per_move[way]);
        let effects = self.opening | self.lines.pin_changes_from | guards;
        for pawn in origins(&summed) & effects {
            let bit = Bitboard::from(pawn);
            let to = [0, 1, 2, 3].map(|way| summed[way] & Bitboard(bit.0 << STEPS[way]));
            let mut set = union(to);
            if (bit & self.lines.pin_changes_from).any() {
                let single = self.pin_changes.conflicts(bit) & set;
                set ^= single;
                cover!(PawnMakesPin, set.any());
                *more += self.pin_changes.vacating_gains(bit, set);
                for way in 0..4 {
                    per_move[way] |= to[way] & single;
                    summed[way] &= !(to[way] & single);
                }
            }
            if (bit & self.opening).any() {
                *more += self.vacating_gains(level, pawn, set);
            }
            if (bit & guards).any() {
                let guarded = White::pawn_attacks(bit) & zone.guarded;
                *more += self.unguarding_gains(level, None, bit, guarded, set);
            }
        }
        (summed, per_move)
    }
}
