//! Descent to the move that an engine has wrong.
//!
//! Two lists of root moves with the leaves below each are compared. If the moves differ, the error is in this position.
//! If only the leaves below a move differ, the position after it is checked, given by FEN. If it is right by FEN but
//! wrong when the engine makes the move itself, then making the move leaves a wrong position, and the descent continues
//! from there by moves to show the effect. If it is right in both ways, the error occurs only in the engine's own walk;
//! further questions tell why, see [`walk_cause`].

use crate::comparison::{Comparison, Difference};
use crate::failure::Failure;
use crate::place::Place;
use crate::reference::Reference;
use crate::uci::Engine;
use crate::walk_cause::{Questions, WalkCause};
use perft_gate_chess::{Board, ExplainedMove, Move, explain_extra_moves, explain_legal_move, legal_moves};
use perft_gate_judge::gate::{Descent, End, MoveDifference, Suspect, descend};
use perft_gate_walk::board_after;

/// Kind of error at the end of the descent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The moves of the position are wrong.
    Moves,
    /// The moves are right when the position is given by FEN, but wrong when the engine makes this move in the position
    /// before: making it leaves a wrong position.
    Made {
        /// Move that leaves a wrong position.
        mv: ExplainedMove,
        /// Position before the move, as FEN.
        before: String,
    },
    /// The position alone counts right, by FEN and by moves, but not in the walk from the position before: unmaking a
    /// move does not restore everything.
    Unmade,
    /// The position alone counts right by FEN, but not in the walk from the position before; the engine cannot be asked
    /// by moves, so making or unmaking a move is wrong.
    Walk,
    /// The position counts right alone, but not in the walk from the position before, for this reason.
    OnlyInWalk(WalkCause),
    /// The counts are sums over all plies, and perft is the number of leaves of the last.
    SumOverPlies,
    /// The moves are right, but their number is not.
    Number,
}

impl Fault {
    /// Returns `moves`, `made`, `unmade`, `walk`, `sum-over-plies` or `number`, or the name of the reason.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::Moves => "moves",
            Fault::Made { .. } => "made",
            Fault::Unmade => "unmade",
            Fault::Walk => "walk",
            Fault::OnlyInWalk(cause) => cause.name(),
            Fault::SumOverPlies => "sum-over-plies",
            Fault::Number => "number",
        }
    }
}

/// Position where an engine's moves are wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongMove {
    /// Kind of error.
    pub fault: Fault,
    /// Moves from the row's position.
    pub path: Vec<Move>,
    /// The position, as FEN.
    pub fen: String,
    /// UCI command that sets up the position.
    pub place: Place,
    /// Number of plies to count there.
    pub depth: u32,
    /// Legal moves that are missing.
    pub missing: Vec<ExplainedMove>,
    /// Extra moves.
    pub extra: Vec<ExplainedMove>,
    /// Lines in the place of missing moves that were not understood.
    pub unread: Vec<String>,
    /// Number of leaves there, by our counter.
    pub expected: u128,
    /// Number of leaves there, by the engine.
    pub found: u128,
}

impl WrongMove {
    /// Returns a fault at a position, without moves.
    fn of(fault: Fault, board: &Board, place: Place, depth: u32) -> WrongMove {
        let (missing, extra, unread, path) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        WrongMove {
            fault,
            path,
            fen: Place::of(board).fen,
            place,
            depth,
            missing,
            extra,
            unread,
            expected: 0,
            found: 0,
        }
    }
}

/// An engine at a position that it was brought to, with its answer there.
struct Asked<'a, 'e, 'r> {
    engine: &'a mut Engine<'e>,
    reference: &'a mut Reference<'r>,
    place: Place,
    comparison: Comparison,
    /// The subtotal that is followed.
    followed: Option<Difference>,
    /// The move that leaves a wrong position, and the position before it.
    made: Option<(ExplainedMove, String)>,
}

impl Suspect for Asked<'_, '_, '_> {
    type Error = Failure;

    fn compare(&mut self, _: &Board) -> Result<MoveDifference, Failure> {
        let Comparison { missing, extra, .. } = &self.comparison;
        Ok(MoveDifference { missing: missing.clone(), extra: extra.clone() })
    }

    fn wrong_below(&mut self, board: &Board, depth: u32) -> Result<Option<Move>, Failure> {
        self.followed = differing(self.engine, self.reference, board, depth, &self.comparison)?;
        Ok(self.followed.as_ref().map(|difference| difference.mv))
    }

    fn step(&mut self, board: &Board, mv: Move, depth: u32) -> Result<Option<()>, Failure> {
        let child = board_after(board, mv);
        let by_fen = Place::of(&child);
        let below = self.asked(&child, &by_fen, depth - 1)?;
        if !below.is_right() {
            (self.place, self.comparison, self.made) = (by_fen, below, None);
            return Ok(Some(()));
        }
        if !self.engine.ways.request.takes_moves() {
            return Ok(None);
        }
        let by_moves = self.place.then(&self.engine.written(mv));
        let below = self.asked(&child, &by_moves, depth - 1)?;
        if below.is_right() {
            return Ok(None);
        }
        self.made.get_or_insert_with(|| (explain_legal_move(board, mv), Place::of(board).fen));
        (self.place, self.comparison) = (by_moves, below);
        Ok(Some(()))
    }
}

