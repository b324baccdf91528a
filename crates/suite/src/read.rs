//! Reading of a row, in whatever notation it is.

use super::epd;
use super::error::SuiteError;
#[cfg(feature = "json")]
use super::json;
use super::listed;
use super::row::Row;
use super::row_text::{RowFormat, RowText};
use super::table;

impl RowText<'_> {
    /// Reads the position and its counts.
    ///
    /// **Errors**: it is none, or something beside it is not understood.
    pub fn read(&self) -> Result<Row, SuiteError> {
        match &self.format {
            RowFormat::Epd => epd::read_line(self),
            RowFormat::Listed(separator) => listed::read_line(self, *separator),
            RowFormat::Table(table) => table::read_row(self, table),
            RowFormat::Block => epd::read_block(self),
            #[cfg(feature = "json")]
            RowFormat::Json => json::read_object(self),
            #[cfg(feature = "json")]
            RowFormat::JsonCounts(fen) => json::read_counts_of(self, fen),
            #[cfg(not(feature = "json"))]
            RowFormat::Json => Err(self.error(self.text, "found JSON, expected EPD".into())),
        }
    }
}
