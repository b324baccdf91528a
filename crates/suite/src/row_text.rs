//! The text of one row: where it begins, and what an error in it is called.

use super::error::SuiteError;
use super::row::Row;
use std::sync::Arc;

/// Text of one row of a list, not read yet. A list that is too large to keep as rows is read row by row.
#[derive(Clone, Debug)]
pub struct RowText<'t> {
    /// Line on which it begins, from 1.
    pub line: usize,
    /// Column of its first character, from 1.
    pub(super) column: usize,
    pub(super) text: &'t str,
    pub(super) format: RowFormat<'t>,
    /// True if it is the first row of the list, which shows its form.
    pub(super) is_first: bool,
}

/// The lines of one position in a table, but for the first of them.
#[derive(Clone, Debug)]
pub(super) struct PositionLines<'t> {
    /// The line that names the columns.
    pub(super) header: &'t str,
    /// Further lines of the position, with their numbers.
    pub(super) more: Arc<[(usize, &'t str)]>,
}

/// Notation of a row.
#[derive(Clone, Debug)]
pub(super) enum RowFormat<'t> {
    /// A line.
    Epd,
    /// A line with a FEN and counts, each in a field of its own; the separator of the fields.
    Listed(char),
    /// Lines below a header that names their fields.
    Table(PositionLines<'t>),
    /// Lines that begin with `id`, `epd` or `perft`.
    Block,
    /// A JSON object.
    Json,
    /// A JSON value with the counts of the position that is its name in the object around it.
    #[cfg(feature = "json")]
    JsonCounts(Arc<str>),
}

impl RowFormat<'_> {
    /// Returns what a row in this notation looks like.
    const fn description(&self) -> &'static str {
        match self {
            RowFormat::Epd => "EPD",
            RowFormat::Listed(_) => "a FEN and its counts",
            RowFormat::Table(_) => "a row below a header",
            RowFormat::Block => "a block of lines id, epd, perft",
            _ => "JSON",
        }
    }
}

impl<'t> RowText<'t> {
    /// Returns the row as a line of EPD with further counts, by depth. What else stands in a line of EPD stays.
    pub fn with_counts(&self, row: &Row, counts: &[(u32, u128)]) -> String {
        let line = match &self.format {
            RowFormat::Epd => trimmed(self.text).trim_end_matches([';', ' ', '\t']).to_string(),
            _ => {
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

    /// Returns the error for a part that is no FEN. The first row shows what the list was taken for.
    pub(super) fn error_in_fen(&self, part: &str, message: String) -> SuiteError {
        let looks_like_fen = |word: &str| word.matches('/').count() >= 5;
        if !self.is_first || self.text.split([' ', '\t', ',', '"', '|', ';']).any(looks_like_fen) {
            return self.error(part, message);
        }
        let taken_for = self.format.description();
        self.error(part, format!("{message}; the first row was taken for {taken_for}, expected {FORMS}"))
    }

    /// Returns the error at a line and a column of the text, both from 0.
    pub(super) fn error_at(&self, line: usize, column: usize, message: String) -> SuiteError {
        let first = if line == 0 { self.column } else { 1 };
        SuiteError { line: self.line + line, column: first + column, message }
    }
}

/// The forms of a list, for an error.
const FORMS: &str =
    "'FEN ;D1 20', 'FEN,20,400', a header row such as 'fen,depth,nodes', lines 'id', 'epd', 'perft', or JSON";

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
