//! Charts: from values to SVG, by `plotters`, in colours that the page's style sheet decides.
//!
//! Two kinds serve for all. [`Rows`] has a line for each value, with its label on the left and its number on the right, on
//! one axis; [`Lines`] has curves that end in their labels. Both are drawn for a width, not scaled to it, so that letters
//! have one size on a phone and on a desk. Positions are whole units of the picture, nothing depends on fonts, time or
//! order of hashing: equal values make equal pictures.
//!
//! Of the plotting crates `plotters` was taken for its SVG back end, which needs no font and no graphics library (two small
//! crates), and writes one element a line; those that write style sheets of their own are hardly kept.

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
    /// A line for each value.
    Rows(Rows),
    /// Curves.
    Lines(Lines),
}

/// For how wide a place a chart is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// A phone, or half a page.
    Narrow,
    /// A page.
    Wide,
}

/// How much of a picture stands for values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marks {
    /// Bars and dots, those of the key among them.
    pub shapes: usize,
    /// Curves, where there are such.
    pub curves: Option<usize>,
}

impl Width {
    /// In units of the picture, which are about pixels.
    pub const fn units(self) -> u32 {
        match self {
            Width::Narrow => 358,
            Width::Wide => 780,
        }
    }
}

impl Chart {
    /// Draws it.
    pub fn draw(&self, width: Width) -> Picture {
        match self {
            Chart::Rows(rows) => rows.draw(width),
            Chart::Lines(lines) => lines.draw(width),
        }
    }

    /// What stands for values: a picture that was drawn has so much of it.
    pub fn marks(&self) -> Marks {
        match self {
            Chart::Rows(rows) => rows.marks(),
            Chart::Lines(lines) => lines.marks(),
        }
    }
}
