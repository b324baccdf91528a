//! Suites of positions with known counts, as EPD: `FEN ;D1 20 ;D2 400 …`.

use crate::chess::{Board, Fen};

/// A position with its name and known counts.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub id: String,
    /// The position.
    pub board: Board,
    /// Leaf nodes by depth, from 1; a gap is `None`.
    pub counts: Vec<Option<u128>>,
}

/// The suites that are built in.
pub const EMBEDDED: [(&str, &str, &str); 1] =
    [("standard", "the seven classic positions to depth 6", include_str!("../perft-suites/standard.epd"))];

/// A line of a suite that is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteError {
    /// From 1.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl std::fmt::Display for SuiteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for SuiteError {}

/// Reads a suite.
///
/// **Errors**: the first line that is neither empty, a comment (`#`), nor a position with its counts.
pub fn parse(text: &str) -> Result<Vec<Row>, SuiteError> {
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fault = |message: String| SuiteError { line: number, message };
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap_or("");
        let board = Fen::parse(fen).map_err(|error| fault(error.to_string()))?;
        let mut row = Row { id: format!("line {number}"), board, counts: Vec::new() };
        for field in fields.filter(|field| !field.is_empty()) {
            let (name, value) = field.split_once(' ').unwrap_or((field, ""));
            if name == "id" {
                row.id = value.trim().trim_matches('"').to_string();
                continue;
            }
            let depth = name.strip_prefix('D').and_then(|depth| depth.parse::<usize>().ok());
            let (Some(depth @ 1..=64), Ok(count)) = (depth, value.trim().parse()) else {
                return Err(fault(format!("found '{field}', expected 'D<1-64> <count>' or 'id <name>'")));
            };
            row.counts.resize(row.counts.len().max(depth), None);
            if row.counts[depth - 1].replace(count).is_some() {
                return Err(fault(format!("found D{depth} twice, expected it once")));
            }
        }
        rows.push(row);
    }
    Ok(rows)
}
