//! Tests of the worked examples in the module docs. `oracle` checks set-wise counts by making every move.

mod oracle;

use super::leaf_counter::{LeafCounter, count_in_bulk, count_subtree};
use super::scratch::Scratch;
use perft_gate_chess::Fen;
use perft_gate_simd::{Level, Token, kernel};
use perft_gate_walk::{Control, Position, walk};

/// Counts the replies to all moves in two ways: set-wise, if the CPU level has fast vectors, and by making every move.
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
        // Guards near a king (`zone`): with castling, with castling prevented, and with a slider behind the guard.
        ("4k2r/8/8/8/8/8/8/1K1R4 w k - 0 1", 205),
        ("4k2r/8/8/8/1B6/8/8/1K1R4 w k - 0 1", 273),
        ("4k2r/8/8/8/1B6/Q7/8/1K1R4 w k - 0 1", 376),
        // Pins (`pins`), without and with moves that must be counted singly.
        ("4k3/4n3/8/8/8/8/8/4R1K1 w - - 0 1", 89),
        ("4k3/4b3/8/8/4R3/8/8/6K1 w - - 0 1", 129),
        // After castling, king and rook both prevent the same step of the black king, to d2 or f2. The black king loses
        // one step, not two.
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

/// Alternates between counting two different positions whose pieces are on the same squares. The counters share memory,
/// but results kept for one position must not be used for the other.
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

/// Counts a suite that fails if the counter lacks a significant term: `ci/gate/terms` removes the terms one by one.
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
