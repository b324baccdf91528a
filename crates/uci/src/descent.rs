//! Down to the move that an engine has wrong.
//!
//! Two lists of root moves with the leaves below each are compared. Where the moves differ, there the fault is; where
//! only the leaves below a move differ, the position after it is looked at, given by FEN. If it is right by FEN and wrong
//! when the engine makes the move itself, then making the move leaves a wrong position, and the way goes on from there by
//! moves, to what that leads to; if it is right in both ways, the fault shows in the engine's own walk alone.

use super::answer::{Divide, Listing};
use super::uci::Engine;
use super::{EngineSettings, Failure, FailureKind, Place};
use perft_gate_count::Counter;
use perft_gate_judge::gate::{ExplainedMove, Names, after, extras, legal};
use perft_gate_walk::chess::{Board, EnPassantPolicy, Fen, Kind, Move, Wing};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A subtotal that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The root move.
    pub mv: Move,
    /// Our leaves below it.
    pub expected: u128,
    /// The engine's.
    pub found: u128,
}

/// Which kind of fault the descent ended at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The moves of the position are wrong.
    Moves,
    /// The moves are right when the position is given by FEN, and wrong after this move of the position before: making
    /// it leaves a wrong position.
    Made {
        /// The move.
        mv: ExplainedMove,
        /// The position before it.
        before: String,
    },
    /// The position counts right alone, by FEN and by moves; the count is wrong in the walk of the position before: what
    /// the walk unmakes is not as it was.
    Unmade,
    /// The moves are right, and the number of them is not.
    Number,
}

impl Fault {
    /// `moves`, `made`, `unmade`, `number`.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::Moves => "moves",
            Fault::Made { .. } => "made",
            Fault::Unmade => "unmade",
            Fault::Number => "number",
        }
    }
}

/// Where an engine's moves are wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongMove {
    /// What is wrong.
    pub fault: Fault,
    /// The moves from the row's position.
    pub path: Vec<Move>,
    /// The position, as FEN.
    pub fen: String,
    /// How the engine is brought to show it.
    pub place: Place,
    /// Plies to count there.
    pub depth: u32,
    /// Legal moves that are missing.
    pub missing: Vec<ExplainedMove>,
    /// Moves that are too many.
    pub extra: Vec<ExplainedMove>,
    /// Our number of leaves there.
    pub expected: u128,
    /// The engine's.
    pub found: u128,
}

/// What an engine answered, beside what it should have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Comparison {
    /// Whether the moves were compared, or the total alone.
    pub(super) listing: Listing,
    pub(super) expected: u128,
    pub(super) found: u128,
    pub(super) missing: Vec<Move>,
    /// Not legal, or listed twice.
    pub(super) extra: Vec<String>,
    pub(super) subtotals: Vec<Difference>,
    /// The sum of the subtotals, if the total that is printed is another.
    pub(super) other_sum: Option<u128>,
}

impl Comparison {
    /// Returns true if all that is printed is right.
    pub(super) fn is_equal(&self) -> bool {
        self.is_right() && self.expected == self.found
    }

    /// Returns true if the moves and the leaves below each are right, whatever total is printed. Where no moves are
    /// listed, the total must be right.
    pub(super) fn is_right(&self) -> bool {
        let counted = self.listing == Listing::Subtotals || self.expected == self.found;
        self.has_same_moves() && self.subtotals.is_empty() && counted
    }

    pub(super) fn has_same_moves(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }
}

/// Our own counts, and the time they took.
pub(super) struct Reference<'a> {
    settings: &'a EngineSettings,
    pub(super) time: Duration,
}

