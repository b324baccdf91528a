//! Instruction-set levels: detection, calls into code compiled for a level, and why a machine lacks a level.

#[cfg(target_arch = "aarch64")]
use crate::neon::Neon;
use crate::token::{Caller, Kernel, Token, WideKernel};
use crate::v1::V1;
#[cfg(target_arch = "x86_64")]
use crate::v3::V3;
use std::fmt;
use std::sync::OnceLock;

/// The instruction-set level of a run.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// Portable code.
    V1(V1),
    /// AVX2 and BMI2. The level is called v4 if the kernels use AVX-512, and v3-nopext if PEXT is slow.
    #[cfg(target_arch = "x86_64")]
    V3(V3),
    /// NEON, which is part of every AArch64.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

impl Level {
    /// The names that [`Level::from_name`] accepts.
    pub const NAMES: [&'static str; 6] = ["auto", "v1", "v3-nopext", "v3", "v4", "neon"];

    /// Returns the portable level.
    pub const fn portable() -> Level {
        Level::V1(V1::token())
    }

    /// Returns the best level of this machine. Detection runs once, because it takes many microseconds under a
    /// hypervisor that traps `cpuid`.
    pub fn detect() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(Level::look)
    }

    fn look() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            if missing_of_v3().is_empty() {
                // SAFETY: this machine lacks no instruction of the level, and `wide` is the result of `is_wide`.
                return Level::V3(unsafe { V3::new_unchecked(is_wide(), !pext_is_microcoded()) });
            }
        }
        #[cfg(target_arch = "aarch64")]
        return Level::Neon(Neon::detect());
        #[cfg(not(target_arch = "aarch64"))]
        Level::portable()
    }

    /// Returns every level of this machine, from lowest to highest.
    pub fn all() -> Vec<Level> {
        Level::NAMES.into_iter().filter(|name| *name != "auto").filter_map(Level::from_name).collect()
    }

    /// Returns the level with this name; `None` if the machine lacks it or the name is unknown.
    pub fn from_name(name: &str) -> Option<Level> {
        match (name, Level::detect()) {
            ("auto", best) => Some(best),
            ("v1", _) => Some(Level::portable()),
            // Every v3 machine can run without PEXT, so tests on any of them cover the level for slow PEXT.
            #[cfg(target_arch = "x86_64")]
            ("v3-nopext", Level::V3(token)) => Some(Level::V3(token.narrow(false))),
            #[cfg(target_arch = "x86_64")]
            ("v3", Level::V3(token)) => Some(Level::V3(token.narrow(true))),
            #[cfg(target_arch = "x86_64")]
            ("v4", best @ Level::V3(token)) if token.is_wide() => Some(best),
            #[cfg(target_arch = "aarch64")]
            ("neon", best) => Some(best),
            _ => None,
        }
    }

    /// Returns true for every level but v1, and for v1 on an architecture that has no other.
    pub fn is_common(self) -> bool {
        V1::COMMON || !matches!(self, Level::V1(_))
    }

    /// Runs `task` with this level's widest vectors.
    pub fn dispatch_wide<K: WideKernel>(self, task: K) -> K::Output {
        match self {
            Level::V1(token) => token.call_wide(task),
            #[cfg(target_arch = "x86_64")]
            Level::V3(token) => token.call_wide(task),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(token) => token.call_wide(task),
        }
    }
}

impl Caller for Level {
    /// **Panics** if the task is compiled only for the common level and `self` is a different level.
    fn call<K: Kernel>(self, task: K) -> K::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::V3(token) => token.call(task),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(token) => token.call(task),
            // The compiler generates no code for a branch that a constant excludes.
            _ if K::COMMON_ONLY && !V1::COMMON => unreachable!("a task of another level"),
            Level::V1(token) => token.call(task),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::V1(_) => "v1",
            #[cfg(target_arch = "x86_64")]
            Level::V3(token) if token.is_wide() => "v4",
            #[cfg(target_arch = "x86_64")]
            Level::V3(token) if !token.fast_pext() => "v3-nopext",
            #[cfg(target_arch = "x86_64")]
            Level::V3(_) => "v3",
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "neon",
        })
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! missing {
    ($($name:tt)*) => {{
        let all = [$(($name, is_x86_feature_detected!($name))),*];
        all.into_iter().filter(|(_, has)| !has).map(|(name, _)| name).collect()
    }};
}

/// Returns the instruction sets that level v3 needs and this machine lacks.
#[cfg(target_arch = "x86_64")]
pub(crate) fn missing_of_v3() -> Vec<&'static str> {
    missing!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt")
}

/// Returns the instruction sets that level v4 (the AVX-512 of Ice Lake and Zen 4) needs and this machine lacks.
#[cfg(target_arch = "x86_64")]
pub(crate) fn missing_of_v4() -> Vec<&'static str> {
    missing!("avx2" "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vpopcntdq")
}

/// Returns true if this machine has the AVX-512 of Ice Lake and Zen 4.
#[cfg(target_arch = "x86_64")]
pub(crate) fn is_wide() -> bool {
    missing_of_v4().is_empty()
}

/// Returns true on AMD processors before Zen 3 (family 19h). They run PEXT in microcode, which takes up to 300 cycles.
#[cfg(target_arch = "x86_64")]
pub(crate) fn pext_is_microcoded() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    // `AuthenticAMD`, and `HygonGenuine`, the vendor of processors with Zen 1 cores.
    let vendors = [[0x6874_7541, 0x6974_6e65, 0x444d_4163], [0x6f67_7948, 0x6e65_476e, 0x656e_6975]];
    let signature = __cpuid(1).eax;
    let family = (signature >> 8 & 15) + (signature >> 20 & 255);
    vendors.contains(&[vendor.ebx, vendor.edx, vendor.ecx]) && family < 0x19
}

/// Whether a machine supports a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Availability {
    /// The machine supports the level.
    Present,
    /// The machine lacks these instruction sets.
    Lacks(Vec<&'static str>),
    /// The level belongs to another architecture.
    Foreign,
}

impl Level {
    /// Returns whether this machine supports the level with this name, one of [`Level::NAMES`].
    pub fn availability(name: &str) -> Availability {
        let missing = match name {
            "auto" | "v1" => Vec::new(),
            #[cfg(target_arch = "x86_64")]
            "v3" | "v3-nopext" => missing_of_v3(),
            #[cfg(target_arch = "x86_64")]
            "v4" => missing_of_v4(),
            #[cfg(target_arch = "aarch64")]
            "neon" => Vec::new(),
            _ => return Availability::Foreign,
        };
        if missing.is_empty() { Availability::Present } else { Availability::Lacks(missing) }
    }

    /// Returns a sentence about PEXT's speed, which decides between v3 and v3-nopext; `None` on a machine without v3.
    pub fn remark() -> Option<&'static str> {
        match Level::detect() {
            Level::V1(_) => None,
            #[cfg(target_arch = "x86_64")]
            Level::V3(token) if token.fast_pext() => Some("PEXT is one fast instruction on this processor"),
            #[cfg(target_arch = "x86_64")]
            Level::V3(_) => {
                Some("PEXT is slow on this processor (microcode on AMD before Zen 3), so no level uses it here")
            }
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_present_if_it_can_be_named() {
        for name in Level::NAMES {
            let found = Level::availability(name);
            println!("{name}: {found:?}");
            assert_eq!(found == Availability::Present, Level::from_name(name).is_some(), "{name}");
            assert_ne!(found, Availability::Lacks(Vec::new()), "{name}");
        }
        assert_eq!(Level::availability("v2"), Availability::Foreign);
    }
}
