//! A row of a suite: a position with its name and its counts, the row's text, and how to report an error in it. This
//! module also checks for positions that are listed twice.

use super::class::{Class, classify};
use perft_gate_chess::{Board, EnPassantPolicy, FenError, Packed, Severity};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A position with its name and known counts.
#[perft_gate_chess::document(Clone, Debug)]
pub struct Row {
    /// Name of the row; `line N` if the list gives none.
    pub id: String,
    /// The position as it is written, with single spaces.
    pub fen: String,
    /// The position, or the reason why no board holds it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub position: Result<Board, FenError>,
    /// Tolerated faults of the FEN.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub faults: Vec<FenError>,
    /// Numbers of leaf nodes, one for each depth from 1 on. A gap is `None`.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub counts: Vec<Option<u128>>,
    /// Line number in the list, counted from 1, or 0 for a position from the command line.
    pub line: usize,
}

impl Row {
    /// Returns a position without known counts.
    pub fn unknown(id: &str, board: Board) -> Row {
        let (fen, position) = (board.to_string(), Ok(board));
        Row { id: id.into(), fen, position, faults: Vec::new(), counts: Vec::new(), line: 0 }
    }

    /// Returns the board.
    ///
    /// # Panics
    ///
    /// If there is none; see [`Row::position`].
    pub fn board(&self) -> &Board {
        self.position.as_ref().expect("a row with a plan has a board")
    }

    /// Returns the class of the position and the reason why it is not in a better class.
    pub fn class(&self) -> (Class, Option<String>) {
        match &self.position {
            Ok(board) => classify(board, &self.faults),
            Err(fault) if fault.severity == Severity::TooManyPieces => (Class::Tolerated, Some(fault.to_string())),
            Err(fault) => (Class::Illegal, Some(fault.to_string())),
        }
    }

    /// Returns the count listed for this depth. For depth 0, the count is always 1.
    pub fn count(&self, depth: u32) -> Option<u128> {
        if depth == 0 { Some(1) } else { self.counts.get(depth as usize - 1).copied().flatten() }
    }

    /// Returns the greatest depth up to `depth` that has a count.
    pub fn deepest(&self, depth: u32) -> Option<u32> {
        (1..=depth).rev().find(|&depth| self.count(depth).is_some())
    }
}

/// Finds positions listed twice with different counts. Holds the first count of each position and depth, and its line.
#[derive(Default)]
pub struct Repeats(HashMap<(Packed, u32), (u128, usize)>);

impl Repeats {
    /// Adds a row.
    ///
    /// **Errors**: an earlier row has the same position with a different count. The error names both lines.
    pub fn add(&mut self, text: &RowText<'_>, row: &Row) -> Result<()> {
        let Ok(board) = &row.position else { return Ok(()) };
        let position = Packed::new(board, EnPassantPolicy::Always);
        for (depth, count) in (1..).zip(&row.counts).filter_map(|(depth, count)| Some((depth, (*count)?))) {
            let (other, line) = *self.0.entry((position, depth)).or_insert((count, text.line));
            if other != count {
                let message =
                    format!("found {count} for D{depth}, expected {other} as on line {line} for the same position");
                return Err(text.error(text.text, message));
            }
        }
        Ok(())
    }
}

/// Unparsed text of one row of a list. A list too large to keep in parsed form is read row by row.
#[derive(Clone, Debug)]
pub struct RowText<'t> {
    /// Line on which the row begins, from 1.
    pub line: usize,
    pub(super) text: &'t str,
    /// The whole list, to find the line of an error.
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
    /// Lines of a table with the same position. `header` names the columns, and `more` holds the lines after the first.
    Table { header: &'t str, more: Arc<[&'t str]> },
    /// JSON, or source text of a program.
    Source,
    /// Not a row, but an error in this part of the list.
    Refused(String),
}

impl<'t> RowText<'t> {
    pub(super) fn new(list: &'t str, line: usize, text: &'t str, format: RowFormat<'t>) -> RowText<'t> {
        RowText { line, text, list, format, is_first: false }
    }

    /// Returns the error for a part of the list. A text outside the list, such as a decoded string, is reported at the
    /// row's start.
    pub(super) fn error(&self, part: &str, message: String) -> SuiteError {
        let offset = |part: &str| (part.as_ptr() as usize).checked_sub(self.list.as_ptr() as usize);
        let before = |part: &str| self.list.get(..offset(part)?);
        let before = before(part).or_else(|| before(self.text)).unwrap_or("");
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        SuiteError { line: before.matches('\n').count() + 1, column, message }
    }

    /// Returns the error for a part that is not a FEN. For the first row, the error also says how the list was read.
    pub(super) fn error_in_fen(&self, part: &str, message: String) -> SuiteError {
        let has_ranks = |word: &str| word.matches('/').count() >= 5;
        if !self.is_first || self.text.split([' ', '\n', '\t', ',', '"', '|', ';']).any(has_ranks) {
            return self.error(part, message);
        }
        let taken_for = if matches!(self.format, RowFormat::Source) { "JSON" } else { "EPD" };
        self.error(part, format!("{message}; the first row was taken for {taken_for}, expected {FORMS}"))
    }
}

/// Accepted forms of a list, for use in an error message.
const FORMS: &str =
    "'FEN ;D1 20', 'FEN,20,400', a header row such as 'fen,depth,nodes', lines 'id', 'epd', 'perft', or JSON";

/// Returns the offset of a part within its text.
pub(super) fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Returns a text without surrounding space and NULs. Some lists end a line with a NUL.
pub(super) fn trim_row(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0')
}

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

pub(super) type Result<T, E = SuiteError> = std::result::Result<T, E>;
