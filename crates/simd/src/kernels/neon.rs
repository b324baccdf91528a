//! The kernels with the instructions of AArch64.

use super::NibbleTables;
use crate::quad::Quad;
use std::arch::aarch64 as arch;

/// Computes [`look_ups_portable`](super::look_ups_portable) with two vectors of NEON for 32 columns.
#[inline]
pub(crate) fn look_ups_neon(tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
    // SAFETY: every AArch64 has NEON.
    unsafe {
        let mut sums = [[arch::vdupq_n_u8(0); 2]; 8];
        for (pair, codes) in nibbles.iter().enumerate() {
            let codes = row(codes);
            let even = codes.map(|codes| arch::vandq_u8(codes, arch::vdupq_n_u8(15)));
            let odd = codes.map(|codes| arch::vshrq_n_u8::<4>(codes));
            for (byte, sums) in sums.iter_mut().enumerate() {
                let tables = tables.pair(pair, byte).map(vector);
                for (half, sum) in sums.iter_mut().enumerate() {
                    *sum = arch::veorq_u8(*sum, arch::vqtbl1q_u8(tables[0], even[half]));
                    *sum = arch::veorq_u8(*sum, arch::vqtbl1q_u8(tables[1], odd[half]));
                }
            }
        }
        sums.map(quad)
    }
}

/// Computes [`look_ups_of_two_portable`](super::look_ups_of_two_portable) with NEON: four bytes of the words at a time, so that the sums of both blocks
/// stay in registers.
#[inline]
pub(crate) fn look_ups_of_two_neon(tables: &NibbleTables, nibbles: &[[Quad; 64]; 2]) -> [[Quad; 8]; 2] {
    let mut looked_up = [[Quad::ZERO; 8]; 2];
    let (low, high) = (four_bytes_neon::<0>(tables, nibbles), four_bytes_neon::<4>(tables, nibbles));
    for (looked_up, (low, high)) in looked_up.iter_mut().zip(low.into_iter().zip(high)) {
        for byte in 0..4 {
            looked_up[byte] = quad(low[byte]);
            looked_up[4 + byte] = quad(high[byte]);
        }
    }
    looked_up
}

/// Looks up four bytes of the words, from byte `FIRST`.
#[inline]
fn four_bytes_neon<const FIRST: usize>(
    tables: &NibbleTables,
    nibbles: &[[Quad; 64]; 2],
) -> [[[arch::uint8x16_t; 2]; 4]; 2] {
    // SAFETY: every AArch64 has NEON.
    let mut sums = [[[unsafe { arch::vdupq_n_u8(0) }; 2]; 4]; 2];
    let [first, second] = nibbles;
    for ((first, second), tables) in first.iter().zip(second).zip(&tables.single) {
        let codes = [row(first), row(second)];
        for (byte, table) in tables[FIRST..FIRST + 4].iter().enumerate() {
            let table = vector(table);
            for (sums, codes) in sums.iter_mut().zip(codes) {
                for (sum, codes) in sums[byte].iter_mut().zip(codes) {
                    // SAFETY: every AArch64 has NEON.
                    *sum = unsafe { arch::veorq_u8(*sum, arch::vqtbl1q_u8(table, codes)) };
                }
            }
        }
    }
    sums
}

#[inline(always)]
fn row(quad: &Quad) -> [arch::uint8x16_t; 2] {
    // SAFETY: a quad is 32 bytes long, and 16 are read from its start and its middle; every AArch64 has NEON.
    unsafe { [arch::vld1q_u8(quad.0.as_ptr().cast()), arch::vld1q_u8(quad.0.as_ptr().add(2).cast())] }
}

#[inline(always)]
fn vector(table: &[u8; 16]) -> arch::uint8x16_t {
    // SAFETY: 16 bytes are read from an array of 16; every AArch64 has NEON.
    unsafe { arch::vld1q_u8(table.as_ptr()) }
}

#[inline(always)]
fn quad([low, high]: [arch::uint8x16_t; 2]) -> Quad {
    let mut quad = Quad::ZERO;
    // SAFETY: a quad is 32 bytes long, and 16 are written to its start and its middle; every AArch64 has NEON.
    unsafe {
        arch::vst1q_u8(quad.0.as_mut_ptr().cast(), low);
        arch::vst1q_u8(quad.0.as_mut_ptr().add(2).cast(), high);
    }
    quad
}

/// Computes [`products_portable`](super::products_portable) with two products a vector.
#[target_feature(enable = "neon,aes")]
pub(crate) fn products_pmull(sets: &[[Quad; 2]; 32], multipliers: &[[Quad; 2]; 2]) -> [[u64; 32]; 2] {
    let mut sums = [[0; 32]; 2];
    let half = |quad: &Quad, at: usize| {
        // SAFETY: a quad is 32 bytes long, and 16 are read from its start or its middle.
        unsafe { arch::vld1q_u64(quad.0.as_ptr().add(at & 2)) }
    };
    let product = |a: arch::uint64x2_t, b: arch::uint64x2_t| {
        let (a, b) = (arch::vreinterpretq_p64_u64(a), arch::vreinterpretq_p64_u64(b));
        let low = arch::vmull_p64(arch::vgetq_lane_p64::<0>(a), arch::vgetq_lane_p64::<0>(b));
        let [low, high] = [low, arch::vmull_high_p64(a, b)].map(|product| arch::vreinterpretq_u64_p128(product));
        arch::veorq_u64(low, high)
    };
    for (i, [first, second]) in sets.iter().enumerate() {
        let mut sum = arch::vdupq_n_u64(0);
        for (mask, [a, b]) in second.0[2..].iter().zip(multipliers) {
            let mask = arch::vdupq_n_u64(*mask);
            for (words, by) in
                [(half(first, 0), half(a, 0)), (half(first, 2), half(a, 2)), (half(second, 0), half(b, 0))]
            {
                sum = arch::veorq_u64(sum, product(arch::vandq_u64(words, mask), by));
            }
        }
        (sums[0][i], sums[1][i]) = (arch::vgetq_lane_u64::<0>(sum), arch::vgetq_lane_u64::<1>(sum));
    }
    sums
}
