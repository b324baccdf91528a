//! Error in a line of a suite.

use std::fmt;

/// Error in a line of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Column of the wrong field, in characters from 1.
    pub column: usize,
    /// Text found and text expected.
    pub message: String,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for SuiteError {}
