//! Faults of files with key tables.

use std::fmt;

/// A fault in a file of keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportError {
    /// Line number, from 1.
    pub line: usize,
    /// Message with the found and the expected text.
    pub message: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ImportError {}
