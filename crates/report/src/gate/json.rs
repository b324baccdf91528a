//! `perft.gate/1`: the machine-readable verdict, as `schema/gate-1.schema.json` defines it.
//!
//! Fields may be added, meanings do not change. Counts are decimal strings: they may need 128 bits.

use crate::formats::rows;
use perft_gate_judge::gate::Run;
use perft_gate_judge::gate::{CheckFinding, Diagnosis, Expectation, Missed, Outcome, RowVerdict, WrongTerm};
use perft_gate_unique::identity::{Clash, Identity};
use perft_gate_walk::RowReport;
use perft_gate_zobrist::Key;
use serde_json::{Value, json};

/// Name and version of the format.
pub const SCHEMA: &str = "perft.gate/1";

/// Returns the document of a run.
pub fn document(run: &Run<'_>) -> String {
    let settings = &run.options.settings;
    let mut document = json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "verdict": run.verdict(),
        "suite": run.suite,
        "mode": run.options.mode.name(),
        "depth": run.options.depth,
        "scheme": settings.scheme.name,
        "seed": settings.seed.to_string(),
        "level": settings.level.to_string(),
        "threads": run.threads,
        "totals": {
            "rows": run.rows,
            "passed": run.tally.passed,
            "failed": run.tally.failed,
            "skipped": run.tally.skipped,
            "nodes": run.tally.nodes.to_string(),
            "seconds": run.tally.time.as_secs_f64(),
        },
    });
    if run.before > 0 {
        document["totals"]["passed_before"] = json!(run.before);
    }
    if let Some(playouts) = &run.playouts {
        let found = |(row, found): &(String, CheckFinding)| {
            let mut value = finding(found);
            value["row"] = json!(row);
            value
        };
        document["playouts"] = json!({
            "games": playouts.playouts.games,
            "plies": playouts.playouts.plies,
            "seed": playouts.playouts.seed.to_string(),
            "checks": checks(&playouts.report),
            "missed": missed(&playouts.missed),
            "mismatches": playouts.findings.iter().map(found).collect::<Vec<_>>(),
        });
    }
    rows::text(document, &run.verdicts, row)
}

fn row(verdict: &RowVerdict) -> Value {
    let (status, reason) = match &verdict.outcome {
        Outcome::Passed => ("passed", None),
        Outcome::Failed => ("failed", None),
        Outcome::Skipped(reason) => ("skipped", Some(reason)),
        Outcome::Interrupted => ("interrupted", None),
    };
    let mut value = json!({
        "id": verdict.row.id,
        "fen": verdict.row.fen,
        "line": verdict.row.line,
        "status": status,
        "depth_requested": verdict.requested,
    });
    if let Some(reason) = reason {
        value["reason"] = json!(reason);
    }
    let Some(report) = &verdict.report else { return value };
    value["depth"] = json!(verdict.depth);
    value["expectation"] = json!(expectation(verdict.expectation));
    value["expected"] = json!(verdict.expected().map(|count| count.to_string()));
    value["nodes"] = json!(report.nodes.iter().map(u128::to_string).collect::<Vec<_>>());
    value["checks"] = checks(report);
    value["counts_compared"] = json!(verdict.counts_compared.to_string());
    value["missed"] = missed(&verdict.missed);
    value["seconds"] = json!(report.time.as_secs_f64());
    let wrong = verdict.wrong_counts.iter().map(|wrong| {
        json!({
            "depth": wrong.depth,
            "expectation": expectation(wrong.expectation),
            "expected": wrong.expected.to_string(),
            "found": wrong.found.to_string(),
        })
    });
    value["wrong_counts"] = wrong.collect();
    value["mismatches"] = verdict.findings.iter().map(finding).collect();
    value["identities"] = verdict.identities.iter().map(identity).collect();
    if !verdict.identities_missed.is_empty() {
        let missed = verdict.identities_missed.iter();
        value["identities_missed"] =
            missed.map(|(scheme, reason)| json!({ "scheme": scheme, "reason": reason })).collect();
    }
    if let Some(first) = &verdict.first_wrong {
        let moves = |moves: &[perft_gate_chess::Move]| moves.iter().map(|mv| mv.uci().to_string()).collect::<Vec<_>>();
        value["first_wrong"] = json!({
            "path": moves(&first.path),
            "fen": first.fen,
            "missing": moves(&first.difference.missing),
            "extra": first.difference.extra,
        });
    }
    if let Some(s) = &verdict.statistics {
        value["statistics"] = json!({
            "captures": s.captures.to_string(),
            "en_passant": s.en_passant.to_string(),
            "castles": s.castles.to_string(),
            "promotions": s.promotions.to_string(),
            "checks": s.checks.to_string(),
            "discovered": s.discovered.to_string(),
            "double": s.double.to_string(),
            "mates": s.mates.to_string(),
        });
    }
    value
}

