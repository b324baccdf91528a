//! Splits a row of lines (one position of a list) into parts. In the position's line, `;`, `,`, a tab or `|` separates
//! the fields. The other lines look like `D1 20`, `1 20`, `1: 20`, `depth = 1`, `counts: [20, 400]` or `20 400 8902`.

use super::names::{
    self, begins_with_number, depth_in_name, is_depth_name, is_like_fen, is_nodes_name, is_number, is_position_name,
};
use super::parts::{RowPart, SourceParts};
use super::row::{Result, RowText, offset, trim_row};
use perft_gate_chess::{Fen, excerpt, legal_moves};
use perft_gate_walk::MAX_DEPTH;

/// Field separators. If a line contains several of them, the first in this order that makes sense is used. A bar or a
/// tab is never part of a FEN or a number.
pub(super) const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// Returns the lines that are neither empty nor comments, with their numbers.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Send {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    lines.filter(|(_, line)| {
        let body = trim_row(line);
        // A line `;D1 20` continues a row with an EPD operation. It is not a comment.
        let is_comment = ["#", "//", "%", "--", "```"].iter().any(|sign| body.starts_with(sign))
            || body.strip_prefix(';').is_some_and(|rest| count_operation(rest.trim_start()).is_none());
        let is_rule = body.starts_with(['|', ':', '+', '-']) && body.chars().all(|letter| " |-:+\t".contains(letter));
        !body.is_empty() && !is_comment && !is_rule
    })
}

pub(super) fn is_heading(line: &str) -> bool {
    let inside = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).unwrap_or("1");
    inside.chars().all(|letter| letter.is_alphabetic() || "[]._-".contains(letter))
}

pub(super) fn position_at(line: &str) -> Option<usize> {
    let is_sign = |letter| matches!(letter, '"' | '\'' | '`' | ',' | ';' | '|' | ':' | '=' | '(' | '[' | '{');
    let ends = |letter: char| letter.is_whitespace() || is_sign(letter);
    let is_board = |word: &&str| word.matches('/').count() >= 5 && !word.starts_with('/') && !word.contains('.');
    let key = ["fen", "FEN", "epd"].iter().find_map(|key| line.strip_prefix(key)).unwrap_or(line);
    let is_start = |word: &&str| *word == "startpos" && key.trim_start_matches(ends).starts_with(word);
    let word = line.split(ends).find(is_board).or_else(|| line.split(ends).find(is_start));
    word.map(|word| offset(line, word))
}

/// Returns true for an EPD line. Counts are appended to such a line without changing the rest of it.
pub(super) fn is_epd(text: &str) -> bool {
    let is_line = lines(text).count() == 1 && separator(text).is_none();
    is_line && position_at(trim_row(text)) == Some(0)
}

pub(super) fn parts<'t>(source: &RowText<'t>) -> Result<Vec<RowPart<'t>>> {
    let (mut parts, mut read_to) = (Vec::new(), 0);
    let has_position = lines(source.text).any(|(_, line)| position_at(line).is_some());
    for (_, line) in lines(source.text).filter(|(_, line)| !has_position || !is_legend(trim_row(line))) {
        let body = without_bullet(trim_row(line));
        match position_at(body) {
            // The line is inside brackets that an earlier line opened.
            _ if (body.as_ptr() as usize) < read_to => {}
            Some(at) => position_line(source, body, at, &mut parts)?,
            None if !has_position => parts.extend(epd(source, body)?),
            None => read_to = count_line(source, body, &mut parts)?,
        }
    }
    Ok(parts)
}

/// Returns a line without its list marker: `- `, `* `, `- [ ] `.
fn without_bullet(line: &str) -> &str {
    let line = ["- [ ] ", "- [x] ", "- ", "* "].iter().find_map(|bullet| line.strip_prefix(bullet)).unwrap_or(line);
    line.strip_prefix(';').unwrap_or(line).trim_start()
}

/// Returns true for a line that names the content of the lines below it: `Depth Nodes`, `counts:`, `[tests.results]`.
fn is_legend(line: &str) -> bool {
    let mut words = line.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_key = line.ends_with(':') && !line.bytes().any(|byte| byte.is_ascii_digit());
    is_key || is_heading(line) || words.all(|word| is_depth_name(word) || is_nodes_name(word))
}

