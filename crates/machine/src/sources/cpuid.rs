//! What x86 processors tell of themselves: the instruction `cpuid`, asked on every hardware thread.
//!
//! Windows numbers hardware threads but tells safe code neither their kinds nor their caches. Leaves: Intel, Software
//! Developer's Manual, volume 2, `CPUID`; AMD, Architecture Programmer's Manual, volume 3, appendix E.
#![cfg(target_arch = "x86_64")]
#![cfg_attr(not(windows), allow(dead_code))]

use super::SystemFacts;
use super::kinds::{self, Thread};
use crate::hardware::Cache;
use std::collections::BTreeSet;

/// Registers EAX, EBX, ECX and EDX of a leaf and its part.
type Leaf<'a> = &'a dyn Fn(u32, u32) -> [u32; 4];

/// Returns a leaf of the hardware thread that runs this.
pub(super) fn this(leaf: u32, part: u32) -> [u32; 4] {
    let answer = std::arch::x86_64::__cpuid_count(leaf, part);
    [answer.eax, answer.ebx, answer.ecx, answer.edx]
}

/// A hardware thread.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Answer {
    /// Its number in the system.
    number: usize,
    /// Its number in the processor.
    apic: u32,
    /// Number of low bits of that which count the threads of a core.
    thread_bits: u32,
    /// Rank of its core's kind, 1 for the fastest.
    rank: u32,
    caches: Vec<CacheOfThread>,
}

/// A cache; the threads whose APIC numbers differ only in the low bits share it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct CacheOfThread {
    level: u32,
    kind: &'static str,
    kib: u64,
    bits: u32,
}

/// Returns what the machine's threads tell, each asked by a thread pinned to it.
#[cfg(windows)]
pub(super) fn told() -> SystemFacts {
    let asked = std::thread::spawn(|| {
        let ids = core_affinity::get_core_ids()?;
        let answer = |id| core_affinity::set_for_current(id).then(|| answer(id.id, &this));
        // A thread that cannot be asked would make the others' numbers wrong.
        ids.into_iter().map(answer).collect::<Option<Vec<Answer>>>()
    });
    let answers = asked.join().ok().flatten().unwrap_or_default();
    SystemFacts { signature: signature(&this), ..summary(&answers) }
}

fn signature(leaf: Leaf<'_>) -> Option<String> {
    let [version, ..] = leaf(1, 0);
    let bits = |from: u32, count: u32| version >> from & ((1 << count) - 1);
    let (family, model, stepping) = (bits(8, 4), bits(4, 4), bits(0, 4));
    let model = if matches!(family, 6 | 15) { model | bits(16, 4) << 4 } else { model };
    let family = if family == 15 { family + bits(20, 8) } else { family };
    Some(format!("family {family}, model {model}, stepping {stepping}"))
}

/// Returns the answers of the hardware thread with this number.
fn answer(number: usize, leaf: Leaf<'_>) -> Answer {
    let (last, last_extended) = (leaf(0, 0)[0], leaf(0x8000_0000, 0)[0]);
    let [thread_bits, threads, _, apic] = if last >= 0xb { leaf(0xb, 0) } else { [0; 4] };
    let has_topology = threads & 0xffff != 0;
    Answer {
        number,
        apic: if has_topology { apic } else { leaf(1, 0)[1] >> 24 },
        thread_bits: if has_topology { thread_bits & 0x1f } else { 0 },
        rank: rank(leaf, last, last_extended),
        caches: caches(leaf, last, last_extended),
    }
}

fn rank(leaf: Leaf<'_>, last: u32, last_extended: u32) -> u32 {
    let is_hybrid = last >= 0x1a && leaf(7, 0)[3] >> 15 & 1 == 1;
    // Intel: 0x40 is a performance core, 0x20 an efficiency core.
    if is_hybrid {
        return if leaf(0x1a, 0)[0] >> 24 == 0x40 { 1 } else { 2 };
    }
    // AMD: 0 is a performance core, 1 an efficiency core.
    let has_topology = (0x8000_0026..0x8001_0000).contains(&last_extended);
    if has_topology { 1 + (leaf(0x8000_0026, 0)[1] >> 28) } else { 1 }
}

fn caches(leaf: Leaf<'_>, last: u32, last_extended: u32) -> Vec<CacheOfThread> {
    let is_amd = (0x8000_001d..0x8001_0000).contains(&last_extended) && leaf(0x8000_001d, 0)[0] & 0x1f != 0;
    let page = match (is_amd, last >= 4) {
        (true, _) => 0x8000_001d,
        (false, true) => 4,
        (false, false) => return Vec::new(),
    };
    let parts = (0..16).map(|part| leaf(page, part)).take_while(|answer| answer[0] & 0x1f != 0);
    let cache = |[kind, shape, sets, _]: [u32; 4]| {
        let bits = |of: u32, from: u32, count: u32| u64::from(of >> from & ((1 << count) - 1)) + 1;
        let bytes = bits(shape, 22, 10) * bits(shape, 12, 10) * bits(shape, 0, 12) * (u64::from(sets) + 1);
        CacheOfThread {
            level: kind >> 5 & 7,
            kind: ["Data", "Instruction", "Unified"][(kind as usize & 0x1f).min(3) - 1],
            kib: bytes >> 10,
            bits: bits(kind, 14, 12).next_power_of_two().trailing_zeros(),
        }
    };
    parts.map(cache).collect()
}

