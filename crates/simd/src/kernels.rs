//! Two loops that the widest vectors of a machine speed up: table look-ups by nibbles, and carry-less products.
//!
//! They are whole functions here, and not operations of a vector, because vectors of 512 bits need
//! another shape: the look-ups of two squares side by side in one vector. Each has a portable form, its definition.

#[cfg(target_arch = "aarch64")]
mod neon;

use crate::quad::Quad;
#[cfg(target_arch = "aarch64")]
pub(super) use neon::{look_ups_neon, look_ups_of_two_neon, products_pmull};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as arch;

/// Tables of 16 bytes, for 64 places × 8 bytes of a word, in the two shapes that the kernels read.
///
/// **Shape**: 8 KiB; and 16 KiB with the tables of two places, each twice, in 64 bytes.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct NibbleTables {
    pairs: [[[u8; 64]; 8]; 32],
    single: [[[u8; 16]; 8]; 64],
}

impl NibbleTables {
    /// Builds the tables from a word for each place and nibble.
    pub fn new(word: impl Fn(usize, usize) -> u64) -> NibbleTables {
        let single: [[[u8; 16]; 8]; 64] = std::array::from_fn(|place| {
            std::array::from_fn(|byte| std::array::from_fn(|nibble| word(place, nibble).to_le_bytes()[byte]))
        });
        let pairs = std::array::from_fn(|pair| {
            std::array::from_fn(|byte| std::array::from_fn(|i| single[2 * pair + i / 32][byte][i % 16]))
        });
        NibbleTables { pairs, single }
    }

    /// Returns the two tables of a pair of places, for one byte.
    #[inline(always)]
    pub fn pair(&self, pair: usize, byte: usize) -> [&[u8; 16]; 2] {
        debug_assert!(pair < 32 && byte < 8);
        [&self.single[2 * (pair & 31)][byte & 7], &self.single[2 * (pair & 31) + 1][byte & 7]]
    }

    /// Flips a bit of one entry, for tests that a wrong table is noticed.
    pub fn flip(&mut self, place: usize, byte: usize, nibble: usize) {
        self.single[place][byte][nibble] ^= 1;
        for half in [0, 16] {
            self.pairs[place / 2][byte][32 * (place % 2) + half + nibble] ^= 1;
        }
    }
}

/// Xors the look-ups of all places, for each byte of the word and each of 32 columns. A row of `nibbles` holds two places
/// of each column, the even one in the low half of a byte.
pub(super) fn look_ups_portable(tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
    std::array::from_fn(|byte| {
        let mut sums = [0; 32];
        for (pair, row) in nibbles.iter().enumerate() {
            let [even, odd] = tables.pair(pair, byte);
            for (sum, codes) in sums.iter_mut().zip(bytes(row.0)) {
                *sum ^= even[usize::from(codes & 15)] ^ odd[usize::from(codes >> 4)];
            }
        }
        Quad(words(sums))
    })
}

/// Does the same for two blocks of 32 columns. A row of `nibbles` holds one place of each column, a byte for each.
pub(super) fn look_ups_of_two_portable(tables: &NibbleTables, nibbles: &[[Quad; 64]; 2]) -> [[Quad; 8]; 2] {
    nibbles.each_ref().map(|rows| {
        let joined = |pair: usize| {
            let (even, odd) = (rows[2 * pair].0, rows[2 * pair + 1].0);
            Quad(std::array::from_fn(|word| even[word] | odd[word] << 4))
        };
        look_ups_portable(tables, &std::array::from_fn(joined))
    })
}

fn bytes(words: [u64; 4]) -> [u8; 32] {
    std::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8])
}

fn words(bytes: [u8; 32]) -> [u64; 4] {
    std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j])))
}

/// Computes [`look_ups_portable`] with vectors of 256 bits.
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
        // SAFETY: a quad is 32 bytes long and aligned to them.
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

