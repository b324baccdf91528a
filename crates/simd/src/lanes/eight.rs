//! Eight 64-bit lanes in an AVX-512 vector, and the proof that the machine has AVX-512.

use super::folds::{added_halves, folded_twice, halves};
use super::four::FIRST;
use super::{Lanes, Queue, Rays, Width, jump, turn};
use std::arch::x86_64 as arch;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Proof that the machine has AVX-512 as Ice Lake and Zen 4 have it: F, BW, DQ, VL, VBMI2, VPOPCNTDQ.
#[derive(Clone, Copy, Debug)]
pub struct W512(pub(crate) ());

/// Eight 64-bit lanes in an AVX-512 vector.
#[derive(Clone, Copy, Debug)]
pub struct U64x8(arch::__m512i);

impl Width for W512 {
    type Children = U64x8;
    type Rays = U64x8;
}

macro_rules! operator {
    ($trait:ident $method:ident $intrinsic:ident) => {
        impl $trait for U64x8 {
            type Output = U64x8;
            #[inline(always)]
            fn $method(self, other: U64x8) -> U64x8 {
                // SAFETY: a vector was made with the proof of its instructions.
                U64x8(unsafe { arch::$intrinsic(self.0, other.0) })
            }
        }
    };
}

operator!(BitAnd bitand _mm512_and_si512);
operator!(BitOr bitor _mm512_or_si512);
operator!(BitXor bitxor _mm512_xor_si512);

impl Not for U64x8 {
    type Output = U64x8;
    #[inline(always)]
    fn not(self) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_xor_si512(self.0, arch::_mm512_set1_epi64(-1)) })
    }
}

impl Lanes for U64x8 {
    const N: usize = 8;
    type Proof = W512;
    type Sums = arch::__m512i;

    #[inline(always)]
    fn splat(_: W512, word: u64) -> U64x8 {
        // SAFETY: the proof is of AVX-512.
        U64x8(unsafe { arch::_mm512_set1_epi64(word as i64) })
    }
    #[inline(always)]
    fn load(_: W512, words: &[u64]) -> U64x8 {
        // SAFETY: the slice has eight words; the proof is of AVX-512.
        U64x8(unsafe { arch::_mm512_loadu_si512(words[..8].as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        // SAFETY: the slice has eight words; the vector was made with the proof of AVX-512.
        unsafe { arch::_mm512_storeu_si512(words[..8].as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn shl(self, by: u32) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_sll_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
    }
    #[inline(always)]
    fn shr(self, by: u32) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_srl_epi64(self.0, arch::_mm_cvtsi32_si128(by as i32)) })
    }
    #[inline(always)]
    fn minus_bytes(self, other: U64x8) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_sub_epi8(self.0, other.0) })
    }
    #[inline(always)]
    fn minus(self, other: U64x8) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_sub_epi64(self.0, other.0) })
    }
    #[inline(always)]
    fn reversed(self) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe {
            let order = arch::_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
            arch::_mm512_shuffle_epi8(self.0, arch::_mm512_broadcast_i32x4(order))
        })
    }
    #[inline(always)]
    fn is_zero(self) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_movm_epi64(arch::_mm512_testn_epi64_mask(self.0, self.0)) })
    }
    #[inline(always)]
    fn any(self) -> u64 {
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe { arch::_mm512_reduce_or_epi64(self.0) as u64 }
    }
    #[inline(always)]
    fn tally(_: W512) -> arch::__m512i {
        // SAFETY: the proof is of AVX-512.
        unsafe { arch::_mm512_setzero_si512() }
    }
    #[inline(always)]
    fn count(self, tally: arch::__m512i) -> arch::__m512i {
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe { arch::_mm512_add_epi64(tally, arch::_mm512_popcnt_epi64(self.0)) }
    }
    #[inline(always)]
    fn twice(tally: arch::__m512i) -> arch::__m512i {
        // SAFETY: the tally was made with the proof of AVX-512.
        unsafe { arch::_mm512_add_epi64(tally, tally) }
    }
    #[inline(always)]
    fn settled(_: W512, tally: arch::__m512i) -> U64x8 {
        U64x8(tally)
    }
    #[inline(always)]
    fn plus(self, other: U64x8) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_add_epi64(self.0, other.0) })
    }
    #[inline(always)]
    fn sum(self, _: W512, lanes: usize) -> u64 {
        debug_assert!(lanes <= Self::N);
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe { arch::_mm512_mask_reduce_add_epi64(((1_u32 << (lanes & 15)) - 1) as u8, self.0) as u64 }
    }
    #[inline(always)]
    fn lanes_with_bits(self) -> u32 {
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe { arch::_mm512_test_epi64_mask(self.0, self.0).into() }
    }
    #[inline(always)]
    fn take_bits(_: W512, set: &mut u64, most: usize) -> U64x8 {
        let taken = most.min(set.count_ones() as usize).min(8) as u32;
        // SAFETY: the proof is of AVX-512, and of BMI2 with it.
        unsafe {
            let squares = arch::_mm512_maskz_compress_epi8(*set, arch::_mm512_loadu_si512(NUMBERS.as_ptr().cast()));
            let squares = arch::_mm512_cvtepu8_epi64(arch::_mm512_castsi512_si128(squares));
            let present = ((1_u32 << taken) - 1) as u8;
            *set = arch::_pdep_u64(!0 << taken, *set);
            U64x8(arch::_mm512_maskz_sllv_epi64(present, arch::_mm512_set1_epi64(1), squares))
        }
    }
}

