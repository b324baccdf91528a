//! Moves that are counted singly.
//!
//! Each move becomes a child: the parent's sets and the squares that the move changes. Children from several pieces and
//! siblings wait in a queue. Then [`lanes`] counts their replies, one vector of children at a time. A check is queued
//! with the squares where a piece can end it. The rarest moves are made on a board instead: en-passant captures, double
//! pushes that uncover a check and allow an en-passant capture, and castling moves that may give check.

use super::lanes;
use super::parent::{CommonSets, ParentSets};
use super::pawns::{DOUBLE, STEPS, neighbours_on_rank};
use super::pieces::PieceKind;
use super::queue::{Child, ChildQueue, MoveQueue};
use perft_gate_chess::{Bitboard, Black, Board, Color, Move, Role, Side, Square, White, Wing, attacks};
use perft_gate_simd::{Token, U64s, WideKernel, inline_all, kernel};
use perft_gate_walk::{Game, Position};

/// The queues for the children of a position, or of siblings.
pub(super) struct Queues {
    pub(super) moves: MoveQueue,
    children: ChildQueue,
    /// Number of replies counted since the total was last taken. Those of siblings are multiplied by the weights of the
    /// moves that lead to the siblings.
    total: u64,
    /// The sets shared by all positions whose children are queued.
    pub(super) common: CommonSets,
}

impl Queues {
    pub(super) fn new() -> Queues {
        Queues { moves: MoveQueue::new(), children: ChildQueue::new(), total: 0, common: CommonSets::default() }
    }

    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        self.moves.length == 0 && self.children.length == 0
    }

    /// Counts the replies to all queued moves.
    #[inline(always)]
    pub(super) fn count<L: Token>(&mut self, level: L) {
        if !self.is_idle() {
            self.total += level.call_wide(InLanes(self));
        }
    }

    /// Counts the replies to all queued moves. Returns the number counted since the last call of `take_total`.
    #[inline(always)]
    pub(super) fn take_total<L: Token>(&mut self, level: L) -> u64 {
        self.count(level);
        std::mem::take(&mut self.total)
    }
}

