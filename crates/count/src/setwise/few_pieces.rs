//! Positions with few pieces, counted without vectors and without the sums of [`replies`](super::replies).
//!
//! If each side has a king, two other pieces and pawns, most moves take away a step of the enemy king or give it one.
//! Therefore only a few moves have the same effect, but each effect is cheap to find: one lookup gives the squares
//! around a king that a piece attacks from its new square. The replies to the moves of a piece are found in two parts:
//!
//! - the king's steps, which are found for every move;
//! - the moves of the replier's other pieces. They are the same after all moves that give no check, capture nothing and
//!   enter no square that these pieces reach. After any other move they are counted again.
//!
//! When a piece leaves its square, it changes these moves in the same way for all its targets. A slider that pins a
//! piece takes away the same moves from any square beyond that piece. Moves that uncover a check, make a pin by leaving
//! a line, or let the king recapture are queued for the [`lanes`](super::lanes). If the mover has at most one slider,
//! no pin and no attack along a line remains when that slider moves. Most endgames are like this, so they have a
//! separate copy of the code.
//!
//! **Worked example.** White: Kb1, Rc2; Black: Kh8, pawn a5; White to move. If White passed, Black would have four
//! replies: three king steps and a push. White has 18 moves, and after 14 of them Black still has all four. From c7 the
//! rook takes g7 and h7 from the king, and from g2 it takes g7 and g8: two replies remain each time. From c8 and h2 it
//! gives check: two steps remain, and the push does not end the check. The total is 14 × 4 + 4 × 2 = 64.

use super::parent::{CommonSets, ParentSets};
use super::pieces::PieceKind;
use super::scratch::Scratch;
use super::sparse_node::SparseNode;
use super::sparse_pins::SparsePins;
use perft_gate_chess::{Bitboard, Black, Legality, Side, SidePieces, Square, attacks};
use perft_gate_simd::{Token, kernel};

/// Maximum number of pieces, including both kings but not pawns. In measurements with `perft count 5 --suite
/// benches/endgames.epd`, counting by sums takes 0.97 to 1.8 times as long as this code with up to seven pieces, and
/// 0.8 to 1.2 times as long with eight.
const MAX_PIECES_SCALAR: u64 = 7;

/// Returns true if [`count_few`] can count a parent's moves and is faster than counting by sums.
#[inline(always)]
pub(super) fn has_few_pieces(parent: &ParentSets<'_>) -> bool {
    parent.rooks.is_empty() && pieces(&parent.mover, &parent.replier) <= MAX_PIECES_SCALAR
}

/// Returns true if [`has_few_pieces`] may be true for some of these siblings. The move that leads to a sibling may
/// capture a piece, so one more piece is allowed.
#[inline(always)]
pub(super) fn may_have_few_pieces(siblings: &CommonSets) -> bool {
    pieces(&siblings.mover, &siblings.replier) <= MAX_PIECES_SCALAR + 1
}

/// Returns the number of pieces other than pawns.
#[inline(always)]
fn pieces(mover: &SidePieces, replier: &SidePieces) -> u64 {
    (mover.all & !mover.pawns | replier.all & !replier.pawns).count()
}

/// Counts or queues all moves of a parent position with few pieces, provided that neither side can castle.
#[inline(always)]
pub(super) fn count<L: Token>(level: L, parent: &mut ParentSets<'_>, scratch: &mut Scratch) -> u64 {
    match (parent.mover.diagonal | parent.mover.orthogonal).several() {
        false => count_few::<true>(level, parent, scratch),
        true => count_few::<false>(level, parent, scratch),
    }
}

/// Counts or queues all moves of a parent position with few pieces, provided that neither side can castle.
#[kernel]
pub(super) fn count_few<L: Token, const ONE_SLIDER: bool>(
    level: L,
    parent: &mut ParentSets<'_>,
    scratch: &mut Scratch,
) -> u64 {
    let Scratch { queues, .. } = scratch;
    let king = parent.replier.king_square();
    let rays = attacks::lines_through(king);
    let pins = SparsePins::new::<ONE_SLIDER>(parent, king, rays, Bitboard::EMPTY);
    parent.uncovering = pins.uncovering;
    let parent = &*parent;
    let node = SparseNode::<ONE_SLIDER>::new(level, parent, king, rays, pins);
    let mut attacked = node.pieces.squares | Black::pawn_attacks(parent.replier.pawns) | attacks::king(king);
    for knight in parent.replier.knights {
        attacked |= attacks::knight(knight);
    }
    let legality = parent.legality(level, attacked);
    let mut after =
        |kind: PieceKind, from: Square, targets: Bitboard| node.count_piece(level, kind, from, targets, queues);
    let mut total =
        after(PieceKind::King, legality.king, attacks::king(legality.king) & !legality.us & !legality.attacked);
    if !legality.double_check {
        let SidePieces { knights, diagonal, orthogonal, .. } = parent.mover;
        for from in knights {
            total += after(PieceKind::Knight, from, targets(level, PieceKind::Knight, from, &legality));
        }
        for from in diagonal & !orthogonal {
            total += after(PieceKind::Bishop, from, targets(level, PieceKind::Bishop, from, &legality));
        }
        for from in orthogonal & !diagonal {
            total += after(PieceKind::Rook, from, targets(level, PieceKind::Rook, from, &legality));
        }
        for from in orthogonal & diagonal {
            total += after(PieceKind::Queen, from, targets(level, PieceKind::Queen, from, &legality));
        }
        total += node.count_pawns(level, &legality, queues);
        total += parent.count_en_passant(level);
    }
    total + parent.finish(level, queues)
}

/// Returns the possible target squares of a piece other than a king or a pawn.
#[inline(always)]
fn targets<L: Token>(level: L, kind: PieceKind, from: Square, legality: &Legality) -> Bitboard {
    let Legality { us, occupied, check_mask, orthogonal_pins, diagonal_pins, .. } = *legality;
    let open = !us & check_mask;
    // A pinned piece moves only along the line of its pin, like a rook or like a bishop. There it cannot reach the line
    // of another pin.
    let (along, pins) = match (orthogonal_pins.has(from), diagonal_pins.has(from)) {
        (true, _) => (PieceKind::Rook, orthogonal_pins),
        (_, true) => (PieceKind::Bishop, diagonal_pins),
        _ => return kind.attacks(level, from, occupied) & open,
    };
    let moves_along = kind == along || kind == PieceKind::Queen;
    if moves_along { along.attacks(level, from, occupied) & open & pins } else { Bitboard::EMPTY }
}
