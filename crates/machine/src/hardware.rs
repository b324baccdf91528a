//! Fingerprint of the machine: everything that decides its speed, as far as the system reports it.
//!
//! Properties that cannot be read are absent: containers hide most of them. Nothing identifies one machine among others
//! of its kind.

use serde::{Deserialize, Serialize};

/// A machine and its system.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// Hardware: two records from the same hardware are compared as two programs.
    pub hardware: Hardware,
    /// Operating system and its settings.
    pub system: System,
}

/// Hardware of a machine.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hardware {
    /// Model name of the processor.
    pub cpu: String,
    /// Vendor of the processor.
    pub vendor: String,
    /// Identification of the processor, for models that share a name: `family 26, model 2, stepping 1`, or `implementer
    /// 0x41, part 0xd40`.
    pub signature: Option<String>,
    /// Instruction sets that matter here and that the processor has.
    pub features: Vec<String>,
    /// Number of physical cores.
    pub cores: Option<usize>,
    /// Number of hardware threads that this process may use.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// True if two hardware threads share a core.
    pub smt: Option<bool>,
    /// Caches of the first core.
    pub caches: Vec<Cache>,
    /// Number of NUMA nodes.
    pub numa_nodes: Option<usize>,
    /// Total memory, rounded to whole GiB: the system's own share differs from start to start.
    pub memory_gib: u64,
    /// True if it is a virtual machine.
    pub virtualised: Option<bool>,
}

/// A cache.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cache {
    /// Level, from 1.
    pub level: u32,
    /// Kind: `Data`, `Instruction` or `Unified`.
    pub kind: String,
    /// Size in KiB.
    pub kib: u64,
    /// Number of hardware threads that share it.
    pub shared_by: usize,
}

/// Operating system of a machine, and its settings.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct System {
    /// Name and version.
    pub os: Option<String>,
    /// Version of the kernel.
    pub kernel: Option<String>,
    /// Governor that chooses clock speeds.
    pub governor: Option<String>,
    /// True if clock speeds may exceed the nominal one.
    pub boost: Option<bool>,
}
