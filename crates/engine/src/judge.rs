//! Verdict on an engine's answer for one row of a suite.

use crate::descent::find_wrong_position;
use crate::dialect::Ending;
use crate::keys::{KeyConventions, check};
use crate::outcome::{FailureKind, Result, RowOutcome};
use crate::request::PositionCommand;
use crate::uci::{CHESS960, Engine};
use crate::verdict::{EngineVerdict, NO_CHESS960, NO_OPTION, WrongListed};
use perft_gate_chess::{Fen, Move, legal_moves};
use perft_gate_listing::{Comparison, Divide, Listing};
use perft_gate_suite::{Class, Row};
use std::time::{Duration, Instant};

pub(super) fn judge(
    engine: &mut Engine<'_>,
    (row, depth): (&Row, u32),
    conventions: Option<&KeyConventions>,
) -> EngineVerdict {
    let (start, waited) = (Instant::now(), engine.waited);
    let mut verdict = EngineVerdict::new(row, depth, RowOutcome::Pass);
    let asked = judge_counts(engine, &mut verdict).and_then(|()| judge_keys(engine, conventions, &mut verdict));
    if let Err(failure) = asked {
        // If a difference was already found, keep its outcome, even if the descent to its cause failed.
        if verdict.outcome == RowOutcome::Pass {
            verdict.outcome = failure.kind.into();
        }
        verdict.failure = Some(Box::new(failure));
    }
    if matches!(verdict.outcome, RowOutcome::Crash | RowOutcome::Unparsed) && verdict.class == Class::Tolerated {
        let message = verdict.failure.as_ref().map_or("no answer", |failure| &failure.message);
        verdict.refused = Some(format!("it gives no count: {message}"));
        verdict.outcome = RowOutcome::FenRejected;
    }
    verdict.time = start.elapsed();
    verdict.waited = engine.waited - waited;
    verdict
}

fn judge_counts(engine: &mut Engine<'_>, verdict: &mut EngineVerdict) -> Result<()> {
    let (row, depth) = (verdict.row.clone(), verdict.depth);
    let is_chess960 = row.board().is_chess960();
    if is_chess960 && !engine.options.contains_key(CHESS960) {
        let reason = if engine.settings.is_program() { NO_OPTION } else { NO_CHESS960 };
        (verdict.outcome, verdict.skipped) = (RowOutcome::Skipped, Some(reason.into()));
        return Ok(());
    }
    engine.play(is_chess960)?;
    engine.forget()?;
    let position = PositionCommand::new(&row.fen);
    // Asks for shallow depths first, because finding an error there costs almost nothing. But if only silence marks the
    // end of an answer, every depth would cost a wait, so only the full depth is asked for.
    let first = if engine.dialect.ending == Ending::Quiet { depth } else { 1 };
    for (depth, listed) in (1..=depth).filter_map(|depth| Some((depth, row.count(depth)?))) {
        let counted = engine.reference.leaves(row.board(), depth)?;
        if listed != counted {
            verdict.wrong_listed.push(WrongListed { depth, listed, counted });
        }
    }
    for depth in first..=depth {
        verdict.depth = depth;
        judge_depth(engine, verdict, (&row, &position))?;
        if verdict.outcome != RowOutcome::Pass {
            break;
        }
    }
    if verdict.outcome == RowOutcome::Pass && !verdict.wrong_listed.is_empty() {
        verdict.outcome = RowOutcome::WrongList;
    }
    Ok(())
}

/// Minimum time that an answer must take for its nodes per second to be meaningful.
const MIN_TIMED: Duration = Duration::from_millis(5);

fn judge_depth(
    engine: &mut Engine<'_>,
    verdict: &mut EngineVerdict,
    (row, position): (&Row, &PositionCommand),
) -> Result<()> {
    let (depth, waited) = (verdict.depth, engine.waited);
    // Clear the results of the previous depth, so that they do not remain if this depth gets no answer.
    (verdict.comparison, verdict.nodes_per_second) = (None, None);
    let answer = engine.divide(position, depth)?;
    let answer_time = engine.waited - waited;
    let comparison = engine.reference.compare(row.board(), depth, &answer)?;
    verdict.comparison = Some(comparison.clone());
    if engine.dialect.ending != Ending::Quiet && answer_time >= MIN_TIMED {
        verdict.nodes_per_second = Some((comparison.found as f64 / answer_time.as_secs_f64()).round());
    }
    if comparison.listing == Listing::Total && engine.settings.require_moves {
        let expected = "expected the leaves of each root move, found only the total";
        return Err(engine.failure(FailureKind::Unparsed, expected.into()));
    }
    if comparison.listing == Listing::Total || !comparison.missing.is_empty() {
        verdict.not_understood = answer.not_understood().cloned();
    }
    if comparison.is_equal() {
        return Ok(());
    }
    if comparison.is_right() {
        verdict.outcome = RowOutcome::WrongTotal;
        return Ok(());
    }
    verdict.outcome = RowOutcome::WrongCount;
    if let Some(shown) = refusal(engine, row, position, (&answer, &comparison))? {
        verdict.outcome = RowOutcome::FenRejected;
        verdict.refused = Some(shown);
        return Ok(());
    }
    let wrong = find_wrong_position(engine, (row.board(), position.clone()), depth, comparison)?;
    verdict.wrong_position = Some(Box::new(wrong));
    Ok(())
}

fn judge_keys(
    engine: &mut Engine<'_>,
    conventions: Option<&KeyConventions>,
    verdict: &mut EngineVerdict,
) -> Result<()> {
    let are_shown = conventions.is_some() || engine.dialect.fen.is_some();
    if !are_shown || verdict.outcome != RowOutcome::Pass {
        return Ok(());
    }
    let report = check(engine, conventions, &verdict.row)?;
    if !report.findings.is_empty() {
        let are_fens = report.findings.iter().all(|finding| finding.fault.is_of_fen());
        verdict.outcome = if are_fens { RowOutcome::WrongFen } else { RowOutcome::WrongKey };
    }
    verdict.keys = Some(Box::new(report));
    Ok(())
}

/// If the engine refuses the position, describes the evidence: its complaint, or the moves or the FEN of the position
/// that it sets up instead.
fn refusal(
    engine: &mut Engine<'_>,
    row: &Row,
    position: &PositionCommand,
    (answer, comparison): (&Divide, &Comparison),
) -> Result<Option<String>> {
    let complaint = answer.other.iter().find(|line| {
        let line = line.to_ascii_lowercase();
        line.contains("fen") && ["invalid", "illegal", "error", "bad", "reject"].iter().any(|part| line.contains(part))
    });
    if let Some(complaint) = complaint {
        return Ok(Some(format!("it says '{complaint}'")));
    }
    // The row's position can have the moves of the start position too, so the moves must also be wrong for the row.
    let start = Fen::parse(Fen::START).expect("the start position");
    let moves: Vec<(Move, u128)> = legal_moves(&start).iter().map(|&mv| (mv, 1)).collect();
    let at_start = Comparison::new(&start, &moves, answer);
    let has_moves_of_start = at_start.listing == Listing::Moves && at_start.has_same_moves();
    if start != *row.board() && !comparison.has_same_moves() && has_moves_of_start {
        return Ok(Some("its moves are those of the start position".into()));
    }
    // Only the piece placement and the side to move are compared.
    let fields = |fen: &str| fen.split_ascii_whitespace().take(2).map(String::from).collect::<Vec<_>>();
    let shown = engine.display(position)?.fen.filter(|shown| fields(shown) != fields(&row.fen));
    Ok(shown.map(|shown| format!("it shows {shown}")))
}
