//! What a machine is, what else it does while something is measured, and the record of both with the measurements.
#![forbid(unsafe_code)]

mod conditions;
mod hardware;
mod memory_pages;
pub mod pinning;
pub mod record;
mod short_name;
mod sources;
mod system_files;
mod this_machine;
mod watch;

pub use conditions::{Battery, Conditions, Readings};
pub use hardware::{Cache, CoreKind, Hardware, Machine, System};
pub use memory_pages::memory_in_huge_pages;
pub use sources::Sysfs;
pub use system_files::{Charge, Energy, ProcessorTimes, SystemFiles};
pub use this_machine::core_kinds;
pub use watch::{MAX_NEIGHBOURS, Watch};