fn position_line<'t>(source: &RowText<'t>, line: &'t str, at: usize, parts: &mut Vec<RowPart<'t>>) -> Result<()> {
    if let Some(separator) = separator(line) {
        return cells(source, line, separator, parts);
    }
    let (before, rest) = line.split_at(at);
    let quote = before.chars().next_back().filter(|letter| "\"'`".contains(*letter));
    let label = before.trim_matches(|letter: char| letter.is_whitespace() || "\"'`*:=".contains(letter));
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit() || b".)".contains(&byte));
    let is_label = before.trim_end().ends_with([':', '=', '.', ')']) || quote.is_some() && !is_number(label);
    if !(label.is_empty() || is_label || is_position_name(label)) {
        // The text before the position is not a label, so the position itself is wrong.
        parts.extend(epd(source, line)?);
        return Ok(());
    }
    if !is_position_name(label) && !is_number(label) {
        parts.push(RowPart::text("name", label, label));
    }
    let (fen, rest) = quote.and_then(|quote| rest.split_once(quote)).unwrap_or((rest, &rest[rest.len()..]));
    parts.extend(epd(source, fen)?);
    let rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || ",;:=".contains(letter));
    match rest.starts_with(['[', '{', '(']) {
        true => parts.extend(SourceParts::new(rest)),
        false => split(rest, ';').try_for_each(|field| operation(source, field, parts))?,
    }
    Ok(())
}

/// Reads a FEN and the operations that follow it.
pub(super) fn epd<'t>(source: &RowText<'t>, line: &'t str) -> Result<Vec<RowPart<'t>>> {
    let mut fields = split(line, ';');
    let (fen, first) = split_fen(fields.next().unwrap_or(line));
    let mut parts = vec![RowPart::text("fen", fen, fen)];
    std::iter::once(first).chain(fields).try_for_each(|field| operation(source, field, &mut parts))?;
    Ok(parts)
}

/// Splits a line at the separators that are not in quotes.
fn split(line: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut in_quotes = false;
    let fields = line.split(move |letter| {
        in_quotes ^= letter == '"';
        letter == separator && !in_quotes
    });
    fields.map(trim_row)
}

/// Splits the text before the first semicolon into the FEN and the operation after it, which may be empty. An operation
/// begins with a letter, and a clock does not.
fn split_fen(text: &str) -> (&str, &str) {
    let fields = if text.starts_with("startpos") { 1 } else { 4 };
    let mut words = text.split_ascii_whitespace().skip(fields);
    let operation = words.find(|word| word.starts_with(|letter: char| letter.is_ascii_alphabetic()));
    let at = operation.map_or(text.len(), |word| offset(text, word));
    (text[..at].trim_ascii_end(), &text[at..])
}

/// EPD operations that may have numeric operands unrelated to leaves. There are also `c0` to `c9` and `v0` to `v9`.
/// Source: the standard's section on opcodes, <https://www.chessprogramming.org/Extended_Position_Description>.
const NUMERIC_OPERATIONS: [&str; 12] =
    ["acd", "acn", "acs", "ce", "dm", "fmvn", "hmvc", "noop", "rc", "sv", "tcri", "tcsi"];

/// Reads an EPD operation. Refuses text that is not an operation, and an operation with a number that could be a count
/// but was not read as one.
fn operation<'t>(source: &RowText<'t>, operation: &'t str, parts: &mut Vec<RowPart<'t>>) -> Result<()> {
    let (name, value) = word(operation);
    if operation.is_empty() || ["#", "//", "%"].iter().any(|sign| operation.starts_with(sign)) {
        return Ok(());
    }
    let id = (name == "id").then(|| RowPart::text(name, operation, value));
    if let Some(part) = id.or_else(|| count_operation(operation)) {
        parts.push(part);
        return Ok(());
    }
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_operation = name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    // A number after a name looks like a count. Only the names checked here give the number another meaning.
    let has_meaning = NUMERIC_OPERATIONS.contains(&name) || matches!(letters, "c" | "v" | "C" | "V");
    let names_count = is_count_name(letters) || says_leaves(operation);
    let is_like_count = names_count || !has_meaning && names::is_numeric(value);
    if is_operation && (!is_like_count || value.starts_with('"')) {
        return Ok(());
    }
    let found = excerpt(if is_operation { operation } else { name }, 40);
    let message = format!("found '{found}', expected D1 to D{MAX_DEPTH}, id, or another EPD operation");
    Err(source.error(name, message))
}