fn identity(identity: &Identity) -> Value {
    let mut value = json!({
        "scheme": identity.scheme,
        "ply": identity.ply,
        "positions": identity.positions.to_string(),
        "keys": identity.keys.to_string(),
        "compared": identity.compared.to_string(),
        "expected_lost": identity.expected_lost,
        "status": if identity.is_wrong() { "failed" } else { "passed" },
    });
    let (positions, keys): (Vec<_>, Vec<_>) = match &identity.clash {
        None => return value,
        Some(Clash::TwoKeys(position, keys)) => (vec![position], keys.iter().collect()),
        Some(Clash::SharedKey(key, positions)) => (positions.iter().collect(), vec![key]),
    };
    value["clash"] = json!({
        "positions": positions.iter().map(|position| position.board().to_string()).collect::<Vec<_>>(),
        "keys": keys.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    value
}

fn expectation(expectation: Expectation) -> &'static str {
    match expectation {
        Expectation::Suite => "suite",
        Expectation::CrossChecked => "cross-checked",
    }
}

fn checks(report: &RowReport) -> Value {
    let checks = &report.checks;
    json!({
        "boards": checks.boards.to_string(),
        "keys": checks.keys.to_string(),
        "unmakes": checks.unmakes.to_string(),
        "null_moves": checks.null_moves.to_string(),
        "null_move_keys": checks.null_keys.to_string(),
        "round_trips": checks.round_trips.to_string(),
    })
}

/// Returns the checks that made more or fewer comparisons than were due.
fn missed(missed: &[Missed]) -> Value {
    let value = |Missed { check, due, made }: &Missed| json!({ "check": check, "due": due.to_string(), "made": made.to_string() });
    missed.iter().map(value).collect()
}

fn finding(finding: &CheckFinding) -> Value {
    let mismatch = &finding.mismatch;
    let mut value = json!({
        "check": mismatch.check.to_string(),
        "scheme": finding.scheme,
        "key": finding.which.unwrap_or("position"),
        "path": mismatch.path.iter().map(|mv| mv.uci().to_string()).collect::<Vec<_>>(),
        "fen_before": finding.before,
        "fen_after": mismatch.position,
        "expected": mismatch.expected,
        "found": mismatch.found,
    });
    if let Some(wrong) = mismatch.wrong_key {
        value["difference"] = json!(Key(wrong.expected.0 ^ wrong.found.0).to_string());
    }
    let names = |terms: &[WrongTerm]| terms.iter().map(WrongTerm::to_string).collect::<Vec<_>>();
    match &finding.diagnosis {
        Some(Diagnosis::Terms(terms)) => value["diagnosis"] = json!({ "kind": "terms", "sets": [names(terms)] }),
        Some(Diagnosis::Ambiguous(sets)) => {
            let sets: Vec<_> = sets.iter().map(|terms| names(terms)).collect();
            value["diagnosis"] = json!({ "kind": "ambiguous", "sets": sets });
        }
        Some(Diagnosis::Unexplained) => value["diagnosis"] = json!({ "kind": "unexplained", "sets": [] }),
        None => {}
    }
    value
}
