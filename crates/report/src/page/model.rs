//! What a page is made of: sections of words, figures and tables.
//!
//! HTML, Markdown, CSV and pictures are written from the same page, so that they cannot say different things. A figure has
//! the numbers that it draws as a table.

use super::chart::Chart;

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Of the document.
    pub title: String,
    /// What is best said in a sentence.
    pub lead: String,
    /// Where the numbers come from: machines and dates.
    pub origin: Vec<String>,
    /// The numbers that stand first.
    pub facts: Vec<Fact>,
    /// In order.
    pub sections: Vec<Section>,
}

/// A number that stands for itself.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The number.
    pub value: String,
    /// What it counts.
    pub unit: String,
    /// Of what.
    pub of: String,
}

/// A part of a page.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// For links, and names of files.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// Paragraphs.
    pub text: Vec<String>,
    /// Pictures.
    pub figures: Vec<Figure>,
    /// Tables that no picture is made from.
    pub tables: Vec<PageTable>,
    /// Such tables as few will read: behind a click, where there are clicks.
    pub more: Vec<PageTable>,
}

/// A picture and its numbers.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The heading.
    pub title: String,
    /// What it shows, for those who do not see it.
    pub description: String,
    /// How it lies on the page.
    pub size: Size,
    /// The picture.
    pub chart: Chart,
    /// Its numbers.
    pub table: PageTable,
}

/// How a figure lies on the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Beside others of its kind.
    Small,
    /// As wide as the page, and drawn again for narrow ones.
    Full,
}

/// Rows of the same kind.
#[derive(Clone, Debug, Default)]
pub struct PageTable {
    /// What it lists.
    pub caption: String,
    /// Headings.
    pub columns: Vec<Column>,
    /// Each as long as the columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// The heading, with the unit.
    pub title: String,
    /// Does it name the row? Such columns come first.
    pub role: Role,
}

/// What a column is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It names the row.
    Name,
    /// It says something of it, in words.
    Text,
    /// It says how many.
    Number,
}

/// A place in a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// KeyTable.
    Text(String),
    /// A number.
    Number {
        /// As it is.
        value: f64,
        /// As it is read.
        shown: String,
    },
    /// A count that may be too large for a number.
    Count(u128),
    /// The records do not hold it.
    Missing,
}

impl Size {
    /// Of one among so many: one alone has the page.
    pub fn of(figures: usize) -> Size {
        if figures == 1 { Size::Full } else { Size::Small }
    }
}

impl PageTable {
    /// An empty table: first the columns that name a row.
    pub fn new(caption: impl Into<String>, names: &[&str], numbers: &[&str]) -> PageTable {
        let column = |role| move |title: &&str| Column { title: title.to_string(), role };
        let columns = names.iter().map(column(Role::Name)).chain(numbers.iter().map(column(Role::Number)));
        PageTable { caption: caption.into(), columns: columns.collect(), rows: Vec::new() }
    }

    /// Without columns in which everything is missing.
    pub fn without_empty_columns(mut self) -> PageTable {
        let is_empty = |column: usize| self.rows.iter().all(|row| row[column] == Cell::Missing);
        let kept: Vec<usize> = (0..self.columns.len()).filter(|&column| !is_empty(column)).collect();
        self.columns = kept.iter().map(|&column| self.columns[column].clone()).collect();
        self.rows = self.rows.iter().map(|row| kept.iter().map(|&column| row[column].clone()).collect()).collect();
        self
    }

    /// Adds a column of words.
    pub fn with_text(mut self, title: &str) -> PageTable {
        self.columns.push(Column { title: title.into(), role: Role::Text });
        self
    }
}

impl Cell {
    /// KeyTable.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// A number of so many digits after the point.
    pub fn number(value: f64, digits: usize) -> Cell {
        Cell::Number { value, shown: super::format::fixed(value, digits) }
    }

    /// A number of three digits or more.
    pub fn three_digits(value: f64) -> Cell {
        Cell::Number { value, shown: super::format::three_digits(value) }
    }

    /// That, if it is there.
    pub fn or_missing(value: Option<f64>, digits: usize) -> Cell {
        value.map_or(Cell::Missing, |value| Cell::number(value, digits))
    }

    /// As it is read.
    pub fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number { shown, .. } => shown.clone(),
            Cell::Count(count) => super::format::grouped(&count.to_string()),
            Cell::Missing => "–".into(),
        }
    }

    /// As a program reads it.
    pub fn raw(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number { value, .. } => value.to_string(),
            Cell::Count(count) => count.to_string(),
            Cell::Missing => String::new(),
        }
    }
}
