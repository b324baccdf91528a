//! The test cases (rows, random games, keys) of a run of the gate or of `perft engine`, for output as JUnit, GitHub
//! annotations or Markdown.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::fmt::Write;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Cases {
    /// The program and subcommand, as the name of the JUnit report.
    pub program: &'static str,
    pub suite: String,
    /// The cases, in the order of the run.
    pub cases: Vec<ReportCase>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Status {
    /// No comparison found a difference.
    #[default]
    Passed,
    /// Something is wrong.
    Failed,
    /// The case could not be judged completely.
    Error,
    Skipped,
}

/// A row of the suite, or another judged item.
#[derive(Clone, Default, Debug)]
pub struct ReportCase {
    /// Name of the row or item.
    pub name: String,
    pub status: Status,
    /// One line that says why the case did not pass.
    pub message: String,
    /// The details; may be empty.
    pub details: String,
    /// A remark on a case that passed.
    pub remark: Option<String>,
    /// Wall time, if it was measured.
    pub time: Option<Duration>,
    /// The row's line in the Markdown table, or `None` if the case is not a row of the suite.
    pub row: Option<TableRow>,
}

#[derive(Clone, Debug)]
pub struct TableRow {
    /// Depth in plies.
    pub depth: u32,
    /// The expected count and the count found. Each is `None` if there is no such count.
    pub counts: [Option<u128>; 2],
    /// The verdict in a word or two, in Markdown.
    pub verdict: String,
}

impl ReportCase {
    pub fn pass(name: impl Into<String>) -> ReportCase {
        ReportCase { name: name.into(), ..ReportCase::default() }
    }

    /// A case that did not pass, for the reason in `message`.
    pub fn with_status(
        name: impl Into<String>,
        status: Status,
        message: impl Into<String>,
        details: String,
    ) -> ReportCase {
        ReportCase { status, message: message.into(), details, ..ReportCase::pass(name) }
    }

    /// Returns the `::error` line of the case if it failed or could not be judged, or else `None`.
    pub fn error(&self) -> Option<String> {
        let details = if self.details.is_empty() { &self.message } else { &self.details };
        matches!(self.status, Status::Failed | Status::Error).then(|| annotation(&self.name, details))
    }

    fn junit(&self) -> TestCase {
        let mut status = match self.status {
            Status::Passed => TestCaseStatus::success(),
            Status::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
            Status::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
            Status::Skipped => TestCaseStatus::skipped(),
        };
        if self.status != Status::Passed {
            status.set_message(self.message.as_str());
            if !self.details.is_empty() {
                status.set_description(self.details.as_str());
            }
        }
        let mut test = TestCase::new(self.name.as_str(), status);
        test.time = self.time;
        test.system_out = self.remark.as_deref().map(Into::into);
        test
    }
}

/// Returns an `::error` line, which GitHub Actions shows as an annotation.
pub fn annotation(title: &str, details: &str) -> String {
    // These characters have a special meaning in a workflow command.
    let escaped = |text: &str| text.trim_end().replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let title = escaped(title).replace(':', "%3A").replace(',', "%2C");
    format!("::error title=perft {title}::{}", escaped(details))
}

/// Escapes a name from a suite or an engine, so that no part of it is read as HTML, as Markdown or as the end of a
/// table cell.
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

impl Cases {
    /// Returns the run as JUnit XML, with a test case for each case.
    pub fn junit(&self) -> String {
        let mut suite = TestSuite::new(self.suite.as_str());
        let class = format!("{}.{}", self.program.replace(' ', "."), self.suite);
        for case in &self.cases {
            let mut test = case.junit();
            test.classname = case.row.as_ref().map(|_| class.as_str().into());
            suite.add_test_case(test);
        }
        let mut report = Report::new(self.program);
        report.add_test_suite(suite);
        report.to_string().expect("names and texts")
    }

    /// Returns the run in Markdown: a headline, the table of its rows, and a last paragraph.
    pub fn markdown(&self, headline: &str, last: &str) -> String {
        let mut out = format!("### {headline}\n\n");
        out += "| position | depth | expected | found | verdict |\n|---|--:|--:|--:|---|\n";
        for case in &self.cases {
            let Some(row) = &case.row else { continue };
            let [expected, found] = row.counts.map(|count| count.map_or("-".into(), |count| count.to_string()));
            let _ = writeln!(out, "| {} | {} | {expected} | {found} | {} |", cell(&case.name), row.depth, row.verdict);
        }
        let _ = writeln!(out, "\n{last}");
        out
    }
}