impl Asked<'_, '_, '_> {
    fn asked(&mut self, board: &Board, place: &Place, depth: u32) -> Result<Comparison, Failure> {
        let answer = self.engine.divide(place, depth)?;
        self.reference.compare(board, depth, &answer)
    }
}

/// Follows a difference, from `first` at the row's position down.
pub(super) fn wrong_move(
    engine: &mut Engine<'_>,
    reference: &mut Reference<'_>,
    (board, place): (&Board, Place),
    depth: u32,
    first: Comparison,
) -> Result<WrongMove, Failure> {
    let root = *board;
    let plies = (1..=depth).map(|depth| reference.divide(board, depth)).collect::<Result<Vec<_>, _>>()?;
    if first.is_sum_over_plies(&plies) {
        let (expected, found) = (first.expected, first.found);
        // A counter that is not set back to 0 shows the same sums where each depth is asked in turn.
        let mut questions = Questions { engine, reference, place: &place, boards: &[*board] };
        let fault = match questions.is_right_anew(depth)? {
            true => Fault::OnlyInWalk(WalkCause::Remembers),
            false => Fault::SumOverPlies,
        };
        return Ok(WrongMove { expected, found, ..WrongMove::of(fault, board, place, depth) });
    }
    let mut asked = Asked { engine, reference, place, comparison: first, followed: None, made: None };
    let Descent { path, board, depth, end } = descend(&mut asked, board, depth)?;
    let Asked { engine, reference, place, comparison, followed, made } = asked;
    let boards = boards(&root, &path);
    let counts = (comparison.expected, comparison.found);
    let takes_moves = engine.ways.request.takes_moves();
    let mut question = Questions { engine, reference, place: &place, boards: &boards };
    let alone = |cause: Option<WalkCause>| match cause {
        Some(cause) => Fault::OnlyInWalk(cause),
        None if takes_moves => Fault::Unmade,
        None => Fault::Walk,
    };
    let (fault, depth, (expected, found)) = match (&end, made, followed) {
        (End::Moves(_), made, _) => {
            let is_silent = comparison.found <= 1 && comparison.missing.len() == legal_moves(&board).len();
            let drawn = if is_silent { question.is_drawn(depth, None)? } else { None };
            let fault = match (drawn, made) {
                (Some(rule), _) => Fault::OnlyInWalk(WalkCause::Drawn(rule)),
                (None, Some((mv, before))) => Fault::Made { mv, before },
                (None, None) => Fault::Moves,
            };
            (fault, depth, counts)
        }
        // The count is that of the position before, whose walk is wrong.
        (End::RightAlone, _, Some(wrong)) => {
            (alone(question.cause(depth + 1, Some(&wrong))?), depth + 1, (wrong.expected, wrong.found))
        }
        // Every position after a move is right alone: totals tell no more.
        (End::Number, _, _) if depth > 1 || legal_moves(&board).is_empty() => {
            (alone(question.cause(depth, None)?), depth, counts)
        }
        _ if counts.1 <= 1
            && let Some(rule) = question.is_drawn(depth, None)? =>
        {
            (Fault::OnlyInWalk(WalkCause::Drawn(rule)), depth, counts)
        }
        _ if question.is_right_anew(depth)? => (Fault::OnlyInWalk(WalkCause::Remembers), depth, counts),
        _ => (Fault::Number, depth, counts),
    };
    let is_of_moves = matches!(end, End::Moves(_));
    // A line that was not understood may be that of a missing move.
    let is_missing = is_of_moves && comparison.unread.is_empty();
    Ok(WrongMove {
        path,
        missing: comparison.missing.iter().filter(|_| is_missing).map(|&mv| explain_legal_move(&board, mv)).collect(),
        extra: if is_of_moves { explain_extra_moves(&board, &comparison.extra) } else { Vec::new() },
        unread: if is_of_moves { comparison.unread } else { Vec::new() },
        expected,
        found,
        ..WrongMove::of(fault, &board, place, depth)
    })
}

/// Returns the positions along a path, the first and the last among them.
fn boards(root: &Board, path: &[Move]) -> Vec<Board> {
    let mut boards = vec![*root];
    for &mv in path {
        boards.push(board_after(&boards[boards.len() - 1], mv));
    }
    boards
}

/// The first move below which the leaves differ. An engine that prints only totals is asked below each move.
fn differing(
    engine: &mut Engine<'_>,
    reference: &mut Reference<'_>,
    board: &Board,
    depth: u32,
    comparison: &Comparison,
) -> Result<Option<Difference>, Failure> {
    if let Some(first) = comparison.subtotals.first() {
        return Ok(Some(first.clone()));
    }
    if depth > 1 {
        for (mv, expected) in reference.divide(board, depth)? {
            let child = board_after(board, mv);
            let found = engine.divide(&Place::of(&child), depth - 1)?.nodes();
            if found != expected {
                return Ok(Some(Difference { mv, expected, found }));
            }
        }
    }
    Ok(None)
}
