//! Contents of a page: sections with text, figures and tables.
//!
//! HTML, Markdown, CSV and pictures are written from the same page, so that they cannot contradict each other. A figure
//! has its numbers as a table.

use super::chart::Chart;

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Title of the document.
    pub title: String,
    /// Result in one sentence.
    pub lead: String,
    /// Sources of the numbers: machines and dates.
    pub origin: Vec<String>,
    /// Numbers at the top.
    pub facts: Vec<Fact>,
    /// Pages to go to from here, each with its name.
    pub links: Vec<(String, String)>,
    /// Sections, in order of their parts.
    pub sections: Vec<Section>,
}

impl Page {
    /// Returns the parts that the page has, each with its sections.
    pub fn parts(&self) -> impl Iterator<Item = (PagePart, &[Section])> {
        self.sections.chunk_by(|one, other| one.part == other.part).map(|sections| (sections[0].part, sections))
    }
}

/// A number shown by itself.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The number.
    pub value: String,
    /// Its unit.
    pub unit: String,
    /// Its subject.
    pub of: String,
}

/// Part of a page that a section belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PagePart {
    /// Machines and their speed.
    #[default]
    Hardware,
    /// Hashing schemes, and positions told apart by keys.
    Hashing,
    /// How it was measured.
    Method,
}

impl PagePart {
    /// Returns the heading.
    pub const fn title(self) -> &'static str {
        match self {
            PagePart::Hardware => "Hardware",
            PagePart::Hashing => "Hashing",
            PagePart::Method => "Method",
        }
    }

    /// Returns the identifier for links.
    pub const fn id(self) -> &'static str {
        match self {
            PagePart::Hardware => "hardware",
            PagePart::Hashing => "hashing",
            PagePart::Method => "method",
        }
    }
}

/// A section of a page.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Part of the page that it belongs to.
    pub part: PagePart,
    /// Identifier for links and file names.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Paragraphs.
    pub text: Vec<String>,
    /// Pictures.
    pub figures: Vec<Figure>,
    /// Tables without a picture.
    pub tables: Vec<PageTable>,
    /// Paragraphs after the tables.
    pub notes: Vec<String>,
    /// Tables that few will read: behind a click, if the format has clicks.
    pub more: Vec<PageTable>,
}

/// A picture and its numbers.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Heading.
    pub title: String,
    /// Description for those who do not see the picture.
    pub description: String,
    /// Size on the page.
    pub size: Size,
    /// The picture.
    pub chart: Chart,
    /// Its numbers.
    pub table: PageTable,
}

/// Size of a figure on the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Small, beside others of its kind.
    Small,
    /// As wide as the page, and drawn again for narrow ones.
    Full,
}

/// A table of rows of the same kind.
#[derive(Clone, Debug, Default)]
pub struct PageTable {
    /// Caption.
    pub caption: String,
    /// Headings.
    pub columns: Vec<Column>,
    /// Rows, each as long as the columns.
    pub rows: Vec<Vec<Cell>>,
    /// Layout on a narrow page.
    pub narrow: NarrowTable,
}

/// Layout of a table on a page that is too narrow for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NarrowTable {
    /// As it is; it scrolls sideways.
    #[default]
    Scrolling,
    /// A card for each row, so that all of it is seen.
    Cards,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// Heading, with the unit.
    pub title: String,
    /// Role of the column. Columns that name the row come first.
    pub role: ColumnRole,
}

/// Role of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnRole {
    /// Name of the row.
    Name,
    /// Property of the row, as text.
    Text,
    /// Property of the row, as a number.
    Number,
}

/// Cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A name, and a detail that does not distinguish it.
    Name {
        /// The name.
        name: String,
        /// The detail.
        detail: String,
        /// Page about it, if there is one.
        link: Option<String>,
    },
    /// A number.
    Number {
        /// Exact value.
        value: f64,
        /// Value as shown.
        shown: String,
    },
    /// An interval.
    Range {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
        /// Interval as shown.
        shown: String,
    },
    /// A count that may be too large for a floating-point number.
    Count(u128),
    /// The records do not have this value.
    Missing,
}

impl Size {
    /// Returns the size of a figure among this many: a single one takes the whole page.
    pub fn of(figures: usize) -> Size {
        if figures == 1 { Size::Full } else { Size::Small }
    }
}

impl PageTable {
    /// Returns an empty table whose first columns name a row.
    pub fn new(caption: impl Into<String>, names: &[&str], numbers: &[&str]) -> PageTable {
        let column = |role| move |title: &&str| Column { title: title.to_string(), role };
        let columns = names.iter().map(column(ColumnRole::Name)).chain(numbers.iter().map(column(ColumnRole::Number)));
        PageTable { caption: caption.into(), columns: columns.collect(), ..PageTable::default() }
    }

    /// Removes columns in which everything is missing.
    pub fn without_empty_columns(mut self) -> PageTable {
        let is_empty = |column: usize| self.rows.iter().all(|row| row[column] == Cell::Missing);
        let kept: Vec<usize> = (0..self.columns.len()).filter(|&column| !is_empty(column)).collect();
        self.columns = kept.iter().map(|&column| self.columns[column].clone()).collect();
        self.rows = self.rows.iter().map(|row| kept.iter().map(|&column| row[column].clone()).collect()).collect();
        self
    }

    /// Makes each row a card on a narrow page.
    pub fn with_cards(self) -> PageTable {
        PageTable { narrow: NarrowTable::Cards, ..self }
    }

    /// Adds a text column.
    pub fn with_text(mut self, title: &str) -> PageTable {
        self.columns.push(Column { title: title.into(), role: ColumnRole::Text });
        self
    }
}

impl Cell {
    /// Returns a text cell.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// Returns a number with this many decimals.
    pub fn number(value: f64, digits: usize) -> Cell {
        Cell::Number { value, shown: super::format::fixed(value, digits) }
    }

    /// Returns a number with three digits or more.
    pub fn three_digits(value: f64) -> Cell {
        Cell::Number { value, shown: super::format::three_digits(value) }
    }

    /// Returns an interval whose ends have this many decimals.
    pub fn range(low: f64, high: f64, digits: usize) -> Cell {
        let [from, to] = [low, high].map(|end| super::format::fixed(end, digits));
        Cell::Range { low, high, shown: format!("{from} – {to}") }
    }

    /// Returns a number with this many decimals, or a missing value.
    pub fn or_missing(value: Option<f64>, digits: usize) -> Cell {
        value.map_or(Cell::Missing, |value| Cell::number(value, digits))
    }

    /// Returns the value as shown.
    pub fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Name { name, detail, .. } => format!("{name} ({detail})"),
            Cell::Number { shown, .. } | Cell::Range { shown, .. } => shown.clone(),
            Cell::Count(count) => super::format::grouped(&count.to_string()),
            Cell::Missing => "–".into(),
        }
    }

    /// Returns the value for programs.
    pub fn raw(&self) -> String {
        match self {
            Cell::Text(text) | Cell::Name { name: text, .. } => text.clone(),
            Cell::Number { value, .. } => value.to_string(),
            Cell::Range { low, high, .. } => format!("{low}..{high}"),
            Cell::Count(count) => count.to_string(),
            Cell::Missing => String::new(),
        }
    }
}
