//! The results of an engine's run as test cases, in JUnit XML and as GitHub annotations.

use super::run::EngineRun;
use super::{causes, text};
pub use crate::cases::annotation;
use crate::cases::{Cases, ReportCase, Status, TableRow, cell};
use perft_gate_engine::{EngineVerdict, Request, RowOutcome};

/// Returns the test cases of a run. They cover the rows, the keys, parts not compared, and whether the engine answered.
fn cases(run: &EngineRun<'_>) -> Cases {
    let mut cases: Vec<ReportCase> = match run.engine.learned {
        Some(learned) => run.summary.verdicts.iter().map(|verdict| case(verdict, &learned.request)).collect(),
        None => Vec::new(),
    };
    if run.summary.before > 0 {
        let remark = Some(text::before(run));
        cases.push(ReportCase { remark, ..ReportCase::pass("rows that passed in an earlier run") });
    }
    if run.summary.conventions.is_some() {
        let found: String = run.summary.key_findings().map(text::key_finding).collect();
        let name = "what the keys depend on";
        cases.push(match &*found {
            "" => ReportCase { remark: text::expected_faults(run), ..ReportCase::pass(name) },
            _ => ReportCase::with_status(name, Status::Failed, RowOutcome::WrongKey.name(), found),
        });
    }
    let notes = [("the moves are compared", text::totals_only(run)), ("Chess960", text::without_chess960(run))];
    for (name, note) in notes {
        cases.extend(note.map(|note| ReportCase::with_status(name, Status::Skipped, note, String::new())));
    }
    if let Some(failure) = &run.summary.failure {
        let (verdict, details) = (run.outcome().name(), text::failure(failure));
        cases.push(ReportCase::with_status("the engine answers", Status::Error, verdict, details));
    }
    Cases { program: "perft engine", suite: run.suite.into(), cases }
}

fn case(verdict: &EngineVerdict, request: &Request) -> ReportCase {
    let outcome = verdict.outcome;
    let status = match outcome {
        RowOutcome::Pass => Status::Passed,
        _ if verdict.is_excused() || outcome == RowOutcome::Skipped => Status::Skipped,
        outcome if outcome.is_wrong() => Status::Failed,
        _ => Status::Error,
    };
    let (known, headline) = (text::outcome(verdict), causes::headline(verdict));
    let (message, details) = match outcome {
        RowOutcome::Pass => ("", String::new()),
        _ if verdict.is_excused() => (&*known, text::details(verdict, request)),
        _ => (&*headline, text::details(verdict, request)),
    };
    let remark = verdict.is_total_only().then(|| {
        let line = verdict.not_understood.as_ref();
        let line = line.map_or(String::new(), |line| format!(", not understood: '{line}'"));
        format!("only the total was compared{line}")
    });
    let mark = if outcome == RowOutcome::Pass { "" } else { "**" };
    let shown = if verdict.has_failed() { &cell(&headline) } else { &known };
    let row = TableRow {
        depth: verdict.depth,
        counts: verdict.comparison.as_ref().map_or([None; 2], |of| [of.expected, of.found].map(Some)),
        verdict: format!("{mark}{shown}{mark}"),
    };
    ReportCase {
        remark,
        time: Some(verdict.time),
        row: Some(row),
        ..ReportCase::with_status(&verdict.row.id, status, message, details)
    }
}

/// Writes a run as JUnit XML.
pub fn junit(run: &EngineRun<'_>) -> String {
    cases(run).junit()
}

/// Writes the summary of a run in Markdown.
pub fn markdown(run: &EngineRun<'_>) -> String {
    let headline = format!("perft engine, {}: {}", cell(run.engine.name), run.outcome());
    if let Some(failure) = &run.summary.failure {
        return format!("### {headline}\n\n{}", text::failure(failure));
    }
    let last = format!("{}\n\n{}", text::keys(run), text::summary(run).replace('\n', "\n\n"));
    cases(run).markdown(&headline, &last)
}

/// Returns the `::error` line for a row that is wrong or in which the engine failed, or `None` for any other row.
pub fn error(verdict: &EngineVerdict, request: &Request) -> Option<String> {
    let case = case(verdict, request);
    let name = format!("{} {}", case.name, causes::headline(verdict));
    verdict.has_failed().then(|| ReportCase { name, ..case }.error()).flatten()
}
