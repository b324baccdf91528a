//! Known failures: rows that are expected to fail, from a file.
//!
//! A line names a row by its name or its FEN, and perhaps the verdict: `kiwipete`, or `kiwipete ;wrong-count`. Empty
//! lines and lines that begin with `#` are ignored.

use crate::outcome::RowOutcome;
use perft_gate_suite::Row;
use std::collections::BTreeMap;

/// Verdicts that a line may name.
const VERDICTS: [RowOutcome; 8] = [
    RowOutcome::WrongCount,
    RowOutcome::WrongTotal,
    RowOutcome::WrongKey,
    RowOutcome::WrongList,
    RowOutcome::FenRejected,
    RowOutcome::Timeout,
    RowOutcome::Crash,
    RowOutcome::Unparsed,
];

/// Rows that are expected to fail.
#[derive(Clone, Debug, Default)]
pub struct ExpectedFailures(Vec<ExpectedFailure>);

#[derive(Clone, Debug)]
struct ExpectedFailure {
    row: String,
    verdict: Option<&'static str>,
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

impl ExpectedFailuresError {
    fn at(line: usize, found: &str, expected: String) -> ExpectedFailuresError {
        ExpectedFailuresError { line, found: found.into(), expected }
    }
}

/// Result of a row beside what was expected of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum FailureExpectation {
    /// The row is not listed.
    #[default]
    NotListed,
    /// It failed as expected.
    Met,
    /// It passed.
    UnexpectedPass,
    /// It failed in another way, or was not judged.
    Missed,
}

impl FailureExpectation {
    /// Returns `met`, `passed` or `missed`, if the row is listed.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            FailureExpectation::NotListed => None,
            FailureExpectation::Met => Some("met"),
            FailureExpectation::UnexpectedPass => Some("passed"),
            FailureExpectation::Missed => Some("missed"),
        }
    }
}

impl ExpectedFailures {
    /// Reads a list. **Errors**: names the first line with an unknown verdict, or that names no row.
    pub fn parse(text: &str, rows: impl Iterator<Item = Row>) -> Result<ExpectedFailures, ExpectedFailuresError> {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
        let read = |(text, line): (&str, usize)| {
            let (row, verdict) =
                text.rsplit_once(';').map_or((text, None), |(row, verdict)| (row, Some(verdict.trim())));
            let known = VERDICTS.map(|verdict| verdict.name());
            let verdict = verdict.map(|verdict| {
                let found = known.into_iter().find(|name| *name == verdict);
                found.ok_or_else(|| ExpectedFailuresError::at(line, verdict, format!("one of {}", known.join(", "))))
            });
            Ok((line, ExpectedFailure { row: row.trim().into(), verdict: verdict.transpose()? }))
        };
        let entries: Vec<(usize, ExpectedFailure)> = lines.map(read).collect::<Result<_, _>>()?;
        let mut unnamed: BTreeMap<usize, &str> = entries.iter().map(|(line, entry)| (*line, &*entry.row)).collect();
        for row in rows {
            if unnamed.is_empty() {
                break;
            }
            unnamed.retain(|_, text| !is_named(text, &row));
        }
        if let Some((line, row)) = unnamed.pop_first() {
            return Err(ExpectedFailuresError::at(line, row, "the name or the FEN of a row of the suite".into()));
        }
        Ok(ExpectedFailures(entries.into_iter().map(|(_, entry)| entry).collect()))
    }

    /// Compares the outcome of a row with what is expected of it.
    pub(super) fn compare(&self, row: &Row, outcome: &RowOutcome) -> FailureExpectation {
        let mut listed = self.0.iter().filter(|entry| is_named(&entry.row, row)).peekable();
        let has_failed = outcome.is_wrong() || outcome.is_failure();
        match () {
            () if listed.peek().is_none() => FailureExpectation::NotListed,
            () if *outcome == RowOutcome::Pass => FailureExpectation::UnexpectedPass,
            () if has_failed && listed.any(|entry| entry.verdict.is_none_or(|verdict| verdict == outcome.name())) => {
                FailureExpectation::Met
            }
            () => FailureExpectation::Missed,
        }
    }
}

/// Returns true if a text is the name or the FEN of a row.
fn is_named(text: &str, row: &Row) -> bool {
    text == row.id || text == row.fen
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_suite as suite;

    const SUITE: &str =
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;id kings\n4k3/8/8/8/8/8/8/3QK3 w - - 0 1 ;D1 20 ;id queen";

    #[test]
    fn a_row_is_named_by_its_name_or_its_fen() {
        let rows = suite::parse(SUITE).unwrap();
        let text = "# known\n\nkings ;wrong-count\n  4k3/8/8/8/8/8/8/3QK3 w - - 0 1\r\n";
        let expected = ExpectedFailures::parse(text, rows.iter().cloned()).unwrap();
        assert_eq!(expected.compare(&rows[0], &RowOutcome::WrongCount), FailureExpectation::Met);
        assert_eq!(expected.compare(&rows[0], &RowOutcome::Crash), FailureExpectation::Missed);
        assert_eq!(expected.compare(&rows[0], &RowOutcome::Pass), FailureExpectation::UnexpectedPass);
        assert_eq!(expected.compare(&rows[0], &RowOutcome::Interrupted), FailureExpectation::Missed);
        assert_eq!(expected.compare(&rows[1], &RowOutcome::Crash), FailureExpectation::Met);
        let none = ExpectedFailures::default();
        assert_eq!(none.compare(&rows[0], &RowOutcome::Crash), FailureExpectation::NotListed);
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let rows = suite::parse(SUITE).unwrap();
        for (text, message) in [
            ("\nknights", "line 2: found 'knights', expected the name or the FEN of a row of the suite"),
            ("kings ;wrong", "line 1: found 'wrong', expected one of wrong-count, wrong-total, "),
            ("kings ;pass", "line 1: found 'pass', expected one of wrong-count"),
        ] {
            let error = ExpectedFailures::parse(text, rows.iter().cloned()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
