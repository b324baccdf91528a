//! Memory for a large table: zeroed, in huge pages if the machine has them, and resident before the work starts.
//!
//! With pages of 4 KiB, nearly every random read from a table of several gigabytes misses the translation buffer (TLB).
//! With pages of 2 MiB, few reads do. The system provides the pages of an anonymous mapping on first touch.
//! [`Pages::new_zeroed`] touches them all, on all workers, so that page faults do not interrupt the work and a lack of
//! memory is noticed at the start.
//!
//! Entries are plain numbers: any bytes are valid, and all zeros mean empty. So this module needs no unsafe code.

#[cfg(all(feature = "huge-pages", not(miri)))]
use rayon::prelude::*;
use std::io;
use std::ops::{Deref, DerefMut};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// A slice of zeroed entries in dedicated memory.
#[derive(Debug)]
pub struct Pages<T>(Backing<T>);

#[derive(Debug)]
enum Backing<T> {
    /// Memory from the allocator.
    Heap(Vec<T>),
    /// Memory mapped by the system.
    #[cfg(all(feature = "huge-pages", not(miri)))]
    Mapped(memmap2::MmapMut),
}

/// Minimum size in bytes of a mapped table. A smaller table gains nothing from a huge page, and a run with a million
/// small tables would spend its time in system calls.
#[cfg(all(feature = "huge-pages", not(miri)))]
const MAPPED: usize = 64 << 10;

/// Number of bytes that a worker touches at a time: one huge page.
pub(super) const PIECE: usize = 2 << 20;
/// Size of the smallest page in bytes.
pub(super) const PAGE: usize = 4 << 10;

/// Maps zeroed memory, in huge pages if the system has them.
#[cfg(all(feature = "huge-pages", not(miri)))]
pub(super) fn map_pages(bytes: usize) -> io::Result<memmap2::MmapMut> {
    let memory = memmap2::MmapMut::map_anon(bytes)?;
    // A kernel without huge pages refuses the advice. The memory still works, only slower.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Ok(memory)
}

impl<T: FromBytes + IntoBytes + Immutable + Send> Pages<T> {
    /// Allocates `entries` zeroed entries.
    ///
    /// **Errors**: the system does not have that much memory.
    pub fn new_zeroed(entries: usize) -> io::Result<Pages<T>> {
        let bytes = entries.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
        let Some(_bytes) = bytes else { return Err(io::ErrorKind::OutOfMemory.into()) };
        #[cfg(all(feature = "huge-pages", not(miri)))]
        if _bytes >= MAPPED {
            let mut memory = map_pages(_bytes)?;
            let touch = |piece: &mut [u8]| piece.iter_mut().step_by(PAGE).for_each(|byte| *byte = 0);
            memory.par_chunks_mut(PIECE).for_each(touch);
            return Ok(Pages(Backing::Mapped(memory)));
        }
        let mut memory = Vec::new();
        memory.try_reserve_exact(entries).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        memory.resize_with(entries, T::new_zeroed);
        Ok(Pages(Backing::Heap(memory)))
    }
}

impl<T: FromBytes + IntoBytes + Immutable> Deref for Pages<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match &self.0 {
            Backing::Heap(memory) => memory,
            #[cfg(all(feature = "huge-pages", not(miri)))]
            Backing::Mapped(bytes) => <[T]>::ref_from_bytes(bytes).expect("whole entries, at the start of a page"),
        }
    }
}

impl<T: FromBytes + IntoBytes + Immutable> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Backing::Heap(memory) => memory,
            #[cfg(all(feature = "huge-pages", not(miri)))]
            Backing::Mapped(bytes) => <[T]>::mut_from_bytes(bytes).expect("whole entries, at the start of a page"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_start_zeroed_and_keep_what_is_written() {
        for entries in [0, 1, 7, 1000, 300_000] {
            let mut pages = Pages::<[u32; 9]>::new_zeroed(entries).unwrap();
            assert_eq!(pages.len(), entries);
            assert!(pages.iter().all(|entry| *entry == [0; 9]));
            for (number, entry) in pages.iter_mut().enumerate() {
                *entry = [number as u32; 9];
            }
            assert!(pages.iter().enumerate().all(|(number, entry)| *entry == [number as u32; 9]));
        }
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Pages::<[u32; 4]>::new_zeroed(usize::MAX / 8).is_err());
        assert!(Pages::<[u32; 4]>::new_zeroed(1 << 56).is_err());
    }
}
