//! The report page: pure functions that turn the measurements into one page, and the page into its formats.
//!
//! [`Page::new`] reads the documents and describes their contents, section by section. Missing contents are omitted, or
//! marked as missing if other documents have them. [`html()`] and [`csv()`] write the page. The same documents always
//! give the same bytes.

mod axis;
mod chart;
mod csv;
mod documents;
mod format;
mod html;
mod model;
mod sections;

pub use csv::csv;
pub use documents::{DocumentError, Documents};
pub use html::html;
pub use model::{Cell, Chart, Figure, Page, PageTable, Section};
pub use sections::machines::find_record;
