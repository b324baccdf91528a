//! Verdict on an engine's answer for one row of a suite.

use super::answer::{Divide, Listing};
use super::comparison::Comparison;
use super::descent::{Difference, Reference, WrongMove, wrong_move};
use super::expected::{Expectation, ExpectedFailures};
use super::keys::{self, Habits, KeyReport, Lines, Seen};
use super::trial::Ending;
use super::uci::{Engine, Startlike, Variant};
use super::{Failure, FailureKind, Place};
use perft_gate_chess::Fen;
use perft_gate_judge::suite::{Class, Row};
use std::time::{Duration, Instant};

/// Number of random lines of a row whose keys are checked.
const LINES: u32 = 8;
/// Number of plies of a random line.
const LINE_PLIES: u32 = 8;
/// Shortest answer whose rate is told.
const SHORTEST: Duration = Duration::from_millis(5);
/// Reason for skipping a row of Chess960.
const NO_CHESS960: &str = "a position of Chess960, and the engine has no option UCI_Chess960";
/// The same for a program without UCI.
const NO_OPTION: &str = "a position of Chess960, which a program without UCI cannot be told";

/// Result of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All comparisons are equal.
    Pass,
    /// The moves or a subtotal are wrong, or the total if nothing else is printed.
    WrongCount,
    /// The printed total is wrong, but the moves and subtotals are right.
    WrongTotal,
    /// A key is wrong.
    WrongKey,
    /// A count of the list is wrong, and the engine's is right.
    WrongList,
    /// The engine refuses the position.
    FenRejected,
    /// No answer came in time.
    Timeout,
    /// The engine died.
    Crash,
    /// The answer is not understood.
    Unparsed,
    /// Not asked, for this reason.
    Skipped(String),
    /// Stopped before its end.
    Interrupted,
}

impl Outcome {
    /// Returns `pass`, `wrong-count` and so on.
    pub const fn name(&self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::WrongCount => "wrong-count",
            Outcome::WrongTotal => "wrong-total",
            Outcome::WrongKey => "wrong-key",
            Outcome::WrongList => "wrong-list",
            Outcome::FenRejected => "fen-rejected",
            Outcome::Timeout => "timeout",
            Outcome::Crash => "crash",
            Outcome::Unparsed => "unparsed",
            Outcome::Skipped(_) => "skipped",
            Outcome::Interrupted => "interrupted",
        }
    }

    /// Returns true if something in the engine's answer is wrong, or in the list.
    pub const fn is_wrong(&self) -> bool {
        use Outcome::*;
        matches!(self, WrongCount | WrongTotal | WrongKey | WrongList | FenRejected)
    }

    /// Returns true if the row was left out because the engine does not play Chess960.
    pub fn lacks_chess960(&self) -> bool {
        matches!(self, Outcome::Skipped(reason) if [NO_CHESS960, NO_OPTION].contains(&&**reason))
    }

    /// Returns true if the engine gave no answer that can be judged.
    pub const fn is_failure(&self) -> bool {
        matches!(self, Outcome::Timeout | Outcome::Crash | Outcome::Unparsed)
    }
}

impl From<FailureKind> for Outcome {
    fn from(kind: FailureKind) -> Outcome {
        match kind {
            FailureKind::Timeout => Outcome::Timeout,
            FailureKind::Crash | FailureKind::NotStarted => Outcome::Crash,
            FailureKind::Unparsed | FailureKind::NoPerft | FailureKind::PatternMisfit => Outcome::Unparsed,
            FailureKind::Interrupted => Outcome::Interrupted,
        }
    }
}

/// A count of the list that is not ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongListed {
    /// Number of plies.
    pub depth: u32,
    /// The count in the list.
    pub listed: u128,
    /// Number of leaves by our counter.
    pub counted: u128,
}

/// Part of an engine's count that was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    /// The root moves, the leaves below each, and the total if there is one.
    Moves,
    /// The total alone: no root moves were listed, or the list was not understood.
    Total,
}

impl Compared {
    /// Returns `moves` or `total`.
    pub const fn name(self) -> &'static str {
        match self {
            Compared::Moves => "moves",
            Compared::Total => "total",
        }
    }
}

