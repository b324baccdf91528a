//! Moves that are counted one by one: their children are counted in [`lanes`], and the rarest are made.

use super::lanes;
use super::parent::{Base, Parent};
use super::pawns::{DOUBLE, STEPS};
use super::queue::{Child, Children, Mover, Moves};
use perft_gate_simd::{Kernel, Token, U64s, WideKernel};
use perft_gate_walk::Position;
use perft_gate_walk::chess::{Bitboard, Black, Board, Color, Move, Side, Square, White, Wing, attacks};
use perft_gate_walk::walk::Game;

/// The queues for the children of a position, or of siblings.
pub(super) struct Queues {
    pub(super) moves: Moves,
    children: Children,
    /// What the positions whose children are queued have in common.
    pub(super) base: Base,
}

impl Queues {
    pub(super) const fn new() -> Queues {
        Queues { moves: Moves::new(), children: Children::new(), base: Base::NONE }
    }
}

impl Parent<'_> {
    /// Counts the replies to some moves of one kind, by making them.
    #[inline(never)]
    #[cold]
    pub(super) fn slowly<L: Token>(&self, level: L, from: Bitboard, to: Bitboard, kind: u16) -> u64 {
        note!(Slowly, to.count());
        note!(DiscoveredCheck, (from & self.uncovering).any() && to.any());
        let from = self.turned(from.first());
        let mut total = 0;
        for to in to {
            total += level.call(Slow(self.position(level), Move::new(from, self.turned(to), kind)));
        }
        total
    }

    /// Counts the replies to the mover's en-passant captures, by making them.
    #[inline(always)]
    pub(super) fn en_passant<L: Token>(&self, level: L) -> u64 {
        match self.en_passant_square() {
            Some((board, square)) => level.call(EnPassant(board, square)),
            None => 0,
        }
    }

    /// Queues the child of a move that gives check from `to`.
    #[inline(always)]
    pub(super) fn check<L: Token>(&self, level: L, scratch: &mut Queues, kind: Mover, from: Bitboard, to: Square) {
        let lifted = self.occupied & !from & !self.replier.king;
        let mut targets = Bitboard::from(to);
        let mut forbidden = Bitboard::EMPTY;
        if matches!(kind, Mover::Bishop | Mover::Rook | Mover::Queen) {
            targets = attacks::through(self.replier.king_square(), to);
            if matches!(kind, Mover::Bishop | Mover::Queen) {
                forbidden |= attacks::bishop(level, to, lifted);
            }
            if matches!(kind, Mover::Rook | Mover::Queen) {
                forbidden |= attacks::rook(level, to, lifted);
            }
        }
        let child = Child { taken: to.into(), targets, forbidden, ..Child::NONE };
        scratch.children.push(self.before, &child.toggled(kind, from | to.into()));
    }

    /// Counts or queues moves of one piece, not a pawn, that give or uncover a check.
    #[inline(always)]
    pub(super) fn checks<L: Token>(&self, level: L, scratch: &mut Queues, from: Bitboard, to: Bitboard) -> u64 {
        if (from & self.uncovering).any() {
            return self.slowly(level, from, to, Move::NORMAL);
        }
        let kind = match ((from & self.mover.orthogonal).any(), (from & self.mover.diagonal).any()) {
            (true, true) => Mover::Queen,
            (true, false) => Mover::Rook,
            (false, true) => Mover::Bishop,
            (false, false) => Mover::Knight,
        };
        note!(PieceChecks, to.count());
        for square in to {
            self.check(level, scratch, kind, from, square);
        }
        self.flush(level, scratch)
    }

    /// Counts or queues pawn moves that do not promote, by direction.
    #[inline(always)]
    pub(super) fn pawns<L: Token>(&self, level: L, scratch: &mut Queues, targets: [Bitboard; 4]) -> u64 {
        let checks = |way: usize| targets[way] & (self.pawns_check | Bitboard(self.uncovering.0 << STEPS[way]));
        let checks = [checks(0), checks(1), checks(2), checks(3)];
        let [ahead, double, west, east] = [0, 1, 2, 3].map(|way| targets[way] & !checks[way]);
        // Without a test whether there are any: queueing nothing costs less than a branch that is predicted badly.
        scratch.moves.push_pawns(self.before, ahead, STEPS[0]);
        scratch.moves.push_pawns(self.before, double, STEPS[1]);
        scratch.moves.push_pawns(self.before, west, STEPS[2]);
        scratch.moves.push_pawns(self.before, east, STEPS[3]);
        let mut total = 0;
        if any(checks).any() {
            for (targets, delta) in checks.into_iter().zip(STEPS) {
                total += self.checks_by_pawns(level, scratch, targets, delta);
            }
        }
        total
    }

    /// Counts or queues pawn moves that give or uncover a check.
    #[inline(always)]
    fn checks_by_pawns<L: Token>(&self, level: L, scratch: &mut Queues, targets: Bitboard, delta: u32) -> u64 {
        let mut total = 0;
        for to in targets {
            let from = origin(to, delta).into();
            if (self.uncovering & from).any() {
                total += self.slowly(level, from, to.into(), Move::NORMAL);
            } else {
                note!(PawnChecks, 1);
                self.check(level, scratch, Mover::Pawn, from, to);
            }
        }
        total + self.flush(level, scratch)
    }

    /// Counts the en-passant captures that double pushes allow. If a push gives or uncovers check, all its replies are counted
    /// here, and it is taken out of `still`, the moves that remain to be counted.
    #[inline(always)]
    pub(super) fn double_pushes<L: Token>(&self, level: L, pushed: Bitboard, still: &mut [Bitboard; 4]) -> u64 {
        let pawns = self.replier.pawns.0;
        let beside = Bitboard((pawns & !Bitboard::FILE_A.0) >> 1 | (pawns & !Bitboard::FILE_H.0) << 1);
        let mut total = 0;
        for square in pushed & beside {
            let (from, to) = (origin(square, STEPS[DOUBLE]).into(), Bitboard::from(square));
            if (self.pawns_check & to | self.uncovering & from).any() {
                note!(DoublePushChecks, 1);
                total += self.slowly(level, from, to, Move::DOUBLE_PUSH);
                still[DOUBLE] &= !to;
            } else {
                total += self.en_passant_replies(level, square);
            }
        }
        total
    }

    /// Counts the en-passant captures of a pawn that was pushed two squares to `to` and gives no check.
    #[inline(always)]
    fn en_passant_replies<L: Token>(&self, level: L, to: Square) -> u64 {
        let to = Bitboard::from(to);
        let (behind, king) = (Black::forward(to), self.replier.king_square());
        let from = Black::forward(behind);
        let beside = Bitboard((to.0 & !Bitboard::FILE_A.0) >> 1 | (to.0 & !Bitboard::FILE_H.0) << 1);
        let mut replies = 0;
        for capturer in beside & self.replier.pawns {
            let occupied = self.occupied & !from & !Bitboard::from(capturer) | behind;
            let orthogonal = attacks::rook(level, king, occupied) & self.mover.orthogonal;
            let diagonal = attacks::bishop(level, king, occupied) & self.mover.diagonal;
            replies += u64::from((orthogonal | diagonal).is_empty());
        }
        note!(EnPassantReply, replies);
        replies
    }

    /// Counts or queues the four promotions of a pawn.
    #[inline(always)]
    fn promotion<L: Token>(&self, level: L, scratch: &mut Queues, from: Bitboard, to: Square) -> u64 {
        let kinds = [Mover::Knight, Mover::Bishop, Mover::Rook, Mover::Queen];
        let mut total = 0;
        let occupied = self.occupied ^ from;
        let (orthogonal, diagonal) = (attacks::rook(level, to, occupied), attacks::bishop(level, to, occupied));
        let reach = [attacks::knight(to), diagonal, orthogonal, orthogonal | diagonal];
        for (number, (kind, attacks)) in kinds.into_iter().zip(reach).enumerate() {
            if (from & self.uncovering | attacks & self.replier.king).any() {
                total += self.slowly(level, from, to.into(), Move::PROMOTION + ((number as u16) << 12));
            } else {
                note!(Promotion, 1);
                let child = Child { taken: to.into(), pawns: from, ..Child::NONE };
                scratch.children.push(self.before, &child.toggled(kind, to.into()));
            }
        }
        total
    }

    /// Counts or queues one of the mover's castling moves.
    #[inline(always)]
    pub(super) fn castle<L: Token>(&self, level: L, scratch: &mut Queues, king: Square, rook: Square) -> u64 {
        let (king_to, rook_to) = Wing::of(king, rook).destinations(Color::White);
        if (self.replier.king & White::rank(0)).any() || self.rooks_check.has(rook_to) {
            note!(CastlingChecks, 1);
            return self.slowly(level, king.into(), rook.into(), Move::CASTLE);
        }
        note!(Castling, 1);
        let (kings, orthogonal) = (Bitboard::from(king) ^ king_to.into(), Bitboard::from(rook) ^ rook_to.into());
        scratch.children.push(self.before, &Child { orthogonal, kings, ..Child::NONE });
        0
    }

    /// Counts what is queued, if the queue of children is nearly full.
    #[inline(always)]
    fn flush<L: Token>(&self, level: L, scratch: &mut Queues) -> u64 {
        if scratch.children.is_full() { scratch.count(level) } else { 0 }
    }

    /// Counts all that is queued, unless siblings may be counted with it.
    #[inline(always)]
    pub(super) fn finish<L: Token>(&self, level: L, scratch: &mut Queues) -> u64 {
        let waits = scratch.base.before && !scratch.moves.is_full() && !scratch.children.is_full();
        if waits { 0 } else { scratch.count(level) }
    }
}

