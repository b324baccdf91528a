//! Describes the machine and its load during a measurement, and the record that holds both together with the
//! measurements.
#![forbid(unsafe_code)]

mod hardware;
mod linux_files;
pub mod pinning;
pub mod record;
mod this_machine;
mod watch;

pub use hardware::{Cache, Hardware, Machine, System};
pub use linux_files::memory_in_huge_pages;
pub use watch::{Conditions, MAX_NEIGHBOURS, Readings, Sensors, Watch};
