//! The text of one row: where it begins, and what an error in it is called.

use super::error::SuiteError;
use super::row::Row;

/// Text of one row of a list, not read yet. A list that is too large to keep as rows is read row by row.
#[derive(Clone, Copy, Debug)]
pub struct RowText<'t> {
    /// Line on which it begins, from 1.
    pub line: usize,
    /// Column of its first character, from 1.
    pub(super) column: usize,
    pub(super) text: &'t str,
    pub(super) format: RowFormat,
}

/// Notation of a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowFormat {
    /// A line.
    Epd,
    /// Lines that begin with `id`, `epd` or `perft`.
    Block,
    /// A JSON object.
    Json,
}

impl<'t> RowText<'t> {
    /// Returns the row as a line of EPD with further counts, by depth. What else stands in a line of EPD stays.
    pub fn with_counts(self, row: &Row, counts: &[(u32, u128)]) -> String {
        let line = match self.format {
            RowFormat::Epd => trimmed(self.text).trim_end_matches([';', ' ', '\t']).to_string(),
            RowFormat::Block | RowFormat::Json => {
                let listed = (1..).zip(&row.counts).filter_map(|(depth, count): (u32, _)| Some((depth, (*count)?)));
                let name = if row.id.contains(';') { format!("\"{}\"", row.id) } else { row.id.clone() };
                operations(format!("{} ;id {name}", row.fen), listed)
            }
        };
        operations(line, counts.iter().copied())
    }

    /// Returns the error for a part of the text.
    pub(super) fn error(&self, part: &str, message: String) -> SuiteError {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        // What is not a part of the text, such as a decoded string, counts as the whole.
        let before = self.text.get(..offset).unwrap_or("");
        let (line, column) = (before.matches('\n').count(), before.rsplit('\n').next().unwrap_or("").chars().count());
        self.error_at(line, column, message)
    }

    /// Returns the error at a line and a column of the text, both from 0.
    pub(super) fn error_at(&self, line: usize, column: usize, message: String) -> SuiteError {
        let first = if line == 0 { self.column } else { 1 };
        SuiteError { line: self.line + line, column: first + column, message }
    }
}

/// Appends counts to a line of EPD.
fn operations(line: String, counts: impl Iterator<Item = (u32, u128)>) -> String {
    counts.fold(line, |line, (depth, count)| format!("{line} ;D{depth} {count}"))
}

/// Returns the lines that are neither empty nor comments, with their numbers.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Send {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    lines.filter(|(_, line)| {
        let body = trimmed(line);
        !body.is_empty() && !body.starts_with('#')
    })
}

/// Returns a text without the space around it. Some lists have a NUL at the end of a line.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0')
}
