//! The machine, its load while something is measured, and the record of both with the measurements.
#![forbid(unsafe_code)]

mod conditions;
mod features;
mod hardware;
mod json_lines;
mod linux_files;
mod memory_pages;
mod names;
pub mod pinning;
mod processor;
pub mod record;
mod this_machine;
mod watch;

pub use conditions::{Conditions, Readings};
pub use hardware::{Cache, Hardware, Machine, System};
pub use memory_pages::memory_in_huge_pages;
pub use watch::{MAX_NEIGHBOURS, Sensors, Watch};
