//! The machine, its load during a measurement, and the record that holds both with the measurements.
#![forbid(unsafe_code)]

mod conditions;
mod hardware;
mod linux_files;
pub mod pinning;
pub mod record;
mod this_machine;
mod watch;

pub use conditions::{Conditions, Readings};
pub use hardware::{Cache, Hardware, Machine, System};
pub use linux_files::memory_in_huge_pages;
pub use watch::{MAX_NEIGHBOURS, Sensors, Watch};
