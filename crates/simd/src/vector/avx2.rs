//! Four 64-bit lanes in an AVX2 vector.

use super::cache_line::Avx2Line;
use super::proof::{Avx2, Sealed};
use super::u64s::{Bytes, U64s};
use perft_gate_kernel::inline_all;
use std::arch::x86_64 as arch;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Four 64-bit lanes in an AVX2 vector.
#[derive(Clone, Copy, Debug)]
pub struct U64x4(arch::__m256i);

operators!(U64x4: BitAnd bitand _mm256_and_si256, BitOr bitor _mm256_or_si256, BitXor bitxor _mm256_xor_si256);

impl Not for U64x4 {
    type Output = U64x4;
    #[inline(always)]
    fn not(self) -> U64x4 {
        // SAFETY: the vector was made with an `Avx2` proof.
        U64x4(unsafe { arch::_mm256_xor_si256(self.0, arch::_mm256_set1_epi64x(-1)) })
    }
}

impl Sealed for U64x4 {}

/// Passes the vector through an empty assembly block.
#[inline]
#[target_feature(enable = "avx2")]
fn opaque(vector: arch::__m256i) -> arch::__m256i {
    let mut vector = vector;
    // Miri runs no assembly.
    #[cfg(not(miri))]
    // SAFETY: the assembly contains no instruction.
    unsafe {
        std::arch::asm!("/* {vector} */", vector = inout(ymm_reg) vector, options(nomem, nostack, preserves_flags));
    }
    vector
}

#[inline_all]
impl U64s for U64x4 {
    const LANES: usize = 4;
    type Proof = Avx2;
    /// Bit counts, one for each byte of the vector.
    type Sums = arch::__m256i;
    type Line = Avx2Line;

