//! Tests of the worked examples in the module docs, and of set-wise counts against making every move.

mod oracle;

use super::castling::Castle;
use super::replies::Scratch;
use super::slides::reach_east;
use super::{Bulk, Position, Subtree};
use perft_gate_simd::{Kernel, Level, Plain, Portable, Token, U64s, V1};
use perft_gate_walk::chess::{Bitboard, Board, EnPassantPolicy, Fen, Square, legal_moves, write_fen};
use perft_gate_walk::walk::Game;

pub(super) fn set(squares: &[&str]) -> Bitboard {
    squares.iter().map(|name| square(name)).collect()
}

pub(super) fn square(name: &str) -> Square {
    let [file, rank] = name.as_bytes() else { panic!("{name}") };
    Square::new(u32::from(rank - b'1') * 8 + u32::from(file - b'a'))
}

#[test]
fn what_castling_needs() {
    let castle = Castle::of_mover(square("e1"), square("h1"));
    assert_eq!((castle.path, castle.king_path), (set(&["f1", "g1"]), set(&["e1", "f1", "g1"])));
    let castle = Castle::of_replier(square("e8"), square("a8"));
    assert_eq!((castle.path, castle.king_path), (set(&["b8", "c8", "d8"]), set(&["c8", "d8", "e8"])));
    // The king steps over the rook's square, and the rook over the king's.
    let castle = Castle::of_mover(square("b1"), square("a1"));
    assert_eq!((castle.path, castle.king_path), (set(&["c1", "d1"]), set(&["b1", "c1"])));
    // Only the rook moves.
    let castle = Castle::of_mover(square("g1"), square("h1"));
    assert_eq!((castle.path, castle.king_path), (set(&["f1"]), set(&["g1"])));
}

#[test]
fn rooks_towards_the_east() {
    let (rooks, all) = (set(&["a1", "d1"]), set(&["a1", "d1", "g1"]));
    let lanes = |set: Bitboard| Portable::<8>::splat(Plain, set.0);
    let mut reached = [0; 8];
    reach_east(lanes(all), lanes(rooks)).store(&mut reached);
    assert_eq!(reached.map(Bitboard), [set(&["b1", "c1", "d1", "e1", "f1", "g1"]); 8]);
}

/// Counts the replies to all moves, set-wise if the level can, and by making every move.
struct BothWays<'a>(&'a Position<()>, &'a mut Scratch);

impl Kernel for BothWays<'_> {
    type Output = (Option<u64>, u64);
    #[inline(always)]
    fn run<L: Token>(self, level: L) -> (Option<u64>, u64) {
        let BothWays(position, scratch) = self;
        let setwise = L::FAST_VECTORS.then(|| level.call(Subtree(position.board(), scratch)));
        (setwise, level.call(Bulk(position.board())))
    }
}

#[test]
fn the_worked_examples_of_the_essay() {
    let examples =
        [("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 400), ("3r3k/8/8/8/8/8/8/3R2K1 w - - 0 1", 235)];
    let mut scratch = Scratch::new();
    for (fen, expected) in examples {
        let position = Position::new(Fen::parse(fen).expect(fen), ());
        for level in Level::all() {
            let (found, made) = level.dispatch(BothWays(&position, &mut scratch));
            assert_eq!((found.unwrap_or(expected), made), (expected, expected), "{level}, {fen}");
        }
    }
}

fn fen_of(board: &Board) -> String {
    let mut text = String::new();
    write_fen(&mut text, board, EnPassantPolicy::Always, false).expect("a string takes all");
    text
}

#[test]
fn every_level_counts_as_if_each_move_were_made() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        // Chess960, more than eight pieces other than pawns, knights that all defend one piece, promotions everywhere.
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
        "rnbqkbnr/pppp4/8/QQ6/8/8/PPPPPP2/RNBQKBNR w KQkq - 0 1",
        "qqq1k1qq/8/8/8/8/8/8/QQQ1K1QQ w - - 0 1",
        "r3k2r/1pppppp1/8/8/8/8/1PPPPPP1/R3K2R w KQkq - 0 1",
        "4k3/8/2n1n3/1n3n2/3q4/1n3n2/2n1n3/RNBQKBNR w KQ - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];
    let (mut scratch, mut random) = (Scratch::new(), 1_u64);
    let mut compared = 0;
    for fen in starts {
        for _ in 0..8 {
            let mut position = Position::new(Fen::parse(fen).expect(fen), ());
            for ply in 0..60 {
                for level in Level::all() {
                    let (found, expected) = level.dispatch(BothWays(&position, &mut scratch));
                    compared += u64::from(found.is_some());
                    assert_eq!(
                        found.unwrap_or(expected),
                        expected,
                        "{level}, {fen}, ply {ply}: {}",
                        fen_of(position.board())
                    );
                }
                let moves = legal_moves(position.board());
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                let mv = moves[(random >> 33) as usize % moves.len()];
                let _ = position.play(V1::token(), mv);
            }
        }
    }
    println!("positions compared: {compared}");
}
