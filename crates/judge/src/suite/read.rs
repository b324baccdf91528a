//! Reading of a row, in whatever notation it is.

use super::epd;
use super::error::SuiteError;
#[cfg(feature = "json")]
use super::json;
use super::row::Row;
use super::row_text::{RowFormat, RowText};

impl RowText<'_> {
    /// Reads the position and its counts.
    ///
    /// **Errors**: it is none, or something beside it is not understood.
    pub fn read(self) -> Result<Row, SuiteError> {
        match self.format {
            RowFormat::Epd => epd::read_line(self),
            RowFormat::Block => epd::read_block(self),
            #[cfg(feature = "json")]
            RowFormat::Json => json::read_object(self),
            #[cfg(not(feature = "json"))]
            RowFormat::Json => Err(self.error(self.text, "found JSON, expected EPD".into())),
        }
    }
}
