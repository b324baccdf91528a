//! A position in 32 bytes: equal positions have equal bytes, and the position can be restored.
//!
//! Each square has a code of four bits. Twelve are the board's own [`Code`](super::Code)s; three unused codes stand
//! for the rest of a position, each *instead of* the piece's own code, so that the 64 codes are all that is needed:
//!
//! | code | on the square |
//! |---|---|
//! | 0 | nothing |
//! | 1–6, 9–14 | a piece: pawn to king, Black's with 8 added |
//! | 7 | a rook that may still castle; White's on the first rank, Black's on the eighth |
//! | 8 | the pawn just pushed two squares, if the policy counts that; White's on the fourth rank, Black's on the fifth |
//! | 15 | the king of the side to move; the other king shows its colour |
//!
//! The rook's own square is marked, so Chess960 needs nothing more. Bit *i* of all codes is plane *i*, a set of squares:
//! packing is a dozen operations on the board's sets. The clocks are left out. There are always kings, so a packed
//! position is never all zero.

use super::{Bitboard, Board, Color, EnPassantPolicy, Role};

/// A position without its clocks, as a policy counts its en-passant square.
///
/// **Shape**: four planes of 64 squares; bit *i* of a square's code is in plane *i*.
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

const LOWER_HALF: u64 = 0xffff_ffff;

/// Writes the code `to` on these squares, which hold `from` or the same code of the other colour.
#[inline(always)]
fn recode(planes: &mut [u64; 4], squares: u64, from: u64, to: u64) {
    for (bit, plane) in planes[..3].iter_mut().enumerate() {
        if (from ^ to) >> bit & 1 != 0 {
            *plane ^= squares;
        }
    }
    planes[3] = if to & BLACK == 0 { planes[3] & !squares } else { planes[3] | squares };
}

/// Returns the squares with this code.
#[inline(always)]
fn squares_of(planes: &[u64; 4], code: u64) -> u64 {
    let agreeing = |bit: usize| if code >> bit & 1 != 0 { planes[bit] } else { !planes[bit] };
    agreeing(0) & agreeing(1) & agreeing(2) & agreeing(3)
}

/// Writes the code `to` on these squares, which hold `from`: White's in the lower half of the board, Black's in the
/// upper.
#[inline(always)]
fn uncode(planes: &mut [u64; 4], squares: u64, from: u64, to: u64) {
    recode(planes, squares, from, to);
    planes[3] |= squares & !LOWER_HALF;
}

impl Packed {
    /// Packs a position.
    #[inline(always)]
    pub fn of(board: &Board, policy: EnPassantPolicy) -> Packed {
        let mut planes = board.planes();
        let king = board.pieces(board.turn(), Role::King);
        recode(&mut planes, king.0, KING, KING_TO_MOVE);
        recode(&mut planes, board.castling_rooks().0, ROOK, CASTLING_ROOK);
        if let Some(square) = board.en_passant(policy) {
            recode(&mut planes, Bitboard::from(square.en_passant_partner()).0, PAWN, PUSHED_PAWN);
        }
        Packed(planes)
    }

    /// The position, with the clocks at their start. Where the policy did not count the en-passant square, there is none.
    #[inline(always)]
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

    /// Packs only the pieces of a board, as a diagram shows them.
    #[inline(always)]
    pub fn diagram_of(board: &Board) -> Packed {
        Packed(board.planes())
    }

    /// Returns the planes.
    #[inline(always)]
    pub const fn planes(self) -> [u64; 4] {
        self.0
    }

    /// Returns the position of planes that [`Packed::planes`] returned.
    #[inline(always)]
    pub const fn of_planes(planes: [u64; 4]) -> Packed {
        Packed(planes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Fen, Square};
    use super::*;
    use crate::walk::{Visitor, playout};
    use crate::{Position, chess::Move};
    use perft_gate_simd::{Level, Token};
    use std::collections::HashMap;

    const ROOTS: [&str; 7] = [
        Fen::START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        // Chess960: a king beside its rook, an inner castling rook, a king between two rooks.
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "1r1k3r/8/8/8/8/8/8/RR2K2R w KBk - 12 345",
        "4k3/1p1p1p1p/8/P1P1P1P1/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
        // Captures en passant that a pin forbids.
        "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
    ];

    /// Passes every position of a game to a function.
    struct Each<F>(F);

    impl<F: FnMut(&Board) + Send> Visitor<Position<()>> for Each<F> {
        const CUT: u32 = 0;
        type Frame = ();
        fn enter<L: Token>(&mut self, _: L, game: &mut Position<()>, _: u32, _: Option<(&(), Move)>) {
            self.0(game.board());
        }
        fn open(&mut self, _: &Position<()>) {}
        fn cut<L: Token>(&mut self, _: L, _: &mut Position<()>) {}
    }

    fn each_of_many(mut see: impl FnMut(&Board) + Send) {
        for root in ROOTS {
            let root = Position::new(Fen::parse(root).unwrap(), ());
            for number in 0..40 {
                playout(Level::detect(), root, &mut Each(&mut see), 120, 7, number);
            }
        }
    }

    /// Packs square by square, by the table above.
    fn reference(board: &Board, policy: EnPassantPolicy) -> [u64; 4] {
        let pushed = board.en_passant(policy).map(Square::en_passant_partner);
        let mut planes = [0; 4];
        for square in Square::all() {
            let code = match board.piece_on(square) {
                Some(piece) if piece.role == Role::King && piece.color == board.turn() => KING_TO_MOVE,
                _ if board.castling_rooks().has(square) => CASTLING_ROOK,
                _ if pushed == Some(square) => PUSHED_PAWN,
                piece => piece.map_or(0, |piece| piece.role as u64 + 8 * piece.color as u64),
            };
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane |= (code >> bit & 1) << square.index();
            }
        }
        planes
    }

