//! Description of the machine that this runs on: from sysinfo, from the processor, and from Linux's devices.

use crate::features::features;
use crate::hardware::{Hardware, Machine, System};
use crate::linux_files::LinuxFiles;
use crate::pinning::pin_to_last;
use crate::processor::Processor;
use std::env::consts::OS;

impl Machine {
    /// Returns the description of this machine.
    pub fn this() -> Machine {
        let mut system = sysinfo::System::new().ok();
        if let Some(system) = &mut system {
            system.refresh_cpu_all();
            system.refresh_memory();
        }
        let cpu = system.as_ref().and_then(|system| system.cpus().first());
        let memory = system.as_ref().map_or(0, sysinfo::System::total_memory);
        let cores = sysinfo::System::physical_core_count().ok();
        let all_threads = system.as_ref().map(|system| system.cpus().len());
        let known = |name: Option<&str>| name.filter(|name| !name.is_empty()).unwrap_or("unknown").to_string();
        let (linux, number) = (LinuxFiles::default(), all_threads.unwrap_or(1));
        // Pinned, because the cores of a hybrid processor have different caches.
        let ask = move || {
            pin_to_last();
            Processor::this(number)
        };
        let processor = std::thread::spawn(ask).join().unwrap_or_default();
        let caches = Some(linux.caches()).filter(|caches| !caches.is_empty());
        Machine {
            hardware: Hardware {
                cpu: known(cpu.map(|cpu| cpu.brand().trim())),
                vendor: known(cpu.map(sysinfo::Cpu::vendor_id)),
                signature: processor.signature,
                features: features(),
                cores,
                threads: std::thread::available_parallelism().map_or(1, Into::into),
                smt: linux.smt().or_else(|| has_smt(OS, cores, all_threads)),
                caches: caches.unwrap_or(processor.caches),
                numa_nodes: linux.numa_nodes(),
                memory_gib: memory.saturating_add(1 << 29) >> 30,
                virtualised: processor.virtualised,
            },
            system: System {
                os: sysinfo::System::long_os_version().ok(),
                kernel: sysinfo::System::kernel_version().ok(),
                governor: linux.governor(),
                boost: linux.boost(),
            },
        }
    }
}

/// Returns true if there are more hardware threads than cores; used where the system does not report SMT.
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
