//! Description of the machine that the program runs on, obtained from sysinfo, the processor, and Linux's device files.

use crate::hardware::{Cache, Hardware, Machine, System};
use crate::linux_files::LinuxFiles;
use crate::pinning::pin_to_last;
use std::env::consts::OS;

impl Machine {
    pub fn detect() -> Machine {
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
        // The thread is pinned, because the cores of a hybrid processor have different caches.
        let ask = move || {
            pin_to_last();
            Processor::detect(number)
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

/// Returns true if there are more hardware threads than cores. Used if the system does not report SMT.
fn has_smt(system: &str, cores: Option<usize>, threads: Option<usize>) -> Option<bool> {
    // Linux reports SMT unless a container hides it, and such a container also shows a wrong number of cores or
    // threads.
    if system == "linux" { None } else { Some(threads? > cores?) }
}

/// What a processor reports about itself, through the instruction `cpuid` on x86-64 and through macOS on Apple's
/// processors. Properties that are not reported are absent.
///
/// Source for the names on macOS: Apple, [Determining system
/// capabilities](https://developer.apple.com/documentation/kernel/1387446-sysctlbyname). `hw.perflevel0` is the fastest
/// kind of core.
#[derive(Default)]
struct Processor {
    pub signature: Option<String>,
    pub virtualised: Option<bool>,
    pub caches: Vec<Cache>,
}

impl Processor {
    /// Queries this processor. `threads` is the number of its hardware threads.
    #[cfg(target_arch = "x86_64")]
    pub fn detect(threads: usize) -> Processor {
        let cpuid = raw_cpuid::CpuId::new();
        let version = cpuid.get_feature_info();
        let caches = cpuid.get_cache_parameters().into_iter().flatten().map(|cache| {
            let way = cache.physical_line_partitions() * cache.coherency_line_size() * cache.sets();
            Cache {
                level: cache.level().into(),
                kind: cache.cache_type().to_string(),
                kib: (cache.associativity() * way) as u64 >> 10,
                // The processor reports a maximum, but a virtual machine may have fewer threads than that.
                shared_by: cache.max_cores_for_cache().min(threads),
            }
        });
        Processor {
            caches: caches.collect(),
            signature: version.as_ref().map(|version| {
                let (family, model) = (version.family_id(), version.model_id());
                format!("family {family}, model {model}, stepping {}", version.stepping_id())
            }),
            virtualised: version.map(|version| version.has_hypervisor()),
        }
    }

    /// Asks macOS about this processor.
    #[cfg(all(target_os = "macos", target_arch = "aarch64"))]
    pub fn detect(_: usize) -> Processor {
        use sysctl::{Ctl, Sysctl};
        let value = |name: &str| Ctl::new(name).ok()?.value_string().ok()?.trim().parse::<i64>().ok();
        let cache = |(level, kind, size, sharing): (u32, &str, &str, Option<&str>)| {
            let kib = value(&format!("hw.perflevel0.{size}"))? as u64 >> 10;
            let shared_by = sharing.map_or(Some(1), |name| value(&format!("hw.perflevel0.{name}")))? as usize;
            Some(Cache { level, kind: kind.into(), kib, shared_by })
        };
        let caches = [
            (1, "Data", "l1dcachesize", None),
            (1, "Instruction", "l1icachesize", None),
            (2, "Unified", "l2cachesize", Some("cpusperl2")),
        ];
        Processor {
            // The system prints the CPU family number as a signed integer.
            signature: value("hw.cpufamily").map(|family| format!("family {:#x}", family as u32)),
            virtualised: value("kern.hv_vmm_present").map(|present| present != 0),
            caches: caches.into_iter().filter_map(cache).collect(),
        }
    }

    /// Other processors report nothing beyond what sysinfo provides.
    #[cfg(not(any(target_arch = "x86_64", all(target_os = "macos", target_arch = "aarch64"))))]
    pub fn detect(_: usize) -> Processor {
        Processor::default()
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! detected {
    ($detect:tt: $($name:tt)*) => {
        [$(($name, std::arch::$detect!($name))),*].into_iter().filter(|(_, has)| *has).map(|(name, _)| name.into()).collect()
    };
}

/// Returns those of the listed instruction set extensions that the machine supports.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<String> {
    detected!(is_x86_feature_detected: "popcnt" "lzcnt" "bmi1" "bmi2" "pclmulqdq" "avx2" "gfni" "avx512f" "avx512bw"
        "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512vpopcntdq" "avx512bitalg")
}

/// Returns those of the listed instruction set extensions that the machine supports.
#[cfg(target_arch = "aarch64")]
fn features() -> Vec<String> {
    detected!(is_aarch64_feature_detected: "asimd" "aes" "pmull" "sha2" "sha3" "crc" "lse" "dotprod" "i8mm" "sve" "sve2"
        "sve2-bitperm")
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<String> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_than_cores_share_them_but_in_a_container() {
        assert_eq!([8, 16].map(|threads| has_smt("macos", Some(8), Some(threads))), [Some(false), Some(true)]);
        assert_eq!((has_smt("windows", None, Some(8)), has_smt("linux", Some(4), Some(8))), (None, None));
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn the_processor_here_is_the_one_that_the_system_names() {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let value = |name: &str| {
            let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
            fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim()).unwrap()
        };
        let [family, model, stepping] = ["cpu family", "model", "stepping"].map(value);
        let found = Processor::detect(4);
        assert_eq!(found.signature, Some(format!("family {family}, model {model}, stepping {stepping}")));
        assert_eq!(found.virtualised, Some(value("flags").split(' ').any(|flag| flag == "hypervisor")));
        assert!(found.caches.iter().all(|cache| cache.kib > 0 && (1..=4).contains(&cache.shared_by)));
    }
}
