//! Every leaf counter, on every level, compared with the independent generator `cozy-chess`. The positions are seeded:
//! random games, standard and Chess960, and random diagrams full of traps for set-wise counting.

use super::generator;
use perft_gate_chess::{Board, Fen};
use perft_gate_simd::Level;
use perft_gate_walk::Position;
use perft_gate_walk::{Control, Count, walk};

const SEED: u64 = 20_261_121;

/// Perft(2) by the bulk counter, child by child.
fn in_bulk(board: &Board, level: Level) -> u128 {
    let control = Control::default();
    let mut count = Count::<1>::new(2, &control);
    walk(level, &mut Position::new(*board, ()), &mut count, 2);
    count.nodes[2].into()
}

/// Compares perft(2) of the position on all levels.
fn compare(board: &cozy_chess::Board, number: usize, seed: u64) {
    let fen = format!("{board:#}");
    let ours = Fen::parse(&fen).unwrap_or_else(|error| panic!("seed {seed}: '{fen}': {error}"));
    let expected = generator::perft(board, 2);
    let levels = Level::all();
    for level in &levels[1.min(levels.len() - 1)..] {
        let found = perft_gate_count::leaves(&ours, 2, *level, &Control::default()).nodes;
        assert_eq!(found, expected, "seed {seed}: '{fen}' perft(2), set-wise on level {level}");
    }
    // The slower counters alternate.
    match number % 8 {
        0 => assert_eq!(in_bulk(&ours, Level::portable()), expected, "seed {seed}: '{fen}' perft(2), in bulk on v1"),
        1 => assert_eq!(in_bulk(&ours, Level::detect()), expected, "seed {seed}: '{fen}' perft(2), in bulk"),
        2 => {
            let found = perft_gate_count::leaves(&ours, 2, Level::portable(), &Control::default()).nodes;
            assert_eq!(found, expected, "seed {seed}: '{fen}' perft(2), leaves on v1");
        }
        _ => {}
    }
}

/// Plays random games and compares every position.
fn compare_games(positions: usize, seed: u64, start: impl Fn(u64) -> cozy_chess::Board) {
    let mut random = generator::random(seed);
    let mut compared = 0;
    while compared < positions {
        let mut board = start(random());
        for _ in 0..120 {
            let moves = generator::moves(&board);
            if moves.is_empty() || board.status() != cozy_chess::GameStatus::Ongoing {
                break;
            }
            board.play_unchecked(moves[random() as usize % moves.len()]);
            compare(&board, compared, seed);
            compared += 1;
        }
    }
}

fn chess960(random: u64) -> cozy_chess::Board {
    cozy_chess::Board::double_chess960_startpos((random % 960) as u32, (random / 960 % 960) as u32)
}

/// Compares random diagrams, and the positions one move later.
fn compare_diagrams(positions: usize, seed: u64) {
    let mut random = generator::random(seed);
    let (mut compared, mut refused) = (0, 0);
    while compared < positions {
        // One of the two rejects impossible checks.
        let Some(board) = generator::diagram(&mut random).filter(|board| Fen::parse(&format!("{board:#}")).is_ok())
        else {
            refused += 1;
            continue;
        };
        compare(&board, compared, seed);
        compared += 1;
        let moves = generator::moves(&board);
        if !moves.is_empty() {
            let mut child = board.clone();
            child.play_unchecked(moves[random() as usize % moves.len()]);
            compare(&child, compared, seed);
            compared += 1;
        }
    }
    assert!(refused < 30 * positions, "{refused} of the diagrams were no positions");
}

/// Positions that overflow a sum if any position does: eight knights that defend one piece; every line and every
/// knight's jump of a side on one square; nine queens.
const CROWDS: [&str; 3] = [
    "7k/8/2n1n3/1n3n2/3q4/1n2Pn2/PPn1n1PP/RNB4K w - - 0 1",
    "k7/B2Q2B1/2N1N3/1N3N2/R2p3Q/1N2KN2/2N1N3/Q2R4 w - - 0 1",
    "1k6/8/2q2q2/q6q/8/4q3/qqq1P3/2B1K1NR w K - 0 1",
];

#[test]
fn crowds_agree_with_cozy_chess() {
    for fen in CROWDS {
        let board: cozy_chess::Board = fen.parse().unwrap_or_else(|error| panic!("'{fen}': {error}"));
        (0..8).for_each(|number| compare(&board, number, 0));
        let fen: String = fen
            .chars()
            .map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect();
        let mut fields = fen.split(' ');
        let pieces = fields.next().unwrap().split('/').rev().collect::<Vec<_>>().join("/");
        let rights = fields.nth(1).unwrap();
        let mirrored = format!("{pieces} b {rights} - 0 1");
        compare(&mirrored.parse().unwrap_or_else(|error| panic!("'{mirrored}': {error}")), 0, 0);
    }
}

#[test]
fn standard_playouts_agree_with_cozy_chess() {
    compare_games(70_000, SEED, |_| cozy_chess::Board::default());
}

#[test]
fn chess960_playouts_agree_with_cozy_chess() {
    compare_games(50_000, SEED, chess960);
}

#[test]
fn diagrams_agree_with_cozy_chess() {
    compare_diagrams(80_000, SEED);
}

#[test]
fn sparse_positions_agree_with_cozy_chess() {
    let mut random = generator::random(SEED);
    let mut compared = 0;
    while compared < 60_000 {
        let board = generator::sparse(&mut random);
        let Some(board) = board.filter(|board| Fen::parse(&format!("{board:#}")).is_ok()) else { continue };
        compare(&board, compared, SEED);
        compared += 1;
    }
}

#[test]
#[ignore = "a million positions, minutes"]
fn a_million_positions_agree_with_cozy_chess() {
    compare_games(250_000, SEED + 1, |_| cozy_chess::Board::default());
    compare_games(250_000, SEED + 1, chess960);
    compare_diagrams(500_000, SEED + 1);
}
