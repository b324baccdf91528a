//! Compares three counts on random games: set-wise, by making every move, and by `cozy-chess`.

use super::count_both_ways;
use crate::setwise::leaf_counter::{LeafCounter, count_in_bulk};
use crate::setwise::scratch::Scratch;
use crate::setwise::siblings::count_after_moves;
use cozy_chess::Board;
use perft_gate_chess::{Fen, MAX_MOVES, legal_moves};
use perft_gate_simd::{Level, Token, kernel};
use perft_gate_walk::{Control, Count, Game, Position, walk};

/// Perft and random positions by `cozy-chess`, which the tests of the root package also use.
#[path = "../../../../../tests/oracle/generator.rs"]
mod generator;

const SEED: u64 = 20_270_311;

/// Starting positions for random games. Each of them leads to moves that are rare in the other games.
const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    Fen::KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rnbqkbnr/pppp4/8/QQ6/8/8/PPPPPP2/RNBQKBNR w KQkq - 0 1",
    "qqq1k1qq/8/8/8/8/8/8/QQQ1K1QQ w - - 0 1",
    "r3k2r/1pppppp1/8/8/8/8/1PPPPPP1/R3K2R w KQkq - 0 1",
    "4k3/8/2n1n3/1n3n2/3q4/1n3n2/2n1n3/RNBQKBNR w KQ - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // More pieces than can be summed, a pinned rook that may castle, a pinned pawn that may promote, double pushes that
    // give and uncover checks, eight knights around a square, and pins, guards and recaptures with few pieces.
    "4k3/pp4pp/8/8/8/2N1N3/NNNNN3/RNBQKBNR w KQ - 0 1",
    "4kr1R/8/8/3N4/8/8/1B4Q1/4K3 w f - 0 1",
    "8/8/8/5N2/1B6/2p5/3kp2R/K4B2 w - - 0 1",
    "8/8/8/2k2p2/4p3/8/3P1P2/4K3 w - - 0 1",
    "8/8/7k/8/2p1p3/8/3P4/2B1K3 w - - 0 1",
    "8/8/8/8/2p1p3/8/R2P3k/4K3 w - - 0 1",
    // A queen that pins from either side of the king.
    "8/8/4n3/4k3/1Q2p3/8/8/7K w - - 0 1",
    "3rk3/3np3/4q3/1B6/4N3/8/4R3/4K2Q w - - 0 1",
    "7k/8/2N1N3/1N3N2/3r4/1N3N2/2N1N3/Q2R3K w - - 0 1",
    "3r2k1/8/2N1N3/1N3N2/8/1N3N2/2N1N3/Q2R3K w - - 0 1",
    "3r2k1/2p1p3/2N1N3/1N3N2/3q4/1N3N2/2N1N3/R6K b - - 0 1",
    "6k1/5ppp/4n3/3B4/8/5N2/1Q6/6RK w - - 0 1",
    // Two pins at once, on two lines and on both sides of the king.
    "4k3/8/2n1n3/8/BP6/8/3K4/4R3 w - - 0 1",
    "8/8/8/R1n1k1nQ/1P6/8/5P2/2K5 w - - 0 1",
    // Crowded positions that would overflow a sum if any position could: eight knights that defend one piece, one
    // square that pieces reach along every line and by every knight jump, and nine queens of either color.
    "7k/8/2n1n3/1n3n2/3q4/1n2Pn2/PPn1n1PP/RNB4K w - - 0 1",
    "k7/B2Q2B1/2N1N3/1N3N2/R2p3Q/1N2KN2/2N1N3/Q2R4 w - - 0 1",
    "1k6/8/2q2q2/q6q/8/4q3/qqq1P3/2B1K1NR w K - 0 1",
    "2b1k1nr/QQQ1p3/4Q3/8/Q6Q/2Q2Q2/8/1K6 b k - 0 1",
];

/// The factor by which the leaf nodes below each move are multiplied.
const WEIGHT: u32 = 3;

/// Counts perft(3) of a position with its moves sorted by target, so that king moves come between other moves.
#[kernel]
fn count_in_order_of_targets<L: Token>(level: L, position: &Position<()>, scratch: &mut Scratch) -> Option<u64> {
    if !L::FAST_VECTORS {
        return None;
    }
    let mut moves = legal_moves(position.board());
    let mut sorted = moves.to_vec();
    sorted.sort_by_key(|mv| (mv.to().index(), mv.from().index()));
    let mut sorted = sorted.into_iter();
    moves.fill_with(|| sorted.next().expect("as many moves"));
    let mut total = count_after_moves(level, position.board(), &mut moves, &mut [WEIGHT; MAX_MOVES], scratch);
    for &mv in moves.iter() {
        let mut child = *position;
        let _ = child.play(level, mv);
        total += u64::from(WEIGHT) * count_in_bulk(level, child.board());
    }
    // The division must not hide a reply that was counted without its weight.
    assert_eq!(total % u64::from(WEIGHT), 0, "{:?}", position.board());
    Some(total / u64::from(WEIGHT))
}

