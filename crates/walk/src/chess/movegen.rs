//! The legal generator: one, over a [`Sink`] that takes whole target sets.
//!
//! A sink that counts adds popcounts and never sees a move (bulk counting); a sink that lists them enumerates the
//! sets. Pawns move as a set: their targets come with the distance back to where they came from.

use super::legality::Legality;
use super::{Bitboard, Black, Board, Color, EnPassantPolicy, Move, Side, SidePieces, Square, White, Wing, attacks};
use arrayvec::ArrayVec;
use perft_gate_simd::Token;

/// Takes the legal moves of a position as sets.
pub trait Sink {
    /// One man to each of `targets`.
    fn man(&mut self, from: Square, targets: Bitboard);
    /// Pawns to `targets`, each from `target - delta`; none promotes.
    fn pawns(&mut self, targets: Bitboard, delta: i32);
    /// Pawns two steps forward.
    fn double_pushes(&mut self, targets: Bitboard, delta: i32);
    /// Pawns to the last rank, to four roles each.
    fn promotions(&mut self, targets: Bitboard, delta: i32);
    /// One en-passant capture.
    fn en_passant(&mut self, from: Square, to: Square);
    /// One castling move.
    fn castle(&mut self, king: Square, rook: Square);
}

/// Sends the legal moves of the side to move to `sink`.
#[inline(always)]
pub fn generate<L: Token, K: Sink>(level: L, board: &Board, sink: &mut K) {
    match board.turn() {
        Color::White => generate_for::<White, L, K>(level, board, sink),
        Color::Black => generate_for::<Black, L, K>(level, board, sink),
    }
}

#[inline(always)]
fn generate_for<S: Side, L: Token, K: Sink>(level: L, board: &Board, sink: &mut K) {
    let (own, enemy) = (SidePieces::of(board, S::COLOR), SidePieces::of(board, S::Them::COLOR));
    let legality = Legality::of::<S, L>(level, &own, &enemy);
    sink.man(legality.king, attacks::king(legality.king) & !legality.us & !legality.attacked);
    if legality.double_check {
        return;
    }
    pieces(level, &own, &legality, sink);
    pawns::<S, K>(own.pawns, &legality, sink);
    if let Some(square) = board.en_passant(EnPassantPolicy::Legal) {
        for from in board.en_passant_capturers(S::COLOR, square) {
            if board.en_passant_is_legal(level, S::COLOR, from, square) {
                sink.en_passant(from, square);
            }
        }
    }
    let rooks = board.castling_rooks() & S::rank(0);
    if rooks.any() {
        castles::<S, K>(rooks, &legality, sink);
    }
}

#[inline(always)]
pub fn pieces<L: Token, K: Sink>(level: L, own: &SidePieces, legality: &Legality, sink: &mut K) {
    let Legality { us, occupied, straight_pins, slanted_pins, .. } = *legality;
    let pinned = straight_pins | slanted_pins;
    let targets = !us & legality.check_mask;
    // A queen is a bishop and a rook; each half sees its own pins.
    let SidePieces { knights, diagonal, orthogonal, .. } = *own;
    for from in knights & !pinned {
        sink.man(from, attacks::knight(from) & targets);
    }
    for from in diagonal & !pinned {
        sink.man(from, attacks::bishop(level, from, occupied) & targets);
    }
    for from in orthogonal & !pinned {
        sink.man(from, attacks::rook(level, from, occupied) & targets);
    }
    if (pinned & us).any() {
        for from in diagonal & slanted_pins {
            sink.man(from, attacks::bishop(level, from, occupied) & targets & slanted_pins);
        }
        for from in orthogonal & straight_pins {
            sink.man(from, attacks::rook(level, from, occupied) & targets & straight_pins);
        }
    }
}

#[inline(always)]
pub fn pawns<S: Side, K: Sink>(pawns: Bitboard, legality: &Legality, sink: &mut K) {
    let Legality { them, occupied, check_mask, straight_pins, slanted_pins, .. } = *legality;
    let (free, kept) = (pawns & !slanted_pins & !straight_pins, pawns & straight_pins & !slanted_pins);
    let pushed = (S::forward(free) | S::forward(kept) & straight_pins) & !occupied;
    let doubled = S::forward(pushed & S::rank(2)) & !occupied & check_mask;
    let pushed = pushed & check_mask;

    let (free, kept) = (pawns & !straight_pins & !slanted_pins, pawns & slanted_pins & !straight_pins);
    let victims = them & check_mask;
    let west = (S::attacks_west(free) | S::attacks_west(kept) & slanted_pins) & victims;
    let east = (S::attacks_east(free) | S::attacks_east(kept) & slanted_pins) & victims;

    let (ahead, to_west, to_east) = match S::COLOR {
        Color::White => (8, 7, 9),
        Color::Black => (-8, -9, -7),
    };
    let last = S::rank(7);
    sink.pawns(pushed & !last, ahead);
    sink.double_pushes(doubled, 2 * ahead);
    sink.pawns(west & !last, to_west);
    sink.pawns(east & !last, to_east);
    if ((pushed | west | east) & last).any() {
        sink.promotions(pushed & last, ahead);
        sink.promotions(west & last, to_west);
        sink.promotions(east & last, to_east);
    }
}

