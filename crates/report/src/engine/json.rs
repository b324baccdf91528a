//! `perft.engine/1`: the machine-readable verdict on an engine, as `schema/engine-1.schema.json` defines it.
//!
//! Fields may be added, meanings do not change. Counts are decimal strings: they may need 128 bits.

use super::run::EngineRun;
use crate::formats::rows;
use perft_gate_chess::EnPassantPolicy;
use perft_gate_engine::{
    CountFault, EngineFailure, EngineVerdict, ExplainedMove, KeyFinding, Learned, RowOutcome, WrongPosition,
};
use serde_json::{Value, json};

/// Name and version of the format.
pub const SCHEMA: &str = "perft.engine/1";

/// Returns the document of a run.
pub fn document(run: &EngineRun<'_>) -> String {
    let summary = run.summary;
    let mut document = json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "verdict": run.verdict(),
        "engine": { "name": summary.name, "command": run.command, "verb": run.verb },
        "suite": run.suite,
        "depth": run.depth,
        "seconds": summary.time.as_secs_f64(),
        "engine_seconds": summary.waited.as_secs_f64(),
        "counting_seconds": summary.counting.as_secs_f64(),
        "own_seconds": summary.own.as_secs_f64(),
    });
    if summary.before > 0 {
        document["passed_before"] = json!(summary.before);
    }
    if let Some(known) = run.learned {
        document["engine"]["learned"] = learned(known);
    }
    if let Some(conventions) = &summary.conventions {
        let policy = |policy: Option<EnPassantPolicy>| policy.map_or("none", EnPassantPolicy::name);
        document["keys"] = json!({
            "bits": conventions.bits(),
            "clock_from": conventions.clock_from,
            "policy_by_fen": policy(conventions.by_fen),
            "policy_by_moves": policy(conventions.by_moves),
            "findings": conventions.findings.iter().map(key_finding).collect::<Vec<_>>(),
        });
    }
    let totals = run.totals_only().count();
    if totals > 0 {
        document["totals_only"] = json!({ "rows": totals });
        if let Some(line) = run.not_understood() {
            document["totals_only"]["not_understood"] = json!(line);
        }
    }
    if let Some(failed) = &summary.failure {
        document["failure"] = failure(failed);
    }
    rows::text(document, &summary.verdicts, row)
}

fn row(verdict: &EngineVerdict) -> Value {
    let mut value = json!({
        "id": verdict.row.id,
        "fen": verdict.row.fen,
        "line": verdict.row.line,
        "verdict": verdict.outcome.name(),
        "depth": verdict.depth,
        "seconds": verdict.time.as_secs_f64(),
    });
    if let Some(rate) = verdict.nodes_per_second() {
        value["nodes_per_second"] = json!(rate.round());
    }
    if let Some(expectation) = verdict.expectation.name() {
        value["expected_failure"] = json!(expectation);
    }
    if let RowOutcome::Skipped(reason) = &verdict.outcome {
        value["reason"] = json!(reason);
    }
    if verdict.outcome.is_wrong() {
        value["class"] = json!(verdict.row.class().0.name());
    }
    if let Some([expected, found]) = verdict.counts {
        value["expected"] = json!(expected.to_string());
        value["found"] = json!(found.to_string());
    }
    if !verdict.differences.is_empty() {
        let differences = verdict.differences.iter().map(|difference| {
            json!({
                "move": difference.mv.uci().to_string(),
                "expected": difference.expected.to_string(),
                "found": difference.found.to_string(),
            })
        });
        value["subtotals"] = differences.collect();
    }
    if !verdict.wrong_listed.is_empty() {
        let wrong = verdict.wrong_listed.iter().map(|wrong| {
            json!({ "depth": wrong.depth, "listed": wrong.listed.to_string(), "counted": wrong.counted.to_string() })
        });
        value["wrong_listed"] = wrong.collect();
    }
    if let Some(sum) = verdict.other_sum {
        value["sum"] = json!(sum.to_string());
    }
    if let Some(wrong) = &verdict.wrong_position {
        value["wrong_move"] = wrong_position(wrong);
    }
    if let Some(keys) = &verdict.keys {
        value["keys"] = json!({
            "compared": keys.compared.to_string(),
            "positions": keys.positions.to_string(),
            "transpositions": keys.transpositions.to_string(),
            "findings": keys.findings.iter().map(key_finding).collect::<Vec<_>>(),
        });
    }
    if let Some(refused) = &verdict.refused {
        value["reason"] = json!(refused);
    }
    if let Some(compared) = verdict.compared {
        value["compared"] = json!(compared.name());
    }
    if verdict.as_sets {
        value["as_sets"] = json!(true);
    }
    if let Some(line) = &verdict.not_understood {
        value["not_understood"] = json!(line);
    }
    if let Some(failed) = &verdict.failure {
        value["failure"] = failure(failed);
    }
    value
}

fn learned(learned: &Learned) -> Value {
    let mut value = json!({ "moves": learned.lists_moves, "end": learned.end });
    if let Some(shown) = &learned.shown {
        value["display"] = json!({ "command": shown.command, "fen": shown.fen });
        if let Some((line, base)) = &shown.key {
            value["display"]["key"] = json!({ "line": line, "base": base.name() });
        }
    }
    value
}

fn failure(failure: &EngineFailure) -> Value {
    json!({ "message": failure.message, "stderr": failure.stderr, "to_see": failure.asked })
}

fn key_finding(finding: &KeyFinding) -> Value {
    let mut value = json!({
        "fault": finding.fault.name(),
        "cause": finding.cause,
        "position": finding.position.to_string(),
        "expected": finding.expected,
        "found": finding.found,
    });
    if let Some(other) = &finding.other {
        value["against"] = json!(other.to_string());
    }
    value
}

fn wrong_position(wrong: &WrongPosition) -> Value {
    let named = |mv: &ExplainedMove| json!({ "move": mv.text, "rule": mv.rule });
    let mut value = json!({
        "fault": wrong.fault.name(),
        "path": wrong.path.iter().map(|mv| mv.uci().to_string()).collect::<Vec<_>>(),
        "fen": wrong.fen,
        "position": wrong.position.to_string(),
        "depth": wrong.depth,
        "missing": wrong.missing.iter().map(named).collect::<Vec<_>>(),
        "extra": wrong.extra.iter().map(named).collect::<Vec<_>>(),
        "expected": wrong.expected.to_string(),
        "found": wrong.found.to_string(),
    });
    if !wrong.unread.is_empty() {
        value["unread"] = json!(wrong.unread);
    }
    if let CountFault::OnlyInWalk(cause) = &wrong.fault {
        value["cause"] = json!(cause.text());
    }
    if let CountFault::Made { mv, before } = &wrong.fault {
        value["made"] = json!({ "move": mv.text, "rule": mv.rule, "fen": before });
    }
    value
}
