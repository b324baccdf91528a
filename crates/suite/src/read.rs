//! Reading of a row, in any notation, and writing it as EPD.

use super::error::SuiteError;
use super::part::{PartValue, RowPart};
use super::parts::SourceParts;
use super::row::Row;
use super::row_text::{RowFormat, RowText, trimmed};
use super::{attach, lines, table};
use std::borrow::Cow;

impl RowText<'_> {
    /// Reads the position and its counts.
    ///
    /// **Errors**: it is none, or something beside it is not understood.
    pub fn read(&self) -> Result<Row, SuiteError> {
        let parts = match &self.format {
            RowFormat::Lines => lines::parts(self)?,
            RowFormat::Table(table) => table::parts(self, table)?,
            RowFormat::Source => {
                let parts: Vec<_> = SourceParts::new(self.text).collect();
                match parts[..] {
                    // With operations of EPD.
                    [RowPart { value: PartValue::Text(Cow::Borrowed(text)), .. }] => lines::epd(self, text)?,
                    _ => parts,
                }
            }
            RowFormat::Refused(message) => return Err(self.error(self.text, message.clone())),
        };
        attach::read(self, &parts)
    }

    /// Returns the row as a line of EPD with further counts, by depth. Other operations of the line stay.
    pub fn with_counts(&self, row: &Row, counts: &[(u32, u128)]) -> String {
        let line = match &self.format {
            RowFormat::Lines if lines::is_epd(self.text) => {
                trimmed(self.text).trim_end_matches([';', ' ', '\t']).to_string()
            }
            _ => {
                let listed = (1..).zip(&row.counts).filter_map(|(depth, count): (u32, _)| Some((depth, (*count)?)));
                let name = if row.id.contains(';') { format!("\"{}\"", row.id) } else { row.id.clone() };
                operations(format!("{} ;id {name}", row.fen), listed)
            }
        };
        operations(line, counts.iter().copied())
    }
}

/// Appends counts to a line of EPD.
fn operations(line: String, counts: impl Iterator<Item = (u32, u128)>) -> String {
    counts.fold(line, |line, (depth, count)| format!("{line} ;D{depth} {count}"))
}
