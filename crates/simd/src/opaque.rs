//! Values that the compiler must not reason about, kept in registers.
//!
//! A walk makes a move and takes it back: an optimiser that saw both would cancel them, and the checks in between would compare
//! nothing. [`std::hint::black_box`] prevents that through memory: a board that is hidden by it is written and read back at every
//! node. Here a value passes through an empty piece of assembly that "may change" it, in the register where it is.

/// Returns the word; the compiler knows nothing about the result.
#[inline(always)]
pub fn opaque(word: u64) -> u64 {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let mut word = word;
        // SAFETY: there is no instruction.
        unsafe {
            std::arch::asm!("/* {word} */", word = inout(reg) word, options(nomem, nostack, preserves_flags));
        }
        word
    }
    #[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), miri))]
    std::hint::black_box(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_stays_the_same() {
        for word in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(opaque(word), word);
        }
    }
}