    fn splat(_: Avx2, word: u64) -> U64x4 {
        // SAFETY: the caller passes a proof of AVX2.
        U64x4(unsafe { arch::_mm256_set1_epi64x(word as i64) })
    }
    fn load(_: Avx2, words: &[u64]) -> U64x4 {
        // SAFETY: the slice has four words; the caller passes a proof of AVX2.
        U64x4(unsafe { arch::_mm256_loadu_si256(words[..4].as_ptr().cast()) })
    }
    fn store(self, words: &mut [u64]) {
        // SAFETY: the slice has four words; the vector was made with an `Avx2` proof.
        unsafe { arch::_mm256_storeu_si256(words[..4].as_mut_ptr().cast(), self.0) }
    }
    fn shl(self, by: u32) -> U64x4 {
        // SAFETY: the vector was made with an `Avx2` proof.
        U64x4(unsafe { arch::_mm256_sll_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
    }
    fn shr(self, by: u32) -> U64x4 {
        // SAFETY: the vector was made with an `Avx2` proof.
        U64x4(unsafe { arch::_mm256_srl_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
    }
    by_instruction!(U64x4: sub_u8 _mm256_sub_epi8, minus _mm256_sub_epi64, plus _mm256_add_epi64, times _mm256_mul_epu32);

    fn reverse_bytes(self) -> U64x4 {
        // SAFETY: the vector was made with an `Avx2` proof.
        U64x4(unsafe {
            let order = arch::_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
            arch::_mm256_shuffle_epi8(self.0, arch::_mm256_broadcastsi128_si256(order))
        })
    }
    fn is_zero(self) -> U64x4 {
        // SAFETY: the vector was made with an `Avx2` proof.
        U64x4(unsafe { arch::_mm256_cmpeq_epi64(self.0, arch::_mm256_setzero_si256()) })
    }
    fn is_all_zero(self) -> bool {
        // SAFETY: the vector was made with an `Avx2` proof.
        unsafe { arch::_mm256_testz_si256(self.0, self.0) != 0 }
    }
    fn tally(_: Avx2) -> arch::__m256i {
        // SAFETY: the caller passes a proof of AVX2.
        unsafe { arch::_mm256_setzero_si256() }
    }
    fn count(self, tally: arch::__m256i) -> arch::__m256i {
        // SAFETY: the vector was made with an `Avx2` proof.
        unsafe {
            let bits = arch::_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
            let (bits, low) = (arch::_mm256_broadcastsi128_si256(bits), arch::_mm256_set1_epi8(15));
            let lower = arch::_mm256_shuffle_epi8(bits, arch::_mm256_and_si256(self.0, low));
            let upper = arch::_mm256_and_si256(arch::_mm256_srli_epi16::<4>(self.0), low);
            let upper = arch::_mm256_shuffle_epi8(bits, upper);
            arch::_mm256_add_epi8(tally, arch::_mm256_add_epi8(lower, upper))
        }
    }
    fn lane_sums(_: Avx2, tally: arch::__m256i) -> U64x4 {
        // SAFETY: the caller passes a proof of AVX2.
        U64x4(unsafe { arch::_mm256_sad_epu8(tally, arch::_mm256_setzero_si256()) })
    }
    fn sum(self) -> u64 {
        // SAFETY: the vector was made with an `Avx2` proof.
        unsafe {
            let (low, high) = (arch::_mm256_castsi256_si128(self.0), arch::_mm256_extracti128_si256::<1>(self.0));
            let sums = arch::_mm_add_epi64(low, high);
            (arch::_mm_cvtsi128_si64(sums) as u64).wrapping_add(arch::_mm_extract_epi64::<1>(sums) as u64)
        }
    }
    fn lanes_with_bits(self) -> u32 {
        // SAFETY: the vector was made with an `Avx2` proof.
        unsafe { !arch::_mm256_movemask_pd(arch::_mm256_castsi256_pd(self.is_zero().0)) as u32 & 15 }
    }
    fn bits(self, _: Avx2) -> U64x4 {
        // SAFETY: the caller passes a proof of AVX2.
        U64x4(unsafe { arch::_mm256_sllv_epi64(arch::_mm256_set1_epi64x(1), self.0) })
    }
    fn concat_at(self, proof: Avx2, at: usize, next: U64x4) -> U64x4 {
        debug_assert!(at < Self::LANES);
        let kept = U64x4::first(proof, at);
        // Each 64-bit lane moves as two 32-bit lanes.
        let from =
            [[0, 1, 2, 3, 4, 5, 6, 7], [0, 0, 0, 1, 2, 3, 4, 5], [0, 0, 0, 0, 0, 1, 2, 3], [0, 0, 0, 0, 0, 0, 0, 1]];
        let from: &[i32; 8] = &from[at & 3];
        // SAFETY: eight numbers are read from an array of eight; the caller passes a proof of AVX2.
        let moved =
            U64x4(unsafe { arch::_mm256_permutevar8x32_epi32(next.0, arch::_mm256_loadu_si256(from.as_ptr().cast())) });
        self & kept | moved & !kept
    }
}

#[inline_all]
impl Bytes for U64x4 {
    fn of_halves(_: Avx2, first: &[u64], second: &[u64]) -> U64x4 {
        // SAFETY: both slices have two words; the caller passes a proof of AVX2.
        U64x4(unsafe {
            let low = arch::_mm_loadu_si128(first[..2].as_ptr().cast());
            let high = arch::_mm_loadu_si128(second[..2].as_ptr().cast());
            arch::_mm256_inserti128_si256::<1>(arch::_mm256_castsi128_si256(low), high)
        })
    }
    fn high_nibbles(self) -> U64x4 {
        // SAFETY: the vector was made with an `Avx2` proof.
        U64x4(unsafe { arch::_mm256_and_si256(arch::_mm256_srli_epi16::<4>(self.0), arch::_mm256_set1_epi8(15)) })
    }
    fn look_up_in(self, table: &[u8; 16]) -> U64x4 {
        // SAFETY: 16 bytes are read from an array of 16; the vector was made with an `Avx2` proof.
        U64x4(unsafe {
            let table = arch::_mm_loadu_si128(table.as_ptr().cast());
            arch::_mm256_shuffle_epi8(arch::_mm256_broadcastsi128_si256(table), self.0)
        })
    }
    fn interleave_low<const N: usize>(self, other: U64x4) -> U64x4 {
        // SAFETY: the vectors were made with the proof of AVX2.
        U64x4(unsafe {
            match N {
                1 => arch::_mm256_unpacklo_epi8(self.0, other.0),
                2 => arch::_mm256_unpacklo_epi16(self.0, other.0),
                _ => arch::_mm256_unpacklo_epi32(self.0, other.0),
            }
        })
    }
    fn interleave_high<const N: usize>(self, other: U64x4) -> U64x4 {
        // SAFETY: the vectors were made with the proof of AVX2.
        U64x4(unsafe {
            match N {
                1 => arch::_mm256_unpackhi_epi8(self.0, other.0),
                2 => arch::_mm256_unpackhi_epi16(self.0, other.0),
                _ => arch::_mm256_unpackhi_epi32(self.0, other.0),
            }
        })
    }
    fn differing_bytes(self, other: U64x4) -> u32 {
        // SAFETY: the vectors were made with the proof of AVX2.
        !unsafe { arch::_mm256_movemask_epi8(arch::_mm256_cmpeq_epi8(self.0, other.0)) }.cast_unsigned()
    }
    by_instruction!(U64x4: plus16 _mm256_add_epi16);

    fn odd_bytes(self) -> U64x4 {
        // SAFETY: the vector was made with an `Avx2` proof.
        U64x4(unsafe { arch::_mm256_srli_epi16::<8>(self.0) })
    }
    fn opaque(self) -> U64x4 {
        // SAFETY: the vector was made with an `Avx2` proof.
        U64x4(unsafe { opaque(self.0) })
    }
}