/// Castling, Chess960 and standard alike: every square that king or rook touches is free but for the two, no square of
/// the king's path is attacked, and the rook does not shield the king along the rank. Only a slider on the far side of
/// the rook can be uncovered (on the near side its attack would hit the king's path), and it pins the rook now.
#[inline(always)]
pub fn castles<S: Side, K: Sink>(rooks: Bitboard, legality: &Legality, sink: &mut K) {
    let king = legality.king;
    for rook in rooks {
        let (king_to, rook_to) = Wing::of(king, rook).destinations(S::COLOR);
        let king_path = attacks::rank_span(king, king_to);
        let path = king_path | attacks::rank_span(rook, rook_to);
        let others = legality.occupied & !Bitboard::from(king) & !Bitboard::from(rook);
        let bad = path & others | king_path & legality.attacked | legality.straight_pins & rook.into();
        if bad.is_empty() {
            sink.castle(king, rook);
        }
    }
}

/// Bulk counting: the number of legal moves, without the moves.
struct Counter(u64);

impl Sink for Counter {
    #[inline(always)]
    fn man(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.0 += targets.count();
    }
    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard, _: i32) {
        self.0 += targets.count();
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 += 4 * targets.count();
    }
    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
    #[inline(always)]
    fn castle(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// The number of legal moves.
#[inline(always)]
pub fn count<L: Token>(level: L, board: &Board) -> u64 {
    let mut counter = Counter(0);
    generate(level, board, &mut counter);
    counter.0
}

/// No legal position overflows it: 16 men a side, none with more than the queen's 27 moves.
pub const MAX_MOVES: usize = 16 * 27;

/// The legal moves of a position, on the stack.
#[derive(Default, Clone)]
pub struct MoveList(ArrayVec<Move, MAX_MOVES>);

impl std::ops::Deref for MoveList {
    type Target = [Move];
    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl MoveList {
    /// Drops the moves that do not pass.
    pub fn retain(&mut self, mut pass: impl FnMut(&Move) -> bool) {
        self.0.retain(|mv| pass(mv));
    }

    /// Of each move whether it stays, in order.
    #[inline(always)]
    pub fn keep(&mut self, stays: &[bool]) {
        let mut kept = 0;
        for (i, &stays) in stays.iter().enumerate() {
            self.0[kept] = self.0[i];
            kept += usize::from(stays);
        }
        self.0.truncate(kept);
    }

    /// Puts another move in the place of each.
    pub fn replace(&mut self, mut other: impl FnMut(Move) -> Move) {
        self.0.iter_mut().for_each(|mv| *mv = other(*mv));
    }

    #[inline(always)]
    fn each(&mut self, targets: Bitboard, delta: i32, kind: u16) {
        self.0.extend(targets.into_iter().map(|to| {
            let from = Square::new((to.index() as i32 - delta) as u32);
            Move::new(from, to, kind)
        }));
    }
}

impl Sink for MoveList {
    #[inline(always)]
    fn man(&mut self, from: Square, targets: Bitboard) {
        self.0.extend(targets.into_iter().map(|to| Move::new(from, to, Move::NORMAL)));
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, delta: i32) {
        self.each(targets, delta, Move::NORMAL);
    }
    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard, delta: i32) {
        self.each(targets, delta, Move::DOUBLE_PUSH);
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, delta: i32) {
        for role in 0..4 {
            self.each(targets, delta, Move::PROMOTION + (role << 12));
        }
    }
    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.0.push(Move::new(from, to, Move::EN_PASSANT));
    }
    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.0.push(Move::new(king, rook, Move::CASTLE));
    }
}

/// The legal moves of `board`, in no particular order.
pub fn legal_moves(board: &Board) -> MoveList {
    let mut list = MoveList::default();
    generate(perft_gate_simd::V1::token(), board, &mut list);
    list
}