impl Queues {
    /// Counts all that is queued.
    #[inline(always)]
    pub(super) fn count<L: Token>(&mut self, level: L) -> u64 {
        if self.moves.is_empty() && self.children.is_empty() {
            return 0;
        }
        level.call_wide(InLanes(self)).expect("a level with lanes: what is queued is counted in them")
    }
}

/// Returns the union of the sets.
#[inline(always)]
pub(super) fn any([a, b, c, d]: [Bitboard; 4]) -> Bitboard {
    a | b | c | d
}

/// Returns the square that a pawn came from.
#[inline(always)]
fn origin(to: Square, delta: u32) -> Square {
    Square::new(to.index() as u32 - delta)
}

struct InLanes<'a>(&'a mut Queues);

impl WideKernel for InLanes<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<V: U64s>(self, proof: V::Proof) -> u64 {
        let Queues { moves, children, base } = self.0;
        lanes::count::<V>(proof, base, moves, children)
    }
}

/// Counts promotions, by direction.
pub(super) struct Promotions<'a, 'b>(pub(super) &'a Parent<'b>, pub(super) &'a mut Queues, pub(super) [Bitboard; 4]);

impl Kernel for Promotions<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let Promotions(parent, scratch, targets) = self;
        let mut total = 0;
        for (targets, delta) in targets.into_iter().zip(STEPS) {
            for to in targets {
                total += parent.promotion(level, scratch, origin(to, delta).into(), to);
                total += parent.flush(level, scratch);
            }
        }
        total
    }
}

/// Counts the replies to one move, by making it.
struct Slow(Position<()>, Move);

impl Kernel for Slow {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let Slow(mut child, mv) = self;
        let _ = child.play(level, mv);
        child.count_moves(level)
    }
}

/// Counts the replies to en-passant captures on a square, by making them.
struct EnPassant<'b>(&'b Board, Square);

impl Kernel for EnPassant<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Token>(self, level: L) -> u64 {
        let EnPassant(board, square) = self;
        let mut total = 0;
        for from in board.en_passant_capturers(board.turn(), square) {
            if board.en_passant_is_legal(level, board.turn(), from, square) {
                note!(EnPassant, 1);
                total += Slow(Position::new(*board, ()), Move::new(from, square, Move::EN_PASSANT)).run(level);
            }
        }
        total
    }
}
