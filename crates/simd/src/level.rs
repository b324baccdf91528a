//! Instruction-set levels: detected once, and the entry into code that is compiled for them.

#[cfg(target_arch = "x86_64")]
use crate::detection::{is_wide, missing_of_v3, pext_is_microcoded};
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
    /// AVX2 and BMI2; called v4 if the kernels use AVX-512.
    #[cfg(target_arch = "x86_64")]
    V3(V3<true>),
    /// AVX2 and BMI2, with a slow PEXT.
    #[cfg(target_arch = "x86_64")]
    V3SlowPext(V3<false>),
    /// NEON, which every AArch64 has.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

impl Level {
    /// The names that [`Level::named`] knows.
    pub const NAMES: [&'static str; 6] = ["auto", "v1", "v3-nopext", "v3", "v4", "neon"];

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
            if missing_of_v3().is_empty() {
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
        #[cfg(target_arch = "aarch64")]
        return Level::Neon(Neon::detect());
        #[cfg(not(target_arch = "aarch64"))]
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
            ("v3-nopext", Level::V3(token)) => Some(Level::V3SlowPext(token.narrow())),
            #[cfg(target_arch = "x86_64")]
            ("v3-nopext", Level::V3SlowPext(token)) => Some(Level::V3SlowPext(token.narrow())),
            #[cfg(target_arch = "x86_64")]
            ("v3", Level::V3(token)) => Some(Level::V3(token.narrow())),
            #[cfg(target_arch = "x86_64")]
            ("v3", best @ Level::V3SlowPext(_)) => Some(best),
            #[cfg(target_arch = "x86_64")]
            ("v4", best @ Level::V3(token)) if token.is_wide() => Some(best),
            #[cfg(target_arch = "aarch64")]
            ("neon", best) => Some(best),
            _ => None,
        }
    }

    /// Returns true for the level that nearly all machines of its kind reach.
    pub fn is_common(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return matches!(self, Level::V3(_));
        #[cfg(target_arch = "aarch64")]
        return matches!(self, Level::Neon(_));
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        return true;
    }

    /// Returns true if the level has vectors that are faster than words.
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
            #[cfg(target_arch = "aarch64")]
            Level::Neon(token) => token.call_wide(task),
        }
    }
}

impl Caller for Level {
    /// **Panics** if the task is compiled for the common level alone, and this is another.
    fn call<K: Kernel>(self, task: K) -> K::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::V3(token) => token.call(task),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(token) => token.call(task),
            // The compiler makes no code for a branch that a constant rules out.
            other => {
                if K::COMMON_ONLY && !V1::COMMON {
                    unreachable!("a task of another level")
                } else {
                    match other {
                        Level::V1(token) => token.call(task),
                        #[cfg(target_arch = "x86_64")]
                        Level::V3SlowPext(token) => token.call(task),
                        #[cfg(target_arch = "x86_64")]
                        Level::V3(_) => unreachable!("matched above"),
                        #[cfg(target_arch = "aarch64")]
                        Level::Neon(_) => unreachable!("matched above"),
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
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "neon",
        })
    }
}
