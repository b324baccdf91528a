//! What a processor reports about itself: by its instruction `cpuid` on x86-64, through macOS for Apple's own.
//!
//! Names on macOS: Apple, [Determining system
//! capabilities](https://developer.apple.com/documentation/kernel/1387446-sysctlbyname). `hw.perflevel0` is the fastest kind
//! of core.

use crate::hardware::Cache;

/// What a processor tells; what it does not tell is absent.
#[derive(Default)]
pub(crate) struct Processor {
    pub signature: Option<String>,
    pub virtualised: Option<bool>,
    pub caches: Vec<Cache>,
}

impl Processor {
    /// Asks the processor here, which has this many hardware threads.
    #[cfg(target_arch = "x86_64")]
    pub fn this(threads: usize) -> Processor {
        let cpuid = raw_cpuid::CpuId::new();
        let version = cpuid.get_feature_info();
        let caches = cpuid.get_cache_parameters().into_iter().flatten().map(|cache| {
            let way = cache.physical_line_partitions() * cache.coherency_line_size() * cache.sets();
            Cache {
                level: cache.level().into(),
                kind: cache.cache_type().to_string(),
                kib: (cache.associativity() * way) as u64 >> 10,
                // Room for as many: a virtual machine may have fewer.
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

    /// Asks macOS about the processor here.
    #[cfg(all(target_os = "macos", target_arch = "aarch64"))]
    pub fn this(_: usize) -> Processor {
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
            // The system shows the number of a family as a signed one.
            signature: value("hw.cpufamily").map(|family| format!("family {:#x}", family as u32)),
            virtualised: value("kern.hv_vmm_present").map(|present| present != 0),
            caches: caches.into_iter().filter_map(cache).collect(),
        }
    }

    /// Other processors tell nothing that sysinfo does not.
    #[cfg(not(any(target_arch = "x86_64", all(target_os = "macos", target_arch = "aarch64"))))]
    pub fn this(_: usize) -> Processor {
        Processor::default()
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_processor_here_is_the_one_that_the_system_names() {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let value = |name: &str| {
            let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
            fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim()).unwrap()
        };
        let [family, model, stepping] = ["cpu family", "model", "stepping"].map(value);
        let found = Processor::this(4);
        assert_eq!(found.signature, Some(format!("family {family}, model {model}, stepping {stepping}")));
        assert_eq!(found.virtualised, Some(value("flags").split(' ').any(|flag| flag == "hypervisor")));
        assert!(found.caches.iter().all(|cache| cache.kib > 0 && (1..=4).contains(&cache.shared_by)));
    }
}
