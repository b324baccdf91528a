//! Positions with few pieces, whose moves are counted without vectors and without sums over arrivals.
//!
//! Where both sides have a king, one more piece and pawns, most moves take a step from the replier's king or give it one, and what
//! moves share is little. But then little is to be found after each move, too: the squares around a king that a piece attacks
//! from its new square are one look-up. So the replies to the moves of a piece are found in two parts:
//!
//! - the steps of the king, after every move;
//! - the moves of the other pieces, which are the same after all moves that check nothing, capture nothing and enter no square
//!   that these pieces reach; after the others they are found anew.
//!
//! A piece that leaves a square changes these moves for all of its own moves at once, and a slider that pins a piece takes away
//! the same moves from everywhere on the line beyond. Moves that uncover a check, make a pin by leaving a line, or let the king
//! recapture a piece's capture are queued for the [`lanes`](super::lanes).
//!
//! **Worked example.** White: Kb1, Rc2; Black: Kh8, pawn a5; White to move. A pass leaves four replies: three steps and a push.
//! White has 18 moves, and after 14 of them Black has all four. From c7 the rook takes g7 and h7 from the king, from g2 it takes g7
//! and g8: two replies each. From c8 and h2 it checks: two steps remain, and the push does not end the check. Together
//! 14 × 4 + 4 × 2 = 64.

use super::one_pin::{CountPinnedMoves, Pin};
use super::parent::{CommonSets, ParentSets};
use super::pawns::{DOUBLE, FreePawns, PawnReplies, PawnWays, STEPS, beside};
use super::per_move::{QueuePromotions, Queues, union};
use super::pieces::PieceKind;
use super::pins::line_of;
use super::replies::{Scratch, legality};
use perft_gate_chess::attacks::Lines;
use perft_gate_chess::legality::Legality;
use perft_gate_chess::{Bitboard, Black, Side, SidePieces, Square, White, attacks};
use perft_gate_simd::{Kernel, Token};

/// Greatest number of a side's pieces other than pawns, the king included. With a third piece the sums take less: 0.8 to 0.96
/// of the instructions. What follows relies on it: the mover has one slider at most, so that there is one pin at most.
const MAX_PIECES_SCALAR: u64 = 2;

/// Returns true if [`FewPieces`] counts a parent's moves.
#[inline(always)]
pub(super) fn has_few_pieces(parent: &ParentSets<'_>) -> bool {
    let ParentSets { mover, replier, rooks, .. } = parent;
    rooks.is_empty() && [mover, replier].iter().all(|side| (side.all & !side.pawns).count() <= MAX_PIECES_SCALAR)
}

/// Returns true if [`has_few_pieces`] may be true of siblings: one of the mover's pieces may be gone by then.
#[inline(always)]
pub(super) fn may_have_few_pieces(siblings: &CommonSets) -> bool {
    let CommonSets { mover, replier, .. } = siblings;
    (replier.all & !replier.pawns).count() <= MAX_PIECES_SCALAR
        && (mover.all & !mover.pawns).count() <= MAX_PIECES_SCALAR + 1
}

/// Counts or queues all moves of a parent with few pieces, none of which may castle.
pub(super) struct FewPieces<'a, 'b>(pub(super) &'a mut ParentSets<'b>, pub(super) &'a mut Scratch);

impl Kernel for FewPieces<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let FewPieces(parent, Scratch { queues, .. }) = self;
        cover!(FewPieces, 1);
        let king = parent.replier.king_square();
        let rays = attacks::lines_through(king);
        let pin = Pin::of(parent, king, rays);
        parent.uncovering = pin.uncovering;
        let parent = &*parent;
        let node = SparseNode::of(level, parent, king, rays, pin);
        let mut attacked = node.pieces.squares | Black::pawn_attacks(parent.replier.pawns) | attacks::king(king);
        for knight in parent.replier.knights {
            attacked |= attacks::knight(knight);
        }
        let legality = legality(level, parent, attacked);
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
}

