//! Charts as HTML that the page's style sheet lays out and colours.
//!
//! There are two kinds. [`BarChart`] has a row for each value, with its label and its number, on one axis; [`CurveChart`]
//! has curves with a key. Every place is a percentage of the plot, so one picture fits a phone, a desktop and a sheet, and
//! text has one size on each. Equal values make equal pictures.
//!
//! A library of charts would draw one picture per width, in its own fonts and colours.

mod axis;
mod bars;
mod curves;
mod marks;

pub use axis::{Axis, Scale};
pub use bars::{BarChart, BarRow, Group};
pub use curves::{Curve, CurveChart};
pub use marks::{Fill, Mark};
