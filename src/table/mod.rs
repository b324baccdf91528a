//! Large tables in memory: counts by position, and sets of keys.

mod counts;
mod memory;
mod pages;
mod set;
mod shard;
mod summary;

pub use counts::{Counts, Identity, Tally, Wanted};
pub use memory::MemoryError;
pub use pages::Pages;
pub use set::{Set, Writer};
pub use shard::{Entry, Part, Refused, SLICES, slice_of};
pub use summary::Summary;

/// Asks for the cache line of a slot that is needed soon.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(slots: &[T], at: usize) {
    // Miri has no caches to fill.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and cannot fault, whatever the address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(slots.as_ptr().wrapping_add(at).cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (slots, at);
}
