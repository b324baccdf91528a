//! Prefetches: hints that a cache line will be read.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as arch;

/// Prefetches the cache line that `place` starts in.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    // Miri has no caches to fill.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads nothing and never faults, and SSE is part of every x86-64.
    unsafe {
        arch::_mm_prefetch::<{ arch::_MM_HINT_T0 }>(std::ptr::from_ref(place).cast());
    }
    // The intrinsic for it is not stable.
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: a prefetch reads nothing and never faults, and is part of every AArch64.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{place}]",
            place = in(reg) std::ptr::from_ref(place),
            options(nostack, preserves_flags, readonly)
        );
    }
    #[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), miri))]
    let _ = place;
}

/// Prefetches the cache line of an address, whatever is there.
///
/// The hint for the second-level cache only (`prefetcht1`) is none: in a run of 33 of them, a Zen 5 server dropped at least three
/// of four.
#[inline(always)]
pub fn prefetch_address(address: usize) {
    // Miri has no caches to fill.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads nothing and never faults, and SSE is part of every x86-64.
    unsafe {
        arch::_mm_prefetch::<{ arch::_MM_HINT_T0 }>(std::ptr::without_provenance(address));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
