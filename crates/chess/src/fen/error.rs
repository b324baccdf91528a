//! The faults of a FEN.

use std::fmt;

crate::named! {
    /// The fields of a FEN, by their usual names.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum FenField {
        Board = "board",
        SideToMove = "side to move",
        Castling = "castling",
        EnPassant = "en passant",
        Halfmove = "halfmove clock",
        Fullmove = "fullmove number",
        End = "end of line",
    }
}

/// How bad a fault is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The text is not a FEN.
    Text,
    /// The position is illegal: a side has no king or several, a pawn is on a back rank, or a king can be captured.
    Illegal,
    /// A side has more than sixteen pieces. Some programs accept such positions, but ours does not.
    TooManyPieces,
    /// No game leads to the position, but moves can be made from it.
    Tolerable,
}

/// A fault in a FEN: the field, what was found, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    pub field: FenField,
    pub found: String,
    pub expected: String,
    /// How bad the fault is.
    pub severity: Severity,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FEN field '{}': found {}, expected {}", self.field, self.found, self.expected)
    }
}

impl std::error::Error for FenError {}

impl FenError {
    pub(super) fn new(
        field: FenField,
        found: impl fmt::Display,
        expected: impl fmt::Display,
        severity: Severity,
    ) -> FenError {
        FenError { field, found: excerpt(&found.to_string(), 80), expected: expected.to_string(), severity }
    }
}

/// Returns the first `most` characters of a text. Invisible characters become `<U+…>`, so that a malicious input line
/// cannot produce a malicious message.
pub fn excerpt(text: &str, most: usize) -> String {
    let mut out = String::new();
    for letter in text.chars().take(most) {
        let is_shown = letter == ' ' || !letter.is_whitespace() && letter.escape_debug().next() != Some('\\');
        match is_shown || matches!(letter, '\'' | '"' | '\\') {
            true => out.push(letter),
            false => _ = fmt::Write::write_fmt(&mut out, format_args!("<U+{:04X}>", u32::from(letter))),
        }
    }
    out
}

/// Returns a number with its noun: `1 rank`, `7 ranks`.
pub fn quantity(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The byte order mark that some editors put before a text. It is not part of the text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';
