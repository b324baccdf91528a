//! A large block of words that threads share: zeroed, in huge pages where the system has them.
#![cfg_attr(feature = "huge-pages", allow(unsafe_code))]

use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// There is no such block.
#[derive(Debug)]
pub struct MemoryError {
    bytes: u64,
    reason: String,
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of memory cannot be had: {}", self.bytes, self.reason)
    }
}

impl std::error::Error for MemoryError {}

/// Words of the smallest page.
const PAGE: usize = 4096 / size_of::<AtomicU64>();
/// Words that a thread touches at a time: a huge page.
const HUGE_PAGE: usize = 512 * PAGE;

/// Zeroed words, from the start of a page where the system's maps are used.
#[derive(Debug)]
pub(super) struct Memory {
    #[cfg(feature = "huge-pages")]
    map: memmap2::MmapRaw,
    #[cfg(feature = "huge-pages")]
    words: usize,
    #[cfg(not(feature = "huge-pages"))]
    words: Vec<AtomicU64>,
}

#[cfg(feature = "huge-pages")]
impl Memory {
    /// So many words; the system gives a page when it is first written.
    pub(super) fn new(words: usize) -> Result<Memory, MemoryError> {
        let bytes = words.saturating_mul(size_of::<AtomicU64>());
        let refused = |error: std::io::Error| MemoryError { bytes: bytes as u64, reason: error.to_string() };
        let map = memmap2::MmapOptions::new().len(bytes).map_anon().map_err(refused)?;
        // Random accesses to small pages wait for the page table too. Where the advice is refused, they do.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Memory { map: map.into(), words })
    }

    #[inline(always)]
    pub(super) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the map has this many words, starts at a page, is unmapped only when `self` is dropped, and nobody has
        // another reference into it; any bits are an `AtomicU64`.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), self.words) }
    }
}

impl Memory {
    /// Has every page given by the system, on the current rayon pool.
    pub(super) fn touch(&self) {
        let touch = |words: &[AtomicU64]| words.iter().step_by(PAGE).for_each(|word| word.store(0, Ordering::Relaxed));
        self.words().par_chunks(HUGE_PAGE).for_each(touch);
    }
}

/// Without the crate that maps memory.
#[cfg(not(feature = "huge-pages"))]
impl Memory {
    pub(super) fn new(words: usize) -> Result<Memory, MemoryError> {
        let mut memory = Vec::new();
        let bytes = words.saturating_mul(size_of::<AtomicU64>()) as u64;
        memory.try_reserve_exact(words).map_err(|error| MemoryError { bytes, reason: error.to_string() })?;
        memory.resize_with(words, || AtomicU64::new(0));
        Ok(Memory { words: memory })
    }

    #[inline(always)]
    pub(super) fn words(&self) -> &[AtomicU64] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn it_is_zeroed_aligned_and_shared() {
        let memory = Memory::new(3 << 18).unwrap();
        memory.touch();
        let words = memory.words();
        assert_eq!((words.len(), words.as_ptr() as usize % 4096), (3 << 18, 0));
        assert!(words.iter().all(|word| word.load(Relaxed) == 0));
        std::thread::scope(|scope| {
            for thread in 0..2 {
                scope.spawn(move || words.iter().skip(thread).step_by(2).for_each(|word| word.store(7, Relaxed)));
            }
        });
        assert!(words.iter().all(|word| word.load(Relaxed) == 7));
    }

    #[test]
    fn what_cannot_be_had_is_an_error() {
        let error = Memory::new(usize::MAX / 8 - 4096).unwrap_err().to_string();
        assert!(error.contains("bytes of memory cannot be had"), "{error}");
    }
}
