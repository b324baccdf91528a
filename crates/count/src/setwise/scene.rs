//! Sorts the mover's moves into those whose replies are summed as a set and those that are counted singly: steps 2 to 5
//! of the essay in [`replies`](super::replies).
//!
//! Every summed move contributes as many replies as a pass has. This table lists the effects that change that number,
//! where each effect is summed, and which moves are counted singly because two effects would interact.
//!
//! | effect of a move | where it is summed | which moves are counted singly |
//! |---|---|---|
//! | blocks or captures a slider, knight or pawn of the replier | [`arrival_losses`](Scene::arrival_losses), all moves at once | |
//! | opens a line for a slider, frees a pawn push | [`vacating_gains`](Scene::vacating_gains), per piece | moves that also pin |
//! | takes a step or a castling move from the king | [`Steps::losses`](super::zone::Steps::losses), per piece | moves that block the attack of another slider on a square near the king |
//! | stops guarding a square next to the king | [`unguarding_gains`](Scene::unguarding_gains), per piece | all moves of a guard with a slider behind it |
//! | stops preventing a castling move | [`castling_gains`](Scene::castling_gains), per piece | all moves of a piece with a slider behind it; pawn moves |
//! | captures next to the king, which can recapture | [`sort_piece`](Scene::sort_piece), per piece | all moves of a piece with a slider behind it; pawn captures |
//! | ends a pin by entering its line | [`PinChanges::arrival_gains`] | moves from a square that the freed piece reaches; pawn moves |
//! | makes or ends a pin by leaving | [`PinChanges::vacating_gains`] | moves to a square that the pinned or freed piece reaches |
//! | pins from its target | [`pin_from`](Scene::pin_from), per target | moves that pin a rook that may castle, or a pawn on its seventh rank |
//! | castles | [`castle`](Scene::castle), if it only takes steps from the king | all other castling moves |
//! | gives or uncovers a check, promotes, captures en passant | | always |

use super::arrivals::Arrivals;
use super::castling::Castle;
use super::parent::ParentSets;
use super::pawns::{DOUBLE, FreePawns, PawnReplies, PawnTargets, STEPS, neighbours_on_rank, origins};
use super::per_move::{Queues, queue_promotions, union};
use super::pieces::{Attacked, MovablePiece, PieceKind, Pieces};
use super::pins::{PinChanges, PinsAndDiscoveries};
use super::sliders::Sliders;
use super::zone::{Steps, Zone, pawns_that_attack};
use perft_gate_chess::{Bitboard, Color, Legality, Side, Square, White, Wing, attacks};
use perft_gate_simd::{Token, inline_all};

/// The data that is needed to sum the replies to the moves of `parent`.
pub(super) struct Scene<'a, 'b> {
    pub(super) parent: &'a ParentSets<'b>,
    pub(super) zone: &'a Zone,
    pub(super) lines: &'a PinsAndDiscoveries,
    pub(super) pin_changes: &'a PinChanges,
    pub(super) sliders: &'a Sliders,
    pub(super) steps: &'a Steps,
    pub(super) pawns: &'a FreePawns,
    /// Squares that, when vacated, can open a line for the replier's sliders or change the moves of its pawns.
    pub(super) opening: Bitboard,
    pub(super) attacked: &'a Attacked,
    /// Squares where an arriving piece changes the number of replies.
    pub(super) map: Bitboard,
}

/// Sums over the moves that are counted together.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) arrivals: Arrivals,
    pub(super) moves: u64,
    /// Replies gained minus replies lost, excluding the losses that are computed from `arrivals`.
    pub(super) more: i64,
}