/// A comparison of perft counts on every CPU level. `positions` is the number of positions compared so far.
struct Comparison {
    levels: Vec<(Level, Scratch)>,
    positions: u64,
    seed: u64,
}

impl Comparison {
    fn new(seed: u64) -> Comparison {
        let levels = Level::all().into_iter().map(|level| (level, Scratch::new())).collect();
        Comparison { levels, positions: 0, seed }
    }

    /// Compares perft(2) of a position on every CPU level and, for every eighth position, also perft(3).
    fn compare(&mut self, board: &Board) {
        let Comparison { levels, positions, seed } = self;
        let fen = format!("{board:#}");
        let position = Position::new(Fen::parse(&fen).unwrap_or_else(|error| panic!("'{fen}': {error}")), ());
        let expected = generator::perft(board, 2);
        let deeper = positions.is_multiple_of(8).then(|| generator::perft(board, 3));
        *positions += 1;
        let check = |level: Level, depth, way, found: u64, expected: u128| {
            assert_eq!(
                u128::from(found),
                expected,
                "seed {seed}, level {level}, perft({depth}) of '{fen}' {way}: found {found}, expected {expected} of cozy-chess"
            );
        };
        for (level, scratch) in levels {
            let level = *level;
            let (found, made) = count_both_ways(level, &position, scratch);
            check(level, 2, "by making every move", made, expected);
            if let Some(found) = found {
                check(level, 2, "set-wise", found, expected);
            }
            let Some(expected) = deeper else { continue };
            let control = Control::default();
            let mut made = Count::<1>::new(3, &control);
            walk(level, &mut { position }, &mut made, 3);
            check(level, 3, "by making every move", made.nodes[3], expected);
            let mut counter = LeafCounter::new(&control);
            walk(level, &mut { position }, &mut counter, 3);
            check(level, 3, "set-wise", counter.total, expected);
            if let Some(found) = count_in_order_of_targets(level, &position, scratch) {
                check(level, 3, "set-wise, the moves in another order", found, expected);
            }
        }
    }

    /// Calls `compare` for every position of a random game.
    fn play(&mut self, mut board: Board, plies: u64, random: &mut impl FnMut() -> u64) {
        for _ in 0..plies {
            self.compare(&board);
            let moves = generator::moves(&board);
            if moves.is_empty() || board.halfmove_clock() == 100 {
                break;
            }
            board.play_unchecked(moves[random() as usize % moves.len()]);
        }
    }

    /// Calls `compare` for the positions of games from `STARTS`, the suites, Chess960 positions and random diagrams.
    fn compare_all(&mut self, rounds: u64) {
        let mut random = generator::random(self.seed);
        let board = |fen: &str| {
            Board::from_fen(fen, false)
                .or_else(|_| Board::from_fen(fen, true))
                .unwrap_or_else(|error| panic!("'{fen}': {error}"))
        };
        let lines = [perft_suites::QUICK, perft_suites::CHESS960]
            .into_iter()
            .flat_map(str::lines)
            .filter(|line| !line.starts_with('#'));
        let listed = lines.filter_map(|line| line.split(" ;").next()).map(str::trim).filter(|fen| !fen.is_empty());
        let starts: Vec<Board> = STARTS.iter().copied().chain(listed).map(board).collect();
        for _ in 0..rounds {
            for start in &starts {
                self.play(start.clone(), 50, &mut random);
                // Plays short games too, because the pieces that make rare moves possible are soon captured.
                (0..4).for_each(|_| self.play(start.clone(), 4, &mut random));
            }
            for _ in 0..8 {
                let start = Board::double_chess960_startpos((random() % 960) as u32, (random() % 960) as u32);
                self.play(start, 80, &mut random);
            }
            let mut diagrams = 0;
            while diagrams < 3000 {
                // Diagrams with impossible checks are skipped, because `cozy-chess` or `Fen::parse` rejects them.
                let diagram = match diagrams % 2 {
                    0 => generator::diagram(&mut random),
                    _ => generator::sparse(&mut random),
                };
                if let Some(board) = diagram.filter(|board| Fen::parse(&format!("{board:#}")).is_ok()) {
                    self.play(board, 2, &mut random);
                    diagrams += 1;
                }
            }
        }
    }
}

#[test]
fn random_games_agree_with_cozy_chess() {
    let mut comparison = Comparison::new(SEED);
    comparison.compare_all(8);
    let levels = comparison.levels.iter().map(|(level, _)| level.to_string()).collect::<Vec<_>>();
    println!("levels run: {levels:?}, {} positions", comparison.positions);
}

#[test]
#[ignore = "a million positions, minutes"]
fn a_million_positions_agree_with_cozy_chess() {
    Comparison::new(SEED + 1).compare_all(120);
}
