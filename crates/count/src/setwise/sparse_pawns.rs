//! The moves of the mover's pawns in a position with few pieces. Quiet pushes are counted together. Captures, and
//! pushes that give check or end a pin, are counted one by one. Promotions, and moves that uncover a check or make a
//! pin, are queued. En-passant replies are counted separately, as in [`per_move`](super::per_move).

use super::parent::ParentSets;
use super::pawns::{DOUBLE, PawnTargets, STEPS, neighbours_on_rank};
use super::per_move::{Queues, queue_promotions, union};
use super::sparse_node::{SparseNode, slider_attacks};
use perft_gate_chess::{Bitboard, Black, Legality, Side, Square, White};
use perft_gate_simd::{Token, inline_all};

#[inline_all]
impl<const ONE_SLIDER: bool> SparseNode<'_, '_, ONE_SLIDER> {
    /// Counts the replies to pawn moves, or queues the moves for later.
    pub(super) fn count_pawns<L: Token>(&self, level: L, legality: &Legality, queues: &mut Queues) -> u64 {
        let SparseNode { parent, ref pins, .. } = *self;
        let ParentSets { mover, replier, pawns_check, .. } = parent;
        let PawnTargets { mut targets, promotions } = PawnTargets::new(mover.pawns, legality);
        let mut total = 0;
        if (targets[DOUBLE] & neighbours_on_rank(replier.pawns)).any() {
            total += parent.count_double_pushes(level, targets[DOUBLE], &mut targets);
        }
        if union(promotions).any() {
            queue_promotions(level, parent, queues, promotions);
        }
        if union(targets).is_empty() {
            return total;
        }
        let releasing = pins.releasing & mover.pawns;
        if releasing.any() {
            let apart = [0, 1, 2, 3].map(|way| targets[way] & Bitboard(releasing.0 << STEPS[way]));
            targets = [0, 1, 2, 3].map(|way| targets[way] & !apart[way]);
            if union(apart).any() {
                parent.queue_pawns(level, queues, apart);
            }
        }
        let [ahead, double, west, east] = targets;
        let ring = self.ring_without(mover.king, mover.knights, Bitboard::EMPTY);
        let special = *pawns_check | pins.lines;
        for to in (ahead | double) & special | west {
            let delta = 8 + 8 * u32::from(double.has(to)) - u32::from(west.has(to));
            total += self.count_pawn_move(level, ring, to, delta);
        }
        for to in east {
            total += self.count_pawn_move(level, ring, to, 9);
        }
        total + self.count_quiet_pushes(level, ring, [ahead & !special, double & !special])
    }

    /// Counts the replies to single and double pushes that neither give check nor end a pin. `ring` holds the squares
    /// around the replier's king that the mover's king and knights do not attack.
    fn count_quiet_pushes<L: Token>(&self, level: L, ring: Bitboard, pushes: [Bitboard; 2]) -> u64 {
        let SparseNode { parent, ref pins, ref pieces, ref pawns, ref pawn_replies, .. } = *self;
        let ParentSets { mover, replier, occupied, .. } = parent;
        let [ahead, double] = pushes;
        let quiet = ahead | double;
        if quiet.is_empty() {
            return 0;
        }
        // Counts the steps of the replier's king.
        let (free, lifted) = (ring & !replier.all, *occupied ^ replier.king);
        let on_lines = slider_attacks(level, mover, Bitboard::EMPTY, lifted);
        let near = on_lines | Black::pawn_attacks(free);
        let near = entering(pushes, near) | leaving(pushes, near);
        let steps = (free & !(on_lines | White::pawn_attacks(mover.pawns))).count();
        let mut total = steps * (quiet ^ near).count();
        for to in near {
            let both = push_squares(to, double);
            let on_lines = slider_attacks(level, mover, Bitboard::EMPTY, lifted ^ both);
            total += (free & !(on_lines | White::pawn_attacks(mover.pawns ^ both))).count();
        }

        // Counts the moves of the other pieces, and then those of the pawns.
        let near = entering(pushes, pieces.squares) | leaving(pushes, pieces.squares);
        total += pieces.moves * (quiet ^ near).count();
        for to in near {
            let both = push_squares(to, double);
            total += self.piece_replies(level, *occupied ^ both, !replier.all, Bitboard::EMPTY, pins.pinned).moves;
        }
        let near = leaving(pushes, pawns.reach());
        total += pawns.moves_after_arrivals(pawn_replies, quiet ^ near) as u64;
        for to in near {
            let both = push_squares(to, double);
            total += pawns.replies(!(*occupied ^ both), mover.all ^ both, Bitboard::ALL).moves;
        }
        total
    }

    /// Counts the replies to a pawn move that captures, gives check or ends a pin. `ring` holds the squares around the
    /// replier's king that the mover's king and knights do not attack.
    fn count_pawn_move<L: Token>(&self, level: L, ring: Bitboard, to: Square, delta: u32) -> u64 {
        let ParentSets { mover, replier, occupied, pawns_check, .. } = self.parent;
        let to = Bitboard::from(to);
        let from = Bitboard(to.0 >> delta);
        let occupied = *occupied & !from | to;
        let on_lines = slider_attacks(level, mover, Bitboard::EMPTY, occupied ^ replier.king);
        let free = ring & !(replier.all & !to);
        let steps = (free & !(on_lines | White::pawn_attacks(mover.pawns ^ from ^ to))).count();
        let targets = if (to & *pawns_check).any() { to } else { Bitboard::ALL };
        let pinned = self.pins.pinned_after::<ONE_SLIDER>(self.king, self.rays, to);
        steps + self.other_replies(level, occupied, to, targets, pinned)
    }
}

/// Returns the targets of those single and double pushes that enter one of `squares`.
#[inline(always)]
fn entering([ahead, double]: [Bitboard; 2], squares: Bitboard) -> Bitboard {
    (ahead | double) & squares
}

/// Returns the targets of those single and double pushes that leave one of `squares`.
#[inline(always)]
fn leaving([ahead, double]: [Bitboard; 2], squares: Bitboard) -> Bitboard {
    ahead & Bitboard(squares.0 << 8) | double & Bitboard(squares.0 << 16)
}

/// Returns the squares that a push vacates and enters.
#[inline(always)]
fn push_squares(to: Square, double: Bitboard) -> Bitboard {
    let delta = if double.has(to) { 16 } else { 8 };
    let to = Bitboard::from(to);
    Bitboard(to.0 >> delta) | to
}
