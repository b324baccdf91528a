//! `perft.gate/1`: the machine-readable verdict, as `schema/gate-1.schema.json` defines it.

use super::document::{
    CheckCounts, CountMismatch, FailedCheck, GateRow, GateTotals, IdentityJson, KeyClash, MissedCheck, MissedIdentity,
    PlayoutMismatch, PlayoutsReport, TermSets, WalkedRow, WrongMoves,
};
pub use super::document::{GateDocument, SCHEMA};
use crate::formats::file;
use crate::formats::move_statistics::MoveStatistics;
use crate::formats::rows::LazyRows;
use perft_gate_chess::Move;
use perft_gate_judge::gate::{CheckFinding, Diagnosis, Expectation, Missed, Outcome, RowVerdict, Run, WrongTerm};
use perft_gate_unique::identity::{Clash, Identity};
use perft_gate_walk::Checks;
use perft_gate_zobrist::Key;

/// Returns the document of a run.
pub fn document(run: &Run<'_>) -> String {
    let (settings, tally) = (&run.options.settings, &run.tally);
    let playouts = run.playouts.as_ref().map(|verdict| PlayoutsReport {
        games: verdict.playouts.games,
        plies: verdict.playouts.plies,
        seed: verdict.playouts.seed,
        checks: CheckCounts::from(&verdict.report.checks),
        missed: verdict.missed.iter().map(MissedCheck::from).collect(),
        mismatches: verdict
            .findings
            .iter()
            .map(|(row, finding)| PlayoutMismatch { mismatch: finding.into(), row })
            .collect(),
    });
    file::text(&GateDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        verdict: run.verdict(),
        suite: &run.suite,
        mode: run.options.mode.name(),
        depth: run.options.depth,
        scheme: &settings.scheme.name,
        seed: settings.seed,
        level: settings.level.to_string(),
        threads: run.threads,
        totals: GateTotals {
            rows: run.rows,
            passed: tally.passed,
            failed: tally.failed,
            skipped: tally.skipped,
            nodes: tally.nodes,
            seconds: tally.time.as_secs_f64(),
            passed_before: (run.before > 0).then_some(run.before),
        },
        playouts,
        rows: LazyRows(&run.verdicts, row),
    })
}

fn row(verdict: &RowVerdict) -> GateRow<'_> {
    let (status, reason) = match &verdict.outcome {
        Outcome::Passed => ("passed", None),
        Outcome::Failed => ("failed", None),
        Outcome::Skipped(reason) => ("skipped", Some(&**reason)),
        Outcome::Interrupted => ("interrupted", None),
    };
    GateRow {
        id: &verdict.row.id,
        fen: &verdict.row.fen,
        line: verdict.row.line,
        status,
        depth_requested: verdict.requested,
        reason,
        walk: walk(verdict),
    }
}

fn walk(verdict: &RowVerdict) -> Option<WalkedRow<'_>> {
    let report = verdict.report.as_ref()?;
    let wrong = verdict.wrong_counts.iter().map(|wrong| CountMismatch {
        depth: wrong.depth,
        expectation: expectation(wrong.expectation),
        expected: wrong.expected,
        found: wrong.found,
    });
    let missed = verdict.identities_missed.iter().map(|(scheme, reason)| MissedIdentity { scheme, reason });
    Some(WalkedRow {
        depth: verdict.depth,
        expectation: expectation(verdict.expectation),
        expected: verdict.expected(),
        nodes: &report.nodes,
        checks: CheckCounts::from(&report.checks),
        counts_compared: verdict.counts_compared,
        missed: verdict.missed.iter().map(MissedCheck::from).collect(),
        seconds: report.time.as_secs_f64(),
        wrong_counts: wrong.collect(),
        mismatches: verdict.findings.iter().map(FailedCheck::from).collect(),
        identities: verdict.identities.iter().map(IdentityJson::from).collect(),
        identities_missed: missed.collect(),
        first_wrong: verdict.first_wrong.as_ref().map(|first| WrongMoves {
            path: uci(&first.path),
            fen: &first.fen,
            missing: uci(&first.difference.missing),
            extra: &first.difference.extra,
        }),
        statistics: verdict.statistics.as_ref().map(MoveStatistics::from),
    })
}

fn expectation(expectation: Expectation) -> &'static str {
    match expectation {
        Expectation::Suite => "suite",
        Expectation::CrossChecked => "cross-checked",
    }
}

fn uci(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| mv.uci().to_string()).collect()
}

impl From<&Checks> for CheckCounts {
    fn from(checks: &Checks) -> CheckCounts {
        let &Checks { boards, keys, unmakes, null_moves, null_keys, round_trips } = checks;
        CheckCounts { boards, keys, unmakes, null_moves, null_move_keys: null_keys, round_trips }
    }
}

impl<'a> From<&'a Missed> for MissedCheck<'a> {
    fn from(Missed { check, due, made }: &'a Missed) -> MissedCheck<'a> {
        MissedCheck { check, due: *due, made: *made }
    }
}

impl<'a> From<&'a CheckFinding> for FailedCheck<'a> {
    fn from(finding: &'a CheckFinding) -> FailedCheck<'a> {
        let mismatch = &finding.mismatch;
        FailedCheck {
            check: mismatch.check.to_string(),
            scheme: &finding.scheme,
            key: finding.which.unwrap_or("position"),
            path: uci(&mismatch.path),
            fen_before: &finding.before,
            fen_after: &mismatch.position,
            expected: &mismatch.expected,
            found: &mismatch.found,
            difference: mismatch.wrong_key.map(|wrong| Key(wrong.expected.0 ^ wrong.found.0).to_string()),
            diagnosis: finding.diagnosis.as_ref().map(TermSets::from),
        }
    }
}

impl From<&Diagnosis> for TermSets<'_> {
    fn from(diagnosis: &Diagnosis) -> Self {
        let names = |terms: &Vec<WrongTerm>| terms.iter().map(WrongTerm::to_string).collect();
        let (kind, sets) = match diagnosis {
            Diagnosis::Terms(terms) => ("terms", vec![names(terms)]),
            Diagnosis::Ambiguous(sets) => ("ambiguous", sets.iter().map(names).collect()),
            Diagnosis::Unexplained => ("unexplained", Vec::new()),
        };
        TermSets { kind, sets }
    }
}

impl<'a> From<&'a Identity> for IdentityJson<'a> {
    fn from(identity: &'a Identity) -> IdentityJson<'a> {
        let clash = identity.clash.as_ref().map(|clash| {
            let (positions, keys): (Vec<_>, Vec<_>) = match clash {
                Clash::TwoKeys(position, keys) => (vec![position], keys.iter().collect()),
                Clash::SharedKey(key, positions) => (positions.iter().collect(), vec![key]),
            };
            KeyClash {
                positions: positions.iter().map(|position| position.board().to_string()).collect(),
                keys: keys.iter().map(ToString::to_string).collect(),
            }
        });
        IdentityJson {
            scheme: &identity.scheme,
            ply: identity.ply,
            positions: identity.positions,
            keys: identity.keys,
            compared: identity.compared,
            expected_lost: identity.expected_lost,
            status: if identity.is_wrong() { "failed" } else { "passed" },
            clash,
        }
    }
}
