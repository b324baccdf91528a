//! Contents of a page: sections with text, figures and tables.
//!
//! HTML and CSV are written from the same page, so that they cannot contradict each other. The tables of a section have the
//! numbers of its figures.

use super::chart::{BarChart, CurveChart};
use super::format::{fixed, three_digits};
use perft_gate_lab::measure::Interval;

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Title of the document.
    pub title: String,
    /// Result in a sentence or two.
    pub lead: String,
    /// Numbers at the top: the number, its unit, and its subject.
    pub facts: Vec<[String; 3]>,
    /// Sections, in order.
    pub sections: Vec<Section>,
}

/// A section of a page.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Identifier for links.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Paragraphs.
    pub text: Vec<String>,
    /// Pictures.
    pub figures: Vec<Figure>,
    /// Tables without a picture.
    pub tables: Vec<PageTable>,
    /// Long tables, and the numbers of the figures: behind a click.
    pub more: Vec<PageTable>,
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Heading.
    pub title: String,
    /// The picture.
    pub chart: Chart,
}

/// A chart.
#[derive(Clone, Debug)]
pub enum Chart {
    /// A row for each value.
    Bars(BarChart),
    /// Curves.
    Curves(CurveChart),
}

/// A table of rows of the same kind.
#[derive(Clone, Debug, Default)]
pub struct PageTable {
    /// Caption.
    pub caption: String,
    /// Headings, with the units.
    pub columns: Vec<String>,
    /// Number of columns that name the row. They come first.
    pub names: usize,
    /// Rows, each as long as the columns.
    pub rows: Vec<Vec<Cell>>,
}

/// Cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A name, and a detail that does not distinguish it.
    Name(String, String),
    /// A number, exact and as shown.
    Number(f64, String),
    /// An interval, exact and as shown.
    Range(Interval, String),
    /// The records do not have this value.
    Missing,
}

impl Section {
    /// Returns a section with one paragraph.
    pub fn new(id: &'static str, title: &'static str, text: impl Into<String>) -> Section {
        Section { id, title, text: vec![text.into()], ..Section::default() }
    }
}

impl PageTable {
    /// Returns a table; the columns in which every value is missing are left out.
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
    /// Returns a text cell.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// Returns a number with this many decimals.
    pub fn number(value: f64, digits: usize) -> Cell {
        Cell::Number(value, fixed(value, digits))
    }

    /// Returns a number with three digits or more.
    pub fn three_digits(value: f64) -> Cell {
        Cell::Number(value, three_digits(value))
    }

    /// Returns an interval whose ends are formatted like this.
    pub fn range(interval: Interval, format: impl Fn(f64) -> String) -> Cell {
        Cell::Range(interval, format!("{} – {}", format(interval.low), format(interval.high)))
    }

    /// Returns the cell of a value, if there is one.
    pub fn of<T>(value: Option<T>, cell: impl Fn(T) -> Cell) -> Cell {
        value.map_or(Cell::Missing, cell)
    }

    /// Returns true if this is a number, or an interval.
    pub fn is_number(&self) -> bool {
        matches!(self, Cell::Number(..) | Cell::Range(..))
    }

    /// Returns the value as shown.
    pub fn shown(&self) -> String {
        match self {
            Cell::Text(text) | Cell::Name(text, _) => text.clone(),
            Cell::Number(_, shown) | Cell::Range(_, shown) => shown.clone(),
            Cell::Missing => "–".into(),
        }
    }

    /// Returns the exact values for programs: two for an interval.
    pub fn values(&self) -> Vec<String> {
        match self {
            Cell::Number(value, _) => vec![value.to_string()],
            Cell::Range(interval, _) => vec![interval.low.to_string(), interval.high.to_string()],
            Cell::Missing => Vec::new(),
            Cell::Text(_) | Cell::Name(..) => vec![self.shown()],
        }
    }
}