/// Returns the squares that a piece attacks.
#[inline(always)]
fn attacks_of<L: Token>(level: L, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Knight => attacks::knight(square),
        PieceKind::Bishop => attacks::bishop(level, square, occupied),
        PieceKind::Rook => attacks::rook(level, square, occupied),
        PieceKind::Queen => attacks::bishop(level, square, occupied) | attacks::rook(level, square, occupied),
        PieceKind::King => attacks::king(square),
    }
}

/// Returns true of the types of sliders.
#[inline(always)]
fn is_slider(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen)
}

/// Returns the squares to which a piece other than a king or a pawn may move.
#[inline(always)]
fn targets<L: Token>(level: L, kind: PieceKind, from: Square, legality: &Legality) -> Bitboard {
    let Legality { us, occupied, check_mask, orthogonal_pins, diagonal_pins, .. } = *legality;
    let open = !us & check_mask;
    // Along a pin a piece moves as a rook or as a bishop, and reaches no pin of that sort but its own.
    let (along, pins) = match (orthogonal_pins.has(from), diagonal_pins.has(from)) {
        (true, _) => (PieceKind::Rook, orthogonal_pins),
        (_, true) => (PieceKind::Bishop, diagonal_pins),
        _ => return attacks_of(level, kind, from, occupied) & open,
    };
    let moves_along = kind == along || kind == PieceKind::Queen;
    if moves_along { attacks_of(level, along, from, occupied) & open & pins } else { Bitboard::EMPTY }
}

/// Returns the squares that a side's sliders attack.
#[inline(always)]
fn slider_attacks<L: Token>(level: L, side: &SidePieces, occupied: Bitboard) -> Bitboard {
    let mut attacked = Bitboard::EMPTY;
    for slider in side.diagonal {
        attacked |= attacks::bishop(level, slider, occupied);
    }
    for slider in side.orthogonal {
        attacked |= attacks::rook(level, slider, occupied);
    }
    attacked
}

/// The moves of the replier's pieces other than the king and the pawns.
#[derive(Clone, Copy)]
struct PieceReplies {
    moves: u64,
    /// The squares that its sliders attack.
    squares: Bitboard,
}

/// A position whose moves are counted, and the replies to a pass.
struct SparseNode<'a, 'b> {
    parent: &'a ParentSets<'b>,
    /// The replier's king, and its lines.
    king: Square,
    rays: &'static Lines,
    pin: Pin,
    pieces: PieceReplies,
    pawns: FreePawns,
    pawn_replies: PawnReplies,
}

impl<'a, 'b> SparseNode<'a, 'b> {
    #[inline(always)]
    fn of<L: Token>(
        level: L,
        parent: &'a ParentSets<'b>,
        king: Square,
        rays: &'static Lines,
        pin: Pin,
    ) -> SparseNode<'a, 'b> {
        let ParentSets { mover, replier, occupied, .. } = parent;
        let pawns = FreePawns::new(replier.pawns, pin.pinned, rays);
        let pawn_replies = pawns.replies(!*occupied, mover.all, Bitboard::ALL);
        let pieces = PieceReplies { moves: 0, squares: Bitboard::EMPTY };
        let mut node = SparseNode { parent, king, rays, pin, pieces, pawns, pawn_replies };
        node.pieces = node.piece_replies(level, *occupied, !replier.all, Bitboard::EMPTY, pin.pinned);
        node
    }

    /// Returns the moves of the replier's pieces other than the king and the pawns, given the occupied squares, those that they
    /// may enter, a piece that was taken, and one that is pinned.
    #[inline(always)]
    fn piece_replies<L: Token>(
        &self,
        level: L,
        occupied: Bitboard,
        open: Bitboard,
        taken: Bitboard,
        pinned: Bitboard,
    ) -> PieceReplies {
        let replier = &self.parent.replier;
        let (mut moves, mut squares) = (0, Bitboard::EMPTY);
        for knight in replier.knights & !taken {
            moves += (attacks::knight(knight) & open).count();
        }
        for slider in replier.diagonal & !taken {
            let attacked = attacks::bishop(level, slider, occupied);
            squares |= attacked;
            moves += (attacked & open).count();
        }
        for slider in replier.orthogonal & !taken {
            let attacked = attacks::rook(level, slider, occupied);
            squares |= attacked;
            moves += (attacked & open).count();
        }
        let pinned = pinned & !(replier.pawns | taken);
        if pinned.any() {
            cover!(FewPiecesPinned, 1);
            moves -= level.call(CountPinnedMoves { replier, rays: self.rays, occupied, open, pinned });
        }
        PieceReplies { moves, squares }
    }

