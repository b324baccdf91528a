//! Charts: from values to SVG, in colours that the page's style sheet decides.
//!
//! There are two kinds. [`BarChart`] has a line for each value, with its label on the left and its number on the right, on
//! one axis; [`CurveChart`] has curves that end in their labels. Both are drawn for a width, not scaled to it, so that
//! letters have one size on a phone and on a desktop. Positions are whole units of the picture, and nothing depends on
//! fonts, time or order of hashing: equal values make equal pictures.
//!
//! The elements are written here: lines, rectangles, circles and texts. A library of charts would have to be told every
//! place and every class, and its fonts and colours be taken out again.

mod axis;
mod canvas;
mod drawing;
mod lines;
mod palette;
mod rows;
mod width;

pub use axis::{Axis, Scale};
pub use canvas::standalone;
pub use drawing::Chart;
pub use lines::{Curve, CurveChart, Markers, Point};
pub use palette::{ColorRole, STYLE, Theme, properties, rules};
pub use rows::{BarChart, BarRow, ChartKey, Fill, Group, Mark};
pub use width::{Marks, Width};
