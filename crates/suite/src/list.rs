//! Reads whole lists of positions: the built-in suites and other texts. The form of a text decides how it is split into
//! rows.

use super::parts::{PartValue, RowPart, SourceParts};
use super::row::{Repeats, Result, Row, RowFormat, RowText, trim_row};
use super::{attach, blocks, lines, source, table};
use perft_gate_chess::BYTE_ORDER_MARK;
use std::borrow::Cow;

/// Reads a list of positions.
///
/// **Errors**: the first part that is not understood, or a position listed twice with different counts.
pub fn parse(text: &str) -> Result<Vec<Row>> {
    let (mut repeats, mut rows) = (Repeats::default(), Vec::new());
    for text in row_texts(text) {
        let row = text.read()?;
        repeats.add(&text, &row)?;
        rows.push(row);
    }
    Ok(rows)
}

/// Built-in suites: name, description, text.
pub const EMBEDDED: [(&str, &str, &str); 5] = [
    ("standard", "the classic positions to depth 6, and every special rule", perft_suites::STANDARD),
    ("quick", "a few positions that catch every fault in our catalogue", perft_suites::QUICK),
    ("chess960", "castling of Chess960", perft_suites::CHESS960),
    ("dfrc", "double Chess960: start arrays and positions from play", perft_suites::DFRC),
    ("interactions", "small positions in which several rules meet", perft_suites::INTERACTIONS),
];

/// Returns the text of a built-in suite.
pub fn embedded(name: &str) -> Option<&'static str> {
    EMBEDDED.iter().find(|(known, ..)| *known == name).map(|(.., text)| *text)
}

/// Suite of positions for testing an implementation of a board.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The rows, in the order of the text.
    pub rows: Vec<Row>,
}

impl Suite {
    /// Returns the classic positions with counts to depth 6, and positions for every special rule.
    pub fn standard() -> Suite {
        Suite::parse(perft_suites::STANDARD).expect("a suite whose reading is tested")
    }

    /// Returns the suite for castling in Chess960.
    pub fn chess960() -> Suite {
        Suite::parse(perft_suites::CHESS960).expect("a suite whose reading is tested")
    }

    /// Reads a suite from its text.
    ///
    /// **Errors**: see [`parse`].
    pub fn parse(text: &str) -> Result<Suite> {
        Ok(Suite { rows: parse(text)? })
    }
}

/// Splits a list into its rows, in order, without reading them.
pub fn row_texts(text: &str) -> Box<dyn Iterator<Item = RowText<'_>> + Send + '_> {
    let rows = (0..).zip(forms(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)));
    Box::new(rows.map(|(number, row)| RowText { is_first: number == 0, ..row }))
}

fn forms(text: &str) -> Box<dyn Iterator<Item = RowText<'_>> + Send + '_> {
    let Some((_, first)) = lines::lines(text).next() else { return Box::new(std::iter::empty()) };
    match trim_row(first).split_whitespace().next() {
        _ if source::is_source(text) => Box::new(source::row_texts(text)),
        Some("id" | "epd" | "perft") if !table::is_header(first) => Box::new(blocks::row_texts(text)),
        _ if table::separator(first).is_some() => Box::new(table::row_texts(text).into_iter()),
        _ => Box::new(blocks::row_texts(text)),
    }
}

impl RowText<'_> {
    /// Reads the position and its counts.
    ///
    /// **Errors**: the row has no readable position, or some other part of it is not understood.
    pub fn read(&self) -> Result<Row> {
        let parts = match &self.format {
            RowFormat::Lines => lines::parts(self)?,
            RowFormat::Table { header, more } => table::parts(self, header, more)?,
            RowFormat::Source => {
                let parts: Vec<_> = SourceParts::new(self.text).collect();
                match parts[..] {
                    // The only part of the row is a text, so this text contains EPD operations.
                    [RowPart { value: PartValue::Text(Cow::Borrowed(text)), .. }] => lines::epd(self, text)?,
                    _ => parts,
                }
            }
            RowFormat::Refused(message) => return Err(self.error(self.text, message.clone())),
        };
        attach::read(self, &parts)
    }

    /// Returns the row as an EPD line with `counts`, pairs of depth and count, added at the end. A row that is already
    /// an EPD line keeps its other operations.
    pub fn with_counts(&self, row: &Row, counts: &[(u32, u128)]) -> String {
        let line = match &self.format {
            RowFormat::Lines if lines::is_epd(self.text) => {
                trim_row(self.text).trim_end_matches([';', ' ', '\t']).to_string()
            }
            _ => {
                let listed = (1..).zip(&row.counts).filter_map(|(depth, count): (u32, _)| Some((depth, (*count)?)));
                let name = if row.id.contains(';') { format!("\"{}\"", row.id) } else { row.id.clone() };
                operations(format!("{} ;id {name}", row.fen), listed)
            }
        };
        operations(line, counts.iter().copied())
    }
}

fn operations(line: String, counts: impl Iterator<Item = (u32, u128)>) -> String {
    counts.fold(line, |line, (depth, count)| format!("{line} ;D{depth} {count}"))
}
