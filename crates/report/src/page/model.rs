//! Contents of a page: sections with text, figures and tables.
//!
//! HTML and CSV come from the same page, so they cannot contradict each other. The tables of a section hold the numbers
//! of its figures.

use super::chart::{BarChart, CurveChart};
use super::format::{group_digits, three_digits, with_decimals};
use perft_gate_lab::measure::Interval;

#[derive(Clone, Debug)]
pub struct Page {
    pub title: String,
    /// Result in a sentence or two.
    pub lead: String,
    /// Numbers at the top of the page, each with its unit and its subject.
    pub facts: Vec<[String; 3]>,
    pub sections: Vec<Section>,
}

#[derive(Clone, Debug, Default)]
pub struct Section {
    pub id: &'static str,
    pub title: &'static str,
    pub text: Vec<String>,
    pub figures: Vec<Figure>,
    /// Tables that the page always shows.
    pub tables: Vec<PageTable>,
    /// Tables that the page shows only after a click: long ones, and those with the numbers in the figures.
    pub more: Vec<PageTable>,
}

#[derive(Clone, Debug)]
pub struct Figure {
    pub title: String,
    pub chart: Chart,
}

#[derive(Clone, Debug)]
pub enum Chart {
    Bars(BarChart),
    Curves(CurveChart),
}

/// A table whose rows are all of the same kind.
#[derive(Clone, Debug, Default)]
pub struct PageTable {
    pub caption: String,
    /// Headings, with the units.
    pub columns: Vec<String>,
    /// Number of columns that name the row. They come first.
    pub names: usize,
    /// Rows, each with one cell per column.
    pub rows: Vec<Vec<Cell>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Text(String),
    /// A name, and a detail that is not needed to identify it.
    Name(String, String),
    /// A number, exact and as shown.
    Number(f64, String),
    /// A count, which may be too large for an exact [`f64`].
    Count(u128),
    /// An interval: its exact value, and the text that is shown.
    Range(Interval, String),
    /// The records do not have this value.
    Missing,
}

impl Section {
    pub fn new(id: &'static str, title: &'static str, text: impl Into<String>) -> Section {
        Section { id, title, text: vec![text.into()], ..Section::default() }
    }
}

impl PageTable {
    /// Returns a table, leaving out the columns in which every value is missing.
    pub fn new<S: ToString>(
        caption: impl Into<String>,
        names: &[&str],
        others: &[S],
        rows: Vec<Vec<Cell>>,
    ) -> PageTable {
        let columns: Vec<String> =
            names.iter().map(ToString::to_string).chain(others.iter().map(ToString::to_string)).collect();
        let is_kept = |column: usize| rows.iter().any(|row| row[column] != Cell::Missing);
        let kept: Vec<usize> = (0..columns.len()).filter(|&column| is_kept(column)).collect();
        PageTable {
            caption: caption.into(),
            names: kept.iter().filter(|&&column| column < names.len()).count(),
            columns: kept.iter().map(|&column| columns[column].clone()).collect(),
            rows: rows.iter().map(|row| kept.iter().map(|&column| row[column].clone()).collect()).collect(),
        }
    }
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// Returns the cell of a number with `digits` decimals, or `Missing` if there is no number.
    pub fn number(value: impl Into<Option<f64>>, digits: usize) -> Cell {
        Cell::from_option(value.into(), |value| Cell::Number(value, with_decimals(value, digits)))
    }

    pub fn three_digits(value: f64) -> Cell {
        Cell::Number(value, three_digits(value))
    }

    /// Returns the cell of an interval, with both ends formatted by `format`.
    pub fn range(interval: Interval, format: impl Fn(f64) -> String) -> Cell {
        Cell::Range(interval, format!("{} – {}", format(interval.low), format(interval.high)))
    }

    /// Returns the cell of a value, or `Missing` if there is none.
    pub fn from_option<T>(value: Option<T>, cell: impl Fn(T) -> Cell) -> Cell {
        value.map_or(Cell::Missing, cell)
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Cell::Number(..) | Cell::Count(_) | Cell::Range(..))
    }

    pub fn to_text(&self) -> String {
        match self {
            Cell::Text(text) | Cell::Name(text, _) => text.clone(),
            Cell::Number(_, shown) | Cell::Range(_, shown) => shown.clone(),
            Cell::Count(count) => group_digits(&count.to_string()),
            Cell::Missing => "–".into(),
        }
    }

    /// Returns the cell's exact values, which are meant for programs. An interval has two.
    pub fn values(&self) -> Vec<String> {
        match self {
            Cell::Number(value, _) => vec![value.to_string()],
            Cell::Count(count) => vec![count.to_string()],
            Cell::Range(interval, _) => vec![interval.low.to_string(), interval.high.to_string()],
            Cell::Missing => Vec::new(),
            Cell::Text(_) | Cell::Name(..) => vec![self.to_text()],
        }
    }
}
