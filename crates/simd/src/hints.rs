//! Hints: they tell the processor to prefetch a cache line, and the compiler to treat a value as unknown.
//!
//! A walk makes a move and takes it back. An optimiser that saw both would cancel them, and the checks in between would
//! compare nothing. [`std::hint::black_box`] prevents that, but goes through memory: every node writes a board and
//! reads it back. [`opaque`] passes a value, in its register, through an empty assembly block that "may change" it.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as arch;

/// Prefetches the cache line that contains the first byte of `place`.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    prefetch_address(std::ptr::from_ref(place).addr());
}

/// Prefetches the cache line at an address. The address need not be valid.
///
/// A prefetch into the second-level cache only (`prefetcht1`) is useless: when 33 were issued in a row, a Zen 5 server
/// dropped at least three quarters of them.
#[inline(always)]
pub fn prefetch_address(address: usize) {
    // Miri has no caches to fill.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads nothing and never faults, and SSE is part of every x86-64.
    unsafe {
        arch::_mm_prefetch::<{ arch::_MM_HINT_T0 }>(std::ptr::without_provenance(address));
    }
    // The intrinsic for this instruction is not stable.
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: a prefetch reads nothing and never faults, and is part of every AArch64.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{address}]",
            address = in(reg) address,
            options(nostack, preserves_flags, readonly)
        );
    }
    #[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), miri))]
    let _ = address;
}

/// Returns the word unchanged, but the compiler knows nothing about the result.
#[inline(always)]
pub fn opaque(word: u64) -> u64 {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let mut word = word;
        // SAFETY: the assembly contains no instruction.
        unsafe {
            std::arch::asm!("/* {word} */", word = inout(reg) word, options(nomem, nostack, preserves_flags));
        }
        word
    }
    #[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), miri))]
    std::hint::black_box(word)
}
