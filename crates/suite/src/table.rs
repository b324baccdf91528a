//! Tables: a header row names the columns, such as `fen,depth,nodes` or `name;fen;d1;d2`. Rows of one FEN are one row.

use super::delimited::{SEPARATORS, depth_in_name, fields, is_nodes_name, is_position_name, is_title_name, plain_name};
use super::epd;
use super::error::SuiteError;
use super::row::Row;
use super::row_text::{PositionLines, RowFormat, RowText, lines};
use perft_gate_chess::excerpt;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug)]
enum HeaderColumn {
    Position,
    Depth,
    Nodes,
    /// Counts of this depth.
    NodesAt(String),
    Title,
    Other,
}

/// Returns the separator of a header row.
pub(super) fn separator(line: &str) -> Option<char> {
    let is_header = |separator: &char| {
        let mut names = fields(line, *separator).map(plain_name);
        line.contains(*separator) && names.any(|name| is_position_name(&name))
    };
    let has_ranks = line.matches('/').count() >= 5;
    SEPARATORS.into_iter().find(|separator| !has_ranks && is_header(separator))
}

/// Splits a list whose first line is a header.
pub(super) fn row_texts(text: &str) -> Vec<RowText<'_>> {
    let mut lines = lines(text).filter(|(_, line)| !is_rule(line));
    let Some((number, header)) = lines.next() else { return Vec::new() };
    let row = |line: usize, text, more| {
        let format = RowFormat::Table(PositionLines { header, more });
        RowText { line, column: 1, text, format, is_first: false }
    };
    let columns = match columns(&row(number, header, Arc::default())) {
        Ok((_, columns)) => columns,
        // Its reading says what is wrong.
        Err(_) => return vec![row(number, header, Arc::default())],
    };
    let separator = separator(header).unwrap_or(',');
    let at = columns.iter().position(|column| *column == HeaderColumn::Position).unwrap_or(0);
    let mut indices = HashMap::new();
    let mut rows: Vec<Vec<(usize, &str)>> = Vec::new();
    for (number, line) in lines {
        let fen: Vec<&str> = fields(line, separator).nth(at).unwrap_or_default().split_whitespace().collect();
        match indices.get(&fen) {
            Some(&index) if !fen.is_empty() => Vec::push(&mut rows[index], (number, line)),
            _ => {
                indices.insert(fen, rows.len());
                rows.push(vec![(number, line)]);
            }
        }
    }
    rows.into_iter().map(|lines| row(lines[0].0, lines[0].1, lines[1..].into())).collect()
}

/// Returns true for the line below a header in Markdown.
fn is_rule(line: &str) -> bool {
    line.contains("--") && line.chars().all(|letter| letter.is_whitespace() || "|-:+".contains(letter))
}

/// Returns the columns that a header names.
fn columns(header: &RowText<'_>) -> Result<(char, Vec<HeaderColumn>), SuiteError> {
    let separator = separator(header.text).unwrap_or(',');
    let names: Vec<&str> = fields(header.text, separator).collect();
    let column = |name: &&str| match plain_name(name) {
        name if is_position_name(&name) => HeaderColumn::Position,
        name if ["depth", "ply", "plies", "d", "level"].contains(&&*name) => HeaderColumn::Depth,
        name if is_nodes_name(&name) => HeaderColumn::Nodes,
        name if is_title_name(&name) => HeaderColumn::Title,
        name => depth_in_name(&name).map_or(HeaderColumn::Other, HeaderColumn::NodesAt),
    };
    let mut columns: Vec<HeaderColumn> = names.iter().map(column).collect();
    // `position` beside `fen` is a name.
    let is_fen = |name: &&str| plain_name(name) == "fen";
    if let Some(fen) = names.iter().position(&is_fen) {
        let others = (0..columns.len()).filter(|other| *other != fen);
        let also: Vec<usize> =
            others.filter(|other| columns[*other] == HeaderColumn::Position && !is_fen(&names[*other])).collect();
        also.into_iter().for_each(|other| columns[other] = HeaderColumn::Title);
    }
    for (number, column) in columns.iter().enumerate().filter(|(_, column)| **column != HeaderColumn::Other) {
        if columns[..number].contains(column) && *column != HeaderColumn::Title {
            let found = excerpt(names[number], 40);
            return Err(header.error(names[number], format!("found column '{found}' twice, expected it once")));
        }
    }
    let alone = match [HeaderColumn::Depth, HeaderColumn::Nodes]
        .map(|column| columns.iter().position(|other| *other == column))
    {
        [Some(depth), None] => Some((depth, "a column with its nodes")),
        [None, Some(nodes)] => Some((nodes, "a column with the depth of this count")),
        _ => None,
    };
    match alone {
        None => Ok((separator, columns)),
        Some((at, expected)) => {
            let found = excerpt(names[at], 40);
            let message = format!("taken for a header row: found column '{found}', expected {expected} too");
            Err(header.error(names[at], message))
        }
    }
}