/// Verdict on one row.
#[derive(Clone, Debug)]
pub struct EngineVerdict {
    /// The row.
    pub row: Row,
    /// Number of plies counted; the shallowest that is wrong.
    pub depth: u32,
    /// Result.
    pub outcome: Outcome,
    /// Number of leaves by our counter, and by the engine.
    pub counts: Option<[u128; 2]>,
    /// Part that was compared, if any.
    pub compared: Option<Compared>,
    /// First line of the answer that was not understood, if moves are missing or were not compared.
    pub not_understood: Option<String>,
    /// True if moves are listed without what tells them apart, such as promotions without their pieces: their counts were
    /// compared as sets.
    pub as_sets: bool,
    /// Counts of the list that are not ours.
    pub wrong_listed: Vec<WrongListed>,
    /// Subtotals that differ.
    pub differences: Vec<Difference>,
    /// Sum of the subtotals, if the printed total differs from it.
    pub other_sum: Option<u128>,
    /// Position where the moves are wrong.
    pub wrong_move: Option<Box<WrongMove>>,
    /// Position that the engine shows instead of the row's.
    pub refused: Option<String>,
    /// Report on the keys, if they were checked.
    pub keys: Option<Box<KeyReport>>,
    /// Reason why there is no answer, or none during the descent.
    pub failure: Option<Box<Failure>>,
    /// Wall time.
    pub time: Duration,
    /// Part of the time that was spent waiting for the engine.
    pub waited: Duration,
    /// Part of the time that was spent waiting for the deepest answer, if something marks its end.
    pub answer_time: Option<Duration>,
    /// The outcome beside what was expected of the row.
    pub expectation: Expectation,
}

impl EngineVerdict {
    pub(super) fn new(row: &Row, depth: u32, outcome: Outcome) -> EngineVerdict {
        EngineVerdict {
            row: row.clone(),
            depth,
            outcome,
            counts: None,
            compared: None,
            not_understood: None,
            as_sets: false,
            wrong_listed: Vec::new(),
            differences: Vec::new(),
            other_sum: None,
            wrong_move: None,
            refused: None,
            keys: None,
            failure: None,
            time: Duration::ZERO,
            waited: Duration::ZERO,
            answer_time: None,
            expectation: Expectation::None,
        }
    }

    /// Returns true if the row failed, and is not excused.
    pub fn has_failed(&self) -> bool {
        (self.outcome.is_wrong() || self.outcome.is_failure()) && !self.is_excused()
    }

    /// Returns true for a failure that is no error of the engine, or a known one.
    pub fn is_excused(&self) -> bool {
        self.expectation == Expectation::Met || self.is_tolerated_refusal()
    }

    /// Returns true if the engine refuses a position that strict programs refuse.
    pub fn is_tolerated_refusal(&self) -> bool {
        self.outcome == Outcome::FenRejected && is_tolerated(&self.row)
    }

    /// Returns the engine's leaves per second, if they were timed and the time is long enough to mean something.
    pub fn nodes_per_second(&self) -> Option<f64> {
        let time = self.answer_time.filter(|time| *time >= SHORTEST)?;
        self.counts.map(|[_, found]| found as f64 / time.as_secs_f64())
    }

    /// Compares the keys of the row with those of the rows before.
    pub(super) fn compare_keys(&mut self, seen: &mut Seen, expected: &ExpectedFailures) {
        let Some(report) = &mut self.keys else { return };
        seen.add(report);
        if !report.findings.is_empty() && self.outcome == Outcome::Pass {
            self.outcome = Outcome::WrongKey;
            self.expectation = expected.compare(&self.row, &self.outcome);
        }
    }

    /// Returns the verdict on an engine that gave no answer.
    pub(super) fn failed(row: &Row, depth: u32, failure: Failure) -> EngineVerdict {
        EngineVerdict {
            failure: Some(Box::new(failure.clone())),
            ..EngineVerdict::new(row, depth, failure.kind.into())
        }
    }
}

/// Judges a row that an engine counts.
pub(super) fn judge(
    engine: &mut Engine<'_>,
    reference: &mut Reference<'_>,
    (row, depth): (&Row, u32),
    habits: Option<&Habits>,
) -> EngineVerdict {
    let (start, waited) = (Instant::now(), engine.waited);
    let mut verdict = EngineVerdict::new(row, depth, Outcome::Pass);
    let keyed = |engine: &mut Engine<'_>, verdict: &mut EngineVerdict| match habits {
        Some(habits) if verdict.outcome == Outcome::Pass => keyed(engine, habits, verdict),
        _ => Ok(()),
    };
    let asked = counted(engine, reference, &mut verdict).and_then(|()| keyed(engine, &mut verdict));
    if let Err(failure) = asked {
        // A difference that was found stays, even if its descent failed.
        if verdict.outcome == Outcome::Pass {
            verdict.outcome = failure.kind.into();
        }
        verdict.failure = Some(Box::new(failure));
    }
    if matches!(verdict.outcome, Outcome::Crash | Outcome::Unparsed) && is_tolerated(row) {
        let message = verdict.failure.as_ref().map_or("no answer", |failure| &failure.message);
        verdict.refused = Some(format!("it gives no count: {message}"));
        verdict.outcome = Outcome::FenRejected;
    }
    verdict.time = start.elapsed();
    verdict.waited = engine.waited - waited;
    verdict
}

/// Returns true for a position on which programs may differ.
fn is_tolerated(row: &Row) -> bool {
    row.class().0 == Class::Tolerated
}

