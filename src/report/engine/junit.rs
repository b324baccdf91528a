//! JUnit XML: a test case a row.

use super::{EngineRun, text};
use crate::engine::Outcome;
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
    let mut report = Report::new("perft engine");
    report.add_test_suite(suite);
    report.to_string().expect("names and texts")
}
