//! Known failures listed in a file: rows that are expected to fail, and expected faults of the whole run.
//!
//! A line gives the name or the FEN of a row, and optionally the verdict: `kiwipete`, or `kiwipete ;wrong-count`. A
//! line such as `run ;ep-habit` names a fault that does not depend on any row. Empty lines and lines that begin with
//! `#` are ignored.

use crate::keys::{KeyFault, KeyFinding};
use crate::outcome::RowOutcome;
use perft_gate_suite::Row;
use std::collections::BTreeMap;

/// Word that takes the place of the row's name in a line that names a fault of the run.
const RUN: &str = "run";

/// Rows that are expected to fail, and expected faults of the run.
#[derive(Clone, Debug, Default)]
pub struct ExpectedFailures {
    /// The name or the FEN of each listed row, and the expected verdict if the line names one.
    rows: Vec<(String, Option<&'static str>)>,
    faults: Vec<(KeyFault, &'static str)>,
}

/// Reason why a list of known failures is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: found '{found}', expected {expected}")]
pub struct ExpectedFailuresError {
    /// The line, from 1.
    line: usize,
    found: String,
    expected: String,
}

/// How the outcome of a row compares with the list of known failures.
#[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub enum FailureExpectation {
    /// The row is not listed.
    #[default]
    NotListed,
    /// It failed as expected.
    Met,
    /// It passed.
    #[serde(rename = "passed")]
    UnexpectedPass,
    /// It failed in another way, or was not judged.
    Missed,
}

impl FailureExpectation {
    /// Returns true if the row is not listed.
    pub const fn is_unlisted(&self) -> bool {
        matches!(self, FailureExpectation::NotListed)
    }
}

impl ExpectedFailures {
    /// Reads a list. **Errors**: if a line has an unknown verdict or fault, or matches no row.
    pub fn parse(text: &str, rows: impl Iterator<Item = Row>) -> Result<ExpectedFailures, ExpectedFailuresError> {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
        // The verdicts that a line may name.
        let known = RowOutcome::ALL.into_iter().filter(|outcome| outcome.has_failed()).map(RowOutcome::name);
        let known: Vec<&str> = known.collect();
        let refused = |line, found: &str, expected| ExpectedFailuresError { line, found: found.into(), expected };
        let (mut faults, mut entries) = (Vec::new(), Vec::new());
        for (text, line) in lines {
            let (row, name) = text.rsplit_once(';').map_or((text, None), |(row, name)| (row, Some(name.trim())));
            let row = row.trim();
            let verdict = name.and_then(|name| known.iter().copied().find(|known| *known == name));
            match name.filter(|_| verdict.is_none()) {
                Some(name) if row == RUN => {
                    let fault = KeyFault::OF_RUNS.into_iter().find(|(_, known)| *known == name);
                    let expected =
                        || format!("a fault of the run: one of {}", KeyFault::OF_RUNS.map(|(_, name)| name).join(", "));
                    faults.push(fault.ok_or_else(|| refused(line, name, expected()))?);
                }
                Some(name) => return Err(refused(line, name, format!("one of {}", known.join(", ")))),
                None => entries.push((line, (row.to_string(), verdict))),
            }
        }
        let mut unnamed: BTreeMap<usize, &str> = entries.iter().map(|(line, (row, _))| (*line, &**row)).collect();
        for row in rows {
            if unnamed.is_empty() {
                break;
            }
            unnamed.retain(|_, text| !is_named(text, &row));
        }
        if let Some((line, row)) = unnamed.pop_first() {
            return Err(refused(line, row, "the name or the FEN of a row of the suite".into()));
        }
        Ok(ExpectedFailures { rows: entries.into_iter().map(|(_, entry)| entry).collect(), faults })
    }

