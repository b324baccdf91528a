//! The report page: pure functions from what was measured to one page, and from that to its formats.
//!
//! [`Page::of`] reads the documents and says what they hold, section by section; what they do not hold is left out, or said
//! to be missing beside others that have it. [`html()`], [`markdown()`], [`csv()`] and [`pictures()`] write it down. The same
//! documents make the same bytes.

mod chart;
mod csv;
mod documents;
mod format;
mod html;
mod markdown;
mod model;
mod pictures;
mod sections;

pub use csv::csv;
pub use documents::{Document, DocumentError, Documents};
pub use html::html;
pub use markdown::markdown;
pub use model::{Cell, Column, Fact, Figure, Page, PageTable, Section, Size};
pub use pictures::{PictureFile, pictures};

impl Page {
    /// What these documents say.
    pub fn of(documents: &Documents) -> Page {
        sections::page(documents)
    }
}
