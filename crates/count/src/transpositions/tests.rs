//! Tests that merging keeps the number of paths to every position, and that counts with merging equal counts of every
//! path.

use super::{MIN_DEPTH, MIN_SLOTS, Merged, NO_MOVES, Node, PathCounter, SLOTS_PER_CHILD, add_move, expand};
use crate::counter::tests::Kept;
use crate::{Paths, Sharing, TreeCounter};
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Move, Packed, Square, legal_moves};
use perft_gate_simd::Level;
use perft_gate_walk::{Control, board_after};
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
    // Many moves.
    "qq2k2q/q6q/8/8/8/8/Q6Q/QQ2K2Q w - - 0 1",
    // A king and sliders with many routes.
    "3k4/8/8/2r5/8/4Q3/8/2B1K3 w - - 0 1",
    "8/8/3k4/8/8/3K4/8/8 w - - 0 1",
];

/// Trees of at most a few million leaf nodes, at each depth that takes a different code path.
const TREES: [(&str, u32); 9] = [
    (Fen::START, MIN_DEPTH),
    (FENS[2], MIN_DEPTH),
    (FENS[2], MIN_DEPTH + 1),
    (FENS[6], MIN_DEPTH),
    (FENS[9], MIN_DEPTH),
    (FENS[10], MIN_DEPTH),
    (FENS[13], MIN_DEPTH + 2),
    // Stalemate, and mate in one.
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", MIN_DEPTH + 1),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", MIN_DEPTH),
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

/// Returns the children of positions, with the number of paths to each one, found by making every move.
fn children_by_every_path(positions: &HashMap<Packed, (Board, u128)>) -> HashMap<Packed, (Board, u128)> {
    let mut children = HashMap::new();
    for (board, paths) in positions.values() {
        for &mv in &legal_moves(board) {
            let child = board_after(board, mv);
            children.entry(packed(&child)).or_insert((child, 0)).1 += paths;
        }
    }
    children
}

#[test]
fn every_child_keeps_its_number_of_paths() {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut most = 0;
    for round in 0..4 {
        // The CPU levels take turns, because all of them find the same moves.
        let level = Level::all()[round % Level::all().len()];
        for fen in FENS {
            let root = random_position(fen, &mut random);
            // The chunk holds some positions twice. Some numbers of paths do not fit in 32 bits.
            let below = |board: &Board| legal_moves(board).iter().map(|&mv| board_after(board, mv)).collect::<Vec<_>>();
            let mut nodes: Vec<Node> = below(&root).iter().flat_map(below).map(|board| Node::root(&board)).collect();
            nodes.truncate(400);
            nodes.extend_from_within(nodes.len() / 2..);
            let mut positions = HashMap::<Packed, (Board, u128)>::new();
            for node in &mut nodes {
                node.paths = u128::from(random.next_u64()) >> (random.next_u64() % 64);
                positions.entry(node.position).or_insert((node.position.board(), 0)).1 += node.paths;
            }
            let children = expand(level, &mut Merged::default(), &nodes, root.turn());
            let expected = children_by_every_path(&positions);
            assert_eq!(children.len(), expected.len(), "{level}, {root:?}");
            most = most.max(children.len());
            for child in children {
                let paths = expected.get(&child.position).map(|(_, paths)| *paths);
                assert_eq!(paths, Some(child.paths), "{level}, {root:?}, {:?}", child.mv);
            }
        }
    }
    assert!(most * SLOTS_PER_CHILD > 2 * MIN_SLOTS, "no hash table grew twice: {most} children");
}

/// The order of the moves must not matter, nor the route of a piece for the low half of the key.
#[test]
fn the_sort_key_depends_only_on_the_set_of_moves() {
    let key = |moves: &[(u32, u32)]| {
        let moves = moves.iter().map(|&(from, to)| Move::new(Square::new(from), Square::new(to), 0));
        moves.fold(NO_MOVES, add_move)
    };
    let [a, b, c] = [(8, 16), (15, 23), (1, 18)];
    let ordered = key(&[a, b, c]);
    for moves in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
        assert_eq!(key(&moves), ordered, "{moves:?}");
    }
    assert_ne!(key(&[a, b, (1, 16)]), ordered);
    assert_eq!(key(&[(4, 3), (3, 12)]) & 0xffff, key(&[(4, 5), (5, 12)]) & 0xffff);
}

/// With so few positions, a tree can be so deep that most numbers of paths do not fit in 32 bits.
#[test]
fn a_deep_tree_of_few_positions_is_counted() {
    let board = Fen::parse("8/8/3k4/8/8/3K4/8/8 w - - 0 1").expect("a position");
    let mut positions = HashMap::from([(packed(&board), (board, 1))]);
    for _ in 0..17 {
        positions = children_by_every_path(&positions);
    }
    let expected = positions.values().map(|(_, paths)| paths).sum::<u128>();
    for level in Level::all() {
        assert_eq!(TreeCounter::new(level).nodes(&board, 17, &Control::default()), expected, "{level}");
    }
}

#[test]
fn trees_in_many_parts_are_counted_as_by_every_path() {
    let level = Level::detect();
    for (fen, depth) in TREES {
        let board = Fen::parse(fen).expect(fen);
        let every = TreeCounter { paths: Paths::Every, ..TreeCounter::new(level) };
        let expected = every.nodes(&board, depth, &Control::default());
        for sharing in [Sharing::AllThreads, Sharing::OneThread] {
            let control = Control::default();
            let counter = PathCounter { room: 100, ..PathCounter::new(level, &control, sharing) };
            assert_eq!(counter.leaves(&board, depth, 1_000_003), expected, "{fen}");
            assert_eq!(control.progress().done, 1_000_003, "{fen}");
        }
    }
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
