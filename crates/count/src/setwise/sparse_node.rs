//! Counts the replies to a pass and to the moves of the mover's pieces in a position with few pieces, without vectors.
//!
//! As in [`replies`](super::replies), the count is the number of replies to a pass, plus or minus the changes that a
//! move makes. With few pieces, these changes are found move by move, with one lookup per effect. Summing sets of
//! moves, as with many pieces, would cost more than it saves.

use super::parent::ParentSets;
use super::pawns::{FreePawns, PawnReplies};
use super::per_move::Queues;
use super::pieces::PieceKind;
use super::sparse_pins::{SparsePins, count_pinned_moves, pins_without, ray_of};
use perft_gate_chess::{Bitboard, Lines, Side, SidePieces, Square, White, attacks};
use perft_gate_simd::{Token, inline_all};

/// For each type of piece and king square, the squares from which the piece attacks a neighbour of the king on an empty
/// board. From any other square, the piece does not prevent any step of the king.
static NEAR: [[Bitboard; 64]; PieceKind::NUMBER] = {
    let mut near = [[Bitboard::EMPTY; 64]; PieceKind::NUMBER];
    let mut king = 0;
    while king < 64 {
        let mut ring = attacks::king(Square::new(king as u32));
        while ring.any() {
            let (step, lines) = (ring.first(), attacks::lines_through(ring.first()));
            near[PieceKind::Knight as usize][king].0 |= attacks::knight(step).0;
            near[PieceKind::Bishop as usize][king].0 |= lines.diagonals().0;
            near[PieceKind::Rook as usize][king].0 |= lines.orthogonal().0;
            near[PieceKind::Queen as usize][king].0 |= lines.diagonals().0 | lines.orthogonal().0;
            near[PieceKind::King as usize][king].0 |= attacks::king(step).0;
            ring = ring.without_first();
        }
        king += 1;
    }
    near
};

/// Returns the squares attacked by a side's sliders, excluding the sliders in `moving`.
#[inline(always)]
pub(super) fn slider_attacks<L: Token>(level: L, side: &SidePieces, moving: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut attacked = Bitboard::EMPTY;
    for slider in side.diagonal & !moving {
        attacked |= attacks::bishop(level, slider, occupied);
    }
    for slider in side.orthogonal & !moving {
        attacked |= attacks::rook(level, slider, occupied);
    }
    attacked
}

/// The moves of the replier's pieces other than the king and pawns.
#[derive(Clone, Copy)]
pub(super) struct PieceReplies {
    pub(super) moves: u64,
    /// The squares that the replier's sliders attack.
    pub(super) squares: Bitboard,
}

/// A position whose moves are counted, and the replies to a pass. `ONE_SLIDER` means that the mover has at most one
/// slider, as in most endgames. When that slider leaves its square, no pin and no attack along a line remains.
pub(super) struct SparseNode<'a, 'b, const ONE_SLIDER: bool> {
    pub(super) parent: &'a ParentSets<'b>,
    /// The replier's king, and the lines through it.
    pub(super) king: Square,
    pub(super) rays: &'static Lines,
    pub(super) pins: SparsePins,
    pub(super) pieces: PieceReplies,
    pub(super) pawns: FreePawns,
    pub(super) pawn_replies: PawnReplies,
}

#[inline_all]
impl<'a, 'b, const ONE_SLIDER: bool> SparseNode<'a, 'b, ONE_SLIDER> {
    pub(super) fn new<L: Token>(
        level: L,
        parent: &'a ParentSets<'b>,
        king: Square,
        rays: &'static Lines,
        pins: SparsePins,
    ) -> SparseNode<'a, 'b, ONE_SLIDER> {
        let ParentSets { mover, replier, occupied, .. } = parent;
        let pawns = FreePawns::new(replier.pawns, pins.pinned, rays);
        let pawn_replies = pawns.replies(!*occupied, mover.all, Bitboard::ALL);
        let pieces = PieceReplies { moves: 0, squares: Bitboard::EMPTY };
        let mut node = SparseNode { parent, king, rays, pins, pieces, pawns, pawn_replies };
        node.pieces = node.piece_replies(level, *occupied, !replier.all, Bitboard::EMPTY, pins.pinned);
        node
    }

