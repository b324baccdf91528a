//! The parts of a list that hold one position each, without reading them.

#[cfg(feature = "json")]
use super::json;
use super::{Row, SuiteError, epd};
use perft_gate_chess::BYTE_ORDER_MARK;

/// Part of a list that holds one position. A list that is too large to keep as rows is read entry by entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'t> {
    /// Line on which it begins, from 1.
    pub line: usize,
    /// Column of its first character, from 1.
    pub(super) column: usize,
    pub(super) text: &'t str,
    form: Form,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    /// A line.
    Epd,
    /// Lines that begin with `id`, `epd` or `perft`.
    Block,
    /// A JSON object.
    Json,
}

impl<'t> Entry<'t> {
    /// Reads the position and its counts.
    ///
    /// **Errors**: it is none, or something beside it is not understood.
    pub fn row(self) -> Result<Row, SuiteError> {
        match self.form {
            Form::Epd => epd::line(self),
            Form::Block => epd::block(self),
            #[cfg(feature = "json")]
            Form::Json => json::object(self),
            #[cfg(not(feature = "json"))]
            Form::Json => Err(self.error(self.text, "found JSON, expected EPD".into())),
        }
    }

    /// Returns the entry as a line of EPD with further counts, by depth. What else stands in a line of EPD stays.
    pub fn with_counts(self, row: &Row, counts: &[(u32, u128)]) -> String {
        let line = match self.form {
            Form::Epd => trimmed(self.text).trim_end_matches([';', ' ', '\t']).to_string(),
            Form::Block | Form::Json => {
                let listed = (1..).zip(&row.counts).filter_map(|(depth, count): (u32, _)| Some((depth, (*count)?)));
                let name = if row.id.contains(';') { format!("\"{}\"", row.id) } else { row.id.clone() };
                operations(format!("{} ;id {name}", row.fen), listed)
            }
        };
        operations(line, counts.iter().copied())
    }

    /// Returns the error for a part of the entry.
    pub(super) fn error(&self, part: &str, message: String) -> SuiteError {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        // What is not a part of the text, such as a decoded string, counts as the whole.
        let before = self.text.get(..offset).unwrap_or("");
        let (line, column) = (before.matches('\n').count(), before.rsplit('\n').next().unwrap_or("").chars().count());
        self.error_at(line, column, message)
    }

    /// Returns the error at a line and a column of the entry, both from 0.
    pub(super) fn error_at(&self, line: usize, column: usize, message: String) -> SuiteError {
        let first = if line == 0 { self.column } else { 1 };
        SuiteError { line: self.line + line, column: first + column, message }
    }
}

/// Appends counts to a line of EPD.
fn operations(line: String, counts: impl Iterator<Item = (u32, u128)>) -> String {
    counts.fold(line, |line, (depth, count)| format!("{line} ;D{depth} {count}"))
}

/// Returns the parts of a list that hold a position, in order.
pub fn entries(text: &str) -> Box<dyn Iterator<Item = Entry<'_>> + Send + '_> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let Some((_, first)) = lines(text).next() else { return Box::new(std::iter::empty()) };
    match keyword(first) {
        _ if trimmed(first).starts_with(['{', '[']) => Box::new(Objects { text, at: 0, line: 1 }),
        "id" | "epd" | "perft" => Box::new(Blocks { text, lines: lines(text).peekable() }),
        _ => Box::new(lines(text).map(|(line, text)| Entry { line, column: 1, text, form: Form::Epd })),
    }
}

/// Returns the lines that are neither empty nor comments, with their numbers.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Send {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    lines.filter(|(_, line)| {
        let body = trimmed(line);
        !body.is_empty() && !body.starts_with('#')
    })
}

/// Returns the first word of a line.
fn keyword(line: &str) -> &str {
    trimmed(line).split_whitespace().next().unwrap_or("")
}

/// Returns a text without the space around it. Some lists have a NUL at the end of a line.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0')
}

/// Blocks of lines, of which each has one line `epd`.
struct Blocks<'t, L: Iterator> {
    text: &'t str,
    lines: std::iter::Peekable<L>,
}

impl<'t, L: Iterator<Item = (usize, &'t str)>> Iterator for Blocks<'t, L> {
    type Item = Entry<'t>;

    fn next(&mut self) -> Option<Entry<'t>> {
        let (line, first) = self.lines.next()?;
        let mut has_position = keyword(first) == "epd";
        let mut last = first;
        while let Some((_, next)) = self.lines.next_if(|(_, next)| match keyword(next) {
            "id" => false,
            "epd" => !std::mem::replace(&mut has_position, true),
            _ => true,
        }) {
            last = next;
        }
        let [start, end] = [first.as_ptr(), last.as_ptr()].map(|at| at as usize - self.text.as_ptr() as usize);
        Some(Entry { line, column: 1, text: &self.text[start..end + last.len()], form: Form::Block })
    }
}

/// Objects between braces, wherever they stand.
struct Objects<'t> {
    text: &'t str,
    /// Offset of the first byte that is not read.
    at: usize,
    /// Line of that byte.
    line: usize,
}

impl<'t> Iterator for Objects<'t> {
    type Item = Entry<'t>;

    fn next(&mut self) -> Option<Entry<'t>> {
        let rest = &self.text[self.at..];
        let is_between = |letter: char| letter.is_whitespace() || "[],".contains(letter);
        let start = rest.find(|letter| !is_between(letter))?;
        self.line += rest[..start].matches('\n').count();
        let end = end_of_object(&rest[start..]);
        let text = &rest[start..start + end];
        let before = self.text[..self.at + start].rsplit('\n').next().unwrap_or("");
        let entry = Entry { line: self.line, column: before.chars().count() + 1, text, form: Form::Json };
        self.line += text.matches('\n').count();
        self.at += start + end;
        Some(entry)
    }
}

/// Returns the length of the object at the start of a text; of the whole text if it does not end.
fn end_of_object(text: &str) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0_u32, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if byte == b'}' && !in_string && depth == 0 {
            return at + 1;
        }
    }
    text.len()
}
