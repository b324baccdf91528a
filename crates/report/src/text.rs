//! Building blocks of text output: numbers, lines, verdicts, and tables that drop their least important columns to fit
//! the terminal. This module also writes JSON documents.

use perft_gate_chess::json::Envelope;
use perft_gate_lab::measure::Interval;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{Display, Write};
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct TextColumn {
    pub name: &'static str,
    pub width: usize,
    pub alignment: Alignment,
    /// Columns with the highest rank are dropped first. A column with rank 0 is never dropped.
    pub rank: u8,
}

/// Alignment of a column's cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// Words, padded on the right. In every column but the first, an additional space precedes them.
    Left,
    Right,
    /// The name of a row, which is shortened if there is no room.
    Name,
}

pub const fn numbers(name: &'static str, width: usize, rank: u8) -> TextColumn {
    TextColumn { name, width, alignment: Alignment::Right, rank }
}

pub const fn words(name: &'static str, width: usize, rank: u8) -> TextColumn {
    TextColumn { name, width, alignment: Alignment::Left, rank }
}

/// Returns the column for the names of the rows. The longest name has `longest` characters.
pub fn names(name: &'static str, longest: usize) -> TextColumn {
    let width = longest.clamp(MIN_NAME, MAX_NAME);
    TextColumn { name, width, alignment: Alignment::Name, rank: 0 }
}

/// Minimum width of the column of names.
const MIN_NAME: usize = 10;
/// Columns are dropped before names are shortened to less than this width.
const READABLE: usize = 20;
/// Maximum width of the column of names. In a file, longer names are not shortened.
const MAX_NAME: usize = 40;
const GAP: usize = 1;

#[derive(Clone, Debug)]
pub struct TextTable {
    columns: Vec<TextColumn>,
    /// True for each column that is shown.
    shown: Vec<bool>,
    /// Maximum length of a name.
    longest_name: usize,
    /// Shortened names, each with its full name.
    shortened: RefCell<HashMap<String, String>>,
}

impl TextTable {
    /// Returns the layout for a terminal `width` characters wide, or for a file (`None`), where nothing is left out or
    /// shortened.
    pub fn new(columns: &[TextColumn], width: Option<usize>) -> TextTable {
        let shown = vec![true; columns.len()];
        let shortened = RefCell::default();
        let mut table = TextTable { columns: columns.to_vec(), shown, longest_name: usize::MAX, shortened };
        let Some(width) = width else { return table };
        let names = columns.iter().filter(|column| column.alignment == Alignment::Name);
        let readable = names.map(|column| column.width.min(READABLE)).max().unwrap_or(0);
        while table.width(readable) > width {
            let all = (0..columns.len()).filter(|&column| table.shown[column] && columns[column].rank > 0);
            match all.max_by_key(|&column| columns[column].rank) {
                Some(column) => table.shown[column] = false,
                None => break,
            }
        }
        if let Some(name) = table.columns.iter().position(|column| column.alignment == Alignment::Name) {
            let room = MIN_NAME + width.saturating_sub(table.width(MIN_NAME));
            let column = &mut table.columns[name];
            column.width = column.width.min(room);
            table.longest_name = column.width;
        }
        table
    }

    /// Returns the total width of all shown columns if names have `name` characters.
    fn width(&self, name: usize) -> usize {
        let shown = self.columns.iter().enumerate().filter(|(number, _)| self.shown[*number]);
        let widths = shown.map(|(number, column)| match column.alignment {
            Alignment::Name => name,
            Alignment::Left if number > 0 => column.width + 1,
            Alignment::Left | Alignment::Right => column.width,
        });
        widths.map(|width| width + GAP).sum::<usize>().saturating_sub(GAP)
    }

