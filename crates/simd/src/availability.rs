//! Which levels a machine has, and why it lacks the others.

#[cfg(target_arch = "x86_64")]
use crate::detection::{missing_of_v3, missing_of_v4};
use crate::level::Level;

/// Whether a machine has a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Availability {
    /// The machine has it.
    Present,
    /// The machine lacks these instruction sets.
    Lacks(Vec<&'static str>),
    /// The level belongs to another architecture.
    Foreign,
}

impl Level {
    /// Returns whether this machine has the level of this name, one of [`Level::NAMES`].
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

    /// Returns what of this machine decides how its levels run, in a sentence; nothing if nothing does.
    pub fn remark() -> Option<&'static str> {
        match Level::detect() {
            Level::V1(_) => None,
            #[cfg(target_arch = "x86_64")]
            Level::V3(_) => Some("PEXT is one fast instruction on this processor"),
            #[cfg(target_arch = "x86_64")]
            Level::V3SlowPext(_) => Some(
                "PEXT is slow on this processor (AMD before Zen 3 runs it in microcode), so v3 does without it, as v3-nopext",
            ),
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
            assert_eq!(found == Availability::Present, Level::named(name).is_some(), "{name}");
            assert_ne!(found, Availability::Lacks(Vec::new()), "{name}");
        }
        assert_eq!(Level::availability("v2"), Availability::Foreign);
    }
}