/// Returns the first word of a text, and the rest of the text.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, &text[text.len()..]));
    (word, rest.trim())
}

/// Returns true for a name that may precede a depth and its count.
fn is_count_name(name: &str) -> bool {
    ["d", "depth", "perft", "ply"].iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns true if the operation has a word for leaves or depth, and a number: `N2 26 leaves`, `at depth 2: 26`.
fn says_leaves(operation: &str) -> bool {
    let words = || operation.split(|letter: char| !letter.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    let is_name = |word: &String| ["depth", "perft", "ply", "plies", "nodes", "leaves", "leafs"].contains(&&**word);
    words().any(|word| is_name(&word)) && words().any(|word| is_number(&word))
}

/// Splits `D1 20`, `perft 1 = 20`, `perft(1): 20`, `depth 1 20` and the like into two parts: the name with its depth,
/// and the count. A name with a depth but no readable count is split too, and its count is refused later.
fn count_operation(operation: &str) -> Option<RowPart<'_>> {
    let letters = operation.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(operation.len());
    let (name, rest) = operation.split_at(letters);
    let depth = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(');
    let digits = depth.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(depth.len());
    let value = &depth[digits..];
    if !is_count_name(name) || digits == 0 {
        return None;
    }
    let is_between = |letter: char| letter.is_whitespace() || matches!(letter, ')' | ':' | '=');
    let count = value.trim_start_matches(is_between).trim_ascii_end();
    Some(RowPart::text(&operation[..operation.len() - value.len()], operation, without_comment(count)))
}

fn without_comment(text: &str) -> &str {
    let ends = [" #", " //", " %", "\t#", "\t//"].iter().filter_map(|sign| text.find(sign)).min();
    text[..ends.unwrap_or(text.len())].trim_ascii_end()
}

/// Returns the separator of a line that has a FEN and numbers in separate fields, or `None` for any other line.
fn separator(line: &str) -> Option<char> {
    let is_listed = |separator: &char| {
        let mut others = cells_of(line, *separator).filter(|cell| !is_position_cell(cell));
        let has_fen = || cells_of(line, *separator).any(is_position_cell);
        let is_space = *separator == '\t' && line.contains(';');
        // `FEN; D1 20` is EPD.
        let is_count = |cell: &str| !matches!(separator, ';' | '\t') && count_operation(cell).is_some();
        line.contains(*separator)
            && !is_space
            && others.any(|cell| begins_with_number(cell) || is_count(cell))
            && has_fen()
    };
    SEPARATORS.into_iter().find(is_listed)
}

/// Splits a line into its cells, without surrounding space and quotes. Bars at the start and the end of a line, as in
/// Markdown, separate nothing.
pub(super) fn cells_of(line: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut line = trim_row(line);
    if separator == '|' {
        line = line.strip_prefix('|').unwrap_or(line);
        line = line.strip_suffix('|').unwrap_or(line);
    }
    split(line, separator).map(strip_quotes)
}

fn strip_quotes(text: &str) -> &str {
    let inside = ['"', '\'', '`'].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
    inside.map_or(text, trim_row)
}

/// Returns true for a cell that contains only a FEN, or `startpos`.
pub(super) fn is_position_cell(cell: &str) -> bool {
    let words = cell.split_ascii_whitespace().count();
    let mut clocks = cell.split_ascii_whitespace().skip(4);
    cell == "startpos" || is_like_fen(cell) && (4..=6).contains(&words) && clocks.all(is_number)
}

/// Reads a line of cells, one of which is the position.
fn cells<'t>(source: &RowText<'t>, line: &'t str, separator: char, parts: &mut Vec<RowPart<'t>>) -> Result<()> {
    let (mut counts, mut is_after_fen, mut has_name) = (Vec::new(), false, false);
    for cell in cells_of(line, separator) {
        if !is_after_fen && is_position_cell(cell) {
            parts.push(RowPart::text("fen", cell, cell));
            is_after_fen = true;
        } else if let Some(part) = count_operation(cell).or_else(|| read_labelled(cell)) {
            parts.push(part);
        } else if is_after_fen && (cell.is_empty() || begins_with_number(cell)) {
            counts.push(cell);
        } else if counts.is_empty() && !has_name && !cell.is_empty() && !begins_with_number(cell) {
            let name = cell.strip_prefix("id ").unwrap_or(cell).trim();
            parts.push(RowPart::text("id", name, name));
            has_name = true;
        } else if !cell.is_empty() {
            let found = excerpt(cell, 40);
            let expected = "FEN,20,400, or a header row that names the columns, such as fen,depth,nodes";
            return Err(source.error(cell, format!("found '{found}', expected {expected}")));
        }
    }
    let counts = &counts[..counts.iter().rposition(|count| !count.is_empty()).map_or(0, |last| last + 1)];
    // If only one cell holds counts, it may hold several.
    let several = |cell: &'t str| cell.split_whitespace().map(|word| word.strip_suffix(',').unwrap_or(word));
    let counts: Vec<&str> = if let [cell] = counts { several(cell).collect() } else { counts.to_vec() };
    if separator == '\t' && !counts.is_empty() && line.split_whitespace().count() <= 6 {
        // One or two numbers are taken for clocks, unless the first is the number of legal moves.
        let board = cells_of(line, '\t').find_map(|cell| Some(Fen::parse_tolerant(cell).ok()?.0));
        if board.is_none_or(|board| counts[0].parse() != Ok(legal_moves(&board).len())) {
            *parts = epd(source, line)?;
            return Ok(());
        }
        let found = excerpt(&counts.join(", "), 40);
        let other = "this could also be the clocks of the FEN: write D1 20";
        return Err(source
            .error(counts[0], format!("found '{found}', expected one count per depth, starting at depth 1; {other}")));
    }
    parts.extend(counts.into_iter().map(|count| RowPart::text("", count, count)));
    Ok(())
}

/// Splits `3: 8902` and `3=8902` into the depth and its count.
fn read_labelled(field: &str) -> Option<RowPart<'_>> {
    let (depth, count) = field.split_once([':', '='])?;
    is_number(depth.trim()).then(|| RowPart::text(depth.trim(), field, count.trim()))
}

