//! Tables: a header row names the columns, such as `fen,depth,nodes` or `name;fen;d1;d2`. Lines with the same FEN form
//! one row.

use super::lines::{SEPARATORS, cells_of, lines};
use super::names::{is_depth_name, is_nodes_name, is_one_of, is_position_name};
use super::parts::RowPart;
use super::row::{Result, RowFormat, RowText};
use perft_gate_chess::excerpt;
use std::collections::HashMap;

/// Returns the separator of a header row; `None` for any other line.
pub(super) fn separator(line: &str) -> Option<char> {
    let is_header = |separator: &char| line.contains(*separator) && cells_of(line, *separator).any(is_position_name);
    let has_ranks = line.matches('/').count() >= 5;
    SEPARATORS.into_iter().find(|separator| !has_ranks && is_header(separator))
}

/// Returns true for a header whose first column merely looks like the first word of a block: `id | fen | d1`.
pub(super) fn is_header(line: &str) -> bool {
    let rest = line.trim().trim_start_matches(char::is_alphanumeric);
    separator(line).is_some_and(|separator| rest.trim_start_matches(' ').starts_with(separator))
}

/// Splits a list whose first line is a header.
pub(super) fn row_texts(text: &str) -> Vec<RowText<'_>> {
    let mut lines = lines(text);
    let Some((number, header)) = lines.next() else { return Vec::new() };
    let separator = separator(header).unwrap_or(',');
    if let Some((part, message)) = wrong_column(header, separator) {
        return vec![RowText::new(text, number, part, RowFormat::Refused(message))];
    }
    let column = |is_it: fn(&str) -> bool| cells_of(header, separator).position(is_it);
    let at = column(|name| is_one_of(name, &["fen"])).or_else(|| column(is_position_name)).unwrap_or(0);
    let mut indices: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut rows: Vec<(usize, Vec<&str>)> = Vec::new();
    for (number, line) in lines {
        let fen: Vec<&str> = cells_of(line, separator).nth(at).unwrap_or_default().split_whitespace().collect();
        match indices.get(&fen) {
            Some(&index) if !fen.is_empty() => rows[index].1.push(line),
            _ => {
                indices.insert(fen, rows.len());
                rows.push((number, vec![line]));
            }
        }
    }
    let row = |(number, lines): (usize, Vec<_>)| {
        RowText::new(text, number, lines[0], RowFormat::Table { header, more: lines[1..].into() })
    };
    rows.into_iter().map(row).collect()
}

/// If there is a column of depths but none of counts, or the reverse, returns that column and the error message.
fn wrong_column(header: &str, separator: char) -> Option<(&str, String)> {
    let column = |is_it: fn(&str) -> bool| cells_of(header, separator).find(|name| is_it(name));
    let (found, expected) = match (column(is_depth_name), column(is_nodes_name)) {
        (Some(depth), None) => (depth, "a column with its nodes"),
        (None, Some(nodes)) => (nodes, "a column with the depth of this count"),
        _ => return None,
    };
    let name = excerpt(found, 40);
    Some((found, format!("taken for a header row: found column '{name}', expected {expected} too")))
}

/// Returns a group of parts for each line of a position. The parts are the cells, named after their columns.
pub(super) fn parts<'t>(source: &RowText<'t>, header: &'t str, more: &[&'t str]) -> Result<Vec<RowPart<'t>>> {
    let separator = separator(header).unwrap_or(',');
    let names: Vec<&str> = cells_of(header, separator).collect();
    let mut parts = Vec::new();
    for line in std::iter::once(source.text).chain(more.iter().copied()) {
        let cells: Vec<&str> = cells_of(line, separator).collect();
        if let Some(extra) = cells.iter().skip(names.len()).find(|cell| !cell.is_empty()) {
            let (found, expected) = (excerpt(extra, 40), names.len());
            let message =
                format!("found an extra cell '{found}', expected {expected}, one for each column of the header");
            return Err(source.error(extra, message));
        }
        let end = &line[line.len()..];
        let cells = names.iter().zip(cells.into_iter().chain(std::iter::repeat(end)));
        parts.push(RowPart::group(line, cells.map(|(name, cell)| RowPart::text(name, cell, cell)).collect()));
    }
    Ok(parts)
}
