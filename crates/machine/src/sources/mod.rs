//! Sources of a machine's properties: one module for each, and the choice of those that the system here has.

mod cpuid;
mod cpuinfo;
mod facts;
mod features;
mod kinds;
mod macos;
mod sysfs;
mod system;

pub(crate) use features::features;
pub use sysfs::Sysfs;
pub(crate) use system::system_facts;
