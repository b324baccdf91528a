//! Report page: pure functions from the measurements to one page, and from the page to its formats.
//!
//! [`Page::of`] reads the documents and describes their contents, section by section; missing contents are left out, or
//! marked as missing beside others that have them. [`html()`], [`markdown()`], [`csv()`] and [`pictures()`] write the
//! page. The same documents give the same bytes.

mod chart;
mod choices;
mod csv;
mod documents;
mod format;
mod html;
mod markdown;
mod model;
mod pictures;
mod sections;
mod site;

pub use choices::Choices;
pub use csv::csv;
pub use documents::{DocumentError, Documents, PageDocument};
pub use html::html;
pub use markdown::markdown;
pub use model::{Cell, Column, Fact, Figure, Page, PagePart, PageTable, Section, Size};
pub use pictures::{PictureFile, pictures};
pub use sections::labels::find as find_record;
pub use site::{SiteFile, site};
