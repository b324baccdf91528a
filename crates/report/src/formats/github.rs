//! GitHub Actions: `::error` lines, and a summary in Markdown.

use super::case::{Cases, ReportCase, Status};
use std::fmt::Write;

/// Writes an `::error` line for a case that failed or could not be judged.
pub fn error(case: &ReportCase) -> Option<String> {
    let details = if case.details.is_empty() { &case.message } else { &case.details };
    matches!(case.status, Status::Failed | Status::Error).then(|| annotation(&case.name, details))
}

fn annotation(title: &str, details: &str) -> String {
    let title = escaped(title).replace(':', "%3A").replace(',', "%2C");
    format!("::error title=perft {title}::{}", escaped(details))
}

/// Escapes what a workflow command would read as its end.
fn escaped(text: &str) -> String {
    text.trim_end().replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a name of a suite or an engine so that it reads as it is: no HTML, no Markdown, no end of a table cell.
pub fn cell(text: &str) -> String {
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

/// Writes the summary of a run: a headline, the table of its rows, a last paragraph.
pub fn summary(headline: &str, run: &Cases, last: &str) -> String {
    let mut out = format!("### {headline}\n\n");
    out += "| position | depth | expected | found | verdict |\n|---|--:|--:|--:|---|\n";
    for case in &run.cases {
        let Some(row) = &case.row else { continue };
        let [expected, found] = row.counts.map(|count| count.map_or("-".into(), |count| count.to_string()));
        let _ = writeln!(out, "| {} | {} | {expected} | {found} | {} |", cell(&case.name), row.depth, row.verdict);
    }
    let _ = writeln!(out, "\n{last}");
    out
}
