//! From a wrong count down to the move that a board has wrong, by our own counter.

use super::adapted::Adapted;
use super::{Depth, Subject};
use crate::gate::{ExplainedMove, Names, after, extras, legal};
use perft_gate_count::Counter;
use perft_gate_simd::Level;
use perft_gate_walk::chess::{Board, EnPassantPolicy, Fen, Move, legal_moves};
use perft_gate_walk::count_game;
use perft_gate_walk::walk::Control;
use std::fmt;

/// Where a board's moves are wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongMove {
    /// The moves that lead there.
    pub path: Vec<String>,
    /// The position, as FEN.
    pub fen: String,
    /// The move into it, if the moves are right when the position is given by FEN: making it leaves a wrong position.
    pub made: Option<ExplainedMove>,
    /// Legal moves that are missing.
    pub missing: Vec<ExplainedMove>,
    /// Moves that are too many.
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
        for (what, moves) in [("missing ", &self.missing), ("too many", &self.extra)] {
            for mv in moves {
                write!(f, "\n  {what}  {}: {}", mv.text, mv.rule)?;
            }
        }
        Ok(())
    }
}

/// The FEN that a board is given by: with the e.p. square after every double push, for the board to judge.
fn fen(board: &Board) -> String {
    Fen::write(board, EnPassantPolicy::Always)
}

/// The legal moves that a subject lacks, and those that it has too many.
fn difference<S: Subject>(subject: &S, board: &Board) -> (Vec<Move>, Vec<String>) {
    let mut missing = legal_moves(board).to_vec();
    let names = Names::new(missing.clone().into_iter());
    let mut extra = Vec::new();
    for text in subject.moves().into_iter().map(|mv| subject.uci(mv)) {
        match names.read(&text).and_then(|mv| missing.iter().position(|other| *other == mv)) {
            Some(listed) => {
                missing.remove(listed);
            }
            None => extra.push(text),
        }
    }
    (missing, extra)
}

/// The children that both have, each of its own board, and the move between.
pub(super) fn children<S: Subject>(subject: &S, board: &Board) -> Vec<(Move, S, Board)> {
    let names = Names::new(legal_moves(board).to_vec().into_iter());
    let child = |mv: S::Move| {
        let legal = names.read(&subject.uci(mv))?;
        let mut child = subject.clone();
        child.make(mv);
        Some((legal, child, after(board, legal)))
    };
    subject.moves().into_iter().filter_map(child).collect()
}

/// Follows a wrong count; nothing if no position of its own is wrong, and the walk alone is.
pub(super) fn descend<S: Subject>(root: S, root_board: &Board, depth: Depth) -> Option<WrongMove> {
    let (mut subject, mut board, mut path, mut last) = (root, *root_board, Vec::new(), None);
    let control = Control::default();
    for left in (0..depth.0).rev() {
        let (missing, extra) = difference(&subject, &board);
        if !missing.is_empty() || !extra.is_empty() {
            let right_by_fen = S::from_fen(&fen(&board)).is_ok_and(|by_fen| {
                let (missing, extra) = difference(&by_fen, &board);
                missing.is_empty() && extra.is_empty()
            });
            return Some(WrongMove {
                path,
                fen: fen(&board),
                made: last.filter(|_| right_by_fen),
                missing: missing.into_iter().map(|mv| legal(&board, mv)).collect(),
                extra: extras(&board, &extra),
            });
        }
        let differs = |(_, subject, board): &(Move, S, Board)| {
            let game = Adapted::new(subject.clone());
            let found = count_game::<_, 1>(game, left, Level::portable(), &control).nodes[left as usize];
            found != Counter::new(Level::detect()).leaves(board, left, &control).nodes
        };
        let (mv, child, child_board) = children(&subject, &board).into_iter().find(differs)?;
        last = Some(legal(&board, mv));
        path.push(mv.uci().to_string());
        (subject, board) = (child, child_board);
    }
    None
}
