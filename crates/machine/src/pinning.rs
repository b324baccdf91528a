//! Hardware threads, and pinning to them.
//!
//! macOS pins no threads: its interface is a hint, which Apple's own processors refuse. So it counts as no pinning, and
//! no hardware thread is named.

use super::this_machine::core_kinds;
use core_affinity::CoreId;

/// Reason why threads cannot be pinned on a system, by its name or by a target triple; `None` if they can be.
pub fn obstacle(system: &str) -> Option<&'static str> {
    let is_macos = system == "macos" || system.contains("-apple-");
    is_macos.then_some("macOS does not pin threads")
}

/// Returns `not pinned`, with the reason on a system that pins no threads; the system as for [`obstacle`].
pub fn describe_unpinned(system: &str) -> String {
    obstacle(system).map_or("not pinned".into(), |reason| format!("not pinned ({reason})"))
}

/// Returns the numbers of the hardware threads that this process may be pinned to; empty where the system does not tell.
pub fn cores() -> Vec<usize> {
    if obstacle(std::env::consts::OS).is_some() {
        return Vec::new();
    }
    core_affinity::get_core_ids().unwrap_or_default().iter().map(|core| core.id).collect()
}

/// Pins the calling thread to a hardware thread; returns true if the system did it.
pub fn pin(core: usize) -> bool {
    obstacle(std::env::consts::OS).is_none() && core_affinity::set_for_current(CoreId { id: core })
}

/// Pins the calling thread to the last hardware thread of the fastest kind, which has the fewest interrupts; returns
/// which one it is.
pub fn pin_to_last() -> Option<usize> {
    let kinds = core_kinds();
    let is_fastest = |core: &usize| kinds.first().is_none_or(|fastest| fastest.threads.contains(core));
    let cores = cores();
    let fastest = cores.iter().copied().rfind(is_fastest);
    fastest.or(cores.last().copied()).filter(|&core| pin(core))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_pins_nothing_is_named() {
        assert_eq!(describe_unpinned("macos"), "not pinned (macOS does not pin threads)");
        assert_eq!(describe_unpinned("aarch64-apple-darwin"), describe_unpinned("macos"));
        assert_eq!(["linux", "windows", "x86_64-unknown-linux-gnu"].map(describe_unpinned), ["not pinned"; 3]);
    }
}