/// Reads all lines of a position.
pub(super) fn read_row(source: &RowText<'_>, table: &PositionLines<'_>) -> Result<Row, SuiteError> {
    let line = |line, text| RowText { line, column: 1, text, format: RowFormat::Epd, is_first: false };
    let header = line(source.line, table.header);
    let (separator, columns) = columns(&header)?;
    let mut row: Option<Row> = None;
    let first = (source.line, source.text);
    for (number, text) in std::iter::once(first).chain(table.more.iter().copied()) {
        let line = line(number, text);
        read_cells(&mut row, &line, &fields(text, separator).collect::<Vec<_>>(), &columns)?;
    }
    row.ok_or_else(|| header.error(table.header, "found no position, expected one below the header".into()))
}

fn read_cells(
    row: &mut Option<Row>,
    line: &RowText<'_>,
    cells: &[&str],
    columns: &[HeaderColumn],
) -> Result<(), SuiteError> {
    if let Some(extra) = cells.iter().skip(columns.len()).find(|cell| !cell.is_empty()) {
        let (found, expected) = (excerpt(extra, 40), columns.len());
        return Err(
            line.error(extra, format!("found '{found}', expected the {expected} columns that the header names"))
        );
    }
    let cell = |column: &HeaderColumn| {
        let at = columns.iter().position(|other| other == column)?;
        cells.get(at).copied().filter(|cell| !cell.is_empty())
    };
    let end = &line.text[line.text.len()..];
    let read = epd::read_position(line, cell(&HeaderColumn::Position).unwrap_or(end))?;
    let row = row.get_or_insert(read);
    if let Some(title) = cell(&HeaderColumn::Title).filter(|_| row.line == line.line) {
        row.id = epd::read_id(line, title)?;
    }
    match (cell(&HeaderColumn::Depth), cell(&HeaderColumn::Nodes)) {
        (None, None) => {}
        (Some(depth), nodes) => add_count(row, line, (depth, depth), nodes.unwrap_or(end))?,
        (None, Some(nodes)) => return Err(line.error(nodes, "found no depth of this count, expected one".into())),
    }
    for (column, cell) in columns.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
        if let HeaderColumn::NodesAt(depth) = column {
            add_count(row, line, (cell, depth), cell)?;
        }
    }
    let is_unread = |(column, cell): &(&HeaderColumn, &&str)| **column == HeaderColumn::Other && epd::is_numeric(cell);
    match columns.iter().zip(cells).find(is_unread).filter(|_| row.counts.is_empty()) {
        None => Ok(()),
        Some((_, cell)) => {
            let expected = "columns with counts named depth and nodes, or d1, d2, …, in the header";
            Err(line.error(cell, format!("found '{}', expected {expected}", excerpt(cell, 40))))
        }
    }
}

/// Adds a count, which may be listed again.
fn add_count(row: &mut Row, line: &RowText<'_>, depth: (&str, &str), count: &str) -> Result<(), SuiteError> {
    let listed = depth.1.parse().ok().filter(|depth| *depth > 0).and_then(|depth| row.count(depth));
    match (listed, count.parse::<u128>()) {
        (Some(listed), Ok(found)) if listed == found => Ok(()),
        (Some(listed), Ok(found)) => {
            let (depth, first) = (depth.1, row.line);
            let message = format!(
                "found {found} for D{depth}, but {listed} for the same position in line {first} or below, expected one count"
            );
            Err(line.error(count, message))
        }
        _ => epd::add_count(row, line, depth, count),
    }
}

