//! JUnit XML: a test case a row.

use super::{EngineRun, text};
use perft_gate_uci::{Compared, Outcome};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The document of a run.
pub fn document(run: &EngineRun<'_>) -> String {
    let mut suite = TestSuite::new(run.suite);
    for verdict in &run.summary.verdicts {
        let mut status = match &verdict.outcome {
            Outcome::Pass => TestCaseStatus::success(),
            Outcome::Skipped(_) => TestCaseStatus::skipped(),
            outcome if outcome.is_wrong() => TestCaseStatus::non_success(NonSuccessKind::Failure),
            _ => TestCaseStatus::non_success(NonSuccessKind::Error),
        };
        if verdict.outcome != Outcome::Pass {
            status.set_message(verdict.outcome.name()).set_description(text::details(verdict, run.verb));
        }
        let mut case = TestCase::new(verdict.row.id.as_str(), status);
        if verdict.compared == Some(Compared::Total) {
            let line = verdict.not_understood.as_ref();
            let line = line.map_or(String::new(), |line| format!(", not understood: '{line}'"));
            case.set_system_out(format!("the total alone was compared{line}"));
        }
        case.set_classname(format!("perft.engine.{}", run.suite)).set_time(verdict.time);
        suite.add_test_case(case);
    }
    if run.summary.habits.is_some() {
        let mut status = TestCaseStatus::success();
        if !run.key_findings().is_empty() {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let found: String = run.key_findings().iter().map(text::key_finding).collect();
            status.set_message(Outcome::WrongKey.name()).set_description(found);
        }
        suite.add_test_case(TestCase::new("what the keys depend on", status));
    }
    let notes = [("the moves are compared", text::totals_only(run)), ("Chess960", text::without_chess960(run))];
    for (name, note) in notes {
        if let Some(note) = note {
            let mut status = TestCaseStatus::skipped();
            status.set_message(note);
            suite.add_test_case(TestCase::new(name, status));
        }
    }
    if let Some(failure) = &run.summary.failure {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(run.verdict()).set_description(text::failure(failure));
        suite.add_test_case(TestCase::new("the engine answers", status));
    }
    let mut report = Report::new("perft engine");
    report.add_test_suite(suite);
    report.to_string().expect("names and texts")
}
