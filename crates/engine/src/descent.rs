//! Descent to the move that an engine gets wrong.
//!
//! The descent compares the engine's list of root moves and their leaf counts with our list. If the moves differ, the
//! error is in this position. If only the number of leaves below a move differs, the position after that move is set up
//! by FEN and checked. If the count is right after a set-up by FEN but wrong when the engine makes the move, then
//! making the move leaves a wrong position, and the descent continues with positions set up by moves to show the
//! effect. If both counts are right, the error occurs only in the engine's own walk, and further questions find the
//! reason ([`walk_cause`](crate::walk_cause)).

use crate::outcome::{EngineFailure, Result};
use crate::request::PositionCommand;
use crate::uci::Engine;
use crate::walk_cause::{MAX_LEAVES, Questions};
use perft_gate_chess::{Board, ExplainedMove, Move, explain_extra_moves, explain_legal_move, legal_moves};
use perft_gate_judge::gate::{Descent, End, MoveDifference, Suspect, descend};
use perft_gate_listing::{Comparison, SubtotalDifference, WalkCause};
use perft_gate_walk::board_after;

/// Kind of error at the end of the descent.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum CountFault {
    /// The moves of the position are wrong.
    #[default]
    Moves,
    /// The moves are right when the position is given by FEN, but wrong when the engine makes this move in the
    /// preceding position: making the move leaves a wrong position.
    Made {
        /// The move.
        made: WronglyMade,
    },
    /// The count is right when the position is set up alone, by FEN or by moves, but wrong in the walk from the
    /// preceding position: unmaking a move does not restore everything.
    Unmade,
    /// The count is right when the position is set up by FEN, but wrong in the walk from the preceding position. The
    /// engine does not accept positions given by moves, so either making or unmaking a move is wrong.
    Walk,
    /// The counts are sums over all plies, but perft counts only the leaves of the last ply.
    SumOverPlies,
    /// The moves are right, but the engine reports a wrong number of them.
    Number,
    /// The count is right when the position is set up alone, but wrong in the walk from the preceding position, for
    /// this reason.
    #[serde(untagged)]
    OnlyInWalk(WalkCause),
}

/// A move that was made wrongly.
#[perft_gate_chess::document(sparse, Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WronglyMade {
    /// The move.
    #[serde(flatten)]
    pub mv: ExplainedMove,
    /// The position before the move, as FEN.
    pub fen: String,
    /// What is wrong in the FEN that the engine shows after the move, if it shows FENs.
    pub difference: Option<String>,
}

/// Position where an engine's moves are wrong.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct WrongPosition {
    /// Kind of error.
    #[serde(flatten)]
    pub fault: CountFault,
    /// Moves from the row's position.
    pub path: Vec<Move>,
    /// The position, as FEN.
    pub fen: String,
    /// UCI command that sets up the position.
    pub position: PositionCommand,
    /// Number of plies to count there.
    pub depth: u32,
    /// Legal moves that are missing.
    pub missing: Vec<ExplainedMove>,
    /// Extra moves.
    pub extra: Vec<ExplainedMove>,
    /// Lines that were not understood. If there are any, no missing moves are reported, because the lines may list
    /// them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Number of leaves there, according to our counter.
    pub expected: u128,
    /// Number of leaves there, according to the engine.
    pub found: u128,
}

impl WrongPosition {
    /// Returns a wrong position with the given fault, without a path and without missing or extra moves.
    fn new(fault: CountFault, board: &Board, position: PositionCommand, depth: u32) -> WrongPosition {
        let fen = PositionCommand::from_board(board).fen;
        WrongPosition { fault, fen, position, depth, ..WrongPosition::default() }
    }
}

/// An engine at the current position of the descent, with its answer for that position.
struct EngineSuspect<'a, 'e> {
    engine: &'a mut Engine<'e>,
    position: PositionCommand,
    comparison: Comparison,
    followed: Option<SubtotalDifference>,
    /// The first move after which the engine has a wrong position.
    made: Option<WronglyMade>,
}

impl Suspect for EngineSuspect<'_, '_> {
    type Error = EngineFailure;

    fn compare(&mut self, _: &Board) -> Result<MoveDifference> {
        let Comparison { missing, extra, .. } = &self.comparison;
        Ok(MoveDifference { missing: missing.clone(), extra: extra.clone() })
    }

    fn wrong_below(&mut self, board: &Board, depth: u32) -> Result<Option<Move>> {
        self.followed = self.comparison.subtotals.first().cloned();
        if self.followed.is_none() {
            // An engine that prints only totals is asked for the total below each move.
            for (mv, expected) in self.engine.reference.divide(board, depth)? {
                let child = PositionCommand::from_board(&board_after(board, mv));
                let found = self.engine.divide(&child, depth - 1)?.nodes();
                if found != expected {
                    self.followed = Some(SubtotalDifference { mv, expected, found });
                    break;
                }
            }
        }
        Ok(self.followed.as_ref().map(|difference| difference.mv))
    }

    fn step(&mut self, board: &Board, mv: Move, depth: u32) -> Result<Option<()>> {
        let child = board_after(board, mv);
        let by_fen = PositionCommand::from_board(&child);
        let below = self.engine.compare(&child, &by_fen, depth - 1)?;
        if !below.is_right() {
            (self.position, self.comparison, self.made) = (by_fen, below, None);
            return Ok(Some(()));
        }
        if !self.engine.dialect.request.takes_moves() {
            return Ok(None);
        }
        let by_moves = self.position.then(&self.engine.write_move(mv));
        let below = self.engine.compare(&child, &by_moves, depth - 1)?;
        if below.is_right() {
            return Ok(None);
        }
        if self.made.is_none() {
            let (mv, fen) = (explain_legal_move(board, mv), PositionCommand::from_board(board).fen);
            let kept = self.engine.dialect.fen;
            let shown = kept.map(|_| self.engine.display(&by_moves)).transpose()?.and_then(|shown| shown.fen);
            let difference = kept.zip(shown).and_then(|(kept, shown)| kept.wrong_fields(&shown, &child));
            self.made = Some(WronglyMade { mv, fen, difference });
        }
        (self.position, self.comparison) = (by_moves, below);
        Ok(Some(()))
    }
}

