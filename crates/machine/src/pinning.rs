//! Hardware threads, and pinning to them.
//!
//! macOS pins no threads: its interface is a hint, which Apple's own processors refuse. So it counts as no pinning, and
//! no hardware thread is named.

use crate::linux_files::LinuxFiles;
use core_affinity::CoreId;
use std::cmp::Reverse;
use std::env::consts::OS;

/// Reason why threads cannot be pinned on a system, by its name or by a target triple; `None` if they can be.
fn obstacle(system: &str) -> Option<&'static str> {
    let is_macos = system == "macos" || system.contains("-apple-");
    is_macos.then_some("macOS does not pin threads")
}

/// Returns `not pinned`, with the reason on a system that pins no threads: given its name or a target triple.
pub fn describe_unpinned(system: &str) -> String {
    obstacle(system).map_or("not pinned".into(), |reason| format!("not pinned ({reason})"))
}

/// Returns the numbers of the hardware threads that this process may be pinned to: first one of every core, then the
/// others; the fastest cores first where Linux tells their speeds. Empty where the system numbers none.
pub fn cores() -> Vec<usize> {
    let linux = LinuxFiles::default();
    let mut cores = numbers();
    cores.sort_by_key(|&core| (linux.place_in_core(core), Reverse(linux.speed(core)), core));
    cores
}

fn numbers() -> Vec<usize> {
    if obstacle(OS).is_some() {
        return Vec::new();
    }
    core_affinity::get_core_ids().unwrap_or_default().iter().map(|core| core.id).collect()
}

/// Describes where threads are placed, in the order of [`cores`]; `smt` is that of the hardware.
pub fn placement(smt: Option<bool>) -> String {
    if numbers().is_empty() {
        return describe_unpinned(OS);
    }
    let order = match smt {
        Some(true) => "cores before their SMT siblings",
        Some(false) => "one thread a core (no SMT)",
        None => "in the order of the hardware threads (which of them share a core is not available)",
    };
    format!("pinned, {order}")
}

/// Pins the calling thread to a hardware thread; returns true if the system did it.
pub fn pin(core: usize) -> bool {
    obstacle(OS).is_none() && core_affinity::set_for_current(CoreId { id: core })
}

/// Pins the calling thread to the last of the fastest hardware threads, which has the fewest interrupts; returns which
/// one it is.
pub fn pin_to_last() -> Option<usize> {
    let linux = LinuxFiles::default();
    numbers().into_iter().max_by_key(|&core| (linux.speed(core), core)).filter(|&core| pin(core))
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

    #[test]
    fn the_placement_is_what_the_system_tells() {
        if cores().is_empty() {
            assert_eq!(placement(Some(true)), describe_unpinned(OS));
        } else {
            assert_eq!(placement(Some(true)), "pinned, cores before their SMT siblings");
            assert!(placement(None).contains("not available"));
        }
    }
}
