//! JUnit XML: a test case a row.

use perft_gate_judge::gate::Outcome;
use perft_gate_judge::gate::{Run, text};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The document of a run.
pub fn document(run: &Run<'_>) -> String {
    let mut suite = TestSuite::new(run.suite.as_str());
    for verdict in &run.verdicts {
        let details = text::details(verdict);
        let headline = details.lines().next().unwrap_or("").trim().to_string();
        let mut status = match &verdict.outcome {
            Outcome::Passed => TestCaseStatus::success(),
            Outcome::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
            Outcome::Skipped(_) => TestCaseStatus::skipped(),
            Outcome::Interrupted => TestCaseStatus::non_success(NonSuccessKind::Error),
        };
        match &verdict.outcome {
            Outcome::Passed => {}
            Outcome::Interrupted => drop(status.set_message("interrupted")),
            _ => drop(status.set_message(headline).set_description(details)),
        }
        let mut case = TestCase::new(verdict.row.id.as_str(), status);
        case.set_classname(format!("perft.{}", run.suite));
        if let Some(report) = &verdict.report {
            case.set_time(report.time);
        }
        suite.add_test_case(case);
    }
    if let Some(playouts) = &run.playouts {
        let mut status = TestCaseStatus::success();
        if playouts.is_wrong() {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message("playouts").set_description(text::playouts(playouts));
        }
        suite.add_test_case(TestCase::new("playouts", status));
    }
    if !run.finished {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(format!("{} of {} rows are done", run.tally.rows(), run.rows));
        suite.add_test_case(TestCase::new("the run came to its end", status));
    }
    let mut report = Report::new("perft");
    report.add_test_suite(suite);
    report.to_string().expect("names and texts")
}
