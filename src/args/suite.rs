//! The positions of `--fen` or `--suite`, and the selection among them.

use crate::args::position::{fen_of, parse_tolerant};
use crate::args::text::{MAX_LIST, text};
use crate::failure::{Result, Usage};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use perft_gate_suite::{self as suite, Class, Repeats, Row};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Arguments for the positions of a run.
#[derive(Args, Debug)]
pub struct SuiteArgs {
    /// Suite: a built-in one (`perft list suites`), or a file of EPD lines, CSV, `id`/`epd`/`perft` lines, JSON or
    /// arrays in source code. `-` reads standard input.
    #[arg(long, default_value = "standard", value_name = "NAME|FILE|-")]
    suite: String,
    /// One position instead of a suite: FEN, `startpos` or `kiwipete`.
    #[arg(long, conflicts_with_all = ["suite", "filter", "limit", "only"])]
    fen: Option<String>,
    #[command(flatten)]
    selection: Selection,
}

/// Returns the parser for the classes of `--only`.
fn class_name() -> impl TypedValueParser<Value = Class> {
    let plausible = "Legal, and a game could lead to it: its captures and its check are possible";
    let classes = [(Class::Plausible, plausible), (Class::Legal, "Strict programs accept it")];
    let names = classes.map(|(class, about)| PossibleValue::new(class.name()).help(about));
    PossibleValuesParser::new(names)
        .map(|name| if name == Class::Legal.name() { Class::Legal } else { Class::Plausible })
}

impl SuiteArgs {
    /// Returns the position of `--fen`, or the selected rows, of which there is at least one.
    ///
    /// **Errors**: the list cannot be parsed, or no row is selected.
    pub fn positions(&self) -> Result<SuitePositions> {
        if let Some(fen) = &self.fen {
            let fen = fen_of(fen)?;
            let id: String = fen.chars().take(24).collect();
            let (board, faults) = parse_tolerant(&fen, &[])?;
            let row = Row { faults, ..Row::unknown(&id, board) };
            return Ok(SuitePositions::new(&self.suite, Source::Fen(row.into()), Selection::default()));
        }
        let text = read_list(&self.suite)?;
        let positions = SuitePositions::new(&self.suite, Source::Text(text), self.selection.clone());
        match positions.number {
            0 => Err(Usage(format!(
                "{}: found no row that matches --filter and --only, expected at least one",
                self.suite
            ))),
            _ => {
                positions.note_left_out();
                Ok(positions)
            }
        }
    }
}

/// If a list has more rows than this, the table of `perft gate` hides rows that pass by default.
pub const MAX_SHOWN: usize = 1000;

/// Arguments for long lists.
#[derive(Args, Debug)]
pub struct LongListArgs {
    /// Rows to show in the table (default: all of a short list).
    #[arg(long, value_name = "ROWS", value_enum)]
    rows: Option<RowsName>,
    /// Record the rows that passed in this file, and skip those it already lists.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum RowsName {
    All,
    /// Rows that did not pass. `engine` shows only the first row for each cause.
    Failed,
}

impl LongListArgs {
    /// Returns true if a table of `rows` rows leaves out rows that pass. By default, it does so if `rows` exceeds
    /// `max_shown`.
    pub fn hides_passes(&self, rows: usize, max_shown: usize) -> bool {
        self.rows.map_or(rows > max_shown, |rows| rows == RowsName::Failed)
    }
}

/// Returns the rows of a built-in suite or a file, of which there is at least one.
pub fn rows(name: &str) -> Result<Vec<Row>> {
    let text = read_list(name)?;
    Ok(SuitePositions::new(name, Source::Text(text), Selection::default()).iter().collect())
}

/// Returns the text of a list. **Errors**: a row cannot be parsed, two rows contradict each other, or there is no row.
pub fn read_list(name: &str) -> Result<Cow<'static, str>> {
    let text = text_of(name)?;
    let named = if name == "-" { "standard input" } else { name };
    let (mut repeats, mut is_empty) = (Repeats::default(), true);
    for row in suite::row_texts(&text) {
        row.read().and_then(|read| repeats.add(&row, &read)).map_err(|error| Usage(format!("{named}: {error}")))?;
        is_empty = false;
    }
    drop(repeats);
    if is_empty { Err(Usage(format!("{named}: found no position, expected at least one"))) } else { Ok(text) }
}

