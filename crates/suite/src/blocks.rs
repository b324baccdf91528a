//! Rows made of lines: EPD, `FEN,20,400`, and a position among lines of names and counts, as in plain lists, YAML and
//! TOML.
//!
//! ```text
//! for each line that is not a comment, a new row begins with
//!   a position, if the current row already has one;
//!   a name (`id`, `name:`), if the current row has a position and the list has no markers;
//!   a marker (`- ` or `[name]`), unless it is indented more than the first marker
//! ```
//!
//! The lines `id kings`, `epd 4k3/8/8/8/8/8/8/4K3 w - -`, `perft 1 5`, `2: 25` form one row. A second `id` begins the
//! next row.

use super::lines::{is_heading, lines, position_at};
use super::names::is_title_name;
use super::row::{RowFormat, RowText, offset, trim_row};
use std::iter::Peekable;

pub(super) fn row_texts(text: &str) -> impl Iterator<Item = RowText<'_>> + Send {
    Blocks { text, lines: lines(text).peekable(), marker: None, has_position: false }
}

struct Blocks<'t, L: Iterator> {
    text: &'t str,
    lines: Peekable<L>,
    /// Indentation of the first marker (`- ` or `[name]`), if there is one.
    marker: Option<usize>,
    has_position: bool,
}

impl<'t, L: Iterator<Item = (usize, &'t str)>> Blocks<'t, L> {
    fn begins_row(&mut self, line: &str) -> bool {
        let body = trim_row(line);
        if is_heading(body) && !body.contains('.') || body.starts_with("- ") && !body.starts_with("- [") {
            let space = line.len() - line.trim_start().len();
            return space <= *self.marker.get_or_insert(space);
        }
        let is_title = || is_title_name(body.split([' ', '\t', ':', '=']).next().unwrap_or(""));
        self.has_position && (position_at(body).is_some() || self.marker.is_none() && is_title())
    }
}

impl<'t, L: Iterator<Item = (usize, &'t str)>> Iterator for Blocks<'t, L> {
    type Item = RowText<'t>;

    fn next(&mut self) -> Option<RowText<'t>> {
        let (line, first) = self.lines.next()?;
        self.has_position = false;
        self.begins_row(first);
        self.has_position = position_at(first).is_some();
        let mut last = first;
        while let Some((_, next)) = self.lines.peek().copied().filter(|(_, next)| !self.begins_row(next)) {
            self.has_position |= position_at(next).is_some();
            (last, _) = (next, self.lines.next());
        }
        let [start, end] = [first, last].map(|line| offset(self.text, line));
        let text = &self.text[start..end + last.len()];
        // Text above the first position is skipped.
        if !self.has_position && self.marker.is_some() && !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return self.next();
        }
        Some(RowText::new(self.text, line, text, RowFormat::Lines))
    }
}
