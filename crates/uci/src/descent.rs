//! Descent to the move that an engine has wrong.
//!
//! Two lists of root moves with the leaves below each are compared. If the moves differ, the error is in this position.
//! If only the leaves below a move differ, the position after it is checked, given by FEN. If it is right by FEN but
//! wrong when the engine makes the move itself, then making the move leaves a wrong position, and the descent continues
//! from there by moves to show the effect. If it is right in both ways, the error occurs only in the engine's own walk.

use super::answer::{Divide, Listing};
use super::uci::Engine;
use super::{EngineSettings, Failure, FailureKind, Place};
use perft_gate_count::Counter;
use perft_gate_judge::gate::{
    Descent, End, ExplainedMove, MoveDifference, Names, Suspect, after, descend, extras, legal,
};
use perft_gate_walk::chess::{Board, EnPassantPolicy, Fen, Kind, Move, Wing};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A subtotal that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The root move.
    pub mv: Move,
    /// Number of leaves below it, by our counter.
    pub expected: u128,
    /// Number of leaves below it, by the engine.
    pub found: u128,
}

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
    /// The moves are right, but their number is not.
    Number,
}

impl Fault {
    /// Returns `moves`, `made`, `unmade`, `walk` or `number`.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::Moves => "moves",
            Fault::Made { .. } => "made",
            Fault::Unmade => "unmade",
            Fault::Walk => "walk",
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
    /// Number of leaves there, by our counter.
    pub expected: u128,
    /// Number of leaves there, by the engine.
    pub found: u128,
}

/// Differences between an engine's answer and ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Comparison {
    /// Result that was compared: the moves, or the total alone.
    pub(super) listing: Listing,
    pub(super) expected: u128,
    pub(super) found: u128,
    pub(super) missing: Vec<Move>,
    /// Moves that are not legal, or listed twice.
    pub(super) extra: Vec<String>,
    pub(super) subtotals: Vec<Difference>,
    /// Sum of the subtotals, if the printed total differs from it.
    pub(super) other_sum: Option<u128>,
}

impl Comparison {
    /// Returns true if everything printed is right.
    pub(super) fn is_equal(&self) -> bool {
        self.is_right() && self.expected == self.found
    }

    /// Returns true if the moves and the leaves below each are right, whatever the printed total. If no moves are
    /// listed, the total must be right.
    pub(super) fn is_right(&self) -> bool {
        let counted = self.listing == Listing::Subtotals || self.expected == self.found;
        self.has_same_moves() && self.subtotals.is_empty() && counted
    }

    pub(super) fn has_same_moves(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }
}

/// Our own counter, and the time it took.
pub(super) struct Reference<'a> {
    settings: &'a EngineSettings,
    pub(super) time: Duration,
}

impl<'a> Reference<'a> {
    pub(super) fn new(settings: &'a EngineSettings) -> Reference<'a> {
        Reference { settings, time: Duration::ZERO }
    }

    /// Returns our leaves by root move. **Errors**: interrupted, because the list is then incomplete.
    pub(super) fn divide(&mut self, board: &Board, depth: u32) -> Result<Vec<(Move, u128)>, Failure> {
        let start = Instant::now();
        let divided = Counter::new(self.settings.level).divide(board, depth, &self.settings.control);
        self.time += start.elapsed();
        if self.settings.control.stop.load(Ordering::Relaxed) {
            let (kind, message) = (FailureKind::Interrupted, "interrupted".into());
            return Err(Failure { kind, message, ..Failure::default() });
        }
        Ok(divided)
    }

    pub(super) fn compare(&mut self, board: &Board, depth: u32, answer: &Divide) -> Result<Comparison, Failure> {
        Ok(Comparison::of(&self.divide(board, depth)?, answer))
    }
}

impl Comparison {
    /// Compares an answer with our leaves by root move.
    pub(super) fn of(expected: &[(Move, u128)], answer: &Divide) -> Comparison {
        let names = Names::new(expected.iter().map(|(mv, _)| *mv));
        let mut found = BTreeMap::new();
        let mut extra = Vec::new();
        for (text, nodes) in &answer.subtotals {
            match names.read(text).or_else(|| castling(expected, text)) {
                Some(mv) if !found.contains_key(&u64::from(mv)) => drop(found.insert(u64::from(mv), *nodes)),
                _ => extra.push(text.clone()),
            }
        }
        let leaves: u128 = expected.iter().map(|(_, nodes)| nodes).sum();
        // The total is right but the list is empty: we failed to read the list.
        let list_unread = answer.subtotals.is_empty() && answer.printed == Some(leaves) && leaves > 0;
        let listing = if list_unread { Listing::Total } else { answer.listing };
        let (mut missing, mut subtotals) = (Vec::new(), Vec::new());
        for &(mv, expected) in expected.iter().filter(|_| listing == Listing::Subtotals) {
            match found.get(&u64::from(mv)) {
                None => missing.push(mv),
                Some(&found) if found != expected => subtotals.push(Difference { mv, expected, found }),
                Some(_) => {}
            }
        }
        let sum = answer.sum();
        Comparison {
            listing,
            expected: leaves,
            found: answer.nodes(),
            missing,
            extra,
            subtotals,
            other_sum: (listing == Listing::Subtotals && answer.nodes() != sum).then_some(sum),
        }
    }
}

/// Reads castling written as `o-o` or `o-o-o`.
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
        let child = after(board, mv);
        let by_fen = Place::new(&fen(&child));
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
        self.made.get_or_insert_with(|| (legal(board, mv), fen(board)));
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
    let mut asked = Asked { engine, reference, place, comparison: first, followed: None, made: None };
    let Descent { path, board, depth, end } = descend(&mut asked, board, depth)?;
    let Asked { engine, place, comparison, followed, made, .. } = asked;
    let alone = if engine.ways.request.takes_moves() { Fault::Unmade } else { Fault::Walk };
    let counts = (comparison.expected, comparison.found);
    let (fault, depth, (expected, found)) = match (&end, made, followed) {
        (End::Moves(_), Some((mv, before)), _) => (Fault::Made { mv, before }, depth, counts),
        (End::Moves(_), None, _) => (Fault::Moves, depth, counts),
        // The count is that of the position before, whose walk is wrong.
        (End::RightAlone, _, Some(wrong)) => (alone, depth + 1, (wrong.expected, wrong.found)),
        _ => (Fault::Number, depth, counts),
    };
    let difference = if let End::Moves(difference) = end { difference } else { MoveDifference::default() };
    Ok(WrongMove {
        fault,
        path,
        fen: fen(&board),
        place,
        depth,
        missing: difference.missing.into_iter().map(|mv| legal(&board, mv)).collect(),
        extra: extras(&board, &difference.extra),
        expected,
        found,
    })
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