/// Returns the text of a built-in suite, a file or standard input.
fn text_of(name: &str) -> Result<Cow<'static, str>> {
    if let Some(text) = suite::embedded(name) {
        return Ok(text.into());
    }
    let path = Path::new(name);
    if name == "-" {
        return Ok(text(path, MAX_LIST, "--suite -", "a suite on standard input")?.into());
    }
    if !path.exists() {
        let known: Vec<_> = suite::EMBEDDED.iter().map(|(name, ..)| *name).collect();
        return Err(Usage(format!(
            "--suite: found '{name}', expected one of {} or an existing file",
            known.join(", ")
        )));
    }
    Ok(text(path, MAX_LIST, name, "a suite")?.into())
}

/// The positions of a suite. The text is kept and parsed again on every use, because there may be millions of rows.
pub struct SuitePositions {
    /// Name of the suite: a built-in one or a file; `fen` for a single position.
    pub name: String,
    source: Source,
    selection: Selection,
    /// Number of positions.
    pub number: usize,
    /// Number of the suite's positions that a board can represent.
    pub held: usize,
    /// Number of characters of the longest name.
    pub longest_name: usize,
}

enum Source {
    Fen(Box<Row>),
    /// A list that has been parsed without errors.
    Text(Cow<'static, str>),
}

/// The criteria that select rows.
#[derive(Args, Clone, Default, Debug)]
struct Selection {
    /// Take only rows whose name or FEN contains this text.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Take only the first N rows.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Take only rows whose position is of this class or better.
    #[arg(long, value_name = "CLASS", value_parser = class_name())]
    only: Option<Class>,
}

impl Selection {
    /// Returns the rows of a list whose name or FEN contains the text of `--filter`.
    fn rows_with_text(&self, list: &str) -> impl Iterator<Item = Row> {
        let rows = suite::row_texts(list).map(|row| row.read().expect("a row that was understood"));
        rows.filter(|row| self.filter.as_ref().is_none_or(|text| row.id.contains(text) || row.fen.contains(text)))
    }

    fn has_class(&self, row: &Row) -> bool {
        self.only.is_none_or(|class| row.class().0 <= class)
    }
}

impl SuitePositions {
    fn new(name: &str, source: Source, selection: Selection) -> SuitePositions {
        let name = if matches!(source, Source::Fen(_)) { "fen" } else { name };
        let mut positions =
            SuitePositions { name: name.into(), source, selection, number: 0, held: 0, longest_name: 0 };
        let (mut number, mut held, mut longest_name) = (0, 0, 0);
        for row in positions.iter() {
            (number, held) = (number + 1, held + usize::from(row.position.is_ok()));
            longest_name = longest_name.max(row.id.chars().count());
        }
        (positions.number, positions.held, positions.longest_name) = (number, held, longest_name);
        positions
    }

    pub fn iter(&self) -> impl Iterator<Item = Row> + Send {
        let (fen, text) = match &self.source {
            Source::Fen(row) => (Some(Row::clone(row)), ""),
            Source::Text(text) => (None, &**text),
        };
        let most = self.selection.limit.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let taken = self.selection.rows_with_text(text).filter(|row| self.selection.has_class(row));
        fen.into_iter().chain(taken.take(most))
    }

    /// Prints the number of rows that `--only` leaves out, so that none disappears silently.
    fn note_left_out(&self) {
        let (Some(only), Source::Text(text)) = (self.selection.only, &self.source) else { return };
        let of_text = self.selection.rows_with_text(text);
        let left_out = of_text.filter(|row| !self.selection.has_class(row)).count();
        if left_out > 0 {
            note!(
                "note: {} left out by --only {only}; `perft suite classes --suite FILE` says why",
                perft_gate_chess::quantity(left_out as u64, "row")
            );
        }
    }

    /// Returns true if any row lists a count up to this depth, or if no count is needed: at depth 0 and for `--fen`.
    pub fn has_counts_up_to(&self, depth: u32) -> bool {
        depth == 0 || matches!(self.source, Source::Fen(_)) || self.iter().any(|row| row.deepest(depth).is_some())
    }

    /// Returns a text that identifies the list: its name, length, and a checksum of all names, positions and counts.
    pub fn identity(&self) -> String {
        let mut hasher = crc32fast::Hasher::new();
        for row in self.iter() {
            hasher.update(format!("{}\n{}\n{:?}\n", row.id, row.fen, row.counts).as_bytes());
        }
        format!("{}: {} rows, crc32 {:08x}", self.name, self.number, hasher.finalize())
    }

    /// Returns the rows whose position can be represented by a board.
    pub fn boards(&self) -> impl Iterator<Item = Row> + Send {
        self.iter().filter(|row| row.position.is_ok())
    }
}
