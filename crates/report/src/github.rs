//! GitHub Actions: `::error` lines, and a summary in Markdown.

use perft_gate_judge::gate::{Outcome, RowVerdict};
use perft_gate_judge::gate::{Run, text};
use std::fmt::Write;

/// Escapes what a workflow command would read as its end.
fn escaped(text: &str) -> String {
    text.trim_end().replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The annotation of a failed row.
pub fn error(verdict: &RowVerdict) -> Option<String> {
    (verdict.outcome == Outcome::Failed).then(|| annotation(&verdict.row.id, &text::details(verdict)))
}

/// An `::error` line.
pub(super) fn annotation(title: &str, details: &str) -> String {
    let title = escaped(title).replace(':', "%3A").replace(',', "%2C");
    format!("::error title=perft {title}::{}", escaped(details))
}

/// KeyTable of a suite or an engine as they are read: no HTML, no Markdown, no cell's end.
pub(super) fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '\\' | '|' | '`' | '*' | '_' | '~' | '[' | ']' | '!' => out.extend(['\\', letter]),
            control if control.is_control() => _ = write!(out, "U+{:04X}", u32::from(control)),
            other => out.push(other),
        }
    }
    out
}

/// The summary of a run, in Markdown.
pub fn summary(run: &Run<'_>) -> String {
    let mut out = format!("### perft: {}\n\n", run.verdict());
    out += "| position | depth | expected | found | verdict |\n|---|--:|--:|--:|---|\n";
    for verdict in &run.verdicts {
        let word = match &verdict.outcome {
            Outcome::Passed => "ok",
            Outcome::Failed => "**wrong**",
            Outcome::Skipped(_) => "skipped",
            Outcome::Interrupted => "interrupted",
        };
        let expected = verdict.expected().map_or("-".into(), |count| count.to_string());
        let found = verdict.report.as_ref().and_then(|report| report.nodes.last()).map_or("-".into(), u128::to_string);
        let name = cell(&verdict.row.id);
        let _ = writeln!(out, "| {name} | {} | {expected} | {found} | {word} |", verdict.depth);
    }
    let _ = writeln!(out, "\n{}", text::summary(run));
    out
}