/// Reads a line that does not contain the position. Returns the address where its brackets end, which may be on a later
/// line, or 0 if it has no brackets.
fn count_line<'t>(source: &RowText<'t>, line: &'t str, parts: &mut Vec<RowPart<'t>>) -> Result<usize> {
    if word(line).0 == "id" {
        parts.push(RowPart::text("id", line, word(line).1));
        return Ok(0);
    }
    for field in split(line, ';').filter(|field| !field.is_empty()) {
        let key = field
            .find([':', '='])
            .map(|at| (strip_quotes(field[..at].trim()), without_comment(field[at + 1..].trim_start())));
        let is_word = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
        if let Some(part) = count_operation(field) {
            parts.push(part);
        } else if let Some((key, value)) = key.filter(|(key, _)| is_word(key)) {
            if value.starts_with(['[', '{', '(']) {
                let rest = &source.text[offset(source.text, value)..];
                let mut inside = SourceParts::new(rest);
                let group = inside.next();
                if let Some((at, message)) = inside.error {
                    return Err(source.error(at, message));
                }
                parts.extend(group.map(|group| RowPart { name: key, ..group }));
                return Ok(rest.as_ptr() as usize + inside.end);
            }
            parts.push(RowPart::text(key, value, strip_quotes(value)));
        } else if begins_with_number(field.trim_start_matches(['|', ' ', '\t'])) {
            parts.push(numbers(field));
        } else {
            let found = excerpt(word(field).0, 40);
            return Err(source.error(field, format!("found '{found}', expected id, epd or perft")));
        }
    }
    Ok(0)
}

/// Reads `1 20`, `| 1 | 20 |`, `1. 20` as a depth and its count, and any other numbers one by one.
fn numbers(line: &str) -> RowPart<'_> {
    let inside = without_comment(line.trim_matches(['|', ' ', '\t']));
    let end = inside.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(inside.len());
    let (depth, count) = inside.split_at(end);
    let count = count.trim_start_matches(|letter: char| letter.is_whitespace() || ",.)|-".contains(letter));
    let is_pair =
        !count.is_empty() && names::parse_number(count, names::IN_TEXT).is_some() && depth_in_name(depth).is_some();
    let is_sign = |letter: char| letter.is_whitespace() || ",|".contains(letter);
    let words: Vec<&str> = match is_pair && inside.len() > end + count.len() {
        true => vec![depth, count],
        false => inside.split(is_sign).filter(|word| !word.is_empty()).collect(),
    };
    RowPart::group(line, words.into_iter().map(|word| RowPart::text("", word, word)).collect())
}
