//! Descent from a wrong count to the position where the moves themselves are wrong.
//!
//! At each position, the descent compares the moves of two counters. If the moves agree, it makes the first move below
//! which the counts differ. Where the moves differ, the generator is wrong, or an earlier move left a wrong position.
//! [`Suspect`] is the counter under test: our walk with a planted fault, a board behind
//! [`Subject`](crate::subject::Subject), or an engine process.

use perft_gate_chess::{Board, EnPassantPolicy, Fen, Move, MoveList, legal_moves};
use perft_gate_count::leaves;
use perft_gate_simd::Level;
use perft_gate_walk::{
    Control, Game, Position, RowReport, board_after, count_each, count_game, count_in_bulk, make_move, moves,
};
use std::convert::Infallible;

/// A counter under test whose count is wrong, at its current position in the descent.
pub trait Suspect: Sized {
    /// Error that is returned if the counter gives no answer for a position.
    type Error;

    /// Compares the suspect's moves with the legal moves of `board`.
    fn compare(&mut self, board: &Board) -> Result<MoveDifference, Self::Error>;
    /// Finds the first move below which the suspect's count differs from ours. `depth` (the plies left) is at least 2.
    fn wrong_below(&mut self, board: &Board, depth: u32) -> Result<Option<Move>, Self::Error>;
    /// Makes a move below which the count is wrong. Returns `None` if the position after the move is counted right when
    /// it is set up directly.
    fn step(&mut self, board: &Board, mv: Move, depth: u32) -> Result<Option<()>, Self::Error>;
}

/// Moves that differ from the legal ones.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveDifference {
    /// Legal moves that were not generated.
    pub missing: Vec<Move>,
    /// Generated moves that are not legal, or were generated twice.
    pub extra: Vec<String>,
}

impl MoveDifference {
    /// Returns true if the moves are the legal ones.
    pub fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }
}

/// Finding at the end of a descent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The moves of the position are wrong.
    Moves(MoveDifference),
    /// The moves are right, and no wrong count is found below any of them.
    Number,
    /// The position after the path is counted right when it is set up directly, without the moves of the path.
    RightAlone,
}

#[derive(Clone, Debug)]
pub struct Descent {
    /// The moves from the root.
    pub path: Vec<Move>,
    /// Position after the path.
    pub board: Board,
    /// Plies that remain.
    pub depth: u32,
    pub end: End,
}

/// Follows the wrong count of `board` at `depth` plies down to its cause.
///
/// **Errors**: those of the suspect, if it gives no answer.
pub fn descend<S: Suspect>(suspect: &mut S, board: &Board, depth: u32) -> Result<Descent, S::Error> {
    let mut at = Descent { path: Vec::new(), board: *board, depth, end: End::Number };
    while at.depth > 0 {
        let difference = suspect.compare(&at.board)?;
        if !difference.is_empty() {
            return Ok(Descent { end: End::Moves(difference), ..at });
        }
        let wrong = if at.depth > 1 { suspect.wrong_below(&at.board, at.depth)? } else { None };
        let Some(mv) = wrong else { break };
        let step = suspect.step(&at.board, mv, at.depth)?;
        at.path.push(mv);
        (at.board, at.depth) = (board_after(&at.board, mv), at.depth - 1);
        if step.is_none() {
            return Ok(Descent { end: End::RightAlone, ..at });
        }
    }
    Ok(at)
}

/// First position where two generators disagree.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug)]
pub struct FirstWrong {
    /// Moves that lead there.
    pub path: Vec<Move>,
    /// The position, as FEN.
    pub fen: String,
    /// Difference from the legal moves.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub difference: MoveDifference,
}

/// A board without keys, possibly with a planted fault.
pub trait Keyless: Game<Move = Move, Moves = MoveList> {
    fn count_each(self, depth: u32, level: Level, control: &Control) -> RowReport {
        count_game::<_, 0>(self, depth, level, control)
    }

    fn count_in_bulk(self, depth: u32, level: Level, control: &Control) -> RowReport {
        count_game::<_, 1>(self, depth, level, control)
    }
}

/// Uses the counting functions of `perft_gate_walk`, so that they are not compiled a second time.
impl Keyless for Position<()> {
    fn count_each(self, depth: u32, level: Level, control: &Control) -> RowReport {
        count_each(self.board(), depth, level, control)
    }

    fn count_in_bulk(self, depth: u32, level: Level, control: &Control) -> RowReport {
        count_in_bulk(self.board(), depth, level, control)
    }
}

/// A [`Game`] under test, compared with the legal moves and their counts.
struct WalkedGame<G> {
    game: G,
    level: Level,
}

impl<G: Keyless> WalkedGame<G> {
    fn child(&self, mv: Move) -> G {
        let mut child = self.game.clone();
        make_move(&mut child, mv);
        child
    }
}

impl<G: Keyless> Suspect for WalkedGame<G> {
    type Error = Infallible;

    fn compare(&mut self, board: &Board) -> Result<MoveDifference, Infallible> {
        let (found, expected) = (sort_by_name(&moves(self.level, &self.game)), sort_by_name(&legal_moves(board)));
        let without = |a: &[Move], b: &[Move]| a.iter().copied().filter(|mv| !b.contains(mv)).collect::<Vec<_>>();
        let extra = without(&found, &expected).into_iter().map(|mv| mv.uci().to_string()).collect();
        Ok(MoveDifference { missing: without(&expected, &found), extra })
    }

    fn wrong_below(&mut self, board: &Board, depth: u32) -> Result<Option<Move>, Infallible> {
        let (control, remaining) = (Control::default(), depth - 1);
        let differs = |&mv: &Move| {
            let walked = self.child(mv).count_each(remaining, self.level, &control);
            let expected = leaves(&board_after(board, mv), remaining, self.level, &control);
            walked.nodes[remaining as usize] != expected.nodes
        };
        Ok(sort_by_name(&legal_moves(board)).into_iter().find(differs))
    }

    fn step(&mut self, _: &Board, mv: Move, _: u32) -> Result<Option<()>, Infallible> {
        self.game = self.child(mv);
        Ok(Some(()))
    }
}

fn sort_by_name(moves: &[Move]) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_by_cached_key(|mv| mv.uci().to_string());
    moves
}

/// Finds the first position, starting at `board`, in which the moves of `game` are not the legal ones, if there is any.
pub fn first_wrong<G: Keyless>(level: Level, game: G, board: &Board, depth: u32) -> Option<FirstWrong> {
    let Ok(Descent { path, board, end, .. }) = descend(&mut WalkedGame { game, level }, board, depth);
    let End::Moves(difference) = end else { return None };
    Some(FirstWrong { path, fen: Fen::write(&board, EnPassantPolicy::Always), difference })
}
