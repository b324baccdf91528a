//! The kernels with AArch64 instructions.

use super::NibbleTables;
use crate::quad::Quad;
use std::arch::aarch64 as arch;

/// Computes [`look_ups_portable`](super::look_ups_portable) with two NEON vectors for 32 columns.
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