impl Queue for U64x8 {
    #[inline(always)]
    fn put_squares(_: W512, set: u64, squares: &mut [u8]) {
        debug_assert!(set.count_ones() <= 32);
        // SAFETY: the slice has 32 bytes; the proof is of AVX-512.
        unsafe {
            let all = arch::_mm512_loadu_si512(NUMBERS.as_ptr().cast());
            let numbers = arch::_mm512_castsi512_si256(arch::_mm512_maskz_compress_epi8(set, all));
            arch::_mm256_storeu_si256(squares[..32].as_mut_ptr().cast(), numbers);
        }
    }
    #[inline(always)]
    fn bits(_: W512, numbers: &[u8]) -> U64x8 {
        debug_assert!(numbers[..8].iter().all(|number| *number < 64));
        // SAFETY: the slice has eight bytes; the proof is of AVX-512.
        unsafe {
            let numbers = arch::_mm512_cvtepu8_epi64(arch::_mm_loadl_epi64(numbers[..8].as_ptr().cast()));
            U64x8(arch::_mm512_sllv_epi64(arch::_mm512_set1_epi64(1), numbers))
        }
    }
    #[inline(always)]
    fn first(proof: W512, lanes: usize) -> U64x8 {
        debug_assert!(lanes <= Self::N);
        U64x8::load(proof, &FIRST[8 - lanes.min(8)..])
    }
    #[inline(always)]
    fn toggled_if_met(self, toggles: U64x8, other: U64x8) -> U64x8 {
        // SAFETY: the vectors were made with the proof of AVX-512.
        U64x8(unsafe {
            let met = arch::_mm512_test_epi64_mask(self.0, other.0);
            arch::_mm512_mask_xor_epi64(self.0, met, self.0, toggles.0)
        })
    }
    #[inline(always)]
    fn followed_by(self, _: W512, at: usize, next: U64x8) -> U64x8 {
        debug_assert!(at < Self::N);
        let moved = ((0xff_u32 << (at & 7)) & 0xff) as u8;
        // SAFETY: the vectors were made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_mask_expand_epi64(self.0, moved, next.0) })
    }
}

static NUMBERS: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut i = 0;
    while i < 64 {
        numbers[i] = i as u8;
        i += 1;
    }
    numbers
};

impl Rays for U64x8 {
    #[inline(always)]
    fn axes(_: W512, words: [u64; 4]) -> U64x8 {
        let [file, rank, diagonal, antidiagonal] = words.map(|word| word as i64);
        // SAFETY: the proof is of AVX-512.
        U64x8(unsafe { arch::_mm512_set4_epi64(antidiagonal, diagonal, rank, file) })
    }
    #[inline(always)]
    fn along(self, steps: u32) -> U64x8 {
        let [n, e, ne, nw, s, w, sw, se] = std::array::from_fn(|lane| i64::from(turn(lane, steps)));
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_rolv_epi64(self.0, arch::_mm512_setr_epi64(n, e, ne, nw, s, w, sw, se)) })
    }
    #[inline(always)]
    fn back(self) -> U64x8 {
        let [n, e, ne, nw, s, w, sw, se] = std::array::from_fn(|lane| i64::from(turn(lane, 1)));
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_rorv_epi64(self.0, arch::_mm512_setr_epi64(n, e, ne, nw, s, w, sw, se)) })
    }
    #[inline(always)]
    fn jumped(self) -> U64x8 {
        let [a, b, c, d, e, f, g, h] = std::array::from_fn(|lane| i64::from(jump(lane)));
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_rolv_epi64(self.0, arch::_mm512_setr_epi64(a, b, c, d, e, f, g, h)) })
    }
    #[inline(always)]
    fn jumped_back(self) -> U64x8 {
        let [a, b, c, d, e, f, g, h] = std::array::from_fn(|lane| i64::from(jump(lane)));
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_rorv_epi64(self.0, arch::_mm512_setr_epi64(a, b, c, d, e, f, g, h)) })
    }
    #[inline(always)]
    fn or_opposite(self) -> U64x8 {
        // SAFETY: the vector was made with the proof of AVX-512.
        U64x8(unsafe { arch::_mm512_or_si512(self.0, arch::_mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0)) })
    }
    #[inline(always)]
    fn added_up(self) -> [u64; 4] {
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe { added_halves(arch::_mm512_castsi512_si256(self.0), arch::_mm512_extracti64x4_epi64::<1>(self.0)) }
    }
    #[inline(always)]
    fn any_and_twice(self) -> [u64; 2] {
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe { folded_twice(arch::_mm512_castsi512_si256(self.0), arch::_mm512_extracti64x4_epi64::<1>(self.0)) }
    }
    #[inline(always)]
    fn orthogonal_and_diagonal(self) -> [u64; 2] {
        // SAFETY: the vector was made with the proof of AVX-512.
        unsafe {
            let (a, b) = (arch::_mm512_castsi512_si256(self.0), arch::_mm512_extracti64x4_epi64::<1>(self.0));
            halves(arch::_mm256_or_si256(a, b))
        }
    }
}