#[inline_all]
impl Scene<'_, '_> {
    /// Adds the moves of pieces other than pawns to the sums. Queues the moves that must be counted singly.
    pub(super) fn move_pieces<L: Token>(&self, level: L, pieces: &Pieces, sums: &mut Sums, queues: &mut Queues) {
        let (parent, zone, lines) = (self.parent, self.zone, self.lines);
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
                    parent.queue(level, queues, piece.kind, piece.from, single);
                }
            }
            sums.moves += rest.count();
            sums.arrivals.add(rest & self.map);
        }
    }

    /// Returns the squares to which a piece's moves are counted singly. For its other moves, adds the replies gained
    /// through pins, guards and recaptures, minus the replies lost, to `more`.
    fn sort_piece<L: Token>(&self, level: L, piece: &MovablePiece, more: &mut i64) -> Bitboard {
        let (zone, bit) = (self.zone, Bitboard::from(piece.from));
        if (bit & zone.count_singly_from).any() {
            return Bitboard::ALL;
        }
        let (guarded, recaptured) = (piece.attacks & zone.guarded, piece.to & zone.recaptured);
        let prevents_castling = (piece.attacks & zone.guarded_castling).any();
        let attackable = guarded | recaptured | if prevents_castling { zone.crossed } else { Bitboard::EMPTY };
        if attackable.any() && self.is_backed(level, bit, attackable) {
            return Bitboard::ALL;
        }
        let mut single = zone.count_singly_to | self.parent.checks_by(piece.kind);
        let ends_pins = (piece.to & self.lines.between).any();
        if ends_pins {
            single |= self.pin_changes.line_conflicts(bit);
        }
        let releases = (bit & self.lines.pin_changes_from).any();
        if releases {
            single |= self.pin_changes.conflicts(bit);
        }
        let pin = piece.kind.select(Bitboard::EMPTY, self.lines.bishops_pin, self.lines.rooks_pin);
        let mut pinning = piece.to & pin & !single;
        if pinning.any() && (bit & self.opening).any() {
            single |= pinning;
            pinning = Bitboard::EMPTY;
        }
        single |= self.pin_from(level, pinning, more);
        let rest = piece.to & !single;
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
        if prevents_castling {
            *more += self.castling_gains(level, piece, rest);
        }
        single
    }

    /// For each square in `pinning`, subtracts from `more` the replies lost to a pin from that square. Returns the
    /// squares in `pinning` to which moves must be counted singly instead.
    fn pin_from<L: Token>(&self, level: L, pinning: Bitboard, more: &mut i64) -> Bitboard {
        let mut single = Bitboard::EMPTY;
        for square in pinning {
            let target = Bitboard::from(square);
            let own = self.parent.replier.all & !target;
            let pinned = attacks::through(self.parent.replier.king_square(), square) & own;
            match self.lines.pinned_moves(level, self.parent, pinned) {
                Some(taken) => {
                    *more -= taken.moves;
                }
                None => {
                    single |= target;
                }
            }
        }
        single
    }

    /// Returns true if, once the piece on `from` leaves, a slider behind it attacks a square in `guarded`.
    fn is_backed<L: Token>(&self, level: L, from: Bitboard, guarded: Bitboard) -> bool {
        if (from & (self.attacked.on_lines | self.attacked.on_diagonals)).is_empty() {
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

    /// Returns the number of king steps gained when the only guard of the squares `guarded` leaves `from`, summed over
    /// the guard's targets `to`. `kind` is `None` for a pawn.
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
                Some(kind) => kind.attacks(level, square, occupied),
            };
            gained += (to & !attackers).count() as i64;
        }
        gained
    }

    /// Returns the number of castling moves gained when the only piece that prevents them leaves, summed over its targets
    /// `to`.
    fn castling_gains<L: Token>(&self, level: L, piece: &MovablePiece, to: Bitboard) -> i64 {
        let parent = self.parent;
        let guarded = piece.attacks & self.zone.guarded_castling;
        let mut gained = 0;
        for castle in parent.castles() {
            if (castle.king_path & guarded).is_empty()
                || !castle.is_allowed(parent.occupied, self.attacked.any & !guarded, self.lines.pinned)
            {
                continue;
            }
            let mut free = to & !castle.path & !castle.rook;
            for square in castle.king_path & !parent.replier.king {
                free &= !piece.kind.attacks(level, square, parent.occupied ^ piece.from.into());
            }
            gained += free.count() as i64;
        }
        gained
    }

    /// Returns the number of replies gained when a piece leaves its square, summed over its targets `to`.
    fn vacating_gains<L: Token>(&self, level: L, from: Square, to: Bitboard) -> i64 {
        let (parent, bit) = (self.parent, Bitboard::from(from));
        let mut gained = 0;
        if (self.sliders.reach & bit).any() {
            gained = self.sliders.vacating_gains(level, parent, self.lines, from, to);
        }
        gained + self.pawns.vacating_gains(!parent.occupied, bit, to)
    }

    /// Adds each castling move of the mover to the sums if its only effect is to take steps away from the replier's
    /// king. Otherwise, counts or queues it.
    pub(super) fn castle<L: Token>(&self, level: L, legality: &Legality, sums: &mut Sums, queues: &mut Queues) -> u64 {
        let (parent, zone, king) = (self.parent, self.zone, legality.king);
        let mut total = 0;
        for rook in parent.rooks & White::rank(0) {
            if !Castle::of_mover(king, rook).is_allowed(parent.occupied, legality.attacked, legality.orthogonal_pins) {
                continue;
            }
            let (king_to, rook_to) = Wing::of_rook(king, rook).destinations(Color::White);
            let (vacated, entered) = (Bitboard::from(king) | rook.into(), Bitboard::from(king_to) | rook_to.into());
            let guarded = attacks::king(king) | attacks::rook(level, rook, parent.occupied);
            // After castling, king and rook both attack the square in front of the rook, so a sum would subtract a step
            // of the replier's king to that square twice.
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
                sums.moves += 1;
                sums.more -= self.steps.losses(PieceKind::Rook, rook_to.into());
                sums.more -= self.steps.losses(PieceKind::King, king_to.into());
            }
        }
        total
    }

    /// Adds the moves of pawns to the sums. Moves that must be counted singly are counted or queued.
    pub(super) fn move_pawns<L: Token>(
        &self,
        level: L,
        legality: &Legality,
        sums: &mut Sums,
        queues: &mut Queues,
    ) -> u64 {
        let (parent, zone) = (self.parent, self.zone);
        let pawns = parent.mover.pawns;
        let PawnTargets { targets, promotions } = PawnTargets::new(pawns, legality);
        let guards = pawns & pawns_that_attack(zone.guarded | zone.guarded_castling);
        let (summed, mut per_move) = self.sort_pawns(level, targets, guards, &mut sums.more);
        let [ahead, double, west, east] = summed;
        // Two pawn moves can share a target only if one captures to the west and the other to the east.
        let (once, again) = (ahead | double | west, east);
        sums.arrivals.add(once & self.map);
        sums.moves += once.count();
        if again.any() {
            sums.arrivals.add(again & self.map);
            sums.moves += again.count();
        }
        sums.more -= self.steps.losses_to_pawns([once, again]);

        let mut total = 0;
        if (targets[DOUBLE] & neighbours_on_rank(parent.replier.pawns)).any() {
            total += parent.count_double_pushes(level, targets[DOUBLE], &mut per_move);
        }
        if union(per_move).any() {
            parent.queue_pawns(level, queues, per_move);
        }
        if union(promotions).any() {
            queue_promotions(level, parent, queues, promotions);
        }
        total
    }

    /// Splits the targets of pawns, in the order of [`STEPS`], into those of summed moves and those of moves counted
    /// singly. Adds to `more` the effects of individual pawns leaving their squares.
    fn sort_pawns<L: Token>(
        &self,
        level: L,
        targets: [Bitboard; 4],
        guards: Bitboard,
        more: &mut i64,
    ) -> ([Bitboard; 4], [Bitboard; 4]) {
        let zone = self.zone;
        // If a pawn is the only guard of a castling path, or has a slider behind it, its moves are counted singly too.
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

    /// Returns the number of replies lost because pieces arrive on their targets, minus the number of replies gained.
    pub(super) fn arrival_losses<L: Token>(&self, level: L, pawn_replies: &PawnReplies, arrivals: &Arrivals) -> i64 {
        let Scene { sliders, pawns, lines, .. } = self;
        let replier = &self.parent.replier;
        let mut lost =
            sliders.arrival_losses(level, replier.all, arrivals) + pawns.arrival_losses(pawn_replies, arrivals);
        if (arrivals.any() & replier.all).any() {
            lost += sliders.capture_losses(replier.all, arrivals) + pawns.capture_losses(pawn_replies, arrivals);
            for knight in replier.knights & !lines.pinned {
                let (captured, attacks) = (arrivals.on(knight), attacks::knight(knight));
                lost += captured * (attacks & !replier.all).count() as i64;
                lost -= arrivals.within(attacks & replier.all);
            }
        }
        lost
    }
}
