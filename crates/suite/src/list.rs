//! Whole lists of positions, and those that are built in.

use super::error::SuiteError;
use super::repeats::Repeats;
use super::row::Row;
use super::split::row_texts;

/// Reads a list of positions.
///
/// **Errors**: the first part that is not understood, or a position that is listed twice with different counts.
pub fn parse(text: &str) -> Result<Vec<Row>, SuiteError> {
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
    ("quick", "the fewest positions that catch every fault of our catalogue", perft_suites::QUICK),
    ("chess960", "castling of Chess960", perft_suites::CHESS960),
    ("dfrc", "double Chess960: start arrays and positions from play", perft_suites::DFRC),
    ("interactions", "small positions in which rules meet, such as castling beside a king", perft_suites::INTERACTIONS),
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

    /// Returns the fewest positions that catch every fault of our catalogue.
    pub fn quick() -> Suite {
        Suite::built_in("quick")
    }

    /// Returns the suite for castling in Chess960.
    pub fn chess960() -> Suite {
        Suite::built_in("chess960")
    }

    /// Returns the suite of double Chess960.
    pub fn dfrc() -> Suite {
        Suite::built_in("dfrc")
    }

    /// Returns small positions in which rules meet, such as castling beside the enemy's king.
    pub fn interactions() -> Suite {
        Suite::built_in("interactions")
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
