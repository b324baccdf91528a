//! Charts: from values to SVG, in colours that the page's style sheet decides.
//!
//! There are two kinds. [`Rows`] has a line for each value, with its label on the left and its number on the right, on
//! one axis; [`Lines`] has curves that end in their labels. Both are drawn for a width, not scaled to it, so that
//! letters have one size on a phone and on a desktop. Positions are whole units of the picture, and nothing depends on
//! fonts, time or order of hashing: equal values make equal pictures.
//!
//! The elements are written here: lines, rectangles, circles and texts. A library of charts would have to be told every
//! place and every class, and its fonts and colours be taken out again.

mod axis;
mod canvas;
mod lines;
mod palette;
mod rows;

pub use axis::{Axis, Scale};
pub use canvas::{Picture, standalone};
pub use lines::{Line, Lines, Markers, Point};
pub use palette::{Role, Theme, properties, rules};
pub use rows::{BarRow, Fill, Group, Key, Mark, Rows};

/// A chart.
#[derive(Clone, Debug)]
pub enum Chart {
    /// One line for each value.
    Rows(Rows),
    /// Curves.
    Lines(Lines),
}

/// Width that a chart is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// A phone, or half a page.
    Narrow,
    /// A page.
    Wide,
}

/// Number of elements in a picture that show values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marks {
    /// Number of bars and dots, including those of the key.
    pub shapes: usize,
    /// Number of curves, if the chart has curves.
    pub curves: Option<usize>,
}

impl Width {
    /// Returns the width in units of the picture, which are about pixels.
    pub(super) const fn units(self) -> i32 {
        match self {
            Width::Narrow => 358,
            Width::Wide => 780,
        }
    }
}

impl Chart {
    /// Draws the chart.
    pub fn draw(&self, width: Width) -> Picture {
        match self {
            Chart::Rows(rows) => rows.draw(width),
            Chart::Lines(lines) => lines.draw(width),
        }
    }

    /// Returns the expected number of elements that show values, to check a drawn picture.
    pub fn marks(&self, width: Width) -> Marks {
        match self {
            Chart::Rows(rows) => rows.marks(),
            Chart::Lines(lines) => lines.marks(width),
        }
    }
}