fn counted(engine: &mut Engine<'_>, reference: &mut Reference<'_>, verdict: &mut EngineVerdict) -> Result<(), Failure> {
    let EngineVerdict { row, depth, .. } = &*verdict;
    let (row, depth) = (row.clone(), *depth);
    let variant = if row.board().is_chess960() { Variant::Chess960 } else { Variant::Standard };
    if variant == Variant::Chess960 && !engine.has_chess960() {
        let reason = if engine.settings.is_program() { NO_OPTION } else { NO_CHESS960 };
        verdict.outcome = Outcome::Skipped(reason.into());
        return Ok(());
    }
    engine.play(variant)?;
    engine.forget()?;
    let place = Place::new(&row.fen);
    // Shallow depths first: a wrong one costs nothing to find there. Where only silence ends an answer, each would cost
    // that silence.
    let first = if engine.ways.ending == Ending::Quiet { depth } else { 1 };
    for depth in (1..=depth).filter(|depth| row.count(*depth).is_some()) {
        let (listed, counted) = (row.count(depth).unwrap_or(0), reference.leaves(row.board(), depth)?);
        if listed != counted {
            verdict.wrong_listed.push(WrongListed { depth, listed, counted });
        }
    }
    for depth in first..=depth {
        verdict.depth = depth;
        counted_to(engine, reference, verdict, (&row, &place))?;
        if verdict.outcome != Outcome::Pass {
            break;
        }
    }
    if verdict.outcome == Outcome::Pass && !verdict.wrong_listed.is_empty() {
        verdict.outcome = Outcome::WrongList;
    }
    Ok(())
}

/// Judges the count of one depth.
fn counted_to(
    engine: &mut Engine<'_>,
    reference: &mut Reference<'_>,
    verdict: &mut EngineVerdict,
    (row, place): (&Row, &Place),
) -> Result<(), Failure> {
    let (depth, waited) = (verdict.depth, engine.waited);
    // If there is no answer, the one to the depth before does not stand in its place.
    (verdict.counts, verdict.compared, verdict.answer_time) = (None, None, None);
    let answer = engine.divide(place, depth)?;
    verdict.answer_time = (engine.ways.ending != Ending::Quiet).then(|| engine.waited - waited);
    let comparison = reference.compare(row.board(), depth, &answer)?;
    let Comparison { expected, found, .. } = comparison;
    verdict.counts = Some([expected, found]);
    let compared = if comparison.listing == Listing::Subtotals { Compared::Moves } else { Compared::Total };
    verdict.compared = Some(compared);
    if compared == Compared::Total && engine.settings.require_moves {
        let expected = "expected the leaves of each root move, found the total alone";
        return Err(engine.unparsed(expected.into()));
    }
    if compared == Compared::Total || !comparison.missing.is_empty() {
        verdict.not_understood = answer.not_understood().cloned();
    }
    verdict.as_sets = comparison.as_sets;
    if comparison.is_equal() {
        return Ok(());
    }
    if comparison.is_right() {
        (verdict.outcome, verdict.other_sum) = (Outcome::WrongTotal, comparison.other_sum);
        return Ok(());
    }
    verdict.outcome = Outcome::WrongCount;
    verdict.differences = comparison.subtotals.clone();
    verdict.other_sum = comparison.other_sum;
    if let Some(shown) = refusal(engine, row, place, (&answer, &comparison))? {
        verdict.outcome = Outcome::FenRejected;
        verdict.refused = Some(shown);
        return Ok(());
    }
    let wrong = wrong_move(engine, reference, (row.board(), place.clone()), depth, comparison)?;
    verdict.wrong_move = Some(Box::new(wrong));
    Ok(())
}

fn keyed(engine: &mut Engine<'_>, habits: &Habits, verdict: &mut EngineVerdict) -> Result<(), Failure> {
    let lines = Lines { number: LINES, plies: LINE_PLIES, seed: engine.settings.seed };
    let report = keys::check(engine, habits, &verdict.row, lines)?;
    if !report.findings.is_empty() {
        verdict.outcome = Outcome::WrongKey;
    }
    verdict.keys = Some(Box::new(report));
    Ok(())
}

/// Describes the position that the engine has instead, by its own words or by its moves.
fn refusal(
    engine: &mut Engine<'_>,
    row: &Row,
    place: &Place,
    (answer, comparison): (&Divide, &Comparison),
) -> Result<Option<String>, Failure> {
    let complaint = answer.other.iter().find(|line| {
        let line = line.to_ascii_lowercase();
        line.contains("fen") && ["invalid", "illegal", "error", "bad", "reject"].iter().any(|part| line.contains(part))
    });
    if let Some(complaint) = complaint {
        return Ok(Some(format!("it says '{complaint}'")));
    }
    // The moves of other positions may be those of the start position too.
    let is_start = Fen::parse(Fen::START).is_ok_and(|start| start == *row.board());
    if !is_start && !comparison.has_same_moves() && Engine::is_start(answer) == Startlike::Same {
        return Ok(Some("its moves are those of the start position".into()));
    }
    Ok(engine.refusal(place, &row.fen)?.map(|shown| format!("it shows {shown}")))
}