    pub fn head(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| column.name).collect();
        self.line(&names)
    }

    /// Returns a row. `cells` has a cell for each column, whether or not the column is shown.
    pub fn line(&self, cells: &[impl AsRef<str>]) -> String {
        assert_eq!(cells.len(), self.columns.len(), "a cell for each column");
        let shown = self.columns.iter().zip(cells).enumerate().filter(|(number, _)| self.shown[*number]);
        let padded = shown.map(|(number, (column, cell))| {
            let (cell, width) = (cell.as_ref(), column.width);
            match column.alignment {
                Alignment::Left if number > 0 => format!(" {cell:<width$}"),
                Alignment::Left => format!("{cell:<width$}"),
                Alignment::Right => format!("{cell:>width$}"),
                Alignment::Name => format!("{:<width$}", self.short_name(cell)),
            }
        });
        padded.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().into()
    }

    /// Returns a name, shortened if it is too long. No two names of a table are shortened to the same text.
    fn short_name(&self, name: &str) -> String {
        if name.chars().count() <= self.longest_name {
            return name.into();
        }
        let mut taken = self.shortened.borrow_mut();
        let mut variants = (1..).map(|number| shorten(name, self.longest_name, number));
        variants.find(|short| taken.entry(short.clone()).or_insert_with(|| name.into()) == name).expect("a free number")
    }
}

/// Returns the layout of a table of rows with verdicts. `checked` holds extra columns after those of the counts, and
/// `rate` is the heading of the column of rates.
pub(crate) fn judged_rows(
    width: Option<usize>,
    longest_name: usize,
    checked: &[TextColumn],
    rate: &'static str,
) -> TextTable {
    let counts =
        [names("position", longest_name), numbers("depth", 5, 0), numbers("expected", 13, 1), numbers("found", 13, 0)];
    let result = [numbers("seconds", 8, 0), numbers(rate, 8, 0), words("verdict", 13, 0)];
    TextTable::new(&[&counts[..], checked, &result].concat(), width)
}

/// Shortens a name to `width` characters by cutting its middle, because row names differ at both ends. A FEN is cut at
/// its end. Variants after the first (`number` > 1) are also cut at the end and marked with their number.
fn shorten(name: &str, width: usize, number: usize) -> String {
    let is_fen = name.matches('/').count() >= 7;
    let tail = if is_fen || number > 1 { 0 } else { width / 3 };
    let mark = if number > 1 { format!("…{number}") } else { "…".into() };
    let head: String = name.chars().take(width.saturating_sub(tail + mark.chars().count())).collect();
    let tail: String = name.chars().skip(name.chars().count() - tail).collect();
    format!("{head}{mark}{tail}")
}

/// Formats a ratio of times as a difference from 1: `+5.0 % (+4.0 to +6.0 %)`. A single value has no interval.
pub(crate) fn percent(Interval { low, median, high }: Interval) -> String {
    let [low, median, high] = [low, median, high].map(|ratio| format!("{:+.1}", 100.0 * (ratio - 1.0)));
    if low == high { format!("{median} %") } else { format!("{median} % ({low} to {high} %)") }
}

/// Formats a ratio of times as a speed: `1.77× (1.40 to 2.10×)`. A single value has no interval.
pub(crate) fn times_as_fast(Interval { low, median, high }: Interval) -> String {
    let [low, median, high] = [high, median, low].map(|ratio| format!("{:.2}", 1.0 / ratio));
    if low == high { format!("{median}×") } else { format!("{median}× ({low} to {high}×)") }
}

/// Formats a number that may be tiny or huge.
pub(crate) fn number(number: f64) -> String {
    match number {
        0.0 => "0".into(),
        _ if number >= 1e8 => format!("{number:.1e}"),
        _ if number >= 100.0 => format!("{number:.0}"),
        _ if number >= 0.01 => format!("{number:.2}"),
        _ => format!("{number:.1e}"),
    }
}

/// Returns the rate in units per second, or `None` for a time that prints as 0.00 s.
pub fn rate(units: u128, time: Duration) -> Option<f64> {
    const MIN_TIME: Duration = Duration::from_millis(5);
    (time >= MIN_TIME).then(|| units as f64 / time.as_secs_f64())
}

