//! Packs and restores every position of random games.

use super::STARTS;
use crate::{Position, Visitor, playout};
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Move, Packed, Role, Square};
use perft_gate_simd::{Level, Token, V1};

/// Passes every position of a game to a function.
struct Each<F>(F);

impl<F: FnMut(&Board) + Send> Visitor<Position<()>> for Each<F> {
    type Frame = ();
    fn enter<L: Token>(&mut self, _: L, game: &mut Position<()>, _: u32, _: Option<(&(), Move)>) {
        self.0(game.board());
    }
    fn open(&mut self, _: &Position<()>) {}
}

/// Codes from the table in the module documentation of `packed`.
const CASTLING_ROOK: u64 = 7;
const PUSHED_PAWN: u64 = 8;
const KING_TO_MOVE: u64 = 15;

/// Packs a board square by square, according to the table in `packed`.
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
    let mut visitor = Each(|board: &Board| {
        seen += 1;
        rooks += board.castling_rooks().count();
        for policy in EnPassantPolicy::ALL {
            let packed = Packed::new(board, policy);
            assert_eq!(packed.planes(), reference(board, policy), "{board}");
            let level = V1::token();
            assert_eq!(Packed::of_dense(level, packed.dense(level)), packed, "{board}");
            let again = packed.board();
            assert!(again.is_consistent(level), "{board}");
            assert_eq!(identity(&again, policy), identity(board, policy), "{policy:?}");
            assert_eq!(Packed::new(&again, policy), packed, "{board}");
            // Compares every field except the clocks and an e.p. square that does not count under `policy`.
            let fen = format!("{} 0 1", identity(board, policy));
            assert_eq!(again, Fen::parse(&fen).unwrap(), "{fen}");
            pushes[policy as usize] += usize::from(board.en_passant(policy).is_some());
        }
    });
    for (root, number) in STARTS.into_iter().flat_map(|root| (0..40).map(move |number| (root, number))) {
        playout(Level::detect(), Position::new(Fen::parse(root).unwrap(), ()), &mut visitor, 120, 7, number);
    }
    assert!(seen > 10_000 && rooks > 5_000, "{seen} positions, {rooks} castling rooks");
    assert!(pushes[0] > pushes[1] && pushes[1] > pushes[2] && pushes[2] > 50, "{pushes:?}");
}
