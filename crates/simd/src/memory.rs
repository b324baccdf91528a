//! A large zeroed block of words shared by threads, in huge pages if the system has them.

#[cfg(all(feature = "huge-pages", not(miri)))]
use super::pages::map_pages;
use super::pages::{PAGE, PIECE};
use rayon::prelude::*;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

const WORD: usize = size_of::<AtomicU64>();

/// A block of zeroed words. It starts at a page boundary if the system maps the memory.
#[derive(Debug)]
pub struct Memory {
    #[cfg(all(feature = "huge-pages", not(miri)))]
    map: memmap2::MmapRaw,
    #[cfg(all(feature = "huge-pages", not(miri)))]
    words: usize,
    #[cfg(not(all(feature = "huge-pages", not(miri))))]
    words: Vec<AtomicU64>,
}

#[cfg(all(feature = "huge-pages", not(miri)))]
impl Memory {
    /// Reserves a block of `words` zeroed words. The system provides each page on the first write.
    ///
    /// **Errors**: the system does not have that much memory.
    pub fn new(words: usize) -> io::Result<Memory> {
        Ok(Memory { map: map_pages(words.saturating_mul(WORD))?.into(), words })
    }

    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: the map has this many words, starts at a page boundary, and is unmapped only when `self` is dropped.
        // Only this method makes references into it, and any bits are a valid `AtomicU64`.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), self.words) }
    }
}

impl Memory {
    /// Writes to every page, on the current rayon pool, so that the system provides all pages now. Before each piece of
    /// 2 MiB, calls `goes_on` with its size in bytes, and skips the piece if the result is false.
    pub fn touch(&self, goes_on: impl Fn(usize) -> bool + Sync) {
        let touch =
            |words: &[AtomicU64]| words.iter().step_by(PAGE / WORD).for_each(|word| word.store(0, Ordering::Relaxed));
        let pieces = self.words().par_chunks(PIECE / WORD);
        pieces.filter(|words| goes_on(words.len() * WORD)).for_each(touch);
    }

    /// Zeroes every word, on the current rayon pool.
    pub fn clear(&mut self) {
        let clear = |words: &[AtomicU64]| words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        self.words().par_chunks(PIECE / WORD).for_each(clear);
    }
}

// Without `memmap2`, the words are on the heap.
#[cfg(not(all(feature = "huge-pages", not(miri))))]
impl Memory {
    pub fn new(words: usize) -> io::Result<Memory> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(words).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        memory.resize_with(words, || AtomicU64::new(0));
        Ok(Memory { words: memory })
    }

    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
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
        memory.touch(|_| true);
        let words = memory.words();
        assert_eq!(words.len(), 3 << 18);
        assert!(!cfg!(all(feature = "huge-pages", not(miri))) || (words.as_ptr() as usize).is_multiple_of(4096));
        assert!(words.iter().all(|word| word.load(Relaxed) == 0));
        std::thread::scope(|scope| {
            for thread in 0..2 {
                scope.spawn(move || words.iter().skip(thread).step_by(2).for_each(|word| word.store(7, Relaxed)));
            }
        });
        assert!(words.iter().all(|word| word.load(Relaxed) == 7));
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Memory::new(usize::MAX / 8 - 4096).is_err());
    }
}
