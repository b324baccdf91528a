//! Two 64-bit lanes in a NEON vector, and a table line in four such vectors.

use super::cache_line::{CacheLine, LINE_WORDS, repeated_words};
use super::proof::{NeonProof, Sealed};
use super::u64s::{Bytes, U64s};
use perft_gate_kernel::inline_all;
use std::arch::aarch64 as arch;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Two 64-bit lanes in a NEON vector.
#[derive(Clone, Copy, Debug)]
pub struct U64x2(arch::uint64x2_t);

operators!(U64x2: BitAnd bitand vandq_u64, BitOr bitor vorrq_u64, BitXor bitxor veorq_u64);

impl Not for U64x2 {
    type Output = U64x2;
    #[inline(always)]
    fn not(self) -> U64x2 {
        // SAFETY: the vector was made with the proof of NEON.
        U64x2(unsafe { arch::vreinterpretq_u64_u8(arch::vmvnq_u8(self.bytes())) })
    }
}

#[inline_all]
impl U64x2 {
    fn bytes(self) -> arch::uint8x16_t {
        // SAFETY: the vector was made with the proof of NEON.
        unsafe { arch::vreinterpretq_u8_u64(self.0) }
    }
    fn of_bytes(bytes: arch::uint8x16_t) -> U64x2 {
        // SAFETY: the argument is a NEON vector.
        U64x2(unsafe { arch::vreinterpretq_u64_u8(bytes) })
    }
    fn sixteens(self) -> arch::uint16x8_t {
        // SAFETY: the vector was made with the proof of NEON.
        unsafe { arch::vreinterpretq_u16_u64(self.0) }
    }
    fn words32(self) -> arch::uint32x4_t {
        // SAFETY: the vector was made with the proof of NEON.
        unsafe { arch::vreinterpretq_u32_u64(self.0) }
    }
}

impl Sealed for U64x2 {}

#[inline_all]
impl U64s for U64x2 {
    const LANES: usize = 2;
    type Proof = NeonProof;
    /// Bit counts, one for each byte of the vector.
    type Sums = arch::uint8x16_t;
    type Line = NeonLine;

    fn splat(_: NeonProof, word: u64) -> U64x2 {
        // SAFETY: the caller passes a proof of NEON.
        U64x2(unsafe { arch::vdupq_n_u64(word) })
    }
    fn load(_: NeonProof, words: &[u64]) -> U64x2 {
        // SAFETY: the slice has two words; the caller passes a proof of NEON.
        U64x2(unsafe { arch::vld1q_u64(words[..2].as_ptr()) })
    }
    fn store(self, words: &mut [u64]) {
        // SAFETY: the slice has two words; the vector was made with the proof of NEON.
        unsafe { arch::vst1q_u64(words[..2].as_mut_ptr(), self.0) }
    }
    fn shl(self, by: u32) -> U64x2 {
        // SAFETY: the vector was made with the proof of NEON.
        U64x2(unsafe { arch::vshlq_u64(self.0, arch::vdupq_n_s64(i64::from(by))) })
    }
    fn shr(self, by: u32) -> U64x2 {
        // A negative shift goes right.
        // SAFETY: the vector was made with the proof of NEON.
        U64x2(unsafe { arch::vshlq_u64(self.0, arch::vdupq_n_s64(-i64::from(by))) })
    }
    fn sub_u8(self, other: U64x2) -> U64x2 {
        // SAFETY: the vector was made with the proof of NEON.
        U64x2::of_bytes(unsafe { arch::vsubq_u8(self.bytes(), other.bytes()) })
    }
    by_instruction!(U64x2: minus vsubq_u64, plus vaddq_u64);