#[inline_all]
impl ParentSets<'_> {
    /// Counts the replies to a move by making it.
    pub(super) fn count_by_making<L: Token>(&self, level: L, from: Square, to: Square, kind: u16) -> u64 {
        make_and_count(level, self, Move::new(self.board_square(from), self.board_square(to), kind))
    }

    /// Counts the replies to the mover's en-passant captures by making them.
    pub(super) fn count_en_passant<L: Token>(&self, level: L) -> u64 {
        match self.en_passant_square() {
            Some((board, square)) => make_en_passant_captures(level, board, square),
            None => 0,
        }
    }

    /// Queues the child of a move that gives check from `to`.
    pub(super) fn queue_check<L: Token>(&self, level: L, queues: &mut Queues, kind: Role, from: Bitboard, to: Square) {
        let lifted = self.occupied & !from & !self.replier.king;
        let mut targets = Bitboard::from(to);
        let mut forbidden = Bitboard::EMPTY;
        if matches!(kind, Role::Bishop | Role::Rook | Role::Queen) {
            targets = attacks::through(self.replier.king_square(), to);
            if matches!(kind, Role::Bishop | Role::Queen) {
                forbidden |= attacks::bishop(level, to, lifted);
            }
            if matches!(kind, Role::Rook | Role::Queen) {
                forbidden |= attacks::rook(level, to, lifted);
            }
        }
        let child = Child { taken: to.into(), targets, forbidden, ..Child::NONE };
        queues.children.push(self.last_move, &child.toggle(kind, from | to.into()));
    }

    /// Queues moves of one piece other than a pawn.
    pub(super) fn queue<L: Token>(&self, level: L, queues: &mut Queues, kind: PieceKind, from: Square, to: Bitboard) {
        let mut checks = self.checks_by(kind);
        if self.uncovering.has(from) {
            checks = Bitboard::ALL;
        }
        queues.moves.push(self.last_move, from, to & !checks);
        if (to & checks).any() {
            self.queue_checks(level, queues, from.into(), to & checks);
        }
    }

    /// Queues moves of one piece other than a pawn that give a check or may uncover one.
    fn queue_checks<L: Token>(&self, level: L, queues: &mut Queues, from: Bitboard, to: Bitboard) {
        let kind = match ((from & self.mover.orthogonal).any(), (from & self.mover.diagonal).any()) {
            (true, true) => Role::Queen,
            (true, false) => Role::Rook,
            (false, true) => Role::Bishop,
            (false, false) if from == self.mover.king => Role::King,
            (false, false) => Role::Knight,
        };
        if (from & self.uncovering).any() {
            return queue_discoveries(level, self, queues, kind, from, to);
        }
        for square in to {
            self.queue_check(level, queues, kind, from, square);
        }
        self.flush(level, queues);
    }

    /// Queues pawn moves that do not promote, given their targets by direction.
    pub(super) fn queue_pawns<L: Token>(&self, level: L, queues: &mut Queues, targets: [Bitboard; 4]) {
        let [ahead, double, west, east] = targets;
        // No two of these moves end on the same square.
        let once = ahead | double | west;
        let (mut checks, mut more_checks) = (once & self.pawns_check, east & self.pawns_check);
        let uncovering = self.uncovering & self.mover.pawns;
        if uncovering.any() {
            let [by_ahead, by_double, by_west, by_east] = [0, 1, 2, 3].map(|way| Bitboard(uncovering.0 << STEPS[way]));
            checks |= ahead & by_ahead | double & by_double | west & by_west;
            more_checks |= east & by_east;
        }
        for to in once & !checks {
            let delta = 8 + 8 * u32::from(double.has(to)) - u32::from(west.has(to));
            queues.moves.push_one(self.last_move, origin(to, delta), to);
        }
        for to in east & !more_checks {
            queues.moves.push_one(self.last_move, origin(to, 9), to);
        }
        for to in checks {
            let delta = 8 + 8 * u32::from(double.has(to)) - u32::from(west.has(to));
            self.queue_pawn_check(level, queues, origin(to, delta), to);
        }
        for to in more_checks {
            self.queue_pawn_check(level, queues, origin(to, 9), to);
        }
        self.flush(level, queues);
    }

    /// Queues a pawn move that gives a check or may uncover one.
    fn queue_pawn_check<L: Token>(&self, level: L, queues: &mut Queues, from: Square, to: Square) {
        let from = Bitboard::from(from);
        if (self.uncovering & from).any() {
            let child = &Child::NONE.toggle(Role::Pawn, from | to.into());
            queue_any_check_apart(level, self, queues, child, from, to);
        } else {
            self.queue_check(level, queues, Role::Pawn, from, to);
        }
    }

    /// Counts the en-passant captures that double pushes allow. If such a push gives a discovered check, counts all
    /// replies to the push and removes the push from `remaining`, the moves still to be counted.
    pub(super) fn count_double_pushes<L: Token>(
        &self,
        level: L,
        pushed: Bitboard,
        remaining: &mut [Bitboard; 4],
    ) -> u64 {
        let mut total = 0;
        for square in pushed & neighbours_on_rank(self.replier.pawns) {
            let (from, to) = (origin(square, STEPS[DOUBLE]), Bitboard::from(square));
            if self.uncovering.has(from) {
                total += self.count_by_making(level, from, square, Move::DOUBLE_PUSH);
                remaining[DOUBLE] &= !to;
            } else {
                total += self.en_passant_replies(level, square);
            }
        }
        total
    }

    /// Counts the en-passant captures of a pawn whose double push to `to` uncovered no check. If the pushed pawn gives
    /// check, capturing it ends that check.
    fn en_passant_replies<L: Token>(&self, level: L, to: Square) -> u64 {
        let to = Bitboard::from(to);
        let (behind, king) = (Black::forward(to), self.replier.king_square());
        let (from, lines) = (Black::forward(behind), attacks::lines_through(king));
        let (orthogonal, diagonal) =
            (self.mover.orthogonal & lines.orthogonal(), self.mover.diagonal & lines.diagonals());
        let capturers = neighbours_on_rank(to) & self.replier.pawns;
        let mut replies = capturers.count();
        if (orthogonal | diagonal).any() {
            for capturer in capturers {
                let occupied = self.occupied & !from & !Bitboard::from(capturer) | behind;
                let orthogonal = attacks::rook(level, king, occupied) & orthogonal;
                let diagonal = attacks::bishop(level, king, occupied) & diagonal;
                replies -= u64::from((orthogonal | diagonal).any());
            }
        }
        replies
    }

    /// Queues the four promotions of a pawn.
    fn queue_promotions<L: Token>(&self, level: L, queues: &mut Queues, from: Bitboard, to: Square) {
        let kinds = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let occupied = self.occupied ^ from;
        let (orthogonal, diagonal) = (attacks::rook(level, to, occupied), attacks::bishop(level, to, occupied));
        let reach = [attacks::knight(to), diagonal, orthogonal, orthogonal | diagonal];
        for (kind, attacks) in kinds.into_iter().zip(reach) {
            let child = Child { taken: to.into(), pawns: from, ..Child::NONE }.toggle(kind, to.into());
            if (from & self.uncovering | attacks & self.replier.king).any() {
                queue_any_check_apart(level, self, queues, &child, from, to);
            } else {
                queues.children.push(self.last_move, &child);
            }
        }
    }

    /// Counts or queues one of the mover's castling moves.
    pub(super) fn queue_castle<L: Token>(&self, level: L, queues: &mut Queues, king: Square, rook: Square) -> u64 {
        let (king_to, rook_to) = Wing::of_rook(king, rook).destinations(Color::White);
        if (self.replier.king & White::rank(0)).any() || self.rooks_check.has(rook_to) {
            return self.count_by_making(level, king, rook, Move::CASTLE);
        }
        let (kings, orthogonal) = (Bitboard::from(king) ^ king_to.into(), Bitboard::from(rook) ^ rook_to.into());
        queues.children.push(self.last_move, &Child { orthogonal, kings, ..Child::NONE });
        0
    }

    /// If the queue of children is nearly full, counts the replies to all queued moves.
    fn flush<L: Token>(&self, level: L, queues: &mut Queues) {
        if queues.children.is_full() {
            queues.count(level);
        }
    }

    /// If no siblings share the queues, counts the replies to all queued moves and returns the number. Otherwise counts
    /// only if a queue may lack room, and returns 0.
    pub(super) fn finish<L: Token>(&self, level: L, queues: &mut Queues) -> u64 {
        if !queues.common.after_last_move {
            return queues.take_total(level);
        }
        if queues.moves.is_full() || queues.children.is_full() {
            queues.count(level);
        }
        0
    }
}

