//! Suites of positions with known counts: `FEN ;D1 20 ;D2 400 …`, one position a line.
//!
//! Spaces around `;` are ignored, `id NAME` names a row, `#` starts a comment line, lines end with LF or CRLF. Reading
//! is strict: the first error is reported with its line and column.

use perft_gate_walk::chess::{BYTE_ORDER_MARK, Board, Fen, FenField, excerpt};
use perft_gate_walk::walk::MAX_DEPTH;
use std::fmt;

/// A position with its name and known counts.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name of the row; `line N` if the suite gives none.
    pub id: String,
    /// The position, as written in the suite.
    pub fen: String,
    /// The position.
    pub board: Board,
    /// Number of leaf nodes by depth, from 1; a gap is `None`.
    pub counts: Vec<Option<u128>>,
    /// Line of the suite, from 1; 0 for a position of the command line.
    pub line: usize,
}

impl Row {
    /// Returns a position without known counts.
    pub fn unknown(id: &str, board: Board) -> Row {
        Row { id: id.into(), fen: board.to_string(), board, counts: Vec::new(), line: 0 }
    }

    /// Returns the count listed for this depth; for depth 0 it is always 1.
    pub fn count(&self, depth: u32) -> Option<u128> {
        match depth {
            0 => Some(1),
            _ => self.counts.get(depth as usize - 1).copied().flatten(),
        }
    }

    /// Returns the deepest listed depth up to `depth`.
    pub fn deepest(&self, depth: u32) -> Option<u32> {
        (1..=depth).rev().find(|&depth| self.count(depth).is_some())
    }
}

/// Built-in suites: name, description, text.
pub const EMBEDDED: [(&str, &str, &str); 3] = [
    ("standard", "the classic positions to depth 6, and every special rule", include_str!("../suites/standard.epd")),
    ("quick", "the same positions, verified in seconds", include_str!("../suites/quick.epd")),
    ("chess960", "castling of Chess960", include_str!("../suites/chess960.epd")),
];

/// Returns the text of a built-in suite.
pub fn embedded(name: &str) -> Option<&'static str> {
    EMBEDDED.iter().find(|(known, ..)| *known == name).map(|(.., text)| *text)
}

/// Suite of positions to judge a board by.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The rows, in the order of the text.
    pub rows: Vec<Row>,
}

impl Suite {
    /// Returns the classic positions to depth 6, with every special rule.
    pub fn standard() -> Suite {
        Suite::built_in("standard")
    }

    /// Returns the same positions, to depths that are verified in seconds.
    pub fn quick() -> Suite {
        Suite::built_in("quick")
    }

    /// Returns the suite for castling in Chess960.
    pub fn chess960() -> Suite {
        Suite::built_in("chess960")
    }

    /// Reads a suite from its text.
    ///
    /// **Errors**: see [`parse`].
    pub fn parse(text: &str) -> Result<Suite, SuiteError> {
        Ok(Suite { rows: parse(text)? })
    }

    fn built_in(name: &str) -> Suite {
        let text = embedded(name).expect("a suite that is built in");
        Suite::parse(text).expect("a suite whose reading is tested")
    }
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

/// Reads a suite.
///
/// **Errors**: the first line that is neither empty, nor a comment, nor a position with its counts.
pub fn parse(text: &str) -> Result<Vec<Row>, SuiteError> {
    lines(text).map(|(number, line)| parse_row(number, line)).collect()
}

/// Returns the lines of a suite that hold a position, with their numbers: a suite that is too large to keep as rows is
/// read line by line with [`parse_row`].
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    lines.filter(|(_, line)| {
        let body = trimmed(line);
        !body.is_empty() && !body.starts_with('#')
    })
}

/// Reads a line of a suite.
///
/// **Errors**: it is not a position with its counts.
pub fn parse_row(number: usize, line: &str) -> Result<Row, SuiteError> {
    // `field` is a part of `line`.
    let fault = |field: &str, message: String| {
        let start = field.as_ptr() as usize - line.as_ptr() as usize;
        Err(SuiteError { line: number, column: line[..start].chars().count() + 1, message })
    };
    let mut fields = line.split(';').map(trimmed);
    let fen = fields.next().unwrap_or(line);
    let board = match Fen::parse(fen) {
        Ok(board) => board,
        Err(error) => {
            let field = fen.split_ascii_whitespace().nth(position_of(error.field));
            return fault(field.unwrap_or(&fen[fen.len()..]), error.to_string());
        }
    };
    let mut row = Row { id: format!("line {number}"), fen: fen.into(), board, counts: Vec::new(), line: number };
    for field in fields.filter(|field| !field.is_empty()) {
        let (name, value) = field.split_once(char::is_whitespace).unwrap_or((field, &field[field.len()..]));
        let value = value.trim();
        if name == "id" {
            if let Some((at, letter)) = value.char_indices().find(|(_, letter)| letter.is_control() && *letter != '\t')
            {
                let found = excerpt(letter.encode_utf8(&mut [0; 4]), 1);
                return fault(&value[at..], format!("found {found} in an id, expected a name"));
            }
            row.id = value.trim_matches('"').into();
            continue;
        }
        let depth = name.strip_prefix('D').filter(|digits| is_number(digits)).and_then(|depth| depth.parse().ok());
        let Some(depth) = depth.filter(|depth| (1..=MAX_DEPTH as usize).contains(depth)) else {
            return fault(name, format!("found '{}', expected D1 to D{MAX_DEPTH}, or id", excerpt(name, FOUND)));
        };
        let Some(count) = Some(value).filter(|digits| is_number(digits)).and_then(|count| count.parse().ok()) else {
            return fault(value, format!("found '{}' for D{depth}, expected a number of nodes", excerpt(value, FOUND)));
        };
        row.counts.resize(row.counts.len().max(depth), None);
        if row.counts[depth - 1].replace(count).is_some() {
            return fault(name, format!("found D{depth} twice, expected it once"));
        }
    }
    Ok(row)
}