    fn times(self, other: U64x2) -> U64x2 {
        // SAFETY: the vectors were made with the proof of NEON.
        U64x2(unsafe { arch::vmull_u32(arch::vmovn_u64(self.0), arch::vmovn_u64(other.0)) })
    }
    fn reverse_bytes(self) -> U64x2 {
        // SAFETY: the vector was made with the proof of NEON.
        U64x2::of_bytes(unsafe { arch::vrev64q_u8(self.bytes()) })
    }
    fn is_zero(self) -> U64x2 {
        // SAFETY: the vector was made with the proof of NEON.
        U64x2(unsafe { arch::vceqzq_u64(self.0) })
    }
    fn is_all_zero(self) -> bool {
        // SAFETY: the vector was made with the proof of NEON.
        unsafe {
            arch::vgetq_lane_u64::<0>(arch::vreinterpretq_u64_u32(arch::vpmaxq_u32(self.words32(), self.words32())))
                == 0
        }
    }
    fn lanes_with_bits(self) -> u32 {
        // SAFETY: the vector was made with the proof of NEON.
        unsafe {
            let lanes = arch::vtstq_u64(self.0, self.0);
            (arch::vgetq_lane_u64::<0>(lanes) & 1 | arch::vgetq_lane_u64::<1>(lanes) & 2) as u32
        }
    }
    fn tally(_: NeonProof) -> arch::uint8x16_t {
        // SAFETY: the caller passes a proof of NEON.
        unsafe { arch::vdupq_n_u8(0) }
    }
    fn count(self, tally: arch::uint8x16_t) -> arch::uint8x16_t {
        // SAFETY: the vector was made with the proof of NEON.
        unsafe { arch::vaddq_u8(tally, arch::vcntq_u8(self.bytes())) }
    }
    fn lane_sums(_: NeonProof, tally: arch::uint8x16_t) -> U64x2 {
        // SAFETY: the caller passes a proof of NEON.
        U64x2(unsafe { arch::vpaddlq_u32(arch::vpaddlq_u16(arch::vpaddlq_u8(tally))) })
    }
    fn sum(self) -> u64 {
        // SAFETY: the vector was made with the proof of NEON.
        unsafe { arch::vaddvq_u64(self.0) }
    }
    fn bits(self, _: NeonProof) -> U64x2 {
        // SAFETY: the caller passes a proof of NEON.
        U64x2(unsafe { arch::vshlq_u64(arch::vdupq_n_u64(1), arch::vreinterpretq_s64_u64(self.0)) })
    }
    fn xor_where_met(self, toggles: U64x2, other: U64x2) -> U64x2 {
        // SAFETY: the vectors were made with the proof of NEON.
        self ^ toggles & U64x2(unsafe { arch::vtstq_u64(self.0, other.0) })
    }
    fn concat_at(self, _: NeonProof, at: usize, next: U64x2) -> U64x2 {
        debug_assert!(at < Self::LANES);
        // SAFETY: the vectors were made with the proof of NEON.
        if at == 0 { next } else { U64x2(unsafe { arch::vzip1q_u64(self.0, next.0) }) }
    }
}

#[inline_all]
impl Bytes for U64x2 {
    fn of_halves(_: NeonProof, first: &[u64], second: &[u64]) -> U64x2 {
        // SAFETY: both slices have a word; the caller passes a proof of NEON.
        U64x2(unsafe { arch::vcombine_u64(arch::vld1_u64(first[..1].as_ptr()), arch::vld1_u64(second[..1].as_ptr())) })
    }
    fn high_nibbles(self) -> U64x2 {
        // SAFETY: the vector was made with the proof of NEON.
        U64x2::of_bytes(unsafe { arch::vshrq_n_u8::<4>(self.bytes()) })
    }
    fn look_up_in(self, table: &[u8; 16]) -> U64x2 {
        // SAFETY: 16 bytes are read from an array of 16; the vector was made with the proof of NEON.
        U64x2::of_bytes(unsafe { arch::vqtbl1q_u8(arch::vld1q_u8(table.as_ptr()), self.bytes()) })
    }
    fn interleave_low<const N: usize>(self, other: U64x2) -> U64x2 {
        // SAFETY: the vectors were made with the proof of NEON.
        U64x2(unsafe {
            match N {
                1 => arch::vreinterpretq_u64_u8(arch::vzip1q_u8(self.bytes(), other.bytes())),
                2 => arch::vreinterpretq_u64_u16(arch::vzip1q_u16(self.sixteens(), other.sixteens())),
                _ => arch::vreinterpretq_u64_u32(arch::vzip1q_u32(self.words32(), other.words32())),
            }
        })
    }
    fn interleave_high<const N: usize>(self, other: U64x2) -> U64x2 {
        // SAFETY: the vectors were made with the proof of NEON.
        U64x2(unsafe {
            match N {
                1 => arch::vreinterpretq_u64_u8(arch::vzip2q_u8(self.bytes(), other.bytes())),
                2 => arch::vreinterpretq_u64_u16(arch::vzip2q_u16(self.sixteens(), other.sixteens())),
                _ => arch::vreinterpretq_u64_u32(arch::vzip2q_u32(self.words32(), other.words32())),
            }
        })
    }
    fn plus16(self, other: U64x2) -> U64x2 {
        // SAFETY: the vectors were made with the proof of NEON.
        U64x2(unsafe { arch::vreinterpretq_u64_u16(arch::vaddq_u16(self.sixteens(), other.sixteens())) })
    }
    fn differing_bytes(self, other: U64x2) -> u32 {
        const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: the vectors were made with the proof of NEON; 16 bytes are read from an array of 16.
        unsafe {
            let equal = arch::vceqq_u8(self.bytes(), other.bytes());
            let bits = arch::vbicq_u8(arch::vld1q_u8(BITS.as_ptr()), equal);
            u32::from(arch::vaddv_u8(arch::vget_low_u8(bits)))
                | u32::from(arch::vaddv_u8(arch::vget_high_u8(bits))) << 8
        }
    }
    fn odd_bytes(self) -> U64x2 {
        // SAFETY: the vector was made with the proof of NEON.
        U64x2(unsafe { arch::vreinterpretq_u64_u16(arch::vshrq_n_u16::<8>(self.sixteens())) })
    }
    fn opaque(self) -> U64x2 {
        let mut vector = self.0;
        // Miri runs no assembly.
        #[cfg(not(miri))]
        // SAFETY: the assembly contains no instruction.
        unsafe {
            std::arch::asm!("/* {vector:v} */", vector = inout(vreg) vector, options(nomem, nostack, preserves_flags));
        }
        U64x2(vector)
    }
}