#[inline(always)]
pub(super) fn union([a, b, c, d]: [Bitboard; 4]) -> Bitboard {
    a | b | c | d
}

#[inline(always)]
fn origin(to: Square, delta: u32) -> Square {
    Square::new(to.index() as u32 - delta)
}

struct InLanes<'a>(&'a mut Queues);

impl WideKernel for InLanes<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<V: U64s>(self, proof: V::Proof) -> u64 {
        let Queues { moves, children, common, .. } = self.0;
        lanes::count::<V>(proof, common, moves, children)
    }
}

/// Queues promotions, given their targets by direction.
#[kernel]
pub(super) fn queue_promotions<L: Token>(
    level: L,
    parent: &ParentSets<'_>,
    queues: &mut Queues,
    targets: [Bitboard; 4],
) {
    for (targets, delta) in targets.into_iter().zip(STEPS) {
        for to in targets {
            parent.queue_promotions(level, queues, origin(to, delta).into(), to);
            parent.flush(level, queues);
        }
    }
}

/// Queues moves of a piece that uncovers a check when it leaves its line.
#[kernel]
fn queue_discoveries<L: Token>(
    level: L,
    parent: &ParentSets<'_>,
    queues: &mut Queues,
    kind: Role,
    from: Bitboard,
    to: Bitboard,
) {
    for to in to {
        let child = &Child::NONE.toggle(kind, from | to.into());
        queue_any_check(level, parent, queues, child, from, to);
    }
    parent.flush(level, queues);
}

/// Queues the child of a move that may give one check, two checks or none. `child` holds the changes of the move.
#[kernel(inlined = queue_any_check)]
fn queue_any_check_apart<L: Token>(
    level: L,
    parent: &ParentSets<'_>,
    queues: &mut Queues,
    child: &Child,
    from: Bitboard,
    to: Square,
) {
    let ParentSets { mover, replier, .. } = parent;
    let (king, occupied) = (replier.king_square(), parent.occupied & !from | to.into());
    let orthogonal = attacks::rook(level, king, occupied) & (mover.orthogonal ^ child.orthogonal);
    let diagonal = attacks::bishop(level, king, occupied) & (mover.diagonal ^ child.diagonal);
    let knights = parent.knights_check & (mover.knights ^ child.knights);
    let pawns = parent.pawns_check & (mover.pawns ^ child.pawns);
    let checkers = orthogonal | diagonal | knights | pawns;
    let targets = match checkers.count() {
        0 => Bitboard::ALL,
        1 => attacks::through(king, checkers.first()) | checkers,
        _ => Bitboard::EMPTY,
    };
    let (lifted, mut forbidden) = (occupied & !replier.king, Bitboard::EMPTY);
    for checker in orthogonal {
        forbidden |= attacks::rook(level, checker, lifted);
    }
    for checker in diagonal {
        forbidden |= attacks::bishop(level, checker, lifted);
    }
    queues.children.push(parent.last_move, &Child { taken: to.into(), targets, forbidden, ..*child });
}

/// Counts the replies to a move of a parent by making it.
#[kernel]
fn make_and_count<L: Token>(level: L, parent: &ParentSets<'_>, mv: Move) -> u64 {
    replies_after(level, parent.position(level), mv)
}

/// Counts the replies to one move by making it.
#[inline(always)]
fn replies_after<L: Token>(level: L, mut child: Position<()>, mv: Move) -> u64 {
    let _ = child.play(level, mv);
    child.count_moves(level)
}

/// Counts the replies to en-passant captures on a square by making them.
#[kernel]
fn make_en_passant_captures<L: Token>(level: L, board: &Board, square: Square) -> u64 {
    let mut total = 0;
    for from in board.en_passant_capturers(board.turn(), square) {
        if board.en_passant_is_legal(level, board.turn(), from, square) {
            total += replies_after(level, Position::new(*board, ()), Move::new(from, square, Move::EN_PASSANT));
        }
    }
    total
}
