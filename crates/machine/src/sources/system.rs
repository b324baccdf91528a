//! Choice of the sources that the system here has.

use super::facts::SystemFacts;
#[cfg(not(any(target_os = "macos", all(windows, target_arch = "x86_64"))))]
use super::{cpuinfo, sysfs::Sysfs};

/// Returns the facts that this machine's system tells.
#[cfg(target_os = "macos")]
pub(crate) fn system_facts() -> SystemFacts {
    super::macos::facts(&super::macos::sysctl)
}

/// Returns the facts that this machine's processor tells.
#[cfg(all(windows, target_arch = "x86_64"))]
pub(crate) fn system_facts() -> SystemFacts {
    super::cpuid::facts()
}

/// Returns the facts that Linux tells: of its devices, and of its processors.
#[cfg(not(any(target_os = "macos", all(windows, target_arch = "x86_64"))))]
pub(crate) fn system_facts() -> SystemFacts {
    let (sysfs, cpuinfo) = (Sysfs::default(), std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default());
    SystemFacts {
        signature: cpuinfo::signature(&cpuinfo),
        cores: sysfs.cores(),
        smt: sysfs.smt(),
        kinds: sysfs.kinds(),
        caches: sysfs.caches(0),
        numa_nodes: sysfs.numa_nodes(),
        virtualised: cpuinfo::is_virtual(&cpuinfo),
        governor: sysfs.governor(),
        boost: sysfs.boost(),
    }
}
