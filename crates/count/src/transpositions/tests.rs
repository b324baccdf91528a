//! Tests that each step preserves the number of paths to every position, and that merging paths gives the same counts
//! of whole trees as visiting every path.

use super::count::MIN_DEPTH;
use super::three_plies::{Multiplicities, Multiplicity, NodeVisitor, find_paths, visit_nodes};
use crate::counter::tests::Kept;
use crate::{Paths, TreeCounter};
use perft_gate_chess::{Board, EnPassantPolicy, Fen, MoveList, MoveNames, Packed, legal_moves};
use perft_gate_simd::{Level, Token};
use perft_gate_walk::{Control, Position, board_after};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::HashMap;

const SEED: u64 = 20_261_127;

const FENS: [&str; 14] = [
    Fen::START,
    Fen::KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    // Double pushes next to the other side's pawns.
    "4k3/2p1p1p1/8/1P1P1P2/2p1p1p1/8/1P1P1P2/4K3 w - - 0 1",
    "8/2p1p3/8/k2P3R/3p3r/8/2P1P3/4K3 w - - 0 1",
    // More moves than the maximum number that are compared with each other.
    "qq2k2q/q6q/8/8/8/8/Q6Q/QQ2K2Q w - - 0 1",
    // A king and sliders with many routes.
    "3k4/8/8/2r5/8/4Q3/8/2B1K3 w - - 0 1",
    "8/8/3k4/8/8/3K4/8/8 w - - 0 1",
];

/// Trees of at most a few million leaf nodes, at each depth that takes a different code path.
const TREES: [(&str, u32); 7] = [
    (Fen::START, MIN_DEPTH),
    (FENS[2], MIN_DEPTH),
    (FENS[2], MIN_DEPTH + 1),
    (FENS[6], MIN_DEPTH),
    (FENS[9], MIN_DEPTH),
    (FENS[10], MIN_DEPTH),
    (FENS[13], MIN_DEPTH + 2),
];

fn random_position(fen: &str, random: &mut ChaCha8Rng) -> Board {
    let mut board = Fen::parse(fen).expect(fen);
    for _ in 0..random.next_u64() % 12 {
        let moves = legal_moves(&board);
        if moves.is_empty() {
            break;
        }
        board = board_after(&board, moves[random.next_u64() as usize % moves.len()]);
    }
    board
}

/// Returns the part of a board that is the same for equal positions.
fn packed(board: &Board) -> Packed {
    Packed::new(board, EnPassantPolicy::Legal)
}

/// The number of paths to each position three plies below another, computed from the multiplicities, and the number of
/// merged paths.
#[derive(Default)]
struct Found {
    paths: HashMap<Packed, Multiplicity>,
    merged: u64,
}

impl NodeVisitor for Found {
    fn visit<L: Token>(&mut self, _: L, node: &Position<()>, moves: &MoveList, paths: &mut [Multiplicity]) -> bool {
        assert_eq!(moves.len(), paths.len());
        for (&mv, &paths) in moves.iter().zip(&*paths) {
            self.merged += u64::from(paths == 0);
            if paths > 0 {
                *self.paths.entry(packed(&board_after(node.board(), mv))).or_default() += paths;
            }
        }
        true
    }
}

/// For each position three plies below `board`, compares the number of paths that results from the multiplicities with
/// the number found by following every path. `above` holds the number of paths to each node two plies below it. Returns
/// the number of paths that are represented by other paths.
fn compare(level: Level, board: &Board, above: &Multiplicities) -> u64 {
    let plies = find_paths(level, board, above);
    let (mut found, mut expected) = (Found::default(), HashMap::<Packed, Multiplicity>::new());
    let moves = legal_moves(board);
    assert_eq!(plies.moves.len(), moves.len());
    for (first, &mv) in moves.iter().enumerate() {
        let after_move = board_after(board, mv);
        for (number, &reply) in legal_moves(&after_move).iter().enumerate() {
            let node = board_after(&after_move, reply);
            let paths = match above {
                Multiplicities::Ones => 1,
                Multiplicities::Listed(replies) => replies[first].get(number).copied().unwrap_or(0),
            };
            for &second in legal_moves(&node).iter().filter(|_| paths > 0) {
                *expected.entry(packed(&board_after(&node, second))).or_default() += paths;
            }
        }
        if plies.first_move(first).is_some() {
            visit_nodes(level, &plies, above, first, after_move, &mut found);
        }
    }
    assert_eq!(found.paths, expected, "{level}: {board:?}");
    found.merged
}

#[test]
fn every_position_keeps_its_number_of_paths() {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut merged = [0; FENS.len()];
    for round in 0..8 {
        for (fen, merged) in FENS.iter().zip(&mut merged) {
            let board = random_position(fen, &mut random);
            // Rounds alternate between one path to every node and zero to four paths to each node.
            let mut multiplicity = |_: &_| Multiplicity::from((random.next_u64() % 7).saturating_sub(2));
            let above = match round % 2 {
                0 => Multiplicities::Ones,
                _ => Multiplicities::Listed(
                    legal_moves(&board)
                        .iter()
                        .map(|&mv| legal_moves(&board_after(&board, mv)).iter().map(&mut multiplicity).collect())
                        .collect(),
                ),
            };
            // All levels find the same lists of moves.
            let level = Level::all()[round % Level::all().len()];
            *merged += compare(level, &board, &above);
        }
    }
    assert!(merged.iter().all(|&merged| merged > 0), "paths that others stand for: {merged:?}");
}

