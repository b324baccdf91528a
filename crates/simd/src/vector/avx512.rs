//! Eight 64-bit lanes in an AVX-512 vector.

use super::cache_line::Avx512Line;
use super::proof::{Avx512, Sealed};
use super::u64s::U64s;
use perft_gate_kernel::inline_all;
use std::arch::x86_64 as arch;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Eight 64-bit lanes in an AVX-512 vector.
#[derive(Clone, Copy, Debug)]
pub struct U64x8(arch::__m512i);

operators!(U64x8: BitAnd bitand _mm512_and_si512, BitOr bitor _mm512_or_si512, BitXor bitxor _mm512_xor_si512);

impl Not for U64x8 {
    type Output = U64x8;
    #[inline(always)]
    fn not(self) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_xor_si512(self.0, arch::_mm512_set1_epi64(-1)) })
    }
}

impl Sealed for U64x8 {}

#[inline_all]
impl U64s for U64x8 {
    const LANES: usize = 8;
    type Proof = Avx512;
    type Sums = arch::__m512i;
    type Line = Avx512Line;

    fn splat(_: Avx512, word: u64) -> U64x8 {
        // SAFETY: the caller passes a proof of AVX-512.
        U64x8(unsafe { arch::_mm512_set1_epi64(word as i64) })
    }
    fn load(_: Avx512, words: &[u64]) -> U64x8 {
        // SAFETY: the slice has eight words; the caller passes a proof of AVX-512.
        U64x8(unsafe { arch::_mm512_loadu_si512(words[..8].as_ptr().cast()) })
    }
    fn store(self, words: &mut [u64]) {
        // SAFETY: the slice has eight words; the vector was made with the proof of AVX-512.
        unsafe { arch::_mm512_storeu_si512(words[..8].as_mut_ptr().cast(), self.0) }
    }
    fn shl(self, by: u32) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_sll_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
    }
    fn shr(self, by: u32) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_srl_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
    }
    by_instruction!(U64x8: sub_u8 _mm512_sub_epi8, minus _mm512_sub_epi64, plus _mm512_add_epi64, times _mm512_mul_epu32);

    fn reverse_bytes(self) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe {
            let order = arch::_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
            arch::_mm512_shuffle_epi8(self.0, arch::_mm512_broadcast_i32x4(order))
        })
    }
    fn is_zero(self) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_movm_epi64(arch::_mm512_testn_epi64_mask(self.0, self.0)) })
    }
    fn tally(_: Avx512) -> arch::__m512i {
        // SAFETY: the caller passes a proof of AVX-512.
        unsafe { arch::_mm512_setzero_si512() }
    }
    fn count(self, tally: arch::__m512i) -> arch::__m512i {
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe { arch::_mm512_add_epi64(tally, arch::_mm512_popcnt_epi64(self.0)) }
    }
    fn lane_sums(_: Avx512, tally: arch::__m512i) -> U64x8 {
        U64x8(tally)
    }
    fn sum(self) -> u64 {
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe { arch::_mm512_reduce_add_epi64(self.0) as u64 }
    }
    fn lanes_with_bits(self) -> u32 {
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe { arch::_mm512_test_epi64_mask(self.0, self.0).into() }
    }
    fn bits(self, _: Avx512) -> U64x8 {
        // SAFETY: the caller passes a proof of AVX-512.
        U64x8(unsafe { arch::_mm512_sllv_epi64(arch::_mm512_set1_epi64(1), self.0) })
    }
    fn xor_where_met(self, toggles: U64x8, other: U64x8) -> U64x8 {
        // SAFETY: the vectors were made with the proof of AVX-512.
        U64x8(unsafe {
            let met = arch::_mm512_test_epi64_mask(self.0, other.0);
            arch::_mm512_mask_xor_epi64(self.0, met, self.0, toggles.0)
        })
    }
    fn concat_at(self, _: Avx512, at: usize, next: U64x8) -> U64x8 {
        debug_assert!(at < Self::LANES);
        let moved = ((0xff_u32 << (at & 7)) & 0xff) as u8;
        // SAFETY: the vectors were made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_mask_expand_epi64(self.0, moved, next.0) })
    }
}
