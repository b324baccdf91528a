//! A chart of either kind.

use super::canvas::Picture;
use super::lines::CurveChart;
use super::rows::BarChart;
use super::width::{Marks, Width};

/// A chart.
#[derive(Clone, Debug)]
pub enum Chart {
    /// One line for each value.
    Bars(BarChart),
    /// Curves.
    Curves(CurveChart),
}

impl Chart {
    /// Draws the chart.
    pub fn draw(&self, width: Width) -> Picture {
        match self {
            Chart::Bars(rows) => rows.draw(width),
            Chart::Curves(lines) => lines.draw(width),
        }
    }

    /// Returns the expected number of elements that show values, to check a drawn picture.
    pub fn marks(&self, width: Width) -> Marks {
        match self {
            Chart::Bars(rows) => rows.marks(),
            Chart::Curves(lines) => lines.marks(width),
        }
    }
}
