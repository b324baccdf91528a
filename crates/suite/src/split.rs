//! Splitting of a list into the texts of its rows, in the form that it shows.

use super::row_text::{RowText, trimmed};
use super::{blocks, lines, source, table};
use perft_gate_chess::BYTE_ORDER_MARK;

/// Splits a list into its rows, in order, without reading them.
pub fn row_texts(text: &str) -> Box<dyn Iterator<Item = RowText<'_>> + Send + '_> {
    let rows = (0..).zip(forms(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)));
    Box::new(rows.map(|(number, row)| RowText { is_first: number == 0, ..row }))
}

fn forms(text: &str) -> Box<dyn Iterator<Item = RowText<'_>> + Send + '_> {
    let Some((_, first)) = lines::lines(text).next() else { return Box::new(std::iter::empty()) };
    match trimmed(first).split_whitespace().next() {
        _ if source::is_source(text) => Box::new(source::row_texts(text)),
        Some("id" | "epd" | "perft") if !table::is_header(first) => Box::new(blocks::row_texts(text)),
        _ if table::separator(first).is_some() => Box::new(table::row_texts(text).into_iter()),
        _ => Box::new(blocks::row_texts(text)),
    }
}