/// Computes [`look_ups_of_two_portable`] with vectors of 256 bits: four bytes of the words at a time, so that the sums of
/// both blocks stay in registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) fn look_ups_of_two_256(tables: &NibbleTables, nibbles: &[[Quad; 64]; 2]) -> [[Quad; 8]; 2] {
    let mut looked_up = [[Quad::ZERO; 8]; 2];
    let (low, high) = (four_bytes_256::<0>(tables, nibbles), four_bytes_256::<4>(tables, nibbles));
    for (looked_up, (low, high)) in looked_up.iter_mut().zip(low.into_iter().zip(high)) {
        for byte in 0..4 {
            looked_up[byte] = quad(low[byte]);
            looked_up[4 + byte] = quad(high[byte]);
        }
    }
    looked_up
}

/// Looks up four bytes of the words, from byte `FIRST`.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn four_bytes_256<const FIRST: usize>(tables: &NibbleTables, nibbles: &[[Quad; 64]; 2]) -> [[arch::__m256i; 4]; 2] {
    let mut sums = [[arch::_mm256_setzero_si256(); 4]; 2];
    let load = |row: &Quad| {
        // SAFETY: a quad is 32 bytes long and aligned to them.
        unsafe { arch::_mm256_load_si256(row.0.as_ptr().cast()) }
    };
    // Two places a round: with more of them sums are spilled.
    for round in 0..32 {
        for place in [2 * round, 2 * round + 1] {
            let (first, second) = (load(&nibbles[0][place]), load(&nibbles[1][place]));
            let [of_first, of_second] = &mut sums;
            let tables = &tables.single[place][FIRST..FIRST + 4];
            for ((table, of_first), of_second) in tables.iter().zip(of_first).zip(of_second) {
                // SAFETY: 16 bytes are read from an array of 16.
                let table = unsafe { arch::_mm_loadu_si128(table.as_ptr().cast()) };
                let table = arch::_mm256_broadcastsi128_si256(table);
                *of_first = arch::_mm256_xor_si256(*of_first, arch::_mm256_shuffle_epi8(table, first));
                *of_second = arch::_mm256_xor_si256(*of_second, arch::_mm256_shuffle_epi8(table, second));
            }
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn quad(vector: arch::__m256i) -> Quad {
    let mut quad = Quad::ZERO;
    // SAFETY: a quad is 32 bytes long and aligned to them.
    unsafe { arch::_mm256_store_si256(quad.0.as_mut_ptr().cast(), vector) };
    quad
}

/// Computes [`look_ups_portable`] with vectors of 512 bits: the even place in the lower half, the odd one in the upper.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw")]
pub(super) fn look_ups_512(tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
    let mut sums = [arch::_mm512_setzero_si512(); 8];
    let low = arch::_mm512_set1_epi8(15);
    let split = |row: &Quad| {
        // SAFETY: a quad is 32 bytes long and aligned to them.
        let codes = unsafe { arch::_mm256_load_si256(row.0.as_ptr().cast()) };
        let upper = arch::_mm256_srli_epi16::<4>(codes);
        let both = arch::_mm512_inserti64x4::<1>(arch::_mm512_castsi256_si512(codes), upper);
        arch::_mm512_and_si512(both, low)
    };
    let table = |table: &[u8; 64]| {
        // SAFETY: 64 bytes are read from an array of 64.
        unsafe { arch::_mm512_loadu_si512(table.as_ptr().cast()) }
    };
    // Two pairs a round, so that one instruction xors both.
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

/// Computes [`look_ups_of_two_portable`] with vectors of 512 bits: the even place in the lower half, the odd one in the upper.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw")]
pub(super) fn look_ups_of_two_512(tables: &NibbleTables, nibbles: &[[Quad; 64]; 2]) -> [[Quad; 8]; 2] {
    let mut sums = [[arch::_mm512_setzero_si512(); 8]; 2];
    let load = |rows: &[Quad; 2]| {
        // SAFETY: two quads in a row are 64 bytes long.
        unsafe { arch::_mm512_loadu_si512(rows.as_ptr().cast()) }
    };
    let table = |table: &[u8; 64]| {
        // SAFETY: 64 bytes are read from an array of 64.
        unsafe { arch::_mm512_loadu_si512(table.as_ptr().cast()) }
    };
    let blocks = nibbles.each_ref().map(|rows| rows.as_chunks::<2>().0.as_chunks::<2>().0);
    // Two pairs a round, so that one instruction xors both.
    for (round, tables) in tables.pairs.as_chunks::<2>().0.iter().enumerate() {
        let codes = blocks.map(|rounds| [load(&rounds[round][0]), load(&rounds[round][1])]);
        for byte in 0..8 {
            let (a, b) = (table(&tables[0][byte]), table(&tables[1][byte]));
            for (sums, codes) in sums.iter_mut().zip(&codes) {
                let (a, b) = (arch::_mm512_shuffle_epi8(a, codes[0]), arch::_mm512_shuffle_epi8(b, codes[1]));
                sums[byte] = arch::_mm512_ternarylogic_epi64::<0x96>(sums[byte], a, b);
            }
        }
    }
    let folded = |sum| {
        let upper = arch::_mm512_extracti64x4_epi64::<1>(sum);
        arch::_mm256_xor_si256(arch::_mm512_castsi512_si256(sum), upper)
    };
    sums.map(|sums| sums.map(|sum| quad(folded(sum))))
}

/// Returns the product of two polynomials over GF(2), computed bit by bit.
pub fn carryless_product(a: u64, b: u64) -> u128 {
    (0..64).filter(|i| b >> i & 1 == 1).fold(0, |product, i| product ^ u128::from(a) << i)
}

/// Multiplies six words under each of two masks by six multipliers for each mask, without carries, and xors the twelve
/// products. A set is `[[a, b, c, d], [e, f, mask, mask]]`. Returns the low and the high half for each of 32 sets.
pub(super) fn products_portable(sets: &[[Quad; 2]; 32], multipliers: &[[Quad; 2]; 2]) -> [[u64; 32]; 2] {
    let mut sums = [[0; 32]; 2];
    for (i, [first, second]) in sets.iter().enumerate() {
        let mut sum = 0;
        for (mask, [a, b]) in second.0[2..].iter().zip(multipliers) {
            let words = first.0.iter().chain(&second.0[..2]).zip(a.0.iter().chain(&b.0[..2]));
            sum = words.fold(sum, |sum, (word, by)| sum ^ carryless_product(word & mask, *by));
        }
        (sums[0][i], sums[1][i]) = (sum as u64, (sum >> 64) as u64);
    }
    sums
}

/// Computes [`products_portable`] with one product of 128 bits at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,pclmulqdq")]
pub(super) fn products_128(sets: &[[Quad; 2]; 32], multipliers: &[[Quad; 2]; 2]) -> [[u64; 32]; 2] {
    let mut sums = [[0; 32]; 2];
    let half = |quad: &Quad, at: usize| {
        // SAFETY: a quad is 32 bytes long and aligned to them, and 16 are read from its start or its middle.
        unsafe { arch::_mm_load_si128(quad.0.as_ptr().add(at & 2).cast()) }
    };
    for (i, [first, second]) in sets.iter().enumerate() {
        let mut sum = arch::_mm_setzero_si128();
        for (mask, [a, b]) in second.0[2..].iter().zip(multipliers) {
            let mask = arch::_mm_set1_epi64x(*mask as i64);
            for (words, by) in
                [(half(first, 0), half(a, 0)), (half(first, 2), half(a, 2)), (half(second, 0), half(b, 0))]
            {
                let words = arch::_mm_and_si128(words, mask);
                sum = arch::_mm_xor_si128(sum, arch::_mm_clmulepi64_si128::<0x00>(words, by));
                sum = arch::_mm_xor_si128(sum, arch::_mm_clmulepi64_si128::<0x11>(words, by));
            }
        }
        (sums[0][i], sums[1][i]) = halves(sum);
    }
    sums
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn halves(sum: arch::__m128i) -> (u64, u64) {
    (arch::_mm_cvtsi128_si64(sum) as u64, arch::_mm_extract_epi64::<1>(sum) as u64)
}

/// Computes [`products_portable`] with four products of 128 bits side by side.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,vpclmulqdq")]
pub(super) fn products_512(sets: &[[Quad; 2]; 32], multipliers: &[[Quad; 2]; 2]) -> [[u64; 32]; 2] {
    let load = |sets: &[Quad; 2]| {
        // SAFETY: two quads in a row are 64 bytes long.
        unsafe { arch::_mm512_loadu_si512(sets.as_ptr().cast()) }
    };
    let words = |words: [u64; 8]| {
        arch::_mm512_set_epi64(
            words[7] as i64,
            words[6] as i64,
            words[5] as i64,
            words[4] as i64,
            words[3] as i64,
            words[2] as i64,
            words[1] as i64,
            words[0] as i64,
        )
    };
    let product = |a, b| {
        let products = [arch::_mm512_clmulepi64_epi128::<0x00>(a, b), arch::_mm512_clmulepi64_epi128::<0x11>(a, b)];
        arch::_mm512_xor_si512(products[0], products[1])
    };
    let [[a, ab], [b, bb]] = multipliers;
    // The first four words of a set under both masks; the last two words of two sets, under both masks each.
    let first = words([a.0[0], a.0[1], a.0[2], a.0[3], b.0[0], b.0[1], b.0[2], b.0[3]]);
    let last = words([ab.0[0], ab.0[1], bb.0[0], bb.0[1], ab.0[0], ab.0[1], bb.0[0], bb.0[1]]);
    let (first_words, first_masks) = (words([0, 1, 2, 3, 0, 1, 2, 3]), words([6, 6, 6, 6, 7, 7, 7, 7]));
    let (last_words, last_masks) = (words([4, 5, 4, 5, 12, 13, 12, 13]), words([6, 6, 7, 7, 14, 14, 15, 15]));
    let firsts = |set| {
        let [words, masks] = [first_words, first_masks].map(|index| arch::_mm512_permutexvar_epi64(index, set));
        product(arch::_mm512_and_si512(words, masks), first)
    };
    // Each half of the result holds the sums of one set, in two quarters.
    let pair = |sets: &[[Quad; 2]]| {
        let (even, odd) = (load(&sets[0]), load(&sets[1]));
        let [words, masks] = [last_words, last_masks].map(|index| arch::_mm512_permutex2var_epi64(even, index, odd));
        let lasts = product(arch::_mm512_and_si512(words, masks), last);
        let (even, odd) = (firsts(even), firsts(odd));
        let (lower, upper) = (
            arch::_mm512_shuffle_i64x2::<0b01_00_01_00>(even, odd),
            arch::_mm512_shuffle_i64x2::<0b11_10_11_10>(even, odd),
        );
        arch::_mm512_ternarylogic_epi64::<0x96>(lower, upper, lasts)
    };
    let mut sums = [[0; 32]; 2];
    let [low, high] = &mut sums;
    for (i, sets) in sets.as_chunks::<4>().0.iter().enumerate() {
        let (one, other) = (pair(&sets[..2]), pair(&sets[2..]));
        let (lower, upper) = (
            arch::_mm512_shuffle_i64x2::<0b10_00_10_00>(one, other),
            arch::_mm512_shuffle_i64x2::<0b11_01_11_01>(one, other),
        );
        let products = arch::_mm512_xor_si512(lower, upper);
        let halves = arch::_mm512_permutexvar_epi64(words([0, 2, 4, 6, 1, 3, 5, 7]), products);
        // SAFETY: eight groups of four words fill each array of 32.
        unsafe {
            arch::_mm256_storeu_si256(low.as_mut_ptr().add(4 * i).cast(), arch::_mm512_castsi512_si256(halves));
            arch::_mm256_storeu_si256(
                high.as_mut_ptr().add(4 * i).cast(),
                arch::_mm512_extracti64x4_epi64::<1>(halves),
            );
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: u64) -> impl FnMut() -> u64 {
        let mut x = seed;
        move || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }
    }

    #[test]
    fn every_width_looks_up_and_multiplies_alike() {
        let mut next = random(1);
        println!("widths run: portable{}", widths());
        for _ in 0..20 {
            let words: [[u64; 16]; 64] = std::array::from_fn(|_| std::array::from_fn(|_| next()));
            let tables = NibbleTables::new(|place, nibble| words[place][nibble]);
            let nibbles = std::array::from_fn(|_| Quad(std::array::from_fn(|_| next())));
            let expected = look_ups_portable(&tables, &nibbles);
            // One column, computed from the definition.
            let column = |quad: &Quad| quad.0[0] as u8;
            let mut word = 0;
            for (pair, row) in nibbles.iter().enumerate() {
                let codes = usize::from(column(row));
                word ^= words[2 * pair][codes & 15] ^ words[2 * pair + 1][codes >> 4];
            }
            assert_eq!(u64::from_le_bytes(std::array::from_fn(|byte| column(&expected[byte]))), word);

            let halves = |row: &Quad| [0, 4].map(|shift| Quad(row.0.map(|word| word >> shift & 0x0f0f_0f0f_0f0f_0f0f)));
            let other = std::array::from_fn(|_| Quad(std::array::from_fn(|_| next())));
            let both = [&nibbles, &other]
                .map(|rows: &[Quad; 32]| std::array::from_fn(|place| halves(&rows[place / 2])[place % 2]));
            let expected_of_two = [expected, look_ups_portable(&tables, &other)];
            assert_eq!(look_ups_of_two_portable(&tables, &both), expected_of_two);

            let sets = std::array::from_fn(|_| std::array::from_fn(|_| Quad(std::array::from_fn(|_| next()))));
            let multipliers = std::array::from_fn(|_| std::array::from_fn(|_| Quad(std::array::from_fn(|_| next()))));
            let products = products_portable(&sets, &multipliers);
            #[cfg(target_arch = "x86_64")]
            // SAFETY: each is called where its features were seen.
            unsafe {
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("pclmulqdq") {
                    assert_eq!(look_ups_256(&tables, &nibbles), expected);
                    assert_eq!(look_ups_of_two_256(&tables, &both), expected_of_two);
                    assert_eq!(products_128(&sets, &multipliers), products);
                }
                if crate::detection::is_wide() {
                    assert_eq!(look_ups_512(&tables, &nibbles), expected);
                    assert_eq!(look_ups_of_two_512(&tables, &both), expected_of_two);
                    assert_eq!(products_512(&sets, &multipliers), products);
                }
            }
            #[cfg(target_arch = "aarch64")]
            {
                assert_eq!(look_ups_neon(&tables, &nibbles), expected);
                assert_eq!(look_ups_of_two_neon(&tables, &both), expected_of_two);
                if crate::Neon::detect().has_pmull() {
                    // SAFETY: its feature was seen.
                    assert_eq!(unsafe { products_pmull(&sets, &multipliers) }, products);
                }
            }
        }
    }

    fn widths() -> &'static str {
        #[cfg(target_arch = "x86_64")]
        {
            if crate::detection::is_wide() {
                return ", 256 bits, 512 bits";
            }
            if is_x86_feature_detected!("avx2") {
                return ", 256 bits; not 512";
            }
        }
        #[cfg(target_arch = "aarch64")]
        return if crate::Neon::detect().has_pmull() { ", NEON, pmull" } else { ", NEON; not pmull" };
        #[cfg(not(target_arch = "aarch64"))]
        "; not 256, not 512"
    }

    #[test]
    fn products_are_those_of_polynomials() {
        assert_eq!(carryless_product(0b11, 0b11), 0b101);
        assert_eq!(carryless_product(1 << 63, 1 << 63), 1 << 126);
        assert_eq!(carryless_product(0b1011, 0b110), 0b111010);
    }
}