    /// Returns the moves of the replier's pieces other than the king and pawns, given the occupied squares, the allowed
    /// targets, the captured piece, and the pinned pieces.
    pub(super) fn piece_replies<L: Token>(
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
            moves -= count_pinned_moves(level, replier, self.rays, occupied, open, pinned);
        }
        PieceReplies { moves, squares }
    }

    /// Returns the number of moves available to all of the replier's pieces except the king after a move to `to`, given
    /// the squares then occupied, the allowed targets, and the pinned pieces.
    pub(super) fn other_replies<L: Token>(
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

    /// Returns the squares around the replier's king that the mover's given kings, knights and pawns do not attack.
    pub(super) fn ring_without(&self, king: Bitboard, knights: Bitboard, pawns: Bitboard) -> Bitboard {
        let mut ring = attacks::king(self.king) & !White::pawn_attacks(pawns);
        for king in king {
            ring &= !attacks::king(king);
        }
        for knight in knights {
            ring &= !attacks::knight(knight);
        }
        ring
    }

    /// Counts the replies to the moves of a piece, or queues the moves for later.
    pub(super) fn count_piece<L: Token>(
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
        let mut apart = targets & replier.all & attacks::king(king);
        if (bit & self.pins.releasing).any() {
            apart = targets;
        }
        let rest = targets ^ apart;
        // A slider that moves ends the pins that it makes from its current square.
        let pins = match kind.is_slider() {
            true if ONE_SLIDER => SparsePins::default(),
            true if self.pins.pinned.any() => pins_without(level, parent, king, self.rays, bit),
            _ => self.pins,
        };
        if apart.any() {
            parent.queue(level, queues, kind, from, apart);
        }
        self.steps(level, kind, bit, rest) + self.other_moves(level, kind, bit, &pins, rest)
    }

    /// Returns the number of steps available to the replier's king, summed over the given moves of a piece.
    fn steps<L: Token>(&self, level: L, kind: PieceKind, from: Bitboard, targets: Bitboard) -> u64 {
        let ParentSets { mover, replier, occupied, .. } = self.parent;
        let mover_king = if kind == PieceKind::King { Bitboard::EMPTY } else { mover.king };
        let ring = self.ring_without(mover_king, mover.knights & !from, mover.pawns) & !replier.all;
        let lifted = *occupied ^ from ^ replier.king;
        let moving = if kind.is_slider() { from } else { Bitboard::EMPTY };
        let on_lines = match ONE_SLIDER && kind.is_slider() {
            true => Bitboard::EMPTY,
            false => slider_attacks(level, mover, moving, lifted),
        };
        let free = ring & !on_lines;
        let near = NEAR[kind as usize][self.king.index()];
        let mut steps = free.count() * (targets & !(on_lines | near)).count();
        for to in targets & near & !on_lines {
            steps += (free & !kind.attacks(level, to, lifted)).count();
        }
        for to in targets & on_lines {
            let on_lines = slider_attacks(level, mover, moving, lifted | to.into());
            steps += (ring & !(on_lines | kind.attacks(level, to, lifted))).count();
        }
        steps
    }

    /// Returns the number of the replier's moves other than king moves, summed over the given moves of a piece. `pins`
    /// holds the pins that remain when the piece leaves `from`.
    fn other_moves<L: Token>(
        &self,
        level: L,
        kind: PieceKind,
        from: Bitboard,
        pins: &SparsePins,
        targets: Bitboard,
    ) -> u64 {
        let SparseNode { parent, king, mut pieces, mut pawns, mut pawn_replies, .. } = *self;
        let ParentSets { mover, replier, bishops_check, rooks_check, .. } = parent;
        let (occupied, none) = (parent.occupied ^ from, Bitboard::EMPTY);
        let ends_pin = pins.pinned != self.pins.pinned;
        if ends_pin || (from & pieces.squares).any() {
            pieces = self.piece_replies(level, occupied, !replier.all, none, pins.pinned);
        }
        if ends_pin || (from & pawns.reach()).any() {
            pawns = FreePawns::new(replier.pawns, pins.pinned, self.rays);
            pawn_replies = pawns.replies(!occupied, mover.all ^ from, Bitboard::ALL);
        }
        let mut total = 0;
        // Squares from which the piece gives check. The piece cannot be on one of them now, because then the king would
        // already be in check.
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
        let special = targets & (replier.all | checks | pins.lines);
        let quiet = targets ^ special;
        total += pawns.moves_after_arrivals(&pawn_replies, quiet);
        let met = quiet & pieces.squares;
        total += (pieces.moves * (quiet ^ met).count()) as i64;
        for to in met {
            total += self.piece_replies(level, occupied | to.into(), !replier.all, none, pins.pinned).moves as i64;
        }
        for to in special {
            let target = Bitboard::from(to);
            let line = if (checks & target).any() { attacks::through(king, to) | target } else { Bitboard::ALL };
            let pinned = pins.pinned_after::<ONE_SLIDER>(king, self.rays, target);
            total += self.other_replies(level, occupied | target, target, line, pinned) as i64;
        }
        total as u64
    }

    /// Returns the number of moves that the replier's pieces lose because the moving slider pins them from one of the
    /// squares `pins`, summed over these squares.
    fn pin_losses<L: Token>(&self, level: L, occupied: Bitboard, mut pins: Bitboard) -> i64 {
        let (replier, rays) = (&self.parent.replier, self.rays);
        let mut lost = 0;
        while pins.any() {
            let to = pins.first();
            let pinned = attacks::through(self.king, to) & replier.all & !Bitboard::from(to);
            // A pin takes away the same moves no matter which square beyond the pinned piece it comes from.
            let beyond = pins & ray_of(self.king, rays, pinned);
            let moves = count_pinned_moves(level, replier, rays, occupied, !replier.all, pinned);
            lost += (moves * beyond.count()) as i64;
            pins ^= beyond;
        }
        lost
    }
}
