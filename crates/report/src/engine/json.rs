//! `perft.engine/1`: the machine-readable verdict on an engine, as `schema/engine-1.schema.json` defines it.

use super::run::EngineRun;
use crate::formats::file;
use crate::formats::rows::LazyRows;
use perft_gate_engine::{
    CountFault, EngineFailure, EngineVerdict, ExplainedMove, KeyFinding, Learned, RowOutcome, WrongPosition,
};

use super::document::{
    AnswerForm, EngineDetails, EngineRow, FaultyMove, KeyComparisons, KeyLine, ListedCount, MoveAndRule, MoveCounts,
    NoAnswer, PositionDisplay, PrintedKeys, TotalsOnly, WrongPrintedKey, WronglyMade,
};
pub use super::document::{EngineDocument, SCHEMA};

/// Returns the document of a run.
pub fn document(run: &EngineRun<'_>) -> String {
    let summary = run.summary;
    let keys = summary.conventions.as_ref().map(|conventions| PrintedKeys {
        bits: conventions.bits(),
        clock_from: conventions.clock_from(),
        policy_by_fen: conventions.by_fen.name(),
        policy_by_moves: conventions.by_moves.name(),
        findings: conventions.findings.iter().map(WrongPrintedKey::from).collect(),
    });
    let faults = |is_found| {
        let listed = summary.expected_faults.iter().filter(|fault| fault.is_found == is_found);
        listed.map(|fault| fault.name).collect()
    };
    let totals = run.totals_only().count();
    let not_understood = run.not_understood().map(String::as_str);
    file::text(&EngineDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        verdict: run.verdict(),
        engine: EngineDetails {
            name: &summary.name,
            command: run.command,
            verb: run.verb,
            learned: run.learned.map(AnswerForm::from),
        },
        suite: run.suite,
        depth: run.depth,
        seconds: summary.time.as_secs_f64(),
        engine_seconds: summary.waited.as_secs_f64(),
        counting_seconds: summary.counting.as_secs_f64(),
        own_seconds: summary.own.as_secs_f64(),
        passed_before: (summary.before > 0).then_some(summary.before),
        keys,
        expected_faults: faults(true),
        faults_gone: faults(false),
        totals_only: (totals > 0).then_some(TotalsOnly { rows: totals, not_understood }),
        failure: summary.failure.as_ref().map(NoAnswer::from),
        rows: LazyRows(&summary.verdicts, row),
    })
}

fn row(verdict: &EngineVerdict) -> EngineRow<'_> {
    let skipped = match &verdict.outcome {
        RowOutcome::Skipped(reason) => Some(reason),
        _ => None,
    };
    let differences = verdict.differences.iter().map(|difference| MoveCounts {
        mv: difference.mv.uci().to_string(),
        expected: difference.expected,
        found: difference.found,
    });
    let listed = verdict.wrong_listed.iter();
    EngineRow {
        id: &verdict.row.id,
        fen: &verdict.row.fen,
        line: verdict.row.line,
        verdict: verdict.outcome.name(),
        depth: verdict.depth,
        seconds: verdict.time.as_secs_f64(),
        nodes_per_second: verdict.nodes_per_second().map(f64::round),
        expected_failure: verdict.expectation.name(),
        reason: verdict.refused.as_ref().or(skipped).map(String::as_str),
        class: verdict.outcome.is_wrong().then(|| verdict.row.class().0.name()),
        expected: verdict.counts.map(|[expected, _]| expected),
        found: verdict.counts.map(|[_, found]| found),
        subtotals: differences.collect(),
        wrong_listed: listed
            .map(|wrong| ListedCount { depth: wrong.depth, listed: wrong.listed, counted: wrong.counted })
            .collect(),
        sum: verdict.other_sum,
        wrong_move: verdict.wrong_position.as_deref().map(FaultyMove::from),
        keys: verdict.keys.as_ref().map(|keys| KeyComparisons {
            compared: keys.compared,
            fens: keys.fens,
            positions: keys.positions,
            transpositions: keys.transpositions,
            findings: keys.findings.iter().map(WrongPrintedKey::from).collect(),
        }),
        compared: verdict.compared.map(|compared| compared.name()),
        as_sets: verdict.as_sets,
        not_understood: verdict.not_understood.as_deref(),
        failure: verdict.failure.as_deref().map(NoAnswer::from),
    }
}

impl<'a> From<&'a Learned> for AnswerForm<'a> {
    fn from(learned: &'a Learned) -> AnswerForm<'a> {
        let display = learned.shown.as_ref().map(|shown| PositionDisplay {
            command: &shown.command,
            fen: shown.fen,
            key: shown.key.as_ref().map(|(line, base)| KeyLine { line, base: base.name() }),
        });
        AnswerForm { moves: learned.lists_moves, end: learned.end, display }
    }
}

impl<'a> From<&'a EngineFailure> for NoAnswer<'a> {
    fn from(failure: &'a EngineFailure) -> NoAnswer<'a> {
        NoAnswer { message: &failure.message, stderr: &failure.stderr, to_see: &failure.asked }
    }
}

impl<'a> From<&'a KeyFinding> for WrongPrintedKey<'a> {
    fn from(finding: &'a KeyFinding) -> WrongPrintedKey<'a> {
        WrongPrintedKey {
            fault: finding.fault.name(),
            cause: &finding.cause,
            position: finding.position.to_string(),
            expected: &finding.expected,
            found: &finding.found,
            against: finding.other.as_ref().map(ToString::to_string),
        }
    }
}

impl<'a> From<&'a ExplainedMove> for MoveAndRule<'a> {
    fn from(mv: &'a ExplainedMove) -> MoveAndRule<'a> {
        MoveAndRule { mv: &mv.text, rule: &mv.rule }
    }
}

impl<'a> From<&'a WrongPosition> for FaultyMove<'a> {
    fn from(wrong: &'a WrongPosition) -> FaultyMove<'a> {
        FaultyMove {
            fault: wrong.fault.name(),
            path: wrong.path.iter().map(|mv| mv.uci().to_string()).collect(),
            fen: &wrong.fen,
            position: wrong.position.to_string(),
            depth: wrong.depth,
            missing: wrong.missing.iter().map(MoveAndRule::from).collect(),
            extra: wrong.extra.iter().map(MoveAndRule::from).collect(),
            expected: wrong.expected,
            found: wrong.found,
            unread: &wrong.unread,
            cause: match &wrong.fault {
                CountFault::OnlyInWalk(cause) => Some(cause.text()),
                _ => None,
            },
            made: match &wrong.fault {
                CountFault::Made { mv, before } => Some(WronglyMade { mv: mv.into(), fen: before }),
                _ => None,
            },
        }
    }
}
