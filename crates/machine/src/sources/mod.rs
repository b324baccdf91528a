//! Sources of a machine's properties: one module for each system, and what [`here`] collects from them.

mod cpuid;
mod cpuinfo;
mod features;
mod kinds;
mod macos;
mod sysfs;

pub(crate) use features::features;
pub use sysfs::Sysfs;

use crate::hardware::{Cache, CoreKind};

/// Properties that a system told; what it does not tell is absent.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct SystemFacts {
    /// Model name of the processor, if the system knows it better than sysinfo.
    pub cpu: Option<String>,
    pub signature: Option<String>,
    pub cores: Option<usize>,
    pub smt: Option<bool>,
    pub kinds: Vec<CoreKind>,
    pub caches: Vec<Cache>,
    pub numa_nodes: Option<usize>,
    pub virtualised: Option<bool>,
    pub governor: Option<String>,
    pub boost: Option<bool>,
}

/// Returns the kinds of cores, the fastest first; empty if all are of one kind, or if the system does not tell.
pub fn core_kinds() -> Vec<CoreKind> {
    here().kinds
}

/// Returns what the system here tells.
pub(crate) fn here() -> SystemFacts {
    #[cfg(target_os = "macos")]
    let told = macos::told(&macos::sysctl);
    #[cfg(all(windows, target_arch = "x86_64"))]
    let told = cpuid::told();
    #[cfg(not(any(target_os = "macos", all(windows, target_arch = "x86_64"))))]
    let told = linux(&Sysfs::default(), &std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default());
    told
}

/// Returns what Linux tells: of its devices, and of its processors.
#[cfg_attr(any(target_os = "macos", windows), allow(dead_code))]
fn linux(sysfs: &Sysfs, cpuinfo: &str) -> SystemFacts {
    SystemFacts {
        cpu: None,
        signature: cpuinfo::signature(cpuinfo),
        cores: sysfs.cores(),
        smt: sysfs.smt(),
        kinds: sysfs.kinds(),
        caches: sysfs.caches(0),
        numa_nodes: sysfs.numa_nodes(),
        virtualised: cpuinfo::is_virtual(cpuinfo),
        governor: sysfs.governor(),
        boost: sysfs.boost(),
    }
}
