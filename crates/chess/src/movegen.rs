//! The only generator of legal moves. It sends whole target sets to a [`Sink`].
//!
//! A counting sink adds popcounts and never handles individual moves (bulk counting). A listing sink enumerates the
//! sets. Pawn moves are sent as a set: a call passes their targets and one `delta`, which is the target's square number
//! minus the origin's.

use super::attacks;
use super::legality::{Legality, SidePieces};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::Wing;
use crate::moves::Move;
use crate::piece::Color;
use crate::side::{Black, Side, White};
use crate::square::Square;
use crate::state::EnPassantPolicy;
use arrayvec::ArrayVec;
use perft_gate_simd::{Token, V1, inline_all, kernel};

/// A receiver for the legal moves of a position, which arrive as sets.
pub trait Sink {
    /// Receives the moves of one piece to each of `targets`.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Receives single pushes or captures of pawns to `targets`, each from `target - delta`, without promotions.
    fn pawns(&mut self, targets: Bitboard, delta: i32);
    /// Receives double pushes to `targets`, each from `target - delta`. By default, passes them to `pawns`.
    #[inline(always)]
    fn double_pushes(&mut self, targets: Bitboard, delta: i32) {
        self.pawns(targets, delta);
    }
    /// Receives pawn moves to the last rank, each from `target - delta`. Each target means four moves.
    fn promotions(&mut self, targets: Bitboard, delta: i32);
    /// Receives one en-passant capture.
    fn en_passant(&mut self, from: Square, to: Square);
    /// Receives one castling move, given as the squares of king and rook.
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
    let (own, enemy) = (SidePieces::new(board, S::COLOR), SidePieces::new(board, S::Them::COLOR));
    let legality = Legality::new::<S, L>(level, &own, &enemy);
    sink.piece(legality.king, attacks::king(legality.king) & !legality.us & !legality.attacked);
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
    let Legality { us, occupied, orthogonal_pins, diagonal_pins, .. } = *legality;
    let pinned = orthogonal_pins | diagonal_pins;
    let targets = !us & legality.check_mask;
    // A queen is handled once as a bishop and once as a rook. If pinned, it moves only along the axis of its pin.
    let SidePieces { knights, diagonal, orthogonal, .. } = *own;
    for from in knights & !pinned {
        sink.piece(from, attacks::knight(from) & targets);
    }
    for from in diagonal & !pinned {
        sink.piece(from, attacks::bishop(level, from, occupied) & targets);
    }
    for from in orthogonal & !pinned {
        sink.piece(from, attacks::rook(level, from, occupied) & targets);
    }
    if (pinned & us).any() {
        for from in diagonal & diagonal_pins {
            sink.piece(from, attacks::bishop(level, from, occupied) & targets & diagonal_pins);
        }
        for from in orthogonal & orthogonal_pins {
            sink.piece(from, attacks::rook(level, from, occupied) & targets & orthogonal_pins);
        }
    }
}

#[inline(always)]
pub fn pawns<S: Side, K: Sink>(pawns: Bitboard, legality: &Legality, sink: &mut K) {
    let Legality { them, occupied, check_mask, orthogonal_pins, diagonal_pins, .. } = *legality;
    let (free, kept) = (pawns & !diagonal_pins & !orthogonal_pins, pawns & orthogonal_pins & !diagonal_pins);
    let pushed = (S::forward(free) | S::forward(kept) & orthogonal_pins) & !occupied;
    let doubled = S::forward(pushed & S::rank(2)) & !occupied & check_mask;
    let pushed = pushed & check_mask;

    let (free, kept) = (pawns & !orthogonal_pins & !diagonal_pins, pawns & diagonal_pins & !orthogonal_pins);
    let victims = them & check_mask;
    let west = (S::attacks_west(free) | S::attacks_west(kept) & diagonal_pins) & victims;
    let east = (S::attacks_east(free) | S::attacks_east(kept) & diagonal_pins) & victims;

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

/// Generates castling moves, standard and Chess960 alike, under three conditions: no third piece is on a square that
/// king or rook crosses or enters, no square of the king's path is attacked, and the rook does not shield the king
/// along the rank. The last condition rules out every discovered check: castling can uncover only a slider beyond the
/// rook, and that slider pins the rook before the move. A slider nearer to the king attacks the king's path.
#[inline(always)]
pub fn castles<S: Side, K: Sink>(rooks: Bitboard, legality: &Legality, sink: &mut K) {
    let king = legality.king;
    for rook in rooks {
        let (king_to, rook_to) = Wing::of_rook(king, rook).destinations(S::COLOR);
        let king_path = attacks::rank_span(king, king_to);
        let path = king_path | attacks::rank_span(rook, rook_to);
        let others = legality.occupied & !Bitboard::from(king) & !Bitboard::from(rook);
        let bad = path & others | king_path & legality.attacked | legality.orthogonal_pins & rook.into();
        if bad.is_empty() {
            sink.castle(king, rook);
        }
    }
}

/// The sink for bulk counting: counts legal moves without listing them.
struct Counter(u64);

#[inline_all]
impl Sink for Counter {
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.0 += targets.count();
    }
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 += 4 * targets.count();
    }
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
    fn castle(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Counts the legal moves. Inlined only on the common SIMD level ([`Token::COMMON`]), for the reason given at [`list`].
#[inline(always)]
pub fn count<L: Token>(level: L, board: &Board) -> u64 {
    if L::COMMON { count_inlined(level, board) } else { count_apart(level, board) }
}

#[kernel(inlined = count_inlined)]
fn count_apart<L: Token>(level: L, board: &Board) -> u64 {
    let mut counter = Counter(0);
    generate(level, board, &mut counter);
    counter.0
}

/// Upper bound on the number of legal moves in a position: a side has at most 16 pieces, and none has more than the 27
/// moves of a queen.
pub const MAX_MOVES: usize = 16 * 27;

/// A list of legal moves, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

#[inline(always)]
fn push_pawns(list: &mut MoveList, targets: Bitboard, delta: i32, kind: u16) {
    list.extend(targets.into_iter().map(|to| {
        let from = Square::new((to.index() as i32 - delta) as u32);
        Move::new(from, to, kind)
    }));
}

#[inline_all]
impl Sink for MoveList {
    fn piece(&mut self, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(from, to, Move::NORMAL)));
    }
    fn pawns(&mut self, targets: Bitboard, delta: i32) {
        push_pawns(self, targets, delta, Move::NORMAL);
    }
    fn double_pushes(&mut self, targets: Bitboard, delta: i32) {
        push_pawns(self, targets, delta, Move::DOUBLE_PUSH);
    }
    fn promotions(&mut self, targets: Bitboard, delta: i32) {
        for role in 0..4 {
            push_pawns(self, targets, delta, Move::PROMOTION + (role << 12));
        }
    }
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::new(from, to, Move::EN_PASSANT));
    }
    fn castle(&mut self, king: Square, rook: Square) {
        self.push(Move::new(king, rook, Move::CASTLE));
    }
}

