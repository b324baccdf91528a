//! Hardware threads, and pinning to them.
//!
//! macOS cannot pin threads: its interface only takes hints, and it rejects even those on Apple's processors. So
//! threads on macOS count as not pinned, and no hardware threads are listed.

use crate::linux_files::LinuxFiles;
use core_affinity::CoreId;
use std::cmp::Reverse;
use std::env::consts::OS;

/// Returns the reason why a system, given by name or target triple, cannot pin threads, or `None` if it can.
fn obstacle(system: &str) -> Option<&'static str> {
    let is_macos = system == "macos" || system.contains("-apple-");
    is_macos.then_some("macOS does not pin threads")
}

/// Returns `not pinned`, with the reason if the system, given by name or target triple, cannot pin threads.
pub fn describe_unpinned(system: &str) -> String {
    obstacle(system).map_or("not pinned".into(), |reason| format!("not pinned ({reason})"))
}

/// Returns the numbers of the hardware threads that this process may be pinned to. The first thread of every core comes
/// before all other threads, and within both groups the fastest come first if Linux reports speeds. Empty if the system
/// does not number its hardware threads.
pub fn cores() -> Vec<usize> {
    let (linux, numbers) = (LinuxFiles::default(), numbers());
    in_order(&numbers, &linux.speeds(&numbers), |thread| linux.place_in_core(thread))
}

/// Sorts hardware threads: the first thread of each core before the others, and within both groups the fastest first if
/// speeds are known.
fn in_order(threads: &[usize], speeds: &[u64], place_in_core: impl Fn(usize) -> usize) -> Vec<usize> {
    let speeds = speeds.iter().copied().chain(std::iter::repeat(0));
    let mut sorted: Vec<_> =
        threads.iter().zip(speeds).map(|(&thread, speed)| (place_in_core(thread), Reverse(speed), thread)).collect();
    sorted.sort_unstable();
    sorted.into_iter().map(|(_, _, thread)| thread).collect()
}

fn numbers() -> Vec<usize> {
    if obstacle(OS).is_some() {
        return Vec::new();
    }
    core_affinity::get_core_ids().unwrap_or_default().iter().map(|core| core.id).collect()
}

/// Describes how threads are placed if they are pinned in the order of [`cores`]. `smt` says whether the hardware has
/// SMT.
pub fn placement(smt: Option<bool>) -> String {
    if numbers().is_empty() {
        return describe_unpinned(OS);
    }
    let order = match smt {
        Some(true) => "cores before their SMT siblings",
        Some(false) => "one thread per core (no SMT)",
        None => "in the order of the hardware threads (the system does not say which share a core)",
    };
    format!("pinned, {order}")
}

/// Pins the calling thread to a hardware thread. Returns true if this succeeded.
pub fn pin(core: usize) -> bool {
    obstacle(OS).is_none() && core_affinity::set_for_current(CoreId { id: core })
}

/// Pins the calling thread to a hardware thread and returns its number. Chooses the last of the fastest hardware
/// threads, because it gets the fewest interrupts. If Linux reports no speeds, all cores are alike, and the last thread
/// is chosen. On other systems, the first thread is chosen, because Windows numbers slow cores last.
pub fn pin_to_last() -> Option<usize> {
    let numbers = numbers();
    let speeds = LinuxFiles::default().speeds(&numbers);
    let chosen = match (speeds.iter().max(), OS) {
        (Some(fastest), _) => {
            numbers.iter().zip(&speeds).filter(|(_, speed)| *speed == fastest).map(|(thread, _)| thread).max()
        }
        (None, "linux") => numbers.iter().max(),
        (None, _) => numbers.iter().min(),
    };
    chosen.copied().filter(|&thread| pin(thread))
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
    fn fast_cores_come_first_and_second_threads_last() {
        // Two fast cores with two threads each, and two slow cores with one thread each.
        let (threads, speeds) = ([0, 1, 2, 3, 4, 5], [5, 5, 5, 5, 3, 3]);
        let place = |thread| usize::from(thread == 1 || thread == 3);
        assert_eq!(in_order(&threads, &speeds, place), [0, 2, 4, 5, 1, 3]);
        assert_eq!(in_order(&[4, 2, 0], &[1, 1, 9], |_| 0), [0, 2, 4]);
        assert_eq!(in_order(&[2, 1, 0], &[], |_| 0), [0, 1, 2]);
    }

    #[test]
    fn the_placement_is_what_the_system_tells() {
        if cores().is_empty() {
            assert_eq!(placement(Some(true)), describe_unpinned(OS));
        } else {
            assert_eq!(placement(Some(true)), "pinned, cores before their SMT siblings");
            assert!(placement(None).contains("the system does not say"));
        }
    }
}
