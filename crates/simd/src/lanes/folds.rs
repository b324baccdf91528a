//! Eight words, in two vectors of four, folded into one, two or four words.

use std::arch::x86_64 as arch;

/// Returns the first two words or'ed together, and the last two.
#[inline(always)]
pub(super) unsafe fn halves(vector: arch::__m256i) -> [u64; 2] {
    // SAFETY: the caller holds a vector that was made with the proof of AVX2.
    unsafe {
        let (low, high) = (arch::_mm256_castsi256_si128(vector), arch::_mm256_extracti128_si256::<1>(vector));
        let joined = arch::_mm_or_si128(arch::_mm_unpacklo_epi64(low, high), arch::_mm_unpackhi_epi64(low, high));
        [arch::_mm_cvtsi128_si64(joined) as u64, arch::_mm_extract_epi64::<1>(joined) as u64]
    }
}

/// Returns the bits that are in any of eight words, and those that are in two or more.
#[inline(always)]
pub(super) unsafe fn folded_twice(a: arch::__m256i, b: arch::__m256i) -> [u64; 2] {
    // SAFETY: the caller holds vectors that were made with the proof of AVX2.
    unsafe {
        let (any, twice) = (arch::_mm256_or_si256(a, b), arch::_mm256_and_si256(a, b));
        let split = |v| (arch::_mm256_castsi256_si128(v), arch::_mm256_extracti128_si256::<1>(v));
        let ((a, b), (c, d)) = (split(any), split(twice));
        let any = arch::_mm_or_si128(a, b);
        let twice = arch::_mm_or_si128(arch::_mm_and_si128(a, b), arch::_mm_or_si128(c, d));
        let (first, second) = (arch::_mm_unpacklo_epi64(any, twice), arch::_mm_unpackhi_epi64(any, twice));
        let (any, both) = (arch::_mm_or_si128(first, second), arch::_mm_and_si128(first, second));
        let twice = arch::_mm_extract_epi64::<1>(any) | arch::_mm_cvtsi128_si64(both);
        [arch::_mm_cvtsi128_si64(any) as u64, twice as u64]
    }
}

/// Returns, for each bit, how many of eight words have it, as bit planes: ones, twos, fours, eights.
#[inline(always)]
pub(super) unsafe fn added_halves(a: arch::__m256i, b: arch::__m256i) -> [u64; 4] {
    // SAFETY: the caller holds vectors that were made with the proof of AVX2.
    unsafe {
        let (ones, twos) = (arch::_mm256_xor_si256(a, b), arch::_mm256_and_si256(a, b));
        let split = |v| (arch::_mm256_castsi256_si128(v), arch::_mm256_extracti128_si256::<1>(v));
        let ((a, b), (c, d)) = (split(ones), split(twos));
        let (ones, carry) = (arch::_mm_xor_si128(a, b), arch::_mm_and_si128(a, b));
        let either = arch::_mm_xor_si128(c, d);
        let twos = arch::_mm_xor_si128(either, carry);
        let fours = arch::_mm_or_si128(arch::_mm_and_si128(c, d), arch::_mm_and_si128(either, carry));
        let words = |v| (arch::_mm_cvtsi128_si64(v) as u64, arch::_mm_extract_epi64::<1>(v) as u64);
        let ((a, b), (c, d), (e, f)) = (words(ones), words(twos), words(fours));
        let (ones, carry) = (a ^ b, a & b);
        let (twos, carry) = (c ^ d ^ carry, c & d | (c ^ d) & carry);
        let (fours, eights) = (e ^ f ^ carry, e & f | (e ^ f) & carry);
        [ones, twos, fours, eights]
    }
}
