//! Positions whose moves are all counted singly, in vector lanes. If the mover has few pieces, nearly every move
//! checks, pins or has an effect near the king, and few moves have the same effect. If the replier also has few pieces,
//! [`few_pieces`](super::few_pieces) is faster.

use super::castling::Castle;
use super::parent::ParentSets;
use super::pawns::{DOUBLE, PawnTargets};
use super::per_move::{queue_promotions, union};
use super::pins;
use super::scratch::Scratch;
use perft_gate_chess::{Legality, Side, White};
use perft_gate_simd::{Token, kernel};

/// Maximum number of the mover's pieces, including the king but not pawns, for which all moves are counted singly, in
/// vector lanes. Applies only if a vector has eight lanes.
pub(super) const MAX_PIECES_IN_LANES: u64 = 3;

/// Counts or queues all moves of a parent.
#[kernel]
pub(super) fn count_one_by_one<L: Token>(level: L, parent: &mut ParentSets<'_>, scratch: &mut Scratch) -> u64 {
    let Scratch { found, queues } = scratch;
    parent.uncovering = pins::uncovering(parent);
    let parent = &*parent;
    let legality = Legality::new::<White, L>(level, &parent.mover, &parent.replier);
    let pieces = &mut found.pieces;
    pieces.find(level, &parent.mover, &legality);
    let mut total = 0;
    for piece in pieces.iter() {
        parent.queue(level, queues, piece.kind, piece.from, piece.to);
    }
    if !legality.double_check {
        let PawnTargets { mut targets, promotions } = PawnTargets::new(parent.mover.pawns, &legality);
        total += parent.count_double_pushes(level, targets[DOUBLE], &mut targets);
        if union(targets).any() {
            parent.queue_pawns(level, queues, targets);
        }
        if union(promotions).any() {
            queue_promotions(level, parent, queues, promotions);
        }
        for rook in parent.rooks & White::rank(0) {
            let castle = Castle::of_mover(legality.king, rook);
            if castle.is_allowed(parent.occupied, legality.attacked, legality.orthogonal_pins) {
                total += parent.queue_castle(level, queues, legality.king, rook);
            }
        }
        total += parent.count_en_passant(level);
    }
    total + parent.finish(level, queues)
}