    /// Compares the outcome of a row with the expected one.
    pub(super) fn compare(&self, row: &Row, outcome: RowOutcome) -> FailureExpectation {
        let mut listed = self.rows.iter().filter(|(name, _)| is_named(name, row)).peekable();
        let is_meant = |(_, verdict): &(_, Option<&str>)| verdict.is_none_or(|verdict| verdict == outcome.name());
        match outcome {
            _ if listed.peek().is_none() => FailureExpectation::NotListed,
            RowOutcome::Pass => FailureExpectation::UnexpectedPass,
            _ if outcome.has_failed() && listed.any(is_meant) => FailureExpectation::Met,
            _ => FailureExpectation::Missed,
        }
    }

    /// Returns each expected fault of the run, together with whether it was found.
    pub(super) fn compare_run(&self, findings: &[KeyFinding]) -> Vec<ExpectedFault> {
        let is_found = |fault| findings.iter().any(|finding| finding.fault == fault);
        self.faults.iter().map(|&(fault, name)| ExpectedFault { fault, name, is_found: is_found(fault) }).collect()
    }
}

/// A fault that the run is expected to find.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ExpectedFault {
    /// The fault.
    #[serde(skip)]
    pub fault: KeyFault,
    /// Its name in the list of known failures.
    pub name: &'static str,
    /// True if the engine has the fault.
    pub is_found: bool,
}

/// Returns true if a text is the name or the FEN of a row.
fn is_named(text: &str, row: &Row) -> bool {
    text == row.id || text == row.fen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::PositionCommand;
    use perft_gate_suite as suite;

    const SUITE: &str =
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;id kings\n4k3/8/8/8/8/8/8/3QK3 w - - 0 1 ;D1 20 ;id queen";

    #[test]
    fn a_row_is_named_by_its_name_or_its_fen() {
        let rows = suite::parse(SUITE).unwrap();
        let text = "# known\n\nkings ;wrong-count\n  4k3/8/8/8/8/8/8/3QK3 w - - 0 1\r\n";
        let expected = ExpectedFailures::parse(text, rows.iter().cloned()).unwrap();
        assert_eq!(expected.compare(&rows[0], RowOutcome::WrongCount), FailureExpectation::Met);
        assert_eq!(expected.compare(&rows[0], RowOutcome::Interrupted), FailureExpectation::Missed);
        assert_eq!(expected.compare(&rows[1], RowOutcome::Crash), FailureExpectation::Met);
    }

    #[test]
    fn a_fault_of_the_run_is_named_by_run() {
        let mut rows = suite::parse(SUITE).unwrap();
        let text = "run ;ep-habit\nrun; narrow-keys \nkings ;wrong-key";
        let expected = ExpectedFailures::parse(text, rows.iter().cloned()).unwrap();
        let finding = KeyFinding::new(KeyFault::Narrow, "", (PositionCommand::new(""), None), [&"", &""]);
        let found =
            expected.compare_run(&[finding]).iter().map(|fault| (fault.name, fault.is_found)).collect::<Vec<_>>();
        assert_eq!(found, [("ep-habit", false), ("narrow-keys", true)]);
        assert_eq!(expected.compare(&rows[0], RowOutcome::WrongKey), FailureExpectation::Met);
        // A row may be named `run`.
        rows[1].id = "run".into();
        let expected = ExpectedFailures::parse("run ;crash\nrun ;move-number", rows.iter().cloned()).unwrap();
        assert_eq!(expected.compare(&rows[1], RowOutcome::Crash), FailureExpectation::Met);
        assert_eq!(expected.compare_run(&[]).len(), 1);
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let rows = suite::parse(SUITE).unwrap();
        for (text, message) in [
            ("\nknights", "line 2: found 'knights', expected the name or the FEN of a row of the suite"),
            ("kings ;wrong", "line 1: found 'wrong', expected one of wrong-count, wrong-total, "),
            ("kings ;pass", "line 1: found 'pass', expected one of wrong-count"),
            ("kings\nrun ;ep", "line 2: found 'ep', expected a fault of the run: one of ep-habit, "),
            ("run", "line 1: found 'run', expected the name or the FEN of a row"),
            ("run ;crash", "line 1: found 'run', expected the name or the FEN of a row"),
            ("kings ;ep-habit", "line 1: found 'ep-habit', expected one of wrong-count"),
        ] {
            let error = ExpectedFailures::parse(text, rows.iter().cloned()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