/// Returns the multiplicities of the nodes after a move, a reply and each second move.
fn after(fen: &str, mv: &str, reply: &str) -> HashMap<String, Multiplicity> {
    struct Named(Packed, HashMap<String, Multiplicity>);
    impl NodeVisitor for Named {
        fn visit<L: Token>(&mut self, _: L, node: &Position<()>, moves: &MoveList, paths: &mut [Multiplicity]) -> bool {
            if packed(node.board()) == self.0 {
                self.1 = moves.iter().map(|mv| mv.uci().to_string()).zip(paths.iter().copied()).collect();
            }
            true
        }
    }
    let play = |board: &Board, name: &str| board_after(board, MoveNames::new(board).read(name).expect("legal"));
    let (board, level) = (Fen::parse(fen).expect(fen), Level::detect());
    let plies = find_paths(level, &board, &Multiplicities::Ones);
    let first = legal_moves(&board).iter().position(|found| found.uci().to_string() == mv).expect("legal");
    let after_move = play(&board, mv);
    let node = packed(&play(&after_move, reply));
    let mut visitor = Named(node, HashMap::new());
    visit_nodes(level, &plies, &Multiplicities::Ones, first, after_move, &mut visitor);
    visitor.1
}

#[test]
fn paths_that_end_in_one_position_are_counted_once() {
    let both = |fen, [a, b]: [&str; 2], reply| {
        let [a_then_b, b_then_a] = [(a, b), (b, a)].map(|(first, second)| after(fen, first, reply)[second]);
        assert!(a_then_b == 1 && b_then_a == 1 || a_then_b + b_then_a == 2, "{fen}: {a_then_b}, {b_then_a}");
        a_then_b != b_then_a
    };
    // The moves change places.
    assert!(both(Fen::START, ["a2a3", "h2h3"], "e7e5"));
    assert!(both(Fen::START, ["a2a4", "h2h4"], "e7e5"));
    // A pawn has only one route to a square.
    assert_eq!(after(Fen::START, "a2a3", "e7e5")["a3a4"], 1);
    // A double push that comes last can be captured en passant, so the positions differ. In the third position no pawn
    // can capture it.
    assert!(!both("4k3/8/8/8/1p6/8/P6P/4K3 w - - 0 1", ["a2a4", "h2h3"], "e8e7"));
    assert!(!both("4k3/8/8/1p6/8/8/P6P/4K3 w - - 0 1", ["a2a4", "h2h3"], "b5b4"));
    assert!(both("4k3/8/8/3p4/8/8/P6P/4K3 w - - 0 1", ["a2a4", "h2h3"], "d5d4"));
    // Promotions and castling can change places with another move. Other moves can also change places around a reply
    // that promotes or castles.
    for promotion in ["a7a8q", "a7a8n"] {
        assert!(both("8/P7/8/4k3/8/8/7P/4K3 w - - 0 1", [promotion, "h2h3"], "e5e6"));
    }
    assert!(both("4k3/p7/8/8/8/8/P7/4K2R w K - 0 1", ["e1g1", "a2a3"], "a7a6"));
    assert!(both("r3k3/8/8/8/8/8/P6P/4K3 w q - 0 1", ["a2a3", "h2h3"], "e8c8"));
    assert!(both("8/8/8/4K3/8/8/P2k2pP/8 w - - 0 1", ["a2a3", "h2h3"], "g2g1r"));
    // The reply captures the bishop, or the bishop captures the replying rook.
    assert!(!both("4k3/8/8/2r5/8/8/8/B3K2N w - - 0 1", ["a1c3", "h1g3"], "c5c3"));
    // A king's routes over empty squares: only one of them is visited, and it counts for all.
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let routes = ["e1d1", "e1f1", "e1d2", "e1e2", "e1f2"].map(|mv| after(fen, mv, "e8e7"));
    let to = |square: &str| {
        let end =
            |paths: &HashMap<String, Multiplicity>| paths.iter().find(|(mv, _)| mv.ends_with(square)).map(|(_, &n)| n);
        let mut paths: Vec<_> = routes.iter().filter_map(end).collect();
        paths.sort();
        paths
    };
    assert_eq!(to("e3"), [0, 0, 3]);
    assert_eq!(to("e1"), [0, 0, 0, 0, 5]);
    assert_eq!(to("d3"), [0, 2]);
    // A route with a capture on its first move ends in another position.
    let fen = "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1";
    assert_eq!(after(fen, "e1d2", "e8e7")["d2e3"], 1);
}

#[test]
fn trees_are_counted_as_by_every_path() {
    for level in Level::all() {
        for (fen, depth) in TREES {
            let board = Fen::parse(fen).expect(fen);
            let merged = TreeCounter::new(level);
            let every = TreeCounter { paths: Paths::Every, ..merged };
            let control = Control::default();
            let expected = every.leaves(&board, depth, &control).nodes;
            assert_eq!(merged.leaves(&board, depth, &control).nodes, expected, "{level}, {fen}");
            let progress = control.progress();
            assert_eq!((progress.done, progress.total > 0), (progress.total, true), "{level}, {fen}: {progress:?}");
            let divided = merged.divide(&board, depth, &control);
            assert_eq!(divided, every.divide(&board, depth, &control), "{level}, {fen}");
            let journal = Kept::default();
            let journaled = TreeCounter { journal: Some(&journal), ..merged };
            for _ in 0..2 {
                assert_eq!(journaled.leaves(&board, depth, &control).nodes, expected, "{level}, {fen}");
            }
        }
    }
}
