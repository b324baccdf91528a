//! Instruction-set levels: detected once, and the entry into code that is compiled for them.

#[cfg(target_arch = "x86_64")]
use super::V3;
use super::{Kernel, Token, V1, WideKernel};
use std::fmt;
use std::sync::OnceLock;

/// The instruction-set level of a run.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// Portable code.
    V1(V1),
    /// AVX2 and BMI2; called v4 if the kernels use AVX-512.
    #[cfg(target_arch = "x86_64")]
    V3(V3<true>),
    /// AVX2 and BMI2, with a slow PEXT.
    #[cfg(target_arch = "x86_64")]
    V3SlowPext(V3<false>),
}

impl Level {
    /// The names that [`Level::named`] knows.
    pub const NAMES: [&'static str; 5] = ["auto", "v1", "v3-nopext", "v3", "v4"];

    /// Returns the portable level.
    pub const fn portable() -> Level {
        Level::V1(V1::token())
    }

    /// Returns the best level of this machine. It is detected once: where a hypervisor traps `cpuid`, that takes many
    /// microseconds.
    pub fn detect() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(Level::look)
    }

    fn look() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            let available = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("pclmulqdq")
                && is_x86_feature_detected!("popcnt");
            if available {
                let wide = is_wide();
                // SAFETY: all instructions of the level were seen, and `wide` says what `is_wide` has seen.
                return unsafe {
                    match pext_is_microcoded() {
                        true => Level::V3SlowPext(V3::new_unchecked(wide)),
                        false => Level::V3(V3::new_unchecked(wide)),
                    }
                };
            }
        }
        Level::portable()
    }

    /// Returns every level that this machine has, the lowest first.
    pub fn all() -> Vec<Level> {
        Level::NAMES.into_iter().filter(|name| *name != "auto").filter_map(Level::named).collect()
    }

    /// Returns the level of this name, or nothing if the machine lacks it or the name is unknown.
    pub fn named(name: &str) -> Option<Level> {
        match (name, Level::detect()) {
            ("auto", best) => Some(best),
            ("v1", _) => Some(Level::portable()),
            // Any machine with AVX2 can do without PEXT, so that the level of others is tested everywhere.
            #[cfg(target_arch = "x86_64")]
            ("v3-nopext", Level::V3(token)) => Some(Level::V3SlowPext(token.narrowed())),
            #[cfg(target_arch = "x86_64")]
            ("v3-nopext", Level::V3SlowPext(token)) => Some(Level::V3SlowPext(token.narrowed())),
            #[cfg(target_arch = "x86_64")]
            ("v3", Level::V3(token)) => Some(Level::V3(token.narrowed())),
            #[cfg(target_arch = "x86_64")]
            ("v3", best @ Level::V3SlowPext(_)) => Some(best),
            #[cfg(target_arch = "x86_64")]
            ("v4", best @ Level::V3(token)) if token.is_wide() => Some(best),
            _ => None,
        }
    }

    /// Returns true for the level that nearly all machines of its kind reach.
    pub fn is_common(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return matches!(self, Level::V3(_));
        #[cfg(not(target_arch = "x86_64"))]
        return true;
    }

    /// Returns true if the batched kernels run over vectors; else keys are recomputed one by one.
    pub fn has_lanes(self) -> bool {
        !matches!(self, Level::V1(_))
    }

    /// Runs `task` with this level's widest vectors; returns nothing if the level has none that pay.
    pub fn dispatch_wide<K: WideKernel>(self, task: K) -> Option<K::Output> {
        match self {
            Level::V1(token) => token.call_wide(task),
            #[cfg(target_arch = "x86_64")]
            Level::V3(token) => token.call_wide(task),
            #[cfg(target_arch = "x86_64")]
            Level::V3SlowPext(token) => token.call_wide(task),
        }
    }

    /// Runs `task` compiled for this level. **Panics** if the task is not compiled for it.
    pub fn dispatch<K: Kernel>(self, task: K) -> K::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::V3(token) => token.call(task),
            // The compiler makes no code for a branch that a constant rules out.
            other => {
                if K::COMMON_ONLY && cfg!(target_arch = "x86_64") {
                    unreachable!("a task of another level")
                } else {
                    match other {
                        Level::V1(token) => token.call(task),
                        #[cfg(target_arch = "x86_64")]
                        Level::V3SlowPext(token) => token.call(task),
                        #[cfg(target_arch = "x86_64")]
                        Level::V3(_) => unreachable!("matched above"),
                    }
                }
            }
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
            Level::V3(_) => "v3",
            #[cfg(target_arch = "x86_64")]
            Level::V3SlowPext(_) => "v3-nopext",
        })
    }
}

/// Returns true if this machine has AVX-512 as Ice Lake and Zen 4 have it.
#[cfg(target_arch = "x86_64")]
pub(super) fn is_wide() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("pclmulqdq")
        && is_x86_feature_detected!("vpclmulqdq")
}

/// Returns true on AMD before Zen 3 (family 19h), which runs PEXT in microcode, at up to 300 cycles.
#[cfg(target_arch = "x86_64")]
fn pext_is_microcoded() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let is_amd = [vendor.ebx, vendor.edx, vendor.ecx] == [0x6874_7541, 0x6974_6e65, 0x444d_4163];
    let signature = __cpuid(1).eax;
    let family = (signature >> 8 & 15) + (signature >> 20 & 255);
    is_amd && family < 0x19
}