impl<'a> Reference<'a> {
    pub(super) fn new(settings: &'a EngineSettings) -> Reference<'a> {
        Reference { settings, time: Duration::ZERO }
    }

    /// Our leaves by root move. **Errors**: interrupted, for then they are not all.
    pub(super) fn divide(&mut self, board: &Board, depth: u32) -> Result<Vec<(Move, u128)>, Failure> {
        let start = Instant::now();
        let divided = Counter::new(self.settings.level).divide(board, depth, &self.settings.control);
        self.time += start.elapsed();
        if self.settings.control.stop.load(Ordering::Relaxed) {
            let (kind, message) = (FailureKind::Interrupted, "interrupted".into());
            return Err(Failure { kind, message, stderr: Vec::new() });
        }
        Ok(divided)
    }

    pub(super) fn compare(&mut self, board: &Board, depth: u32, answer: &Divide) -> Result<Comparison, Failure> {
        let expected = self.divide(board, depth)?;
        let names = Names::new(expected.iter().map(|(mv, _)| *mv));
        let mut found = BTreeMap::new();
        let mut extra = Vec::new();
        for (text, nodes) in &answer.subtotals {
            match names.read(text).or_else(|| castling(&expected, text)) {
                Some(mv) if !found.contains_key(&u64::from(mv)) => drop(found.insert(u64::from(mv), *nodes)),
                _ => extra.push(text.clone()),
            }
        }
        let leaves: u128 = expected.iter().map(|(_, nodes)| nodes).sum();
        // No list beside a right total: it is the list that is not understood here.
        let unread = answer.subtotals.is_empty() && answer.printed == Some(leaves) && leaves > 0;
        let listing = if unread { Listing::Total } else { answer.listing };
        let (mut missing, mut subtotals) = (Vec::new(), Vec::new());
        for &(mv, expected) in expected.iter().filter(|_| listing == Listing::Subtotals) {
            match found.get(&u64::from(mv)) {
                None => missing.push(mv),
                Some(&found) if found != expected => subtotals.push(Difference { mv, expected, found }),
                Some(_) => {}
            }
        }
        let sum = answer.sum();
        Ok(Comparison {
            listing,
            expected: leaves,
            found: answer.nodes(),
            missing,
            extra,
            subtotals,
            other_sum: (listing == Listing::Subtotals && answer.nodes() != sum).then_some(sum),
        })
    }
}

/// Castling as `o-o` and `o-o-o`.
fn castling(moves: &[(Move, u128)], text: &str) -> Option<Move> {
    let wing = match text {
        "o-o" => Wing::King,
        "o-o-o" => Wing::Queen,
        _ => return None,
    };
    let castles = |mv: &Move| mv.kind() == Kind::Castle && Wing::of(mv.from(), mv.to()) == wing;
    moves.iter().map(|(mv, _)| *mv).find(castles)
}

/// The FEN that a position is given by: with the e.p. square after every double push, for the engine to judge.
pub(super) fn fen(board: &Board) -> String {
    Fen::write(board, EnPassantPolicy::Always)
}

/// Follows a difference, from `first` at the row's position down.
pub(super) fn descend(
    engine: &mut Engine<'_>,
    reference: &mut Reference<'_>,
    (board, place): (&Board, Place),
    depth: u32,
    first: Comparison,
) -> Result<WrongMove, Failure> {
    let (mut board, mut place, mut left, mut comparison) = (*board, place, depth, first);
    let (mut path, mut made) = (Vec::new(), None);
    loop {
        let found = |fault, path, depth| WrongMove {
            fault,
            path,
            fen: fen(&board),
            place: place.clone(),
            depth,
            missing: comparison.missing.iter().map(|&mv| legal(&board, mv)).collect(),
            extra: extras(&board, &comparison.extra),
            expected: comparison.expected,
            found: comparison.found,
        };
        if !comparison.has_same_moves() {
            let fault = made.map_or(Fault::Moves, |(mv, before)| Fault::Made { mv, before });
            return Ok(found(fault, path, left));
        }
        let answered = differing(engine, reference, &board, left, &comparison)?;
        let (Some(wrong), 2..) = (answered, left) else {
            return Ok(found(Fault::Number, path, left));
        };
        let child = after(&board, wrong.mv);
        let by_fen = Place::new(&fen(&child));
        let mut below = reference.compare(&child, left - 1, &engine.divide(&by_fen, left - 1)?)?;
        let (mut next, mut newly_made) = (by_fen, None);
        if below.is_right() {
            next = place.then(&engine.written(wrong.mv));
            below = reference.compare(&child, left - 1, &engine.divide(&next, left - 1)?)?;
            newly_made = made.take().or_else(|| Some((legal(&board, wrong.mv), fen(&board))));
        }
        if below.is_right() {
            path.push(wrong.mv);
            let (expected, found) = (wrong.expected, wrong.found);
            let (fen, missing, extra) = (fen(&child), Vec::new(), Vec::new());
            return Ok(WrongMove {
                fault: Fault::Unmade,
                path,
                fen,
                place,
                depth: left,
                missing,
                extra,
                expected,
                found,
            });
        }
        path.push(wrong.mv);
        (board, place, left, comparison, made) = (child, next, left - 1, below, newly_made);
    }
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
            let child = after(board, mv);
            let found = engine.divide(&Place::new(&fen(&child)), depth - 1)?.nodes();
            if found != expected {
                return Ok(Some(Difference { mv, expected, found }));
            }
        }
    }
    Ok(None)
}
