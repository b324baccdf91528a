//! Lines of text.

use std::fmt::{Display, Write};

/// Writes a line, indented by two spaces a step.
pub fn line(out: &mut String, indent: usize, text: &str) {
    let _ = writeln!(out, "{:width$}{text}", "", width = 2 * indent);
}

/// Writes a text of several lines, indented by one step.
pub fn block(out: &mut String, text: impl Display) {
    text.to_string().lines().for_each(|text| line(out, 1, text));
}
