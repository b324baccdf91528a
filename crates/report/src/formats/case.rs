//! The rows of a run and what else it judged, as JUnit and GitHub show them: the gate and an engine's run yield the same.

use std::time::Duration;

/// All cases of a run.
#[derive(Clone, Debug)]
pub struct Cases {
    /// The program and verb, as the name of the JUnit report.
    pub program: &'static str,
    /// The suite's name.
    pub suite: String,
    /// Prefix of the cases' class names.
    pub class: String,
    /// The cases, in the order of the run.
    pub cases: Vec<ReportCase>,
}

/// Outcome of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Everything that was compared is equal.
    Passed,
    /// Something is wrong.
    Failed,
    /// It could not be judged to its end.
    Error,
    /// It was left out.
    Skipped,
}

/// A row of the suite, or another thing that was judged.
#[derive(Clone, Debug)]
pub struct ReportCase {
    /// The row's name, or what was judged.
    pub name: String,
    /// Outcome.
    pub status: Status,
    /// One line that says why it did not pass.
    pub message: String,
    /// The same at length; may be empty.
    pub details: String,
    /// A remark on a case that passed.
    pub remark: Option<String>,
    /// Wall time, if it was taken.
    pub time: Option<Duration>,
    /// The row's line in a table; nothing for what is no row.
    pub row: Option<TableRow>,
}

/// A row of a suite in a table.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Depth in plies.
    pub depth: u32,
    /// The expected count and the one that was found; nothing if there is none.
    pub counts: [Option<u128>; 2],
    /// The verdict in a word or two, in Markdown.
    pub verdict: String,
}

impl ReportCase {
    /// A case that passed.
    pub fn passed(name: impl Into<String>) -> ReportCase {
        let (name, status) = (name.into(), Status::Passed);
        ReportCase { name, status, message: String::new(), details: String::new(), remark: None, time: None, row: None }
    }

    /// A case that did not pass, for the reason in `message`.
    pub fn ended(name: impl Into<String>, status: Status, message: impl Into<String>, details: String) -> ReportCase {
        ReportCase { status, message: message.into(), details, ..ReportCase::passed(name) }
    }
}