    /// Returns the moves of all the replier's pieces but the king after a move to a square, given the squares occupied then, those
    /// that they may enter, and the piece that is pinned.
    #[inline(always)]
    fn other_replies<L: Token>(
        &self,
        level: L,
        occupied: Bitboard,
        to: Bitboard,
        targets: Bitboard,
        pinned: Bitboard,
    ) -> u64 {
        let replier = &self.parent.replier;
        let open = targets & !(replier.all & !to);
        let pawns = FreePawns::new(replier.pawns & !to, pinned, self.rays);
        self.piece_replies(level, occupied, open, to, pinned).moves
            + pawns.replies(!occupied, open & occupied, targets).moves
    }

    /// Returns the squares around the replier's king that some kings, knights and pawns of the mover do not attack.
    #[inline(always)]
    fn ring_without(&self, king: Bitboard, knights: Bitboard, pawns: Bitboard) -> Bitboard {
        let mut ring = attacks::king(self.king) & !White::pawn_attacks(pawns);
        for king in king {
            ring &= !attacks::king(king);
        }
        for knight in knights {
            ring &= !attacks::knight(knight);
        }
        ring
    }

    /// Returns the replier's pinned piece after a piece that is no slider entered a square.
    #[inline(always)]
    fn pin_after(&self, to: Bitboard) -> Bitboard {
        cover!(FewPiecesPinEnds, (to & self.pin.line).any());
        if (to & self.pin.line).any() { Bitboard::EMPTY } else { self.pin.pinned }
    }

    /// Counts or queues the moves of a piece.
    #[inline(always)]
    fn count_piece<L: Token>(
        &self,
        level: L,
        kind: PieceKind,
        from: Square,
        targets: Bitboard,
        queues: &mut Queues,
    ) -> u64 {
        if targets.is_empty() {
            return 0;
        }
        let SparseNode { parent, king, .. } = *self;
        let (bit, replier) = (Bitboard::from(from), &parent.replier);
        // A slider takes its pin along.
        let pin = if is_slider(kind) { Pin::NONE } else { self.pin };
        let mut apart = targets & replier.all & attacks::king(king);
        if (bit & pin.releasing).any() {
            apart = targets;
        }
        let rest = targets ^ apart;
        let mut total = self.steps(level, kind, bit, rest) + self.other_moves(level, kind, bit, pin, rest);
        if apart.any() {
            cover!(FewPiecesApart, apart.count());
            total += parent.queue(level, queues, kind, from, apart);
        }
        total
    }

    /// Returns the number of steps of the replier's king after each of some moves of a piece, over all of them.
    #[inline(always)]
    fn steps<L: Token>(&self, level: L, kind: PieceKind, from: Bitboard, targets: Bitboard) -> u64 {
        let ParentSets { mover, replier, occupied, .. } = self.parent;
        let mover_king = if kind == PieceKind::King { Bitboard::EMPTY } else { mover.king };
        let ring = self.ring_without(mover_king, mover.knights & !from, mover.pawns) & !replier.all;
        let lifted = *occupied ^ from ^ replier.king;
        let on_lines = if is_slider(kind) { Bitboard::EMPTY } else { slider_attacks(level, mover, lifted) };
        let free = ring & !on_lines;
        let mut steps = 0;
        for to in targets & !on_lines {
            steps += (free & !attacks_of(level, kind, to, lifted)).count();
        }
        for to in targets & on_lines {
            cover!(FewPiecesLineCut, 1);
            let on_lines = slider_attacks(level, mover, lifted | to.into());
            steps += (ring & !(on_lines | attacks_of(level, kind, to, lifted))).count();
        }
        steps
    }

