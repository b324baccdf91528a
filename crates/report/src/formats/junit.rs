//! JUnit XML: one test case for each case of a run.

use super::case::{Cases, ReportCase, Status};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// Writes the cases of a run as a JUnit document.
pub fn document(run: &Cases) -> String {
    let mut suite = TestSuite::new(run.suite.as_str());
    for case in &run.cases {
        let mut test = TestCase::new(case.name.as_str(), status(case));
        if case.row.is_some() {
            test.set_classname(run.class.as_str());
        }
        if let Some(time) = case.time {
            test.set_time(time);
        }
        if let Some(remark) = &case.remark {
            test.set_system_out(remark.as_str());
        }
        suite.add_test_case(test);
    }
    let mut report = Report::new(run.program);
    report.add_test_suite(suite);
    report.to_string().expect("names and texts")
}

fn status(case: &ReportCase) -> TestCaseStatus {
    let mut status = match case.status {
        Status::Passed => return TestCaseStatus::success(),
        Status::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Status::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
        Status::Skipped => TestCaseStatus::skipped(),
    };
    status.set_message(case.message.as_str());
    if !case.details.is_empty() {
        status.set_description(case.details.as_str());
    }
    status
}