/// A line in four NEON vectors.
#[derive(Clone, Copy, Debug)]
pub struct NeonLine([arch::uint32x4_t; 4]);

impl Sealed for NeonLine {}

/// Defines methods that apply one instruction to each vector of a line and its counterpart in another line.
macro_rules! by_vector {
    ($($method:ident $intrinsic:ident),+) => {$(
        #[inline(always)]
        fn $method(self, other: NeonLine) -> NeonLine {
            let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
            // SAFETY: a line can be made only with the proof of NEON.
            unsafe { NeonLine([arch::$intrinsic(a, e), arch::$intrinsic(b, f), arch::$intrinsic(c, g), arch::$intrinsic(d, h)]) }
        }
    )+};
}

#[inline_all]
impl CacheLine for NeonLine {
    type Proof = NeonProof;

    fn load(_: NeonProof, words: &[u32; LINE_WORDS]) -> NeonLine {
        let first = words.as_ptr();
        // SAFETY: four loads of four words each read an array of sixteen, and the caller passes a proof of NEON.
        unsafe {
            NeonLine([
                arch::vld1q_u32(first),
                arch::vld1q_u32(first.add(4)),
                arch::vld1q_u32(first.add(8)),
                arch::vld1q_u32(first.add(12)),
            ])
        }
    }
    fn repeat<const N: usize>(proof: NeonProof, entry: &[u32; N]) -> NeonLine {
        let words = entry.as_ptr();
        // SAFETY: only words of the entry are read (three words as a pair and a single word). The caller passes a proof
        // of NEON.
        unsafe {
            match N {
                3 => {
                    // a b c a | b c a b | c a b c | a b c a
                    let pair = arch::vld1_u32(words);
                    let first = arch::vcombine_u32(pair, pair);
                    let first = arch::vsetq_lane_u32::<2>(entry[2], first);
                    let first = arch::vsetq_lane_u32::<3>(entry[0], first);
                    let next = arch::vextq_u32::<1>(first, first);
                    let (second, third) = (arch::vextq_u32::<1>(first, next), arch::vextq_u32::<2>(first, next));
                    NeonLine([first, second, third, first])
                }
                4 => NeonLine([arch::vld1q_u32(words); 4]),
                8 => {
                    let (low, high) = (arch::vld1q_u32(words), arch::vld1q_u32(words.add(4)));
                    NeonLine([low, high, low, high])
                }
                _ => NeonLine::load(proof, &repeated_words(entry)),
            }
        }
    }
    by_vector!(differences veorq_u32, common vandq_u32, or vorrq_u32, plus vaddq_u32);

    fn store(self, words: &mut [u32; LINE_WORDS]) {
        let first = words.as_mut_ptr();
        let [a, b, c, d] = self.0;
        // SAFETY: four stores of four words each fill an array of sixteen. A line can be made only with the proof of
        // NEON.
        unsafe {
            arch::vst1q_u32(first, a);
            arch::vst1q_u32(first.add(4), b);
            arch::vst1q_u32(first.add(8), c);
            arch::vst1q_u32(first.add(12), d);
        }
    }
    fn words_without(self, mask: NeonLine) -> u32 {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, mask.0);
        // Each word becomes a byte: all ones if it has bits in common with the mask, otherwise zero. In each half of
        // the bytes, byte `i` then becomes `1 << i` if it is zero, and otherwise 0. Pairwise sums combine these bits
        // into one byte. SAFETY: a line can be made only with the proof of NEON.
        unsafe {
            let first = arch::vuzp1q_u16(halves(arch::vtstq_u32(a, e)), halves(arch::vtstq_u32(b, f)));
            let second = arch::vuzp1q_u16(halves(arch::vtstq_u32(c, g)), halves(arch::vtstq_u32(d, h)));
            let with = arch::vuzp1q_u8(arch::vreinterpretq_u8_u16(first), arch::vreinterpretq_u8_u16(second));
            let own = arch::vreinterpretq_u8_u64(arch::vdupq_n_u64(0x8040_2010_0804_0201));
            let bits = arch::vbicq_u8(own, with);
            let bits = arch::vpaddq_u8(bits, bits);
            let bits = arch::vpaddq_u8(bits, bits);
            let bits = arch::vpaddq_u8(bits, bits);
            u32::from(arch::vgetq_lane_u16::<0>(arch::vreinterpretq_u16_u8(bits)))
        }
    }
}

#[inline(always)]
fn halves(words: arch::uint32x4_t) -> arch::uint16x8_t {
    // SAFETY: the argument is a NEON vector.
    unsafe { arch::vreinterpretq_u16_u32(words) }
}
