//! Splitting of a list into the texts of its rows.

#[cfg(feature = "json")]
use super::json_cases::cases;
use super::listed;
use super::row_text::{RowFormat, RowText, lines, trimmed};
use super::table;
use perft_gate_chess::BYTE_ORDER_MARK;

/// Splits a list into its rows, in order, without reading them.
pub fn row_texts(text: &str) -> Box<dyn Iterator<Item = RowText<'_>> + Send + '_> {
    let rows = (0..).zip(forms(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)));
    Box::new(rows.map(|(number, row)| RowText { is_first: number == 0, ..row }))
}

/// Splits a list in the form that its first line shows.
fn forms(text: &str) -> Box<dyn Iterator<Item = RowText<'_>> + Send + '_> {
    let Some((_, first)) = lines(text).next() else { return Box::new(std::iter::empty()) };
    match keyword(first) {
        #[cfg(feature = "json")]
        _ if trimmed(first).starts_with(['{', '[']) => Box::new(Objects { text, at: 0, line: 1 }.flat_map(cases)),
        #[cfg(not(feature = "json"))]
        _ if trimmed(first).starts_with(['{', '[']) => Box::new(Objects { text, at: 0, line: 1 }),
        "id" | "epd" | "perft" if !is_header(first) => Box::new(Blocks { text, lines: lines(text).peekable() }),
        _ if table::separator(first).is_some() => Box::new(table::row_texts(text).into_iter()),
        _ => Box::new(lines(text).map(|(line, text)| {
            let format = listed::separator(text).map_or(RowFormat::Epd, RowFormat::Listed);
            RowText { line, column: 1, text, format, is_first: false }
        })),
    }
}

/// Returns true for a header whose first column only looks like the first word of a block: `id | fen | d1`.
fn is_header(first: &str) -> bool {
    let rest = trimmed(first).strip_prefix(keyword(first)).unwrap_or("");
    table::separator(first).is_some_and(|separator| rest.trim_start_matches(' ').starts_with(separator))
}

/// Returns the first word of a line.
fn keyword(line: &str) -> &str {
    trimmed(line).split_whitespace().next().unwrap_or("")
}

/// Blocks of lines, of which each has one line `epd`.
struct Blocks<'t, L: Iterator> {
    text: &'t str,
    lines: std::iter::Peekable<L>,
}

impl<'t, L: Iterator<Item = (usize, &'t str)>> Iterator for Blocks<'t, L> {
    type Item = RowText<'t>;

    fn next(&mut self) -> Option<RowText<'t>> {
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
        Some(RowText {
            line,
            column: 1,
            text: &self.text[start..end + last.len()],
            format: RowFormat::Block,
            is_first: false,
        })
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
    type Item = RowText<'t>;

    fn next(&mut self) -> Option<RowText<'t>> {
        let rest = &self.text[self.at..];
        let is_between = |letter: char| letter.is_whitespace() || "[],".contains(letter);
        let start = rest.find(|letter| !is_between(letter))?;
        self.line += rest[..start].matches('\n').count();
        let end = end_of_object(&rest[start..]);
        let text = &rest[start..start + end];
        let before = self.text[..self.at + start].rsplit('\n').next().unwrap_or("");
        let row = RowText {
            line: self.line,
            column: before.chars().count() + 1,
            text,
            format: RowFormat::Json,
            is_first: false,
        };
        self.line += text.matches('\n').count();
        self.at += start + end;
        Some(row)
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
