//! From a wrong count down to the position where the moves themselves are wrong.
//!
//! Two counters are compared by root move; the first move whose subtotals differ is made, and so on, until the sets of
//! moves differ. There the generator is wrong, or a move before it left the board wrong.

use perft_gate_simd::Level;
use perft_gate_walk::Position;
use perft_gate_walk::chess::{Board, Move, MoveList};
use perft_gate_walk::walk::{Control, Game};

/// Where two generators part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstWrong {
    /// The moves that lead there.
    pub path: Vec<Move>,
    /// The position there, as FEN.
    pub fen: String,
    /// Legal moves that were not generated.
    pub missing: Vec<Move>,
    /// Generated moves that are not legal.
    pub extra: Vec<Move>,
}

/// Compares `game` with an independent walk from `board`; nothing if they agree everywhere.
pub fn first_wrong<G>(level: Level, mut game: G, board: &Board, depth: u32) -> Option<FirstWrong>
where
    G: Game<Move = Move, Moves = MoveList>,
{
    let (mut reference, mut path) = (Position::new(*board, ()), Vec::new());
    for left in (0..depth).rev() {
        let found = legal(level, &game);
        let expected = legal(level, &reference);
        let without = |a: &[Move], b: &[Move]| a.iter().copied().filter(|mv| !b.contains(mv)).collect::<Vec<_>>();
        let (missing, extra) = (without(&expected, &found), without(&found, &expected));
        if !missing.is_empty() || !extra.is_empty() {
            return Some(FirstWrong { path, fen: reference.describe(), missing, extra });
        }
        let differing = expected.into_iter().find_map(|mv| {
            let (game, reference) = (child(game.clone(), mv), child(reference, mv));
            let subtotal = |nodes: Vec<u128>| nodes[left as usize];
            let control = Control::default();
            let differ = subtotal(perft_gate_walk::count_game::<_, 0>(game.clone(), left, level, &control).nodes)
                != subtotal(perft_gate_walk::count_game::<_, 1>(reference, left, level, &control).nodes);
            differ.then_some((mv, game, reference))
        });
        let (mv, below, reference_below) = differing?;
        path.push(mv);
        (game, reference) = (below, reference_below);
    }
    None
}

/// The moves, sorted.
fn legal<G: Game<Move = Move, Moves = MoveList>>(level: Level, game: &G) -> Vec<Move> {
    let mut moves = perft_gate_walk::moves(level, game).to_vec();
    moves.sort_by_key(|mv| mv.uci().to_string());
    moves
}

fn child<G: Game<Move = Move>>(mut game: G, mv: Move) -> G {
    perft_gate_walk::made(&mut game, mv);
    game
}
