//! A loop for the widest vectors of a machine: table look-ups by nibble.
//!
//! It is a whole function, not a vector operation, because 512-bit vectors need another layout: one vector holds the
//! look-ups of two neighbouring squares. The portable form defines the result.

#[cfg(target_arch = "aarch64")]
mod neon;

use crate::quad::Quad;
#[cfg(target_arch = "aarch64")]
pub(super) use neon::look_ups_neon;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as arch;

/// A table of 16 bytes for each of 64 squares and each of a word's 8 bytes, in the two layouts that the kernels read.
///
/// **Shape**: 8 KiB of single tables, and 16 KiB of pairs. A pair has 64 bytes, which hold the tables of two
/// neighbouring squares, each stored twice.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct NibbleTables {
    pairs: [[[u8; 64]; 8]; 32],
    single: [[[u8; 16]; 8]; 64],
}

impl NibbleTables {
    /// Builds the tables from `word(place, nibble)`, where `place` is a square and `nibble` is the code of its piece.
    pub fn new(word: impl Fn(usize, usize) -> u64) -> NibbleTables {
        let single: [[[u8; 16]; 8]; 64] = std::array::from_fn(|place| {
            std::array::from_fn(|byte| std::array::from_fn(|nibble| word(place, nibble).to_le_bytes()[byte]))
        });
        let pairs = std::array::from_fn(|pair| {
            std::array::from_fn(|byte| std::array::from_fn(|i| single[2 * pair + i / 32][byte][i % 16]))
        });
        NibbleTables { pairs, single }
    }

    /// Returns the tables of both squares of a pair, for one byte of the word.
    #[inline(always)]
    pub fn pair(&self, pair: usize, byte: usize) -> [&[u8; 16]; 2] {
        debug_assert!(pair < 32 && byte < 8);
        [&self.single[2 * (pair & 31)][byte & 7], &self.single[2 * (pair & 31) + 1][byte & 7]]
    }

    /// Flips a bit of one entry, so that tests can check that a wrong table is detected.
    pub fn flip(&mut self, place: usize, byte: usize, nibble: usize) {
        self.single[place][byte][nibble] ^= 1;
        for half in [0, 16] {
            self.pairs[place / 2][byte][32 * (place % 2) + half + nibble] ^= 1;
        }
    }
}

/// For each of 32 columns and each byte of the word, returns the xor of the table entries that the column's nibbles
/// select. A row of `nibbles` holds one byte per column. The low half of the byte is the nibble of an even square, and
/// the high half is the nibble of the next square.
pub(super) fn look_ups_portable(tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
    std::array::from_fn(|byte| {
        let mut sums = [0; 32];
        for (pair, row) in nibbles.iter().enumerate() {
            let [even, odd] = tables.pair(pair, byte);
            for (column, sum) in sums.iter_mut().enumerate() {
                let codes = row.byte(column);
                *sum ^= even[usize::from(codes & 15)] ^ odd[usize::from(codes >> 4)];
            }
        }
        Quad(words(sums))
    })
}

fn words(bytes: [u8; 32]) -> [u64; 4] {
    std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j])))
}

/// Computes [`look_ups_portable`] with 256-bit vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) fn look_ups_256(tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
    let mut sums = [arch::_mm256_setzero_si256(); 8];
    let low = arch::_mm256_set1_epi8(15);
    let table = |table: &[u8; 16]| {
        // SAFETY: 16 bytes are read from an array of 16.
        arch::_mm256_broadcastsi128_si256(unsafe { arch::_mm_loadu_si128(table.as_ptr().cast()) })
    };
    for (pair, row) in nibbles.iter().enumerate() {
        // SAFETY: a quad is 32 bytes long and 32-byte aligned.
        let codes = unsafe { arch::_mm256_load_si256(row.0.as_ptr().cast()) };
        let even = arch::_mm256_and_si256(codes, low);
        let odd = arch::_mm256_and_si256(arch::_mm256_srli_epi16::<4>(codes), low);
        for (byte, sum) in sums.iter_mut().enumerate() {
            let [evens, odds] = tables.pair(pair, byte);
            let a = arch::_mm256_shuffle_epi8(table(evens), even);
            let b = arch::_mm256_shuffle_epi8(table(odds), odd);
            *sum = arch::_mm256_xor_si256(*sum, arch::_mm256_xor_si256(a, b));
        }
    }
    sums.map(|sum| quad(sum))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn quad(vector: arch::__m256i) -> Quad {
    let mut quad = Quad::ZERO;
    // SAFETY: a quad is 32 bytes long and 32-byte aligned.
    unsafe { arch::_mm256_store_si256(quad.0.as_mut_ptr().cast(), vector) };
    quad
}

