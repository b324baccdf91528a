//! A run of the gate as cases.

use super::text;
use crate::formats::case::{Cases, ReportCase, Status, TableRow};
use crate::formats::{github, junit};
use perft_gate_judge::gate::{Outcome, RowVerdict, Run};

/// Returns the cases of a run: its rows, the random games, and whether it came to its end.
pub fn cases(run: &Run<'_>) -> Cases {
    let mut cases: Vec<ReportCase> = run.verdicts.iter().map(case).collect();
    if run.before > 0 {
        let remark = Some(format!("{} of {} rows, not walked again", run.before, run.rows));
        cases.push(ReportCase { remark, ..ReportCase::passed("rows that passed in an earlier run") });
    }
    if let Some(playouts) = &run.playouts {
        cases.push(match (playouts.is_wrong(), playouts.report.interrupted) {
            (true, _) => ReportCase::ended("playouts", Status::Failed, "playouts", text::playouts(playouts)),
            (false, true) => ReportCase::ended("playouts", Status::Error, "interrupted", String::new()),
            (false, false) => ReportCase::passed("playouts"),
        });
    }
    if !run.finished {
        let message = format!("{} of {} rows are done", run.tally.rows() + run.before, run.rows);
        cases.push(ReportCase::ended("the run came to its end", Status::Error, message, String::new()));
    }
    Cases { program: "perft", suite: run.suite.clone(), class: format!("perft.{}", run.suite), cases }
}

/// Returns the case of a row.
pub fn case(verdict: &RowVerdict) -> ReportCase {
    let details = || text::details(verdict, true);
    let headline = |details: &str| details.lines().next().unwrap_or("").trim().to_string();
    let (status, word, message, details) = match &verdict.outcome {
        Outcome::Passed => (Status::Passed, "ok", String::new(), String::new()),
        Outcome::Failed => (Status::Failed, "**wrong**", headline(&details()), details()),
        Outcome::Skipped(_) => (Status::Skipped, "skipped", headline(&details()), details()),
        Outcome::Interrupted => (Status::Error, "interrupted", "interrupted".into(), String::new()),
    };
    let found = verdict.report.as_ref().and_then(|report| report.nodes.last().copied());
    let counts = [verdict.expected, found];
    ReportCase {
        row: Some(TableRow { depth: verdict.depth, counts, verdict: word.into() }),
        time: verdict.report.as_ref().map(|report| report.time),
        ..ReportCase::ended(&verdict.row.id, status, message, details)
    }
}

/// Writes a run as JUnit XML.
pub fn junit(run: &Run<'_>) -> String {
    junit::document(&cases(run))
}

/// Writes the summary of a run in Markdown.
pub fn summary(run: &Run<'_>) -> String {
    github::summary(&format!("perft: {}", run.verdict()), &cases(run), &text::summary(run))
}

/// Writes the `::error` line of a row that failed.
pub fn error(verdict: &RowVerdict) -> Option<String> {
    (verdict.outcome == Outcome::Failed).then(|| github::error(&case(verdict))).flatten()
}
