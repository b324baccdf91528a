//! Descent from a wrong count to a board's wrong move, guided by our counter.

use super::adapted::Adapted;
use super::board::{Depth, Subject};
use crate::gate::{Descent, End, MoveDifference, Suspect, descend};
use perft_gate_chess::{
    Board, EnPassantPolicy, ExplainedMove, Fen, Move, MoveNames, explain_extra_moves, explain_legal_move, legal_moves,
};
use perft_gate_count::TreeCounter;
use perft_gate_simd::Level;
use perft_gate_walk::{Control, board_after, count_game};
use std::convert::Infallible;
use std::fmt;

/// Position where a board's moves are wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongMove {
    /// Moves that lead there.
    pub path: Vec<String>,
    /// The position, as FEN.
    pub fen: String,
    /// Last move of the path, if making it goes wrong. In that case, the position has the right moves when it is set up
    /// from its FEN.
    pub made: Option<ExplainedMove>,
    /// Legal moves that are missing.
    pub missing: Vec<ExplainedMove>,
    /// Extra moves.
    pub extra: Vec<ExplainedMove>,
}

impl fmt::Display for WrongMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(made) = &self.made {
            write!(f, "\n  making {made} leaves a wrong position")?;
        }
        write!(f, "\n  the moves are wrong in {}", self.fen)?;
        if !self.path.is_empty() {
            write!(f, "\n  path      {}", self.path.join(" "))?;
        }
        let moves = self.missing.iter().map(|mv| ("missing", mv));
        let mut moves = moves.chain(self.extra.iter().map(|mv| (mv.fault(), mv)));
        moves.try_for_each(|(what, mv)| write!(f, "\n  {what:<8}  {}: {}", mv.text, mv.rule))
    }
}

/// Returns the FEN of a position for a board to read. Every Chess960 board reads Shredder-FEN, but not all read X-FEN.
pub(super) fn readable_fen(board: &Board, policy: EnPassantPolicy) -> String {
    if board.is_chess960() { Fen::write_shredder(board, policy) } else { Fen::write(board, policy) }
}

/// A move that a board lists.
pub(super) struct Listed<M> {
    pub(super) mv: M,
    /// Its UCI text.
    pub(super) text: String,
    pub(super) legal: Option<Move>,
}

/// Returns the moves that a board lists, each with the legal move that its text names. `board` is our board at the same
/// position.
pub(super) fn list_moves<S: Subject>(subject: &S, board: &Board) -> Vec<Listed<S::Move>> {
    let names = MoveNames::new(board);
    let moves = subject.moves().into_iter().map(|mv| (mv, subject.uci(mv)));
    moves.map(|(mv, text)| Listed { mv, legal: names.read(&text), text }).collect()
}

pub(super) fn subject_after<S: Subject>(subject: &S, mv: S::Move) -> S {
    let mut child = subject.clone();
    child.make(mv);
    child
}

/// Returns the children that both boards have, each as the move and both boards after it.
pub(super) fn children<S: Subject>(subject: &S, board: &Board) -> Vec<(Move, S, Board)> {
    let child = |listed: Listed<S::Move>| {
        let legal = listed.legal?;
        Some((legal, subject_after(subject, listed.mv), board_after(board, legal)))
    };
    list_moves(subject, board).into_iter().filter_map(child).collect()
}

/// A board under test, at a position reached by making the board's own moves.
struct Led<S> {
    subject: S,
    /// The last move, and the position before it.
    last: Option<(Board, Move)>,
}

/// Compares the moves that a board lists with the legal ones.
pub(super) fn move_difference<M>(listed: &[Listed<M>], board: &Board) -> MoveDifference {
    let mut missing = legal_moves(board).to_vec();
    let mut extra = Vec::new();
    for Listed { text, legal, .. } in listed {
        match legal.and_then(|mv| missing.iter().position(|other| *other == mv)) {
            Some(at) => _ = missing.remove(at),
            None => extra.push(text.clone()),
        }
    }
    MoveDifference { missing, extra }
}

impl<S: Subject> Suspect for Led<S> {
    type Error = Infallible;

    fn compare(&mut self, board: &Board) -> Result<MoveDifference, Infallible> {
        Ok(move_difference(&list_moves(&self.subject, board), board))
    }

    fn wrong_below(&mut self, board: &Board, depth: u32) -> Result<Option<Move>, Infallible> {
        let (control, remaining) = (Control::default(), depth - 1);
        let differs = |(_, subject, board): &(Move, S, Board)| {
            let game = Adapted::new(subject.clone());
            let found = count_game::<_, 1>(game, remaining, Level::portable(), &control).nodes[remaining as usize];
            found != TreeCounter::new(Level::detect()).leaves(board, remaining, &control).nodes
        };
        Ok(children(&self.subject, board).into_iter().find(differs).map(|(mv, ..)| mv))
    }

    fn step(&mut self, board: &Board, mv: Move, _: u32) -> Result<Option<()>, Infallible> {
        let child = children(&self.subject, board).into_iter().find(|(other, ..)| *other == mv);
        (_, self.subject, _) = child.expect("a move that both have");
        self.last = Some((*board, mv));
        Ok(Some(()))
    }
}

/// Follows a wrong count to a position with wrong moves. Returns `None` if the moves are right at every position on the
/// way. In that case something else in the walk must be wrong, such as unmake.
pub(super) fn find_wrong_move<S: Subject>(root: S, board: &Board, depth: Depth) -> Option<WrongMove> {
    let mut led = Led { subject: root, last: None };
    let Ok(Descent { path, board, end, .. }) = descend(&mut led, board, depth.0);
    let End::Moves(found) = end else { return None };
    let path = path.iter().map(|mv| mv.uci().to_string()).collect();
    Some(WrongMove::new::<S>(path, led.last, &board, found))
}

impl WrongMove {
    /// Explains wrong moves. `last` is the last move of the path, and the position before it.
    pub(super) fn new<S: Subject>(
        path: Vec<String>,
        last: Option<(Board, Move)>,
        board: &Board,
        found: MoveDifference,
    ) -> WrongMove {
        let is_right = |by_fen: S| move_difference(&list_moves(&by_fen, board), board).is_empty();
        // The FEN has the e.p. square after every double push, so that the board decides whether the square counts.
        let fen = readable_fen(board, EnPassantPolicy::Always);
        let right_by_fen = S::from_fen(&fen).is_ok_and(is_right);
        WrongMove {
            path,
            fen,
            made: last.filter(|_| right_by_fen).map(|(before, mv)| explain_legal_move(&before, mv)),
            missing: found.missing.into_iter().map(|mv| explain_legal_move(board, mv)).collect(),
            extra: explain_extra_moves(board, &found.extra),
        }
    }
}
