//! macOS's description of the machine: values of `sysctl`, by name.
//!
//! Names: Apple, [Determining system capabilities](https://developer.apple.com/documentation/kernel/1387446-sysctlbyname).
//! `hw.perflevel0` is the fastest kind of core. The system numbers no hardware threads, since it pins none.
#![cfg_attr(not(target_os = "macos"), allow(dead_code))]

use super::facts::SystemFacts;
use super::kinds::names;
use crate::hardware::{Cache, CoreKind};

/// Returns the value of this name on the machine here.
#[cfg(target_os = "macos")]
pub(super) fn sysctl(name: &str) -> Option<String> {
    use ::sysctl::{Ctl, Sysctl};
    Ctl::new(name).ok()?.value_string().ok().map(|value| value.trim().into())
}

/// Returns the facts that the values tell.
pub(super) fn facts(value: &dyn Fn(&str) -> Option<String>) -> SystemFacts {
    let number = |name: &str| value(name)?.parse::<usize>().ok();
    let kinds = kinds(value);
    // The plain names are those of the slowest kind.
    let (cores, threads) = (number("hw.physicalcpu"), number("hw.logicalcpu"));
    let threads_of_core = threads.zip(cores).map(|(threads, cores)| threads / cores.max(1));
    let plain = || caches(value, "hw.", threads_of_core);
    let caches = kinds.first().map_or_else(plain, |fastest| fastest.caches.clone());
    SystemFacts {
        signature: signature(value),
        caches,
        kinds,
        virtualised: number("kern.hv_vmm_present").map(|present| present != 0),
        ..SystemFacts::default()
    }
}

/// Returns the numbers of an Intel processor, or the family of an Apple one.
fn signature(value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let [family, model, stepping] = ["family", "model", "stepping"].map(|name| value(&format!("machdep.cpu.{name}")));
    match (family, model, stepping) {
        (Some(family), Some(model), Some(stepping)) => {
            Some(format!("family {family}, model {model}, stepping {stepping}"))
        }
        // The system shows the number of a family as a signed one.
        _ => {
            let family = value("hw.cpufamily")?.parse::<i64>().ok()?;
            Some(format!("family {:#x}", family as u32))
        }
    }
}

fn kinds(value: &dyn Fn(&str) -> Option<String>) -> Vec<CoreKind> {
    let number = |name: String| value(&name)?.parse::<usize>().ok();
    let levels = number("hw.nperflevels".into()).unwrap_or(1);
    if levels < 2 {
        return Vec::new();
    }
    let kind = |(level, name): (usize, String)| CoreKind {
        name: value(&format!("hw.perflevel{level}.name")).map_or(name, |name| name.to_lowercase()),
        cores: number(format!("hw.perflevel{level}.physicalcpu")),
        threads: Vec::new(),
        caches: caches(value, &format!("hw.perflevel{level}."), Some(1)),
    };
    names(levels).into_iter().enumerate().map(kind).collect()
}

/// Returns the caches whose names begin so. The first ones belong to a core; of the others, only Apple's own processors
/// tell how many threads share them.
fn caches(value: &dyn Fn(&str) -> Option<String>, prefix: &str, threads_of_core: Option<usize>) -> Vec<Cache> {
    let number = |name: &str| value(&format!("{prefix}{name}"))?.parse::<u64>().ok();
    let cache = |level, kind: &str, size: &str, sharing: &str| {
        let bytes = number(size).filter(|&bytes| bytes > 0)?;
        let own = threads_of_core.filter(|_| level == 1);
        let shared_by = number(sharing).map(|threads| threads as usize).or(own)?;
        Some(Cache { level, kind: kind.into(), kib: bytes >> 10, shared_by })
    };
    let all = [
        cache(1, "Data", "l1dcachesize", "cpusperl1d"),
        cache(1, "Instruction", "l1icachesize", "cpusperl1i"),
        cache(2, "Unified", "l2cachesize", "cpusperl2"),
        cache(3, "Unified", "l3cachesize", "cpusperl3"),
    ];
    all.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &'static [(&'static str, &'static str)]) -> SystemFacts {
        facts(&|name| values.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string()))
    }

    fn cache(level: u32, kind: &str, kib: u64, shared_by: usize) -> Cache {
        Cache { level, kind: kind.into(), kib, shared_by }
    }

    #[test]
    fn performance_and_efficiency_cores_are_told_apart() {
        // An M1.
        let facts = of(&[
            ("hw.cpufamily", "458787763"),
            ("hw.physicalcpu", "8"),
            ("hw.logicalcpu", "8"),
            ("hw.nperflevels", "2"),
            ("hw.perflevel0.name", "Performance"),
            ("hw.perflevel0.physicalcpu", "4"),
            ("hw.perflevel0.l1dcachesize", "131072"),
            ("hw.perflevel0.l1icachesize", "196608"),
            ("hw.perflevel0.l2cachesize", "12582912"),
            ("hw.perflevel0.cpusperl2", "4"),
            ("hw.perflevel1.name", "Efficiency"),
            ("hw.perflevel1.physicalcpu", "4"),
            ("hw.perflevel1.l1dcachesize", "65536"),
            ("hw.perflevel1.l1icachesize", "131072"),
            ("hw.perflevel1.l2cachesize", "4194304"),
            ("hw.perflevel1.cpusperl2", "4"),
            ("hw.l1dcachesize", "65536"),
            ("kern.hv_vmm_present", "0"),
        ]);
        let kind =
            |name: &str, caches: Vec<Cache>| CoreKind { name: name.into(), cores: Some(4), threads: vec![], caches };
        let fast = vec![cache(1, "Data", 128, 1), cache(1, "Instruction", 192, 1), cache(2, "Unified", 12288, 4)];
        let slow = vec![cache(1, "Data", 64, 1), cache(1, "Instruction", 128, 1), cache(2, "Unified", 4096, 4)];
        assert_eq!(facts.kinds, [kind("performance", fast.clone()), kind("efficiency", slow)]);
        assert_eq!(facts.caches, fast);
        assert_eq!((facts.signature.as_deref(), facts.virtualised), (Some("family 0x1b588bb3"), Some(false)));
    }

    #[test]
    fn an_intel_machine_has_one_kind_and_numbers() {
        let facts = of(&[
            ("machdep.cpu.family", "6"),
            ("machdep.cpu.model", "158"),
            ("machdep.cpu.stepping", "10"),
            ("hw.physicalcpu", "6"),
            ("hw.logicalcpu", "12"),
            ("hw.l1dcachesize", "32768"),
            ("hw.l2cachesize", "262144"),
            ("hw.l3cachesize", "12582912"),
        ]);
        assert_eq!(facts.signature.as_deref(), Some("family 6, model 158, stepping 10"));
        // Nothing says how many threads share the others.
        assert_eq!((facts.kinds, facts.caches), (vec![], vec![cache(1, "Data", 32, 2)]));
        assert_eq!(facts.virtualised, None);
    }

    #[test]
    fn what_the_system_hides_is_absent() {
        assert_eq!(of(&[]), SystemFacts::default());
    }
}