/// Computes [`look_ups_portable`] with 512-bit vectors. A vector's lower half holds even squares, its upper half odd
/// squares.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw")]
pub(super) fn look_ups_512(tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
    let mut sums = [arch::_mm512_setzero_si512(); 8];
    let low = arch::_mm512_set1_epi8(15);
    let split = |row: &Quad| {
        // SAFETY: a quad is 32 bytes long and 32-byte aligned.
        let codes = unsafe { arch::_mm256_load_si256(row.0.as_ptr().cast()) };
        let upper = arch::_mm256_srli_epi16::<4>(codes);
        let both = arch::_mm512_inserti64x4::<1>(arch::_mm512_castsi256_si512(codes), upper);
        arch::_mm512_and_si512(both, low)
    };
    let table = |table: &[u8; 64]| {
        // SAFETY: 64 bytes are read from an array of 64.
        unsafe { arch::_mm512_loadu_si512(table.as_ptr().cast()) }
    };
    // Each round handles two pairs, so that one instruction xors both into the sum.
    for (rows, tables) in nibbles.as_chunks::<2>().0.iter().zip(tables.pairs.as_chunks::<2>().0) {
        let (first, second) = (split(&rows[0]), split(&rows[1]));
        for (byte, sum) in sums.iter_mut().enumerate() {
            let a = arch::_mm512_shuffle_epi8(table(&tables[0][byte]), first);
            let b = arch::_mm512_shuffle_epi8(table(&tables[1][byte]), second);
            *sum = arch::_mm512_ternarylogic_epi64::<0x96>(*sum, a, b);
        }
    }
    let folded = |sum| {
        let upper = arch::_mm512_extracti64x4_epi64::<1>(sum);
        arch::_mm256_xor_si256(arch::_mm512_castsi512_si256(sum), upper)
    };
    sums.map(|sum| quad(folded(sum)))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn random(seed: u64) -> impl FnMut() -> u64 {
        let mut x = seed;
        move || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }
    }

    #[test]
    fn every_width_looks_up_alike() {
        let mut next = random(1);
        for _ in 0..20 {
            let words: [[u64; 16]; 64] = std::array::from_fn(|_| std::array::from_fn(|_| next()));
            let tables = NibbleTables::new(|place, nibble| words[place][nibble]);
            let nibbles = std::array::from_fn(|_| Quad(std::array::from_fn(|_| next())));
            let expected = look_ups_portable(&tables, &nibbles);
            // Checks one column against the definition.
            let column = |quad: &Quad| quad.0[0] as u8;
            let mut word = 0;
            for (pair, row) in nibbles.iter().enumerate() {
                let codes = usize::from(column(row));
                word ^= words[2 * pair][codes & 15] ^ words[2 * pair + 1][codes >> 4];
            }
            assert_eq!(u64::from_le_bytes(std::array::from_fn(|byte| column(&expected[byte]))), word);

            #[cfg(target_arch = "x86_64")]
            // SAFETY: each function is called only if its features were detected.
            unsafe {
                if is_x86_feature_detected!("avx2") {
                    assert_eq!(look_ups_256(&tables, &nibbles), expected);
                }
                if crate::level::is_wide() {
                    assert_eq!(look_ups_512(&tables, &nibbles), expected);
                }
            }
            #[cfg(target_arch = "aarch64")]
            assert_eq!(look_ups_neon(&tables, &nibbles), expected);
        }
    }
}
