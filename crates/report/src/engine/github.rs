//! GitHub Actions: `::error` lines, and a summary in Markdown.

use super::{EngineRun, text};
use crate::github::{annotation, cell};
use perft_gate_uci::{EngineVerdict, Failure, KeyFinding, Outcome};
use std::fmt::Write;

/// The annotation of a row that is wrong, or whose engine failed.
pub fn error(verdict: &EngineVerdict, verb: &str) -> Option<String> {
    let bad = verdict.outcome.is_wrong() || verdict.outcome.is_failure();
    bad.then(|| annotation(&format!("{} {}", verdict.row.id, verdict.outcome.name()), &text::details(verdict, verb)))
}

/// The annotation of what is wrong with the keys whatever the row.
pub fn key_error(finding: &KeyFinding) -> String {
    annotation("keys", &text::key_finding(finding))
}

/// The annotation of an engine that could not be asked for a row.
pub fn start_error(failure: &Failure) -> String {
    annotation("engine", &text::failure(failure))
}

/// The summary of a run, in Markdown.
pub fn summary(run: &EngineRun<'_>) -> String {
    let mut out = format!("### perft engine, {}: {}\n\n", cell(&run.summary.name), run.verdict());
    if let Some(failure) = &run.summary.failure {
        out += &text::failure(failure);
        return out;
    }
    out += "| position | depth | expected | found | verdict |\n|---|--:|--:|--:|---|\n";
    for verdict in &run.summary.verdicts {
        let [expected, found] = verdict.counts.map_or(["-".into(), "-".into()], |counts| counts.map(|n| n.to_string()));
        let (name, outcome) = (cell(&verdict.row.id), &verdict.outcome);
        let mark = if *outcome == Outcome::Pass { "" } else { "**" };
        let _ = writeln!(
            out,
            "| {name} | {} | {expected} | {found} | {mark}{}{mark} |",
            verdict.depth,
            text::outcome(verdict)
        );
    }
    let _ = writeln!(out, "\n{}\n\n{}", text::keys(run), text::summary(run).replace('\n', "\n\n"));
    out
}
