//! Positions of `--fen` or `--suite`.

use crate::args::position::{board_of, fen_of};
use crate::failure::{Failure, Usage};
use perft_gate_judge::suite::{self, Row};
use std::borrow::Cow;
use std::path::Path;

/// Returns the name and the rows to judge.
pub fn judged(fen: Option<&str>, suite: &str) -> Result<(String, Vec<Row>), Failure> {
    let positions = Positions::of(fen, suite)?;
    let rows = positions.iter().collect();
    Ok((positions.name, rows))
}

/// Returns the rows of a built-in suite or a file; at least one.
pub fn rows(name: &str) -> Result<Vec<Row>, Failure> {
    Ok(Positions::of_suite(name)?.iter().collect())
}

/// Returns the text of a built-in suite or a file.
fn text_of(name: &str) -> Result<Cow<'static, str>, Failure> {
    if let Some(text) = suite::embedded(name) {
        return Ok(text.into());
    }
    let path = Path::new(name);
    if !path.exists() {
        let known: Vec<_> = suite::EMBEDDED.iter().map(|(name, ..)| *name).collect();
        return Err(Usage(format!("--suite: found '{name}', expected one of {} or a file", known.join(", "))));
    }
    let text = std::fs::read_to_string(path).map_err(|error| Usage(format!("{name}: {error}, expected a suite")))?;
    Ok(text.into())
}

/// Positions of a suite: its text, which is read again for every use, because there may be millions of them.
pub struct Positions {
    /// Name of the suite: a built-in one or a file; `fen` for a single position.
    pub name: String,
    source: Source,
    /// Number of positions.
    pub number: usize,
    /// Number of characters of the longest name.
    pub longest_name: usize,
}

/// Source of positions.
enum Source {
    Fen(Box<Row>),
    Text(Cow<'static, str>),
}

impl Positions {
    /// Returns the position of `--fen`, or those of the suite.
    pub fn of(fen: Option<&str>, suite: &str) -> Result<Positions, Failure> {
        let Some(fen) = fen else { return Positions::of_suite(suite) };
        let fen = fen_of(fen)?;
        let id: String = fen.chars().take(24).collect();
        let row = Row::unknown(&id, board_of(&fen, &[])?);
        let longest_name = row.id.chars().count();
        Ok(Positions { name: "fen".into(), source: Source::Fen(row.into()), number: 1, longest_name })
    }

    /// Returns the rows of a built-in suite or a file; at least one. **Errors**: the first line that is not understood.
    fn of_suite(name: &str) -> Result<Positions, Failure> {
        let text = text_of(name)?;
        let (mut number, mut longest_name) = (0, 0);
        for (line_number, line) in suite::lines(&text) {
            let row = suite::parse_row(line_number, line).map_err(|error| Usage(format!("{name}: {error}")))?;
            (number, longest_name) = (number + 1, longest_name.max(row.id.chars().count()));
        }
        if number == 0 {
            return Err(Usage(format!("{name}: found no position, expected at least one")));
        }
        Ok(Positions { name: name.into(), source: Source::Text(text), number, longest_name })
    }

    /// Returns all rows.
    pub fn iter(&self) -> impl Iterator<Item = Row> {
        self.every(1)
    }

    /// Returns every nth row, from the first.
    pub fn every(&self, step: usize) -> impl Iterator<Item = Row> {
        let (fen, text) = match &self.source {
            Source::Fen(row) => (Some(Row::clone(row)), ""),
            Source::Text(text) => (None, &**text),
        };
        let read = |(number, line)| suite::parse_row(number, line).expect("a line that was understood");
        fen.into_iter().chain(suite::lines(text).step_by(step).map(read))
    }
}
