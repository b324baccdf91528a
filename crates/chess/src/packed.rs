//! A position in 32 bytes: equal positions have equal bytes, and the position can be restored.
//!
//! Each square has a four-bit code. Twelve codes are the [`Code`](super::Code)s of the pieces. Three more codes encode
//! castling rights, en passant and the side to move. Each of these *replaces* the code of a piece, so one code per
//! square is enough:
//!
//! | code | on the square |
//! |---|---|
//! | 0 | nothing |
//! | 1–6, 9–14 | a piece: pawn to king, Black's with 8 added |
//! | 7 | a rook that may still castle; White's on the first rank, Black's on the eighth |
//! | 8 | a pawn just pushed two squares, if the policy counts e.p.; White's on the fourth rank, Black's on the fifth |
//! | 15 | the king of the side to move; the other king keeps its code, whose colour shows the turn |
//!
//! The rook's square itself is marked, so Chess960 needs nothing more. Plane *i* is the set of squares whose code has
//! bit *i* set, so packing takes a dozen operations on the board's bitboards. The clocks are left out. A packed
//! position is never all zero, because it has kings.
//!
//! Without its empty squares a position takes 24 bytes ([`Dense`]), and large sets of positions use this form. A legal
//! position has at most 32 pieces, so the bits of each plane on the occupied squares fit in 32 bits, and nothing is
//! lost.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::piece::{Color, Role};
use crate::square::Square;
use crate::state::EnPassantPolicy;
use perft_gate_simd::{Quad, Token, U64s, gather, inline_all, scatter};

/// A position without its clocks. It has an en-passant square only if the en-passant policy counts that square.
///
/// **Shape**: four planes with one bit per square. Plane *i* holds bit *i* of each square's code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Packed([u64; 4]);

const PAWN: u64 = Role::Pawn as u64;
const ROOK: u64 = Role::Rook as u64;
const KING: u64 = Role::King as u64;
const BLACK: u64 = 8;

const CASTLING_ROOK: u64 = 7;
const PUSHED_PAWN: u64 = 8;
const KING_TO_MOVE: u64 = 15;

/// For each color, the planes whose bit for a rook's square flips when the rook loses its castling right.
static LOST_RIGHT: [Quad; 2] = [Quad([!0, !0, 0, 0]), Quad([!0, !0, 0, !0])];

const LOWER_HALF: u64 = 0xffff_ffff;

/// Changes the code of each of `squares` to `to`. All of these squares must hold the code `from`, in either colour.
#[inline(always)]
fn recode(planes: &mut [u64; 4], squares: u64, from: u64, to: u64) {
    for (bit, plane) in planes[..3].iter_mut().enumerate() {
        if (from ^ to) >> bit & 1 != 0 {
            *plane ^= squares;
        }
    }
    planes[3] = if to & BLACK == 0 { planes[3] & !squares } else { planes[3] | squares };
}

#[inline(always)]
fn squares_of(planes: &[u64; 4], code: u64) -> u64 {
    let agreeing = |bit: usize| if code >> bit & 1 != 0 { planes[bit] } else { !planes[bit] };
    agreeing(0) & agreeing(1) & agreeing(2) & agreeing(3)
}

/// Changes the code of each of `squares` from `from` to the piece code `to`. The pieces become white in the lower half
/// of the board and black in the upper half.
#[inline(always)]
fn uncode(planes: &mut [u64; 4], squares: u64, from: u64, to: u64) {
    recode(planes, squares, from, to);
    planes[3] |= squares & !LOWER_HALF;
}

#[inline_all]
impl Packed {
    pub fn new(board: &Board, policy: EnPassantPolicy) -> Packed {
        let mut planes = board.planes();
        let king = board.pieces(board.turn(), Role::King);
        recode(&mut planes, king.0, KING, KING_TO_MOVE);
        recode(&mut planes, board.castling_rooks().0, ROOK, CASTLING_ROOK);
        if let Some(square) = board.en_passant(policy) {
            recode(&mut planes, Bitboard::from(square.en_passant_partner()).0, PAWN, PUSHED_PAWN);
        }
        Packed(planes)
    }

    /// Restores the position. The clocks have their initial values. The en-passant square is absent if the policy used
    /// in packing did not count it.
    pub fn board(self) -> Board {
        let mut planes = self.0;
        let to_move = squares_of(&planes, KING_TO_MOVE);
        let turn = if squares_of(&planes, KING | BLACK) == 0 { Color::Black } else { Color::White };
        recode(&mut planes, to_move, KING_TO_MOVE, KING | (turn as u64) << 3);
        let rooks = squares_of(&planes, CASTLING_ROOK);
        uncode(&mut planes, rooks, CASTLING_ROOK, ROOK);
        let pushed = squares_of(&planes, PUSHED_PAWN);
        uncode(&mut planes, pushed, PUSHED_PAWN, PAWN);
        let pushed = (pushed != 0).then(|| Bitboard(pushed).first().en_passant_partner());
        Board::of_planes(planes, turn, Bitboard(rooks), pushed)
    }

    /// Moves the piece on `from` to `to`. Nothing else changes, not even the side to move, except that the rooks on
    /// `rooks` lose the right to castle. They must be of `color` and have that right.
    pub fn after_plain_move<L: Token>(
        self,
        level: L,
        (from, to): (Square, Square),
        color: Color,
        rooks: Bitboard,
    ) -> Packed {
        let planes = level.load(&Quad(self.0));
        let moved = planes.shr(from.index() as u32) & level.splat(1);
        let remaining = planes & level.splat(!(1 << from.index() | 1 << to.index()));
        let lost = level.load(&LOST_RIGHT[color.index()]) & level.splat(rooks.0);
        let mut after = Quad::ZERO;
        ((remaining | moved.shl(to.index() as u32)) ^ lost).store(&mut after.0);
        Packed(after.0)
    }

    /// Packs only the pieces of a board, which is what a diagram shows.
    pub fn diagram_of(board: &Board) -> Packed {
        Packed(board.planes())
    }

    /// Returns the planes.
    pub const fn planes(self) -> [u64; 4] {
        self.0
    }

    /// Restores a packed position from its [`planes`](Packed::planes).
    pub const fn of_planes(planes: [u64; 4]) -> Packed {
        Packed(planes)
    }
}

/// Number of 32-bit words in a dense position.
pub const DENSE_WORDS: usize = 6;

/// A packed position without its empty squares.
///
/// **Shape**: two words that mark the occupied squares, lower ranks first, followed by one word per plane, with one bit
/// for each piece in order from a1 to h8.
pub type Dense = [u32; DENSE_WORDS];

#[inline_all]
impl Packed {
    /// Drops the empty squares. The position must have at most 32 pieces.
    pub fn dense<L: Token>(self, level: L) -> Dense {
        let planes = self.planes();
        let occupied = planes[0] | planes[1] | planes[2] | planes[3];
        debug_assert!(occupied.count_ones() <= 32);
        let [a, b, c, d] = gather(level, planes, occupied);
        [occupied as u32, (occupied >> 32) as u32, a as u32, b as u32, c as u32, d as u32]
    }

    /// Restores the empty squares.
    pub fn of_dense<L: Token>(level: L, [low, high, planes @ ..]: Dense) -> Packed {
        let occupied = u64::from(low) | u64::from(high) << 32;
        Packed::of_planes(scatter(level, planes.map(u64::from), occupied))
    }
}
