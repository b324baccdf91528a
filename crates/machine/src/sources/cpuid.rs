//! What x86 processors tell of themselves: the instruction `cpuid`, asked on every hardware thread.
//!
//! Windows numbers hardware threads but tells safe code neither their kinds nor their caches. The crate `raw_cpuid` reads
//! the leaves, but for those that tell the kinds of Intel's cores: Software Developer's Manual, volume 2, `CPUID`.
#![cfg(all(target_arch = "x86_64", any(windows, test)))]

use super::facts::SystemFacts;
use super::kinds::{self, Thread};
use crate::hardware::Cache;
use raw_cpuid::{CacheParameter, CpuId, CpuIdReader};
use std::collections::BTreeSet;

/// A hardware thread, as it describes itself.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ThreadAnswer {
    /// Its number in the system.
    number: usize,
    /// Its number in the processor.
    apic: u32,
    /// Number of low bits of that which count the threads of a core.
    thread_bits: u32,
    /// Rank of its core's kind, 1 for the fastest.
    rank: u32,
    caches: Vec<ThreadCache>,
}

/// A cache; the threads whose APIC numbers differ only in the low bits share it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ThreadCache {
    level: u32,
    kind: String,
    kib: u64,
    bits: u32,
}

/// Returns the facts that the machine's threads tell, each asked by a thread pinned to it.
#[cfg(windows)]
pub(super) fn facts() -> SystemFacts {
    let asked = std::thread::spawn(|| {
        let ids = core_affinity::get_core_ids()?;
        let ask = |id| core_affinity::set_for_current(id).then(|| ask(id.id, raw_cpuid::CpuIdReaderNative));
        // A thread that cannot be asked would make the others' numbers wrong.
        ids.into_iter().map(ask).collect::<Option<Vec<ThreadAnswer>>>()
    });
    let answers = asked.join().ok().flatten().unwrap_or_default();
    SystemFacts { signature: signature(&CpuId::new()), ..summary(&answers) }
}

fn signature(cpuid: &CpuId<impl CpuIdReader>) -> Option<String> {
    let version = cpuid.get_feature_info()?;
    let (family, model, stepping) = (version.family_id(), version.model_id(), version.stepping_id());
    Some(format!("family {family}, model {model}, stepping {stepping}"))
}

/// Returns the answers of the hardware thread with this number, which must run this.
fn ask(number: usize, leaves: impl CpuIdReader) -> ThreadAnswer {
    let cpuid = CpuId::with_cpuid_reader(leaves.clone());
    let topology = cpuid.get_extended_topology_info().and_then(|mut levels| levels.next());
    let initial = || cpuid.get_feature_info().map_or(0, |info| info.initial_local_apic_id().into());
    ThreadAnswer {
        number,
        apic: topology.as_ref().map_or_else(initial, |level| level.x2apic_id()),
        thread_bits: topology.map_or(0, |level| level.shift_right_for_next_apic_id()),
        rank: rank(&cpuid, leaves),
        caches: cpuid.get_cache_parameters().into_iter().flatten().map(thread_cache).collect(),
    }
}

fn rank(cpuid: &CpuId<impl CpuIdReader>, leaves: impl CpuIdReader) -> u32 {
    let is_hybrid = leaves.cpuid1(0).eax >= 0x1a && leaves.cpuid1(7).edx >> 15 & 1 == 1;
    // Intel: 0x40 is a performance core, 0x20 an efficiency core.
    if is_hybrid {
        return if leaves.cpuid1(0x1a).eax >> 24 == 0x40 { 1 } else { 2 };
    }
    // AMD: 0 is a performance core, 1 an efficiency core.
    let level = cpuid.get_extended_cpu_topology().and_then(|mut levels| levels.next());
    level.map_or(1, |level| 1 + u32::from(level.core_type()))
}

fn thread_cache(cache: CacheParameter) -> ThreadCache {
    let line = cache.physical_line_partitions() * cache.coherency_line_size();
    ThreadCache {
        level: cache.level().into(),
        kind: cache.cache_type().to_string(),
        kib: (cache.associativity() * line * cache.sets()) as u64 >> 10,
        bits: cache.max_cores_for_cache().next_power_of_two().trailing_zeros(),
    }
}

