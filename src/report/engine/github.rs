//! GitHub Actions: `::error` lines, and a summary in Markdown.

use super::{EngineRun, text};
use crate::engine::{KeyFinding, Outcome, Verdict};
use crate::report::github::{annotation, cell};
use std::fmt::Write;

/// The annotation of a row that is wrong, or whose engine failed.
pub fn error(verdict: &Verdict, verb: &str) -> Option<String> {
    let bad = verdict.outcome.is_wrong() || verdict.outcome.is_failure();
    bad.then(|| annotation(&format!("{} {}", verdict.row.id, verdict.outcome.name()), &text::details(verdict, verb)))
}

/// The annotation of what is wrong with the keys whatever the row.
pub fn key_error(finding: &KeyFinding) -> String {
    annotation("keys", &text::key_finding(finding))
}

/// The summary of a run, in Markdown.
pub fn summary(run: &EngineRun<'_>) -> String {
    let mut out = format!("### perft engine, {}: {}\n\n", cell(&run.summary.name), run.verdict());
    out += "| position | depth | expected | found | verdict |\n|---|--:|--:|--:|---|\n";
    for verdict in &run.summary.verdicts {
        let [expected, found] = verdict.counts.map_or(["-".into(), "-".into()], |counts| counts.map(|n| n.to_string()));
        let (name, outcome) = (cell(&verdict.row.id), &verdict.outcome);
        let mark = if *outcome == Outcome::Pass { "" } else { "**" };
        let _ = writeln!(out, "| {name} | {} | {expected} | {found} | {mark}{}{mark} |", verdict.depth, outcome.name());
    }
    let _ = writeln!(out, "\n{}\n\n{}", text::keys(run), text::summary(run));
    out
}
