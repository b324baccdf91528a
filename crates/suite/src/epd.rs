//! Lines of EPD, and blocks of lines `id`, `epd`, `perft`.
//!
//! Source of the operations: <https://www.chessprogramming.org/Extended_Position_Description>.

use super::error::SuiteError;
use super::row::Row;
use super::row_text::{RowText, lines, trimmed};
use perft_gate_chess::{Fen, FenField, Severity, excerpt};
use perft_gate_walk::MAX_DEPTH;

/// Maximum number of characters of a wrong field that an error shows.
const MAX_EXCERPT: usize = 40;

/// Reads a line.
pub(super) fn read_line(source: &RowText<'_>) -> Result<Row, SuiteError> {
    let mut fields = fields(source.text);
    let (fen, first) = split_fen(fields.next().unwrap_or(source.text));
    let mut row = read_position(source, fen)?;
    for operation in std::iter::once(first).chain(fields).filter(|operation| !operation.is_empty()) {
        read_operation(&mut row, source, operation)?;
    }
    Ok(row)
}

/// Reads a block.
pub(super) fn read_block(source: &RowText<'_>) -> Result<Row, SuiteError> {
    let mut row: Option<Row> = None;
    let (mut name, mut counts) = (None, Vec::new());
    for (_, line) in lines(source.text) {
        let (keyword, value) = word(trimmed(line));
        match keyword {
            "id" => name = Some(read_id(source, value)?),
            "epd" => row = Some(read_position(source, value)?),
            "perft" => counts.push(value),
            _ => {
                let found = excerpt(keyword, MAX_EXCERPT);
                return Err(source.error(keyword, format!("found '{found}', expected id, epd or perft")));
            }
        }
    }
    let Some(mut row) = row else {
        return Err(source.error(source.text, "found no line 'epd', expected one with a position".into()));
    };
    row.id = name.unwrap_or(row.id);
    for text in counts {
        let (depth, value) = word(text);
        add_count(&mut row, source, (depth, depth), value)?;
    }
    Ok(row)
}

/// Reads a position.
pub(super) fn read_position(source: &RowText<'_>, fen: &str) -> Result<Row, SuiteError> {
    let (position, faults) = match Fen::parse_tolerant(fen) {
        Ok((board, faults)) => (Ok(board), faults),
        Err(error) if error.severity != Severity::Text => (Err(error), Vec::new()),
        Err(error) => {
            let field = fen.split_ascii_whitespace().nth(index_of(error.field));
            return Err(source.error_in_fen(field.unwrap_or(&fen[fen.len()..]), error.to_string()));
        }
    };
    let fen = fen.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Row { id: format!("line {}", source.line), fen, position, faults, counts: Vec::new(), line: source.line })
}

/// Splits a line at the semicolons that are not in quotes.
fn fields(line: &str) -> impl Iterator<Item = &str> {
    let mut in_quotes = false;
    let fields = line.split(move |letter| {
        in_quotes ^= letter == '"';
        letter == ';' && !in_quotes
    });
    fields.map(trimmed)
}

/// Splits the text before the first semicolon into the FEN and the operation after it, which may be empty. A word that
/// begins with a letter is no clock.
fn split_fen(text: &str) -> (&str, &str) {
    let mut words = text.split_ascii_whitespace().skip(4);
    let operation = words.find(|word| word.starts_with(|letter: char| letter.is_ascii_alphabetic()));
    let at = operation.map_or(text.len(), |word| word.as_ptr() as usize - text.as_ptr() as usize);
    (text[..at].trim_ascii_end(), &text[at..])
}

/// Returns the first word, and the rest.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, &text[text.len()..]));
    (word, rest.trim())
}

/// Operations of EPD whose operands may be numbers, and that say nothing of leaves; `c0` to `c9` and `v0` to `v9` too.
/// Source: the standard's section on opcodes, <https://www.chessprogramming.org/Extended_Position_Description>.
const NUMERIC_OPERATIONS: [&str; 12] =
    ["acd", "acn", "acs", "ce", "dm", "fmvn", "hmvc", "noop", "rc", "sv", "tcri", "tcsi"];

