//! The record of the machine benchmark, and how it is written.

mod build;
mod json_lines;
#[expect(clippy::module_inception, reason = "the record itself")]
mod record;
mod sustained;

pub use build::Build;
pub use json_lines::lines;
pub use record::{Record, RecordError, RecordSettings, Round, SCHEMA, Stage, Tasks, Work};
pub use sustained::{Stretch, Sustained};