#[cfg(test)]
mod tests {
    use crate::list::parse;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn columns_are_named_in_any_order_and_rows_of_one_position_join() {
        for text in [
            "fen,depth,nodes\n@,1,20\n@,3,8902\n%,1,5\n",
            "# c\n\nDepth,FEN,Nodes\n1,@,20\n1,%,5\n\n3,@,8902\n",
            "\"nodes\";\"depth\";\"fen\"\n20;1;\"@\"\n\n8902;3;@\n5;1;%\n",
            "EPD\tPly\tExpected nodes\r\n@\t1\t20\r\n@\t3\t8902\r\n%\t1\t5\r\n",
            "fen | d1 | d2 | d3\n@ | 20 | | 8902\n% | 5 | |\n",
            "| FEN | Depth | Leaf nodes |\n|-----|:-----:|-----:|\n| `@` | 1 | 20 |\n| `@` | 3 | 8902 |\n| % | 1 | 5 |\n",
            "captures,perft(3),position,perft(1)\n0,8902,@,20\n0,,%,5\n",
            "fen,depth,count,checks\n@,1,20,0\n@,3,8902,12\n@,1,20,0\n%,1,5,0\n",
            "epd,nodes_depth_1,depth_2,count 3\n@,20,,8902\n%,5\n",
        ] {
            let text = text.replace('@', START).replace('%', KINGS);
            let rows = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let found: Vec<_> = rows.iter().map(|row| (&*row.fen, &row.counts[..])).collect();
            assert_eq!(found, [(START, &[Some(20), None, Some(8902)][..]), (KINGS, &[Some(5)][..])], "{text}");
        }
    }

    #[test]
    fn rows_have_the_name_of_their_first_line() {
        let text = format!("name,fen,depth,nodes\nkings,{KINGS},2,25\nstart,{START},1,20\nkings again,{KINGS},1,5\n");
        let rows = parse(&text).unwrap();
        let found: Vec<_> = rows.iter().map(|row| (&*row.id, row.line, row.counts.len())).collect();
        assert_eq!(found, [("kings", 2, 2), ("start", 3, 1)]);
        let text = format!("position;fen;d1\nPosition 2;{KINGS};5\n");
        assert_eq!(parse(&text).unwrap()[0].id, "Position 2");
    }

    #[test]
    fn what_does_not_fit_the_header_is_refused_with_its_line() {
        for (text, expected) in [
            (
                "fen,nodes\nK,5\n",
                "line 1, column 5: taken for a header row: found column 'nodes', expected a column with the depth",
            ),
            (
                "depth,fen\n1,K\n",
                "line 1, column 1: taken for a header row: found column 'depth', expected a column with its nodes too",
            ),
            ("fen,d1,depth1\nK,5,5\n", "line 1, column 8: found column 'depth1' twice, expected it once"),
            ("fen,leafz\nK,5\n", "line 2, column 31: found '5', expected columns with counts named depth and nodes"),
            ("fen,d1\nK,5,25\n", "line 2, column 33: found '25', expected the 2 columns that the header names"),
            ("fen,d1\nK,five\n", "line 2, column 31: found 'five' for D1, expected a number of nodes"),
            ("fen,depth,nodes\nK,1,5\nK,0,1\n", "line 3, column 31: found depth '0', expected 1 to 64"),
            (
                "fen,depth,nodes\nK,1,5\nK,1,6\n",
                "line 3, column 33: found 6 for D1, but 5 for the same position in line 2",
            ),
            ("fen,depth,nodes\nK,1\n", "line 2, column 32: found '' for D1, expected a number of nodes"),
            ("fen,depth,nodes\n,1,5\n", "line 2, column "),
            ("fen,depth,nodes\nK x,1,5\n", "line 2, column "),
            ("fen,depth,nodes\n", "line 1, column 1: "),
        ] {
            let text = text.replace('K', KINGS);
            match parse(&text) {
                Err(error) => assert!(error.to_string().starts_with(expected), "{text}: {error}"),
                Ok(rows) => assert!(rows.is_empty() && text.lines().count() == 1, "{text}: {rows:?}"),
            }
        }
    }
}
