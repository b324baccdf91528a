//! Hardware threads, and pinning to them.

use core_affinity::CoreId;

/// Returns the numbers of the hardware threads that this process may use; empty where the system does not tell.
pub fn cores() -> Vec<usize> {
    core_affinity::get_core_ids().unwrap_or_default().iter().map(|core| core.id).collect()
}

/// Pins the calling thread to a hardware thread; returns true if the system did it.
pub fn pin(core: usize) -> bool {
    core_affinity::set_for_current(CoreId { id: core })
}

/// Pins the calling thread to the last hardware thread, which has the fewest interrupts; returns which one it is.
pub fn pin_to_last() -> Option<usize> {
    cores().pop().filter(|&core| pin(core))
}