/// Returns the index of a FEN field, from 0.
fn position_of(field: FenField) -> usize {
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

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Maximum number of characters of a wrong field that an error shows.
const FOUND: usize = 40;

/// Returns a field without the space around it. Some suites have a NUL at the end of a line.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

    #[test]
    fn the_communitys_spellings_are_read() {
        let text =
            format!("# a comment\r\n\r\n{KINGS} ;D1 5 ;D2 25\r\n{KINGS};D3 170; id \"bare kings\" ;\n  {KINGS}\n");
        let rows = parse(&text).unwrap();
        assert_eq!(rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), ["line 3", "bare kings", "line 5"]);
        assert_eq!(rows[0].counts, [Some(5), Some(25)]);
        assert_eq!(rows[1].counts, [None, None, Some(170)]);
        assert_eq!((rows[1].deepest(6), rows[1].deepest(2), rows[2].deepest(6)), (Some(3), None, None));
        assert_eq!((rows[1].count(0), rows[1].fen.as_str()), (Some(1), KINGS));
    }

    #[test]
    fn each_fault_is_told_with_line_and_column() {
        for (line, expected) in [
            (format!("{KINGS} ;D1 5 ;D1 6"), "line 2, column 38: found D1 twice, expected it once"),
            (format!("{KINGS} ;D1 five"), "line 2, column 35: found 'five' for D1, expected a number of nodes"),
            (format!("{KINGS} ;D1"), "line 2, column 34: found '' for D1, expected a number of nodes"),
            (format!("{KINGS} ;D1 -5"), "line 2, column 35: found '-5' for D1, expected a number of nodes"),
            (format!("{KINGS} ;D65 5"), "line 2, column 32: found 'D65', expected D1 to D64, or id"),
            (format!("{KINGS} ;D0 1"), "line 2, column 32: found 'D0', expected D1 to D64, or id"),
            (format!("{KINGS} ;bm e4"), "line 2, column 32: found 'bm', expected D1 to D64, or id"),
            ("  4k3/8/8/8/8/8/8/4K3 x - - 0 1".into(), "line 2, column 23: FEN field 'side to move'"),
            ("4k3/8/8/8/8/8/8/4K3".into(), "line 2, column 20: FEN field 'side to move'"),
            ("ä ;D1 5".into(), "line 2, column 1: FEN field 'board'"),
            (format!("{KINGS} ;D1 5\02"), "line 2, column 35: found '5<U+0000>2' for D1, expected a number of nodes"),
            (format!("{KINGS} ;id a\u{1b}[1m"), "line 2, column 36: found <U+001B> in an id, expected a name"),
            (
                "4k3/8/8/8/\08/8/8/4K3 w - - 0 1".into(),
                "line 2, column 1: FEN field 'board': found '<U+0000>' in rank 4",
            ),
        ] {
            let error = parse(&format!("# first\n{line}")).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }

    #[test]
    fn a_mark_before_the_text_and_a_nul_after_a_field_are_space() {
        let rows = parse(&format!("\u{feff}{KINGS} ;D1 5 ;D2 25\0\r\n{KINGS}\0;D1 5\0 ;D2 25\0\n\0\n")).unwrap();
        assert_eq!(rows.iter().map(|row| row.counts.clone()).collect::<Vec<_>>(), [[Some(5), Some(25)]; 2]);
        assert_eq!(Fen::parse(&format!("\u{feff}{KINGS}")).map(|board| board.to_string()), Ok(KINGS.into()));
    }

    #[test]
    fn the_quick_suite_has_the_positions_of_the_standard_one() {
        let fens = |suite: Suite| suite.rows.into_iter().map(|row| row.fen).collect::<Vec<_>>();
        assert_eq!(fens(Suite::quick()), fens(Suite::standard()));
    }

    #[test]
    fn a_count_may_need_128_bits() {
        let rows = parse(&format!("{KINGS} ;D15 2015099950053364471960")).unwrap();
        assert_eq!(rows[0].count(15), Some(2_015_099_950_053_364_471_960));
        assert!(parse(&format!("{KINGS} ;D15 {}", "9".repeat(40))).is_err());
    }

    #[test]
    fn what_is_built_in_reads() {
        for (name, _, text) in EMBEDDED {
            assert!(parse(text).unwrap_or_else(|error| panic!("{name}: {error}")).len() > 6);
        }
    }
}
