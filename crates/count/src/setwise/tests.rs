//! Tests of the worked examples in the module docs. `oracle` compares set-wise counts with making every move.

mod oracle;

use super::castling::Castle;
use super::leaf_counter::{LeafCounter, count_in_bulk, count_subtree};
use super::scratch::Scratch;
use super::slides::reach_east;
use perft_gate_chess::{Bitboard, Fen, Square, legal_moves};
use perft_gate_simd::{Level, Plain, Portable, Token, U64s, kernel};
use perft_gate_walk::{Control, Position, board_after, walk};

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
    // The king crosses the rook's square, and the rook the king's.
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

/// Counts the replies to all moves by making every move, and set-wise if the level has fast vectors.
#[kernel]
fn count_both_ways<L: Token>(level: L, position: &Position<()>, scratch: &mut Scratch) -> (Option<u64>, u64) {
    let setwise = L::FAST_VECTORS.then(|| count_subtree(level, position.board(), scratch));
    (setwise, count_in_bulk(level, position.board()))
}

#[test]
fn the_worked_examples() {
    let examples = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 400),
        ("3r3k/8/8/8/8/8/8/3R2K1 w - - 0 1", 235),
        ("7k/8/8/p7/8/8/2R5/1K6 w - - 0 1", 64),
        // The surroundings of a king (`zone`): a guard and castling, hindered castling, and a backed guard.
        ("4k2r/8/8/8/8/8/8/1K1R4 w k - 0 1", 205),
        ("4k2r/8/8/8/1B6/8/8/1K1R4 w k - 0 1", 273),
        ("4k2r/8/8/8/1B6/Q7/8/1K1R4 w k - 0 1", 376),
        // Pins (`pins`), without and with a conflict.
        ("4k3/4n3/8/8/8/8/8/4R1K1 w - - 0 1", 89),
        ("4k3/4b3/8/8/4R3/8/8/6K1 w - - 0 1", 129),
        // After castling, king and rook both take the same step, d2 or f2, from the black king: one step, not two.
        ("8/8/8/8/1P6/4k3/8/RK6 w A - 0 1", 93),
        ("8/8/8/R7/8/4k3/8/1K5R w H - 0 1", 218),
    ];
    let mut scratch = Scratch::new();
    for (fen, expected) in examples {
        let position = Position::new(Fen::parse(fen).expect(fen), ());
        for level in Level::all() {
            let (found, made) = count_both_ways(level, &position, &mut scratch);
            assert_eq!((found.unwrap_or(expected), made), (expected, expected), "{level}, {fen}");
        }
    }
}

/// Counts the replies to single moves of the worked examples.
#[test]
fn single_moves_of_the_worked_examples() {
    for (fen, mv, expected) in [
        ("4k2r/8/8/8/8/8/8/1K1R4 w k - 0 1", "d1d6", 13),
        ("4k2r/8/8/8/8/8/8/1K1R4 w k - 0 1", "d1d7", 12),
        ("4k2r/8/8/8/8/8/8/1K1R4 w k - 0 1", "d1e1", 4),
        ("4k2r/8/8/8/8/8/8/1K1R4 w k - 0 1", "d1d8", 3),
        ("4k2r/8/8/8/1B6/8/8/1K1R4 w k - 0 1", "b1a1", 10),
        ("4k2r/8/8/8/1B6/8/8/1K1R4 w k - 0 1", "b4c3", 13),
        ("4k2r/8/8/8/1B6/8/8/1K1R4 w k - 0 1", "b4a3", 10),
        ("4k2r/8/8/8/1B6/8/8/1K1R4 w k - 0 1", "d1d6", 13),
        ("4k2r/8/8/8/1B6/Q7/8/1K1R4 w k - 0 1", "b4c3", 10),
        ("4k3/4n3/8/8/8/8/8/4R1K1 w - - 0 1", "g1g2", 4),
        ("4k3/4n3/8/8/8/8/8/4R1K1 w - - 0 1", "e1a1", 10),
        ("4k3/4n3/8/8/8/8/8/4R1K1 w - - 0 1", "e1e7", 3),
        ("4k3/4b3/8/8/4R3/8/8/6K1 w - - 0 1", "e4a4", 13),
        ("4k3/4b3/8/8/4R3/8/8/6K1 w - - 0 1", "e4b4", 12),
    ] {
        let board = Fen::parse(fen).expect(fen);
        let mv = legal_moves(&board).iter().copied().find(|legal| legal.uci().to_string() == mv).expect(mv);
        assert_eq!(legal_moves(&board_after(&board, mv)).len(), expected, "{fen}, {}", mv.uci());
    }
}

/// Alternately counts two different positions whose pieces are on the same squares. The counters share memory, but
/// results kept for siblings must not carry over.
#[test]
fn what_was_found_of_one_position_is_not_used_for_another() {
    let fens = ["rn2kb2/8/8/8/8/8/8/RN2KB2 w - - 0 1", "br2kn2/8/8/8/8/8/8/BR2KN2 w - - 0 1"];
    let control = Control::default();
    let leaves = |level: Level, fen: &str, depth: u32| {
        let (mut position, mut counter) = (Position::new(Fen::parse(fen).expect(fen), ()), LeafCounter::new(&control));
        walk(level, &mut position, &mut counter, depth);
        counter.total
    };
    for level in Level::all() {
        for depth in 2..=4 {
            for fen in [fens[0], fens[1], fens[0]] {
                let expected = leaves(Level::from_name("v1").expect("the portable level"), fen, depth);
                assert_eq!(leaves(level, fen, depth), expected, "{level}, {fen}, depth {depth}");
            }
        }
    }
}

/// Counts a suite that needs every significant term of the counter: `ci/gate/terms` removes the terms one at a time.
#[test]
fn interactions_are_counted_right_on_every_level() {
    let control = Control::default();
    let lines = perft_suites::INTERACTIONS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut counts = 0;
    for line in lines {
        let mut fields = line.split(" ;");
        let fen = fields.next().expect("a position");
        let board = Fen::parse(fen).expect(fen);
        for (depth, expected) in fields.filter_map(|field| field.strip_prefix('D')?.split_once(' ')) {
            let (depth, expected): (u32, u64) = (depth.parse().expect(line), expected.parse().expect(line));
            for level in Level::all().into_iter().filter(|_| depth > 1) {
                let mut counter = LeafCounter::new(&control);
                walk(level, &mut Position::new(board, ()), &mut counter, depth);
                assert_eq!(counter.total, expected, "{level}, {fen}, depth {depth}");
                counts += 1;
            }
        }
    }
    assert!(counts > 100, "{counts} counts compared");
}