/// Finds the position where a wrong count of a row begins. `first` compares the answers for the row's position.
pub(super) fn find_wrong_position(
    engine: &mut Engine<'_>,
    (board, position): (&Board, PositionCommand),
    depth: u32,
    first: Comparison,
) -> Result<WrongPosition> {
    let root = *board;
    let plies = (1..=depth).map(|depth| engine.reference.divide(board, depth)).collect::<Result<Vec<_>, _>>()?;
    if let Some(extra) = first.sum_over_plies(&plies).filter(|_| depth > 1) {
        let (expected, found) = (first.expected, first.found);
        let mut questions = Questions { engine, position: &position, boards: &[*board] };
        // An engine that never resets its node counter also gives such sums if it is asked for one depth after another.
        let fault = if questions.is_right_anew(depth)? {
            Some(CountFault::OnlyInWalk(WalkCause::REMEMBERS))
        } else {
            counts_sums_elsewhere(engine, (board, &position), depth, extra)?.then_some(CountFault::SumOverPlies)
        };
        if let Some(fault) = fault {
            return Ok(WrongPosition { expected, found, ..WrongPosition::new(fault, board, position, depth) });
        }
    }
    let mut suspect = EngineSuspect { engine, position, comparison: first, followed: None, made: None };
    let Descent { path, board, depth, end } = descend(&mut suspect, board, depth)?;
    let EngineSuspect { engine, position, comparison, followed, made } = suspect;
    let boards = boards(&root, &path);
    let counts = (comparison.expected, comparison.found);
    let takes_moves = engine.dialect.request.takes_moves();
    let mut question = Questions { engine, position: &position, boards: &boards };
    let alone = |cause: Option<WalkCause>| match cause {
        Some(cause) => CountFault::OnlyInWalk(cause),
        None if takes_moves => CountFault::Unmade,
        None => CountFault::Walk,
    };
    let is_of_moves = matches!(end, End::Moves(_));
    let (fault, depth, (expected, found)) = match (&end, made, followed) {
        (End::Moves(_), made, _) => {
            let is_silent = comparison.found <= 1 && comparison.missing.len() == legal_moves(&board).len();
            let drawn = if is_silent { question.find_draw(depth, None)? } else { None };
            let wrong = made.map_or(CountFault::Moves, |made| CountFault::Made { made });
            (drawn.map_or(wrong, CountFault::OnlyInWalk), depth, counts)
        }
        // The count of the last position is right alone, so the reported count is that of the position before it.
        (End::RightAlone, _, Some(wrong)) => {
            (alone(question.find_cause(depth + 1, Some(&wrong))?), depth + 1, (wrong.expected, wrong.found))
        }
        // The separate counts after each move are right, so the descent cannot continue.
        (End::Number, _, _) if depth > 1 || legal_moves(&board).is_empty() => {
            (alone(question.find_cause(depth, None)?), depth, counts)
        }
        _ if counts.1 <= 1
            && let Some(draw) = question.find_draw(depth, None)? =>
        {
            (CountFault::OnlyInWalk(draw), depth, counts)
        }
        _ if question.is_right_anew(depth)? => (CountFault::OnlyInWalk(WalkCause::REMEMBERS), depth, counts),
        _ => (CountFault::Number, depth, counts),
    };
    // A line that was not understood may list a missing move.
    let is_missing = is_of_moves && comparison.unread.is_empty();
    Ok(WrongPosition {
        path,
        missing: comparison.missing.iter().filter(|_| is_missing).map(|&mv| explain_legal_move(&board, mv)).collect(),
        extra: if is_of_moves { explain_extra_moves(&board, &comparison.extra) } else { Vec::new() },
        unread: if is_of_moves { comparison.unread } else { Vec::new() },
        expected,
        found,
        ..WrongPosition::new(fault, &board, position, depth)
    })
}

/// Returns true if other answers of the engine also list the right moves and give sums over all plies plus `extra`. The
/// engine is asked for the count after the first move that does not end the game and for the count of this position one
/// ply deeper, unless that tree is too large.
fn counts_sums_elsewhere(
    engine: &mut Engine<'_>,
    (board, position): (&Board, &PositionCommand),
    depth: u32,
    extra: u128,
) -> Result<bool> {
    let below = legal_moves(board).iter().map(|&mv| board_after(board, mv)).find(|at| !legal_moves(at).is_empty());
    let mut questions: Vec<_> = below.map(|at| (at, PositionCommand::from_board(&at), depth - 1)).into_iter().collect();
    if engine.reference.leaves(board, depth + 1)? <= MAX_LEAVES {
        questions.push((*board, position.clone(), depth + 1));
    }
    for (board, position, depth) in questions {
        let plies = (1..=depth).map(|depth| engine.reference.divide(&board, depth)).collect::<Result<Vec<_>, _>>()?;
        if engine.compare(&board, &position, depth)?.sum_over_plies(&plies) != Some(extra) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the positions along a path, including the first and the last.
pub(super) fn boards(root: &Board, path: &[Move]) -> Vec<Board> {
    let mut boards = vec![*root];
    path.iter().for_each(|&mv| boards.push(board_after(&boards[boards.len() - 1], mv)));
    boards
}