/// Returns what the answers of all threads say together.
fn summary(answers: &[Answer]) -> SystemFacts {
    let distinct = |threads: &[&Answer]| {
        let cores: BTreeSet<u32> = threads.iter().map(|thread| thread.apic >> thread.thread_bits).collect();
        (!cores.is_empty()).then_some(cores.len())
    };
    let shared = |of: &Answer| {
        let caches = of.caches.iter().map(|cache| {
            let shares = |other: &&Answer| other.apic >> cache.bits == of.apic >> cache.bits;
            let shared_by = answers.iter().filter(shares).count();
            Cache { level: cache.level, kind: cache.kind.into(), kib: cache.kib, shared_by }
        });
        caches.collect::<Vec<_>>()
    };
    let thread = |answer: &Answer| Thread { number: answer.number, design: 0, speed: 1.0 / f64::from(answer.rank) };
    let of = |number: usize| answers.iter().find(|answer| answer.number == number);
    let groups = kinds::named_groups(answers.iter().map(thread).collect());
    let kinds = kinds::described(
        groups,
        |threads| distinct(&threads.iter().filter_map(|&number| of(number)).collect::<Vec<_>>()),
        |number| of(number).map(shared).unwrap_or_default(),
    );
    let first = kinds.first().and_then(|kind| of(kind.threads[0])).or(answers.first());
    SystemFacts {
        cores: distinct(&answers.iter().collect::<Vec<_>>()),
        caches: first.map(shared).unwrap_or_default(),
        kinds,
        ..SystemFacts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Registers of an i7-12700-like processor: performance cores with two threads each, efficiency cores in fours.
    fn hybrid(apic: u32) -> impl Fn(u32, u32) -> [u32; 4] {
        let is_fast = apic < 4;
        // Kind and level, threads that share it less one; ways, partitions and line less one; sets less one.
        let cache = |kind: u32, level: u32, sharing: u32, ways: u32, sets: u32| {
            [kind | level << 5 | (sharing - 1) << 14, (ways - 1) << 22 | 63, sets - 1, 0]
        };
        move |leaf, part| match (leaf, part) {
            (0, _) => [0x20, 0, 0, 0],
            (1, _) => [0x0009_0672, apic << 24, 0, 0],
            (4, 0) => {
                if is_fast {
                    cache(1, 1, 2, 12, 64)
                } else {
                    cache(1, 1, 2, 8, 64)
                }
            }
            (4, 1) => {
                if is_fast {
                    cache(2, 1, 2, 8, 64)
                } else {
                    cache(2, 1, 2, 8, 128)
                }
            }
            (4, 2) => {
                if is_fast {
                    cache(3, 2, 8, 10, 2048)
                } else {
                    cache(3, 2, 8, 16, 2048)
                }
            }
            (4, 3) => cache(3, 3, 128, 10, 40960),
            (7, 0) => [0, 0, 0, 1 << 15],
            (0xb, 0) => [1, if is_fast { 2 } else { 1 }, 0x100, apic],
            (0x1a, _) => [if is_fast { 0x40 << 24 } else { 0x20 << 24 }, 0, 0, 0],
            (0x8000_0000, _) => [0x8000_0008, 0, 0, 0],
            _ => [0; 4],
        }
    }

    #[test]
    fn kinds_and_caches_of_a_hybrid_processor_are_read() {
        // Two performance cores of two threads; four efficiency cores, whose numbers leave room for a second thread.
        let numbers = [0, 1, 2, 3, 8, 10, 12, 14];
        let answers: Vec<Answer> =
            numbers.iter().enumerate().map(|(number, &apic)| answer(number, &hybrid(apic))).collect();
        let told = summary(&answers);
        let kinds: Vec<_> =
            told.kinds.iter().map(|kind| (kind.name.as_str(), kind.cores, kind.threads.clone())).collect();
        assert_eq!(kinds, [("performance", Some(2), vec![0, 1, 2, 3]), ("efficiency", Some(4), vec![4, 5, 6, 7])]);
        let sizes =
            |caches: &[Cache]| caches.iter().map(|cache| (cache.level, cache.kib, cache.shared_by)).collect::<Vec<_>>();
        assert_eq!(sizes(&told.caches), [(1, 48, 2), (1, 32, 2), (2, 1280, 4), (3, 25600, 8)]);
        assert_eq!(sizes(&told.kinds[1].caches), [(1, 32, 1), (1, 64, 1), (2, 2048, 4), (3, 25600, 8)]);
        assert_eq!((told.cores, signature(&hybrid(0)).as_deref()), (Some(6), Some("family 6, model 151, stepping 2")));
    }

    #[test]
    fn an_amd_processor_has_its_own_leaves() {
        let zen = |leaf: u32, part: u32| match (leaf, part) {
            (0, _) => [0x10, 0, 0, 0],
            (1, _) => [0x00b0_0f21, 0, 0, 0],
            (0xb, 0) => [1, 2, 0x100, 5],
            (0x8000_0000, _) => [0x8000_0028, 0, 0, 0],
            (0x8000_001d, 0) => [1 | 1 << 5 | 1 << 14, 11 << 22 | 63, 63, 0],
            (0x8000_0026, _) => [0, 1 << 28, 0, 0],
            _ => [0; 4],
        };
        let answer = answer(7, &zen);
        assert_eq!((answer.apic, answer.rank, answer.caches[0].kib), (5, 2, 48));
        assert_eq!(signature(&zen).as_deref(), Some("family 26, model 2, stepping 1"));
    }

    #[test]
    fn threads_that_cannot_be_asked_tell_nothing() {
        assert_eq!(summary(&[]), SystemFacts::default());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_processor_here_is_the_one_that_the_system_names() {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        assert_eq!(signature(&this), crate::sources::cpuinfo::signature(&cpuinfo));
    }
}