fn read_operation(row: &mut Row, source: &RowText<'_>, operation: &str) -> Result<(), SuiteError> {
    let (name, value) = word(operation);
    if name == "id" {
        row.id = read_id(source, value)?;
        return Ok(());
    }
    if let Some((name, depth, count)) = count_operation(operation) {
        return add_count(row, source, (name, depth), count);
    }
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_operation = name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    // Numbers beside a name look like a count; only these have a meaning of their own.
    let has_own_meaning = NUMERIC_OPERATIONS.contains(&name) || matches!(letters, "c" | "v" | "C" | "V");
    let is_text = value.starts_with('"');
    let names_count = is_count_name(letters) || says_leaves(operation);
    let is_like_count = !is_text && (names_count || !has_own_meaning && is_numeric(value));
    match is_operation && !is_like_count {
        true => Ok(()),
        false => {
            let found = excerpt(if is_operation { operation } else { name }, MAX_EXCERPT);
            let expected = format!("D1 to D{MAX_DEPTH}, id, or another operation of EPD");
            Err(source.error(name, format!("found '{found}', expected {expected}")))
        }
    }
}

/// Names that stand before a depth and its count.
const COUNT_NAMES: [&str; 4] = ["d", "depth", "perft", "ply"];

fn is_count_name(name: &str) -> bool {
    COUNT_NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns true if words of leaves or depths stand beside a number: `N2 26 leaves`, `at depth 2: 26`.
fn says_leaves(operation: &str) -> bool {
    let words = || operation.split(|letter: char| !letter.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    let is_name = |word: &String| ["depth", "perft", "ply", "plies", "nodes", "leaves", "leafs"].contains(&&**word);
    words().any(|word| is_name(&word)) && words().any(|word| is_number(&word))
}

/// Splits `D1 20`, `perft 1 = 20`, `perft(1): 20`, `depth 1 20` and the like into the name with its depth, the depth and
/// the count. A name with a depth and nothing readable after it is a count too, and refused as one later.
pub(super) fn count_operation(operation: &str) -> Option<(&str, &str, &str)> {
    let letters = operation.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(operation.len());
    let (name, rest) = operation.split_at(letters);
    if !is_count_name(name) {
        return None;
    }
    let depth = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(');
    let digits = depth.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(depth.len());
    let (depth, value) = depth.split_at(digits);
    if depth.is_empty() {
        return None;
    }
    let is_between = |letter: char| letter.is_whitespace() || matches!(letter, ')' | ':' | '=');
    let end = operation.len() - value.len();
    Some((&operation[..end], depth, value.trim_start_matches(is_between).trim_ascii_end()))
}

/// Returns true for numbers alone, with the signs that people write between a depth and its count. A number below 0 and
/// one with a decimal point are no counts.
pub(super) fn is_numeric(text: &str) -> bool {
    if text.trim_start().starts_with('-') || text.trim().parse::<f64>().is_ok_and(|number| number.fract() != 0.0) {
        return false;
    }
    let is_sign = |byte: u8| byte.is_ascii_whitespace() || b",.:=()_'-".contains(&byte);
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().all(|byte| byte.is_ascii_digit() || is_sign(byte))
}

/// Reads a name.
pub(super) fn read_id(source: &RowText<'_>, value: &str) -> Result<String, SuiteError> {
    let control = value.char_indices().find(|(_, letter)| letter.is_control() && *letter != '\t');
    match control {
        None => Ok(value.trim_matches('"').into()),
        Some((at, letter)) => {
            let found = excerpt(letter.encode_utf8(&mut [0; 4]), 1);
            Err(source.error(&value[at..], format!("found {found} in an id, expected a name")))
        }
    }
}

/// Adds the count of a depth; `name` is the field that holds the depth.
pub(super) fn add_count(
    row: &mut Row,
    source: &RowText<'_>,
    (name, depth): (&str, &str),
    value: &str,
) -> Result<(), SuiteError> {
    let found = |text: &str| excerpt(text, MAX_EXCERPT);
    let known = Some(depth).filter(|depth| is_number(depth)).and_then(|depth| depth.parse().ok());
    let Some(depth) = known.filter(|depth| (1..=MAX_DEPTH as usize).contains(depth)) else {
        return Err(source.error(name, format!("found depth '{}', expected 1 to {MAX_DEPTH}", found(depth))));
    };
    let Some(count) = Some(value).filter(|digits| is_number(digits)).and_then(|count| count.parse().ok()) else {
        return Err(source.error(value, format!("found '{}' for D{depth}, expected a number of nodes", found(value))));
    };
    row.counts.resize(row.counts.len().max(depth), None);
    match row.counts[depth - 1].replace(count) {
        None => Ok(()),
        Some(_) => Err(source.error(name, format!("found D{depth} twice, expected it once"))),
    }
}

/// Returns the index of a FEN field, from 0.
const fn index_of(field: FenField) -> usize {
    match field {
        FenField::Board => 0,
        FenField::SideToMove => 1,
        FenField::Castling => 2,
        FenField::EnPassant => 3,
        FenField::Halfmove => 4,
        FenField::Fullmove => 5,
        FenField::End => 6,
    }
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
