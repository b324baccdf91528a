//! Description of the machine that this runs on: from sysinfo, and from the system's own sources where it tells too little.

use crate::hardware::{CoreKind, Hardware, Machine, System};
use crate::sources::{features, system_facts};
use std::env::consts::OS;

/// Returns the kinds of cores, the fastest first; empty if all are of one kind, or if the system does not tell.
pub fn core_kinds() -> Vec<CoreKind> {
    system_facts().kinds
}

impl Machine {
    /// Returns the description of this machine.
    pub fn this() -> Machine {
        let mut cpus = sysinfo::System::new();
        if let Ok(system) = &mut cpus {
            system.refresh_cpu_all();
            system.refresh_memory();
        }
        let system = cpus.ok();
        let cpu = system.as_ref().and_then(|system| system.cpus().first());
        let memory = system.as_ref().map_or(0, sysinfo::System::total_memory);
        let facts = system_facts();
        let cores = facts.cores.or_else(|| sysinfo::System::physical_core_count().ok());
        let all_threads = system.as_ref().map(|system| system.cpus().len());
        let known = |name: Option<&str>| name.filter(|name| !name.is_empty()).unwrap_or("unknown").to_string();
        Machine {
            hardware: Hardware {
                cpu: known(cpu.map(|cpu| cpu.brand().trim())),
                vendor: known(cpu.map(sysinfo::Cpu::vendor_id)),
                signature: facts.signature,
                features: features(),
                cores,
                threads: std::thread::available_parallelism().map_or(1, Into::into),
                smt: facts.smt.or_else(|| has_smt(OS, cores, all_threads)),
                kinds: facts.kinds,
                caches: facts.caches,
                numa_nodes: facts.numa_nodes,
                memory_gib: memory.saturating_add(1 << 29) >> 30,
                virtualised: facts.virtualised,
            },
            system: System {
                os: sysinfo::System::long_os_version().ok(),
                kernel: sysinfo::System::kernel_version().ok(),
                governor: facts.governor,
                boost: facts.boost,
            },
        }
    }
}

/// Returns true if there are more hardware threads than cores, which says it where the system has no word for it.
fn has_smt(system: &str, cores: Option<usize>, threads: Option<usize>) -> Option<bool> {
    // Linux says it itself where it may: a container that hides the one shows a wrong number of the other.
    if system == "linux" { None } else { Some(threads? > cores?) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_than_cores_share_them_but_in_a_container() {
        assert_eq!([8, 16].map(|threads| has_smt("macos", Some(8), Some(threads))), [Some(false), Some(true)]);
        assert_eq!((has_smt("windows", None, Some(8)), has_smt("linux", Some(4), Some(8))), (None, None));
    }
}