    /// Returns the number of moves of the replier's other pieces after each of some moves of a piece, over all of them, given
    /// the pin that remains.
    #[inline(always)]
    fn other_moves<L: Token>(&self, level: L, kind: PieceKind, from: Bitboard, pin: Pin, targets: Bitboard) -> u64 {
        let SparseNode { parent, king, mut pieces, mut pawns, mut pawn_replies, .. } = *self;
        let ParentSets { mover, replier, bishops_check, rooks_check, .. } = parent;
        let (occupied, none) = (parent.occupied ^ from, Bitboard::EMPTY);
        let ends_pin = is_slider(kind) && self.pin.pinned.any();
        cover!(FewPiecesRelease, ends_pin);
        if ends_pin || (from & pieces.squares).any() {
            pieces = self.piece_replies(level, occupied, !replier.all, none, pin.pinned);
        }
        if ends_pin || (from & pawns.reach()).any() {
            pawns = FreePawns::new(replier.pawns, pin.pinned, self.rays);
            pawn_replies = pawns.replies(!occupied, mover.all ^ from, Bitboard::ALL);
        }
        let mut total = 0;
        // Squares from which the piece checks. It stands on none of them: then the king would be in check already.
        let mut checks = none;
        if kind == PieceKind::Knight {
            checks = attacks::knight(king);
        }
        if matches!(kind, PieceKind::Bishop | PieceKind::Queen) {
            checks |= *bishops_check;
            let behind = occupied ^ (*bishops_check & replier.all);
            total -= self.pin_losses(level, occupied, attacks::bishop(level, king, behind) & !*bishops_check & targets);
        }
        if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
            checks |= *rooks_check;
            let behind = occupied ^ (*rooks_check & replier.all);
            total -= self.pin_losses(level, occupied, attacks::rook(level, king, behind) & !*rooks_check & targets);
        }
        let special = targets & (replier.all | checks | pin.line);
        let quiet = targets ^ special;
        total += pawns.moves_after_arrivals(&pawn_replies, quiet);
        let met = quiet & pieces.squares;
        cover!(FewPiecesQuiet, (quiet ^ met).count());
        cover!(FewPiecesMet, met.count());
        total += (pieces.moves * (quiet ^ met).count()) as i64;
        for to in met {
            total += self.piece_replies(level, occupied | to.into(), !replier.all, none, pin.pinned).moves as i64;
        }
        for to in special {
            let target = Bitboard::from(to);
            cover!(FewPiecesCapture, (replier.all & target).any());
            cover!(FewPiecesCheck, (checks & target).any());
            let line = if (checks & target).any() { attacks::through(king, to) | target } else { Bitboard::ALL };
            let pinned = if is_slider(kind) { none } else { self.pin_after(target) };
            total += self.other_replies(level, occupied | target, target, line, pinned) as i64;
        }
        total as u64
    }

    /// Returns the moves that the replier's pieces lose because the slider pins them from some squares.
    #[inline(always)]
    fn pin_losses<L: Token>(&self, level: L, occupied: Bitboard, mut pins: Bitboard) -> i64 {
        let (replier, rays) = (&self.parent.replier, self.rays);
        let mut lost = 0;
        while pins.any() {
            let to = pins.first();
            let pinned = attacks::through(self.king, to) & replier.all & !Bitboard::from(to);
            // From all squares beyond a piece, the same moves are lost.
            let above = Bitboard(!0 << self.king.index());
            let beyond = pins & line_of(rays, pinned) & if above.has(to) { above } else { !above };
            let moves = level.call(CountPinnedMoves { replier, rays, occupied, open: !replier.all, pinned });
            cover!(FewPiecesPin, moves);
            lost += (moves * beyond.count()) as i64;
            pins ^= beyond;
        }
        lost
    }

    /// Counts or queues the moves of pawns.
    #[inline(always)]
    fn count_pawns<L: Token>(&self, level: L, legality: &Legality, queues: &mut Queues) -> u64 {
        let SparseNode { parent, ref pin, ref pieces, ref pawns, ref pawn_replies, .. } = *self;
        let ParentSets { mover, replier, occupied, pawns_check, .. } = parent;
        let PawnWays { mut targets, promotions } = PawnWays::new(mover.pawns, legality);
        let mut total = 0;
        if (targets[DOUBLE] & beside(replier.pawns)).any() {
            total += parent.count_double_pushes(level, targets[DOUBLE], &mut targets);
        }
        if union(promotions).any() {
            total += level.call(QueuePromotions(parent, queues, promotions));
        }
        if union(targets).is_empty() {
            return total;
        }
        let releasing = pin.releasing & mover.pawns;
        if releasing.any() {
            let apart = [0, 1, 2, 3].map(|way| targets[way] & Bitboard(releasing.0 << STEPS[way]));
            targets = [0, 1, 2, 3].map(|way| targets[way] & !apart[way]);
            if union(apart).any() {
                cover!(FewPiecesPawnApart, 1);
                total += parent.queue_pawns(level, queues, apart);
            }
        }
        let [ahead, double, west, east] = targets;
        let ring = self.ring_without(mover.king, mover.knights, Bitboard::EMPTY);
        let special = *pawns_check | pin.line;
        for to in (ahead | double) & special | west {
            let delta = 8 + 8 * u32::from(double.has(to)) - u32::from(west.has(to));
            total += self.count_pawn_move(level, ring, to, delta);
        }
        for to in east {
            total += self.count_pawn_move(level, ring, to, 9);
        }
        let pushes = [ahead & !special, double & !special];
        let [ahead, double] = pushes;
        let quiet = ahead | double;
        if quiet.is_empty() {
            return total;
        }

        // The steps of the king.
        let (free, lifted) = (ring & !replier.all, *occupied ^ replier.king);
        let on_lines = slider_attacks(level, mover, lifted);
        let near = on_lines | Black::pawn_attacks(free);
        let near = entering(pushes, near) | leaving(pushes, near);
        let steps = (free & !(on_lines | White::pawn_attacks(mover.pawns))).count();
        total += steps * (quiet ^ near).count();
        cover!(FewPiecesPawnNear, near.count());
        for to in near {
            let both = push_squares(to, double);
            let on_lines = slider_attacks(level, mover, lifted ^ both);
            total += (free & !(on_lines | White::pawn_attacks(mover.pawns ^ both))).count();
        }

        // The moves of the pieces, and those of the pawns.
        let near = entering(pushes, pieces.squares) | leaving(pushes, pieces.squares);
        total += pieces.moves * (quiet ^ near).count();
        cover!(FewPiecesPawnMet, near.count());
        for to in near {
            let both = push_squares(to, double);
            total += self.piece_replies(level, *occupied ^ both, !replier.all, Bitboard::EMPTY, pin.pinned).moves;
        }
        let near = leaving(pushes, pawns.reach());
        total += pawns.moves_after_arrivals(pawn_replies, quiet ^ near) as u64;
        cover!(FewPiecesPawnFrees, near.count());
        for to in near {
            let both = push_squares(to, double);
            total += pawns.replies(!(*occupied ^ both), mover.all ^ both, Bitboard::ALL).moves;
        }
        total
    }

    /// Counts the replies to a move of a pawn that captures, checks or ends a pin, given the squares around the king that no king
    /// and no knight attacks.
    #[inline(always)]
    fn count_pawn_move<L: Token>(&self, level: L, ring: Bitboard, to: Square, delta: u32) -> u64 {
        let ParentSets { mover, replier, occupied, pawns_check, .. } = self.parent;
        let to = Bitboard::from(to);
        let from = Bitboard(to.0 >> delta);
        cover!(FewPiecesPawnCapture, (to & replier.all).any());
        cover!(FewPiecesPawnCheck, (to & *pawns_check).any());
        let occupied = *occupied & !from | to;
        let on_lines = slider_attacks(level, mover, occupied ^ replier.king);
        let free = ring & !(replier.all & !to);
        let steps = (free & !(on_lines | White::pawn_attacks(mover.pawns ^ from ^ to))).count();
        let targets = if (to & *pawns_check).any() { to } else { Bitboard::ALL };
        steps + self.other_replies(level, occupied, to, targets, self.pin_after(to))
    }
}

/// Returns the targets of those pushes, by one square and by two, that enter some squares.
#[inline(always)]
fn entering([ahead, double]: [Bitboard; 2], squares: Bitboard) -> Bitboard {
    (ahead | double) & squares
}

/// Returns the targets of those pushes, by one square and by two, that leave some squares.
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
