//! The text of one row: where it begins, and how to report an error in it.

use std::sync::Arc;

/// Unparsed text of one row of a list. A list too large to keep as rows is read row by row.
#[derive(Clone, Debug)]
pub struct RowText<'t> {
    /// Line on which the row begins, from 1.
    pub line: usize,
    pub(super) text: &'t str,
    /// The whole list, which gives errors their lines.
    pub(super) list: &'t str,
    pub(super) format: RowFormat<'t>,
    /// True for the first row of the list. Its errors also say how the list was read.
    pub(super) is_first: bool,
}

/// Notation of a row.
#[derive(Clone, Debug)]
pub(super) enum RowFormat<'t> {
    /// A line with the position, perhaps among lines with names and counts.
    Lines,
    /// Lines of one position below the line that names the columns: that line, and those after the first.
    Table { header: &'t str, more: Arc<[&'t str]> },
    /// JSON, or source text of a program.
    Source,
    /// No row, but the error in this part of the list.
    Refused(String),
}

impl<'t> RowText<'t> {
    /// Returns the error for a part of the list; for a text outside the list, such as a decoded string, at the row's
    /// start.
    pub(super) fn error(&self, part: &str, message: String) -> SuiteError {
        let offset = |part: &str| (part.as_ptr() as usize).checked_sub(self.list.as_ptr() as usize);
        let before = |part: &str| self.list.get(..offset(part)?);
        let before = before(part).or_else(|| before(self.text)).unwrap_or("");
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        SuiteError { line: before.matches('\n').count() + 1, column, message }
    }

    /// Returns the error for a part that is not a FEN. For the first row, it also says how the list was read.
    pub(super) fn error_in_fen(&self, part: &str, message: String) -> SuiteError {
        let has_ranks = |word: &str| word.matches('/').count() >= 5;
        if !self.is_first || self.text.split([' ', '\n', '\t', ',', '"', '|', ';']).any(has_ranks) {
            return self.error(part, message);
        }
        let taken_for = if matches!(self.format, RowFormat::Source) { "JSON" } else { "EPD" };
        self.error(part, format!("{message}; the first row was taken for {taken_for}, expected {FORMS}"))
    }
}

/// Accepted forms of a list, for an error.
const FORMS: &str =
    "'FEN ;D1 20', 'FEN,20,400', a header row such as 'fen,depth,nodes', lines 'id', 'epd', 'perft', or JSON";

/// Returns a text without surrounding space. Some lists have a NUL at the end of a line.
pub(super) fn trim_row(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0')
}

/// Error in a line of a suite.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("line {line}, column {column}: {message}")]
pub struct SuiteError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Column of the wrong field, in characters from 1.
    pub column: usize,
    /// Text found and text expected.
    pub message: String,
}