/// Appends the legal moves to `list`, in no particular order.
///
/// This is a separate function that is compiled once per SIMD level. If it were inlined, it would make up most of a
/// node's code and would be repeated for every type of walk. On the common level, inlining [`generate`] pays off where
/// there are many nodes: it saves 1 % of the instructions of a verification, and 6 % when counting distinct positions.
#[kernel]
pub fn list<L: Token>(level: L, board: &Board, list: &mut MoveList) {
    generate(level, board, list);
}

/// Returns the legal moves of `board`, in no particular order.
pub fn legal_moves(board: &Board) -> MoveList {
    let mut moves = MoveList::default();
    list(V1::token(), board, &mut moves);
    moves
}

/// Upper bound on the number of entries in [`MoveSets::pieces`]: two for each queen and one for the king.
const MAX_PIECES: usize = 33;

/// Pawn moves that all go in the same direction.
#[derive(Clone, Copy, Default, Debug)]
pub struct PawnMoves {
    pub targets: Bitboard,
    /// The target's square number minus the origin's.
    pub delta: i32,
}

impl PawnMoves {
    /// Returns the origin of the pawn move to the target `to`.
    #[inline(always)]
    pub fn origin(&self, to: Square) -> Square {
        Square::new((to.index() as i32 - self.delta) as u32)
    }
}

/// The legal moves of a position, as sets for pieces and pawns and as a list for the few other moves.
#[derive(Clone, Default)]
pub struct MoveSets {
    /// The square and the targets of each piece. A queen has one entry as a bishop and one as a rook.
    pub pieces: ArrayVec<(Square, Bitboard), MAX_PIECES>,
    pub pushes: PawnMoves,
    pub double_pushes: PawnMoves,
    /// Pawn captures: those towards the a-file, then those towards the h-file.
    pub pawn_captures: ArrayVec<PawnMoves, 2>,
    /// Promotions, e.p. captures and castling.
    pub others: MoveList,
    pub enemy: Bitboard,
}

impl MoveSets {
    /// Fills these sets, which must be empty, with the legal moves of a board.
    #[inline(always)]
    pub fn fill<L: Token>(&mut self, level: L, board: &Board) {
        self.enemy = board.color(!board.turn());
        generate(level, board, self);
    }
}

#[inline_all]
impl Sink for MoveSets {
    fn piece(&mut self, from: Square, targets: Bitboard) {
        if targets.any() {
            self.pieces.push((from, targets));
        }
    }
    fn pawns(&mut self, targets: Bitboard, delta: i32) {
        let pawns = PawnMoves { targets, delta };
        if delta % 8 == 0 {
            self.pushes = pawns;
        } else {
            self.pawn_captures.push(pawns);
        }
    }
    fn double_pushes(&mut self, targets: Bitboard, delta: i32) {
        self.double_pushes = PawnMoves { targets, delta };
    }
    fn promotions(&mut self, targets: Bitboard, delta: i32) {
        self.others.promotions(targets, delta);
    }
    fn en_passant(&mut self, from: Square, to: Square) {
        self.others.en_passant(from, to);
    }
    fn castle(&mut self, king: Square, rook: Square) {
        self.others.castle(king, rook);
    }
}