    /// The FEN without its clocks.
    fn identity(board: &Board, policy: EnPassantPolicy) -> String {
        let fen = Fen::write_shredder(board, policy);
        fen.rsplitn(3, ' ').last().unwrap().to_string()
    }

    #[test]
    fn a_position_comes_back_from_its_planes() {
        let (mut seen, mut pushes, mut rooks) = (0, [0; 3], 0);
        each_of_many(|board| {
            seen += 1;
            rooks += board.castling_rooks().count();
            for policy in EnPassantPolicy::ALL {
                let packed = Packed::of(board, policy);
                assert_eq!(packed.planes(), reference(board, policy), "{board}");
                let again = packed.board();
                assert!(again.is_consistent(perft_gate_simd::V1::token()), "{board}");
                assert_eq!(identity(&again, policy), identity(board, policy), "{policy:?}");
                assert_eq!(Packed::of(&again, policy), packed, "{board}");
                // Every field, clocks and the e.p. squares of wider policies apart.
                let fen = format!("{} 0 1", identity(board, policy));
                assert_eq!(again, Fen::parse(&fen).unwrap(), "{fen}");
                pushes[policy as usize] += usize::from(board.en_passant(policy).is_some());
            }
        });
        assert!(seen > 10_000 && rooks > 5_000, "{seen} positions, {rooks} castling rooks");
        assert!(pushes[0] > pushes[1] && pushes[1] > pushes[2] && pushes[2] > 50, "{pushes:?}");
    }

    #[test]
    fn two_positions_are_packed_alike_if_their_fens_are() {
        for policy in EnPassantPolicy::ALL {
            let mut known: HashMap<Packed, String> = HashMap::new();
            let mut fens: HashMap<String, Packed> = HashMap::new();
            let mut again = 0;
            each_of_many(|board| {
                let (packed, fen) = (Packed::of(board, policy), identity(board, policy));
                again += usize::from(known.contains_key(&packed));
                assert_eq!(*known.entry(packed).or_insert_with(|| fen.clone()), fen);
                assert_eq!(*fens.entry(fen).or_insert(packed), packed);
            });
            assert!(again > 100, "{again}");
        }
    }

    #[test]
    fn a_diagram_is_the_pieces_and_nothing_else() {
        each_of_many(|board| {
            let diagram = Packed::diagram_of(board).planes();
            for square in Square::all() {
                let code = (0..4).fold(0, |code, bit| code | (diagram[bit] >> square.index() & 1) << bit);
                assert_eq!(code as usize, board.code(square).index(), "{board}");
            }
        });
    }

    #[test]
    fn what_makes_a_position_makes_a_difference() {
        let packed = |fen: &str, policy| Packed::of(&Fen::parse(fen).unwrap(), policy);
        use EnPassantPolicy::{Always, Legal, Pseudo};
        for (one, other, same) in [
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R w KQ - 9 30", [true; 3]),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1", [false; 3]),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R w K - 0 1", [false; 3]),
            ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", [false; 3]),
            // The other rook of the same wing.
            ("4k3/8/8/8/8/8/8/4KR1R w H - 0 1", "4k3/8/8/8/8/8/8/4KR1R w F - 0 1", [false; 3]),
            // A pawn that nobody can take, one whose capturer is pinned, one that can be taken.
            ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", [false, true, true]),
            ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1", [false, false, true]),
            ("8/8/8/8/k2pP3/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP3/8/8/4K3 b - - 0 1", [false; 3]),
        ] {
            for (policy, same) in [Always, Pseudo, Legal].into_iter().zip(same) {
                assert_eq!(packed(one, policy) == packed(other, policy), same, "{policy:?}: {one}, {other}");
            }
        }
    }
}