/// Formats the rate in millions per second, or returns a dash if there is no rate.
pub(crate) fn millions(units: u128, time: Duration, digits: usize) -> String {
    rate(units, time).map_or("-".into(), |rate| format!("{:.digits$}", rate / 1e6))
}

/// Writes a line that is indented by `indent` steps of two spaces.
pub(crate) fn line(out: &mut String, indent: usize, text: &str) {
    let _ = writeln!(out, "{:width$}{text}", "", width = 2 * indent);
}

/// Writes a text of several lines, each indented by two spaces.
pub(crate) fn block(out: &mut String, text: impl Display) {
    text.to_string().lines().for_each(|text| line(out, 1, text));
}

/// Joins paragraphs of lines, separated by empty lines. Paragraphs that have no lines are left out.
pub(crate) fn paragraphs(parts: impl IntoIterator<Item = Vec<String>>) -> String {
    let parts = parts.into_iter().filter(|lines| !lines.is_empty());
    let text = |lines: Vec<String>| lines.iter().map(|line| format!("{}\n", line.trim_end())).collect::<String>();
    parts.map(text).collect::<Vec<_>>().join("\n")
}

/// Lists the compared names by verdict, as part of a sentence. `order` gives the order of the verdicts.
pub(crate) fn by_verdict<V: PartialEq + Display, const N: usize>(order: [V; N], compared: &[(V, String)]) -> String {
    let part = |wanted: &V| {
        let found = compared.iter().filter(|(verdict, _)| verdict == wanted);
        let names: Vec<&str> = found.map(|(_, name)| name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{wanted}: {}", names.join(", ")))
    };
    order.iter().filter_map(part).collect::<Vec<_>>().join("; ")
}

pub fn json(schema: &'static str, result: impl Serialize) -> String {
    serde_json::to_string_pretty(&Envelope::new(schema, result)).expect("strings and numbers") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> [TextColumn; 5] {
        [
            names("position", 60),
            numbers("depth", 5, 0),
            numbers("expected", 13, 2),
            numbers("found", 13, 1),
            words("verdict", 11, 0),
        ]
    }

    const CELLS: [&str; 5] = ["promotions with a check on the back rank, mirrored", "5", "4865609", "4865610", "WRONG"];

    #[test]
    fn the_least_important_column_goes_first() {
        let head = |width| TextTable::new(&columns(), Some(width)).head();
        let has = |width, name| head(width).contains(name);
        assert!(has(67, "expected") && has(67, "found"));
        assert!(!has(66, "expected") && has(66, "found"));
        assert!(!has(52, "found") && has(52, "depth") && has(52, "verdict"));
    }

    #[test]
    fn a_file_has_everything() {
        let line = TextTable::new(&columns(), None).line(&CELLS);
        assert_eq!(line, format!("{}     5       4865609       4865610  WRONG", CELLS[0]));
        let short = TextTable::new(&columns(), Some(80)).line(&CELLS);
        assert!(short.starts_with("promotions with a che…k, mirrored     5 "), "{short}");
    }

    #[test]
    fn shortened_names_are_distinct() {
        let table = TextTable::new(&[names("position", 60), numbers("found", 13, 0)], Some(34));
        let fen = "4k2r/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1";
        let (one, other) = ("castling through check: kings", "castling through black check: kings");
        let start = |name: &str| table.line(&[name, ""]).trim_end().to_string();
        let found = [one, other, one, fen, "4k2r/8/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qk - 0 1"].map(start);
        let expected = [
            "castling thro… kings",
            "castling through b…2",
            "castling thro… kings",
            "4k2r/8/8/8/8/8/PPPP…",
            "4k2r/8/8/8/8/8/PPP…2",
        ];
        assert_eq!(found, expected);
    }
}