/// Returns the facts that the answers of all threads give together.
fn summary(answers: &[ThreadAnswer]) -> SystemFacts {
    let cores = |threads: &[&ThreadAnswer]| {
        let cores: BTreeSet<u32> = threads.iter().map(|thread| thread.apic >> thread.thread_bits).collect();
        (!cores.is_empty()).then_some(cores.len())
    };
    let caches = |of: &ThreadAnswer| {
        let shared = of.caches.iter().map(|cache| {
            let shares = |other: &&ThreadAnswer| other.apic >> cache.bits == of.apic >> cache.bits;
            let shared_by = answers.iter().filter(shares).count();
            Cache { level: cache.level, kind: cache.kind.clone(), kib: cache.kib, shared_by }
        });
        shared.collect::<Vec<_>>()
    };
    let thread =
        |answer: &ThreadAnswer| Thread { number: answer.number, design: 0, speed: 1.0 / f64::from(answer.rank) };
    let of = |number: usize| answers.iter().find(|answer| answer.number == number);
    let groups = kinds::group_by_kind(answers.iter().map(thread).collect());
    let kinds = kinds::describe_kinds(
        groups,
        |threads| cores(&threads.iter().filter_map(|&number| of(number)).collect::<Vec<_>>()),
        |number| of(number).map(caches).unwrap_or_default(),
    );
    let first = kinds.first().and_then(|kind| of(kind.threads[0])).or(answers.first());
    SystemFacts {
        cores: cores(&answers.iter().collect::<Vec<_>>()),
        caches: first.map(caches).unwrap_or_default(),
        kinds,
        ..SystemFacts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raw_cpuid::CpuIdResult;

    /// Returns a reader of these registers: EAX, EBX, ECX and EDX of a leaf and its part.
    fn reader(registers: impl Fn(u32, u32) -> [u32; 4] + Clone) -> impl CpuIdReader {
        move |leaf, part| {
            let [eax, ebx, ecx, edx] = registers(leaf, part);
            CpuIdResult { eax, ebx, ecx, edx }
        }
    }

    /// Returns leaf 0: the number of the last leaf, and the vendor's name in the order of the registers.
    fn vendor(last: u32, name: &[u8; 12]) -> [u32; 4] {
        let part = |number: usize| u32::from_le_bytes(name[4 * number..][..4].try_into().unwrap());
        [last, part(0), part(1), part(2)]
    }

    /// Registers of an i7-12700-like processor: performance cores with two threads each, efficiency cores in fours.
    fn hybrid(apic: u32) -> impl CpuIdReader {
        let is_fast = apic < 4;
        // Ways and sets of the first data cache, the first instruction cache, and the second and third level.
        let shapes = match is_fast {
            true => [(12, 64), (8, 64), (10, 2048), (10, 40960)],
            false => [(8, 64), (8, 128), (16, 2048), (10, 40960)],
        };
        reader(move |leaf, part| match (leaf, part) {
            (0, _) => vendor(0x20, b"GenuntelineI"),
            (1, _) => [0x0009_0672, apic << 24, 0, 0],
            (4, 0..4) => {
                let (kind, level, sharing) = [(1, 1, 2), (2, 1, 2), (3, 2, 8), (3, 3, 128)][part as usize];
                let (ways, sets) = shapes[part as usize];
                [kind | level << 5 | (sharing - 1) << 14, (ways - 1) << 22 | 63, sets - 1, 0]
            }
            (7, 0) => [0, 0, 0, 1 << 15],
            (0xb, 0) => [1, if is_fast { 2 } else { 1 }, 0x100, apic],
            (0x1a, _) => [if is_fast { 0x40 << 24 } else { 0x20 << 24 }, 0, 0, 0],
            (0x8000_0000, _) => [0x8000_0008, 0, 0, 0],
            _ => [0; 4],
        })
    }

    #[test]
    fn kinds_and_caches_of_a_hybrid_processor_are_read() {
        // Two performance cores of two threads; four efficiency cores, whose numbers leave room for a second thread.
        let numbers = [0, 1, 2, 3, 8, 10, 12, 14];
        let answers: Vec<ThreadAnswer> =
            numbers.iter().enumerate().map(|(number, &apic)| ask(number, hybrid(apic))).collect();
        let facts = summary(&answers);
        let kinds: Vec<_> =
            facts.kinds.iter().map(|kind| (kind.name.as_str(), kind.cores, kind.threads.clone())).collect();
        assert_eq!(kinds, [("performance", Some(2), vec![0, 1, 2, 3]), ("efficiency", Some(4), vec![4, 5, 6, 7])]);
        let sizes =
            |caches: &[Cache]| caches.iter().map(|cache| (cache.level, cache.kib, cache.shared_by)).collect::<Vec<_>>();
        assert_eq!(sizes(&facts.caches), [(1, 48, 2), (1, 32, 2), (2, 1280, 4), (3, 25600, 8)]);
        assert_eq!(sizes(&facts.kinds[1].caches), [(1, 32, 1), (1, 64, 1), (2, 2048, 4), (3, 25600, 8)]);
        assert_eq!(
            (facts.cores, signature(&CpuId::with_cpuid_reader(hybrid(0))).as_deref()),
            (Some(6), Some("family 6, model 151, stepping 2"))
        );
    }

    #[test]
    fn an_amd_processor_has_its_own_leaves() {
        let zen = reader(|leaf, part| match (leaf, part) {
            (0, _) => vendor(0x10, b"AuthcAMDenti"),
            (1, _) => [0x00b0_0f21, 0, 0, 0],
            (0xb, 0) => [1, 2, 0x100, 5],
            (0x8000_0000, _) => [0x8000_0028, 0, 0, 0],
            (0x8000_001d, 0) => [1 | 1 << 5 | 1 << 14, 11 << 22 | 63, 63, 0],
            (0x8000_0026, _) => [0, 1 << 28, 1 << 8, 0],
            _ => [0; 4],
        });
        let answer = ask(7, zen.clone());
        assert_eq!((answer.apic, answer.rank, answer.caches[0].kib), (5, 2, 48));
        assert_eq!(signature(&CpuId::with_cpuid_reader(zen)).as_deref(), Some("family 26, model 2, stepping 1"));
    }

    #[test]
    fn threads_that_cannot_be_asked_tell_nothing() {
        assert_eq!(summary(&[]), SystemFacts::default());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_processor_here_is_the_one_that_the_system_names() {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        assert_eq!(signature(&CpuId::new()), crate::sources::cpuinfo::signature(&cpuinfo));
    }
}
