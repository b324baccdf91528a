//! A cache line as sixteen 32-bit words, compared as a whole: one AVX-512, two AVX2 or four NEON vectors.
//!
//! To look up a key, a hash table asks two questions about a line: which words equal those of the key, and which are
//! empty? Both are answered by testing whether the bits under a mask are zero. The answer is one bit per word, so no
//! branch depends on the line. The [safety contract](super) is the same as for all vectors.

#[cfg(target_arch = "x86_64")]
use super::proof::{Avx2, Avx512};
use super::proof::{Plain, Sealed};
use perft_gate_kernel::inline_all;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as arch;

/// Number of 32-bit words in a line.
pub const LINE_WORDS: usize = 16;

/// A line of [`LINE_WORDS`] words in registers. Each method names its AVX2 and AVX-512 instructions, as in
/// [`U64s`](super::U64s). `tests` compares each implementation with plain loops.
pub trait CacheLine: Sealed + Copy {
    /// Type whose values prove that the machine supports these vectors.
    type Proof: Copy;
    /// Loads a line (`vmovdqu`; `vmovdqu32`).
    fn load(proof: Self::Proof, words: &[u32; LINE_WORDS]) -> Self;
    /// Returns a line with as many whole copies of an entry as fit, and arbitrary words after them (`vpermd`; `vpermd`,
    /// `vbroadcasti32x4`, `vbroadcasti64x4`). This is fast for entries of three, four and eight words.
    fn repeat<const N: usize>(proof: Self::Proof, entry: &[u32; N]) -> Self;
    /// Returns the bits in which two lines differ (`vpxor`; `vpxord`).
    fn differences(self, other: Self) -> Self;
    /// Returns the bits that are set in both lines (`vpand`; `vpandd`).
    fn common(self, other: Self) -> Self;
    /// Returns the bits that are set in either line (`vpor`; `vpord`).
    fn or(self, other: Self) -> Self;
    /// Adds word by word, modulo 2^32 (`vpaddd`).
    fn plus(self, other: Self) -> Self;
    /// Stores the line (`vmovdqu`; `vmovdqu32`).
    fn store(self, words: &mut [u32; LINE_WORDS]);
    /// Returns a mask whose bit `i` is set if word `i` has no bit in common with word `i` of `mask` (`vpand`,
    /// `vpcmpeqd`, `vmovmskps`; `vptestnmd`).
    fn words_without(self, mask: Self) -> u32;
}

#[inline(always)]
pub(super) fn repeated_words<const N: usize>(entry: &[u32; N]) -> [u32; LINE_WORDS] {
    std::array::from_fn(|word| entry[word % N])
}

/// A line as a plain array, which is the reference for the other implementations.
#[derive(Clone, Copy, Debug)]
pub struct PlainLine([u32; LINE_WORDS]);

impl Sealed for PlainLine {}

impl PlainLine {
    #[inline(always)]
    fn with(self, other: PlainLine, operation: impl Fn(u32, u32) -> u32) -> PlainLine {
        PlainLine(std::array::from_fn(|word| operation(self.0[word], other.0[word])))
    }
}

#[inline_all]
impl CacheLine for PlainLine {
    type Proof = Plain;

    fn load(_: Plain, words: &[u32; LINE_WORDS]) -> PlainLine {
        PlainLine(*words)
    }
    fn repeat<const N: usize>(_: Plain, entry: &[u32; N]) -> PlainLine {
        PlainLine(repeated_words(entry))
    }
    fn differences(self, other: PlainLine) -> PlainLine {
        self.with(other, |a, b| a ^ b)
    }
    fn common(self, other: PlainLine) -> PlainLine {
        self.with(other, |a, b| a & b)
    }
    fn or(self, other: PlainLine) -> PlainLine {
        self.with(other, |a, b| a | b)
    }
    fn plus(self, other: PlainLine) -> PlainLine {
        self.with(other, u32::wrapping_add)
    }
    fn store(self, words: &mut [u32; LINE_WORDS]) {
        *words = self.0;
    }
    fn words_without(self, mask: PlainLine) -> u32 {
        let pairs = self.0.into_iter().zip(mask.0).enumerate();
        pairs.fold(0, |set, (word, (bits, mask))| set | u32::from(bits & mask == 0) << word)
    }
}

/// A line in two AVX2 vectors.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2Line([arch::__m256i; 2]);

#[cfg(target_arch = "x86_64")]
impl Sealed for Avx2Line {}

/// Defines methods that apply one instruction to each vector of a line and its counterpart in another line.
#[cfg(target_arch = "x86_64")]
macro_rules! by_vector {
    ($($method:ident $intrinsic:ident),+) => {$(
        #[inline(always)]
        fn $method(self, other: Avx2Line) -> Avx2Line {
            let ([a, b], [c, d]) = (self.0, other.0);
            // SAFETY: a line can be made only with the proof of AVX2.
            unsafe { Avx2Line([arch::$intrinsic(a, c), arch::$intrinsic(b, d)]) }
        }
    )+};
}

#[cfg(target_arch = "x86_64")]
#[inline_all]
impl CacheLine for Avx2Line {
    type Proof = Avx2;

    fn load(_: Avx2, words: &[u32; LINE_WORDS]) -> Avx2Line {
        // SAFETY: two loads of eight words each read an array of sixteen, and the caller passes a proof of AVX2.
        unsafe {
            let first = words.as_ptr().cast::<arch::__m256i>();
            Avx2Line([arch::_mm256_loadu_si256(first), arch::_mm256_loadu_si256(first.add(1))])
        }
    }
    fn repeat<const N: usize>(proof: Avx2, entry: &[u32; N]) -> Avx2Line {
        // SAFETY: only words of the entry are read (three words as a pair and a single word). The caller passes a proof
        // of AVX2, which implies SSE4.1.
        unsafe {
            let words = entry.as_ptr();
            match N {
                3 => {
                    let pair = arch::_mm_loadl_epi64(words.cast());
                    let three = arch::_mm_insert_epi32::<2>(pair, entry[2] as i32);
                    let three = arch::_mm256_castsi128_si256(three);
                    let first = arch::_mm256_setr_epi32(0, 1, 2, 0, 1, 2, 0, 1);
                    let second = arch::_mm256_setr_epi32(2, 0, 1, 2, 0, 1, 2, 0);
                    Avx2Line([first, second].map(|order| arch::_mm256_permutevar8x32_epi32(three, order)))
                }
                4 => Avx2Line([arch::_mm256_broadcastsi128_si256(arch::_mm_loadu_si128(words.cast())); 2]),
                8 => Avx2Line([arch::_mm256_loadu_si256(words.cast()); 2]),
                _ => Avx2Line::load(proof, &repeated_words(entry)),
            }
        }
    }
    by_vector!(differences _mm256_xor_si256, common _mm256_and_si256, or _mm256_or_si256, plus _mm256_add_epi32);

    fn store(self, words: &mut [u32; LINE_WORDS]) {
        // SAFETY: two stores of eight words each fill an array of sixteen. A line can be made only with the proof of
        // AVX2.
        unsafe {
            let first = words.as_mut_ptr().cast::<arch::__m256i>();
            arch::_mm256_storeu_si256(first, self.0[0]);
            arch::_mm256_storeu_si256(first.add(1), self.0[1]);
        }
    }
    fn words_without(self, mask: Avx2Line) -> u32 {
        let ([a, b], [c, d]) = (self.0, mask.0);
        // SAFETY: a line can be made only with the proof of AVX2.
        unsafe {
            let zero = arch::_mm256_setzero_si256();
            let first = arch::_mm256_cmpeq_epi32(arch::_mm256_and_si256(a, c), zero);
            let second = arch::_mm256_cmpeq_epi32(arch::_mm256_and_si256(b, d), zero);
            let first = arch::_mm256_movemask_ps(arch::_mm256_castsi256_ps(first)) as u32;
            first | (arch::_mm256_movemask_ps(arch::_mm256_castsi256_ps(second)) as u32) << 8
        }
    }
}

/// A line in one AVX-512 vector.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx512Line(arch::__m512i);

#[cfg(target_arch = "x86_64")]
impl Sealed for Avx512Line {}

#[cfg(target_arch = "x86_64")]
#[inline_all]
impl CacheLine for Avx512Line {
    type Proof = Avx512;

    fn load(_: Avx512, words: &[u32; LINE_WORDS]) -> Avx512Line {
        // SAFETY: sixteen words are read from an array of sixteen; the caller passes a proof of AVX-512.
        Avx512Line(unsafe { arch::_mm512_loadu_si512(words.as_ptr().cast()) })
    }
    fn repeat<const N: usize>(proof: Avx512, entry: &[u32; N]) -> Avx512Line {
        // SAFETY: only words of the entry are read (if it has three, the mask excludes a fourth). The caller passes a
        // proof of AVX-512.
        unsafe {
            let words = entry.as_ptr();
            match N {
                3 => {
                    let three = arch::_mm512_castsi128_si512(arch::_mm_maskz_loadu_epi32(0b111, words.cast()));
                    let order = arch::_mm512_setr_epi32(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0);
                    Avx512Line(arch::_mm512_permutexvar_epi32(order, three))
                }
                4 => Avx512Line(arch::_mm512_broadcast_i32x4(arch::_mm_loadu_si128(words.cast()))),
                8 => Avx512Line(arch::_mm512_broadcast_i64x4(arch::_mm256_loadu_si256(words.cast()))),
                _ => Avx512Line::load(proof, &repeated_words(entry)),
            }
        }
    }
    by_instruction!(Avx512Line: differences _mm512_xor_si512, common _mm512_and_si512, or _mm512_or_si512, plus _mm512_add_epi32);

    fn store(self, words: &mut [u32; LINE_WORDS]) {
        // SAFETY: sixteen words are written to an array of sixteen; a line was made with the proof of AVX-512.
        unsafe { arch::_mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }
    fn words_without(self, mask: Avx512Line) -> u32 {
        // SAFETY: a line can be made only with the proof of AVX-512.
        u32::from(unsafe { arch::_mm512_testn_epi32_mask(self.0, mask.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, U64s, WideKernel};

    /// Returns pairs of lines that expose wrong operations: each bit of each word alone, and random words.
    fn samples() -> Vec<[[u32; LINE_WORDS]; 2]> {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as u32 ^ (state >> 11) as u32
        };
        let mut samples: Vec<_> = (0..LINE_WORDS * 32)
            .map(|bit| {
                let mut line = [0; LINE_WORDS];
                line[bit / 32] = 1 << (bit % 32);
                [line, std::array::from_fn(|word| if word % 3 == bit % 3 { !0 } else { random() })]
            })
            .collect();
        samples.extend((0..500).map(|_| {
            [(); 2]
                .map(|()| std::array::from_fn(|_| if random() % 3 == 0 { 0 } else { random() & random() & random() }))
        }));
        samples
    }

    /// Runs every operation on the samples and returns all results.
    fn every_operation<C: CacheLine>(proof: C::Proof) -> Vec<u32> {
        fn found<C: CacheLine, const N: usize>(proof: C::Proof, line: C, words: &[u32; LINE_WORDS]) -> Vec<u32> {
            let whole = LINE_WORDS / N * N;
            let entries = words.as_chunks::<N>().0.iter();
            let all = C::load(proof, &[!0; LINE_WORDS]);
            let same = |entry| line.differences(C::repeat::<N>(proof, entry)).words_without(all);
            entries.map(|entry| same(entry) & ((1 << whole) - 1)).collect()
        }
        let of_sample = |[a, b]: &[[u32; LINE_WORDS]; 2]| {
            let (line, other) = (C::load(proof, a), C::load(proof, b));
            let mut results = vec![line.words_without(other), line.differences(other).words_without(line)];
            for line in [line.common(other), line.or(other), line.plus(other)] {
                let mut words = [0; LINE_WORDS];
                line.store(&mut words);
                results.extend(words);
            }
            for words in [a, b] {
                results.extend(found::<C, 3>(proof, line, words));
                results.extend(found::<C, 4>(proof, line, words));
                results.extend(found::<C, 5>(proof, line, words));
                results.extend(found::<C, 8>(proof, line, words));
            }
            results
        };
        samples().iter().flat_map(of_sample).collect()
    }

    /// Computes the results of `every_operation` from the definitions of the operations.
    fn expected() -> Vec<u32> {
        fn bits(of: impl Fn(usize) -> bool) -> u32 {
            (0..LINE_WORDS).filter(|&word| of(word)).map(|word| 1 << word).sum()
        }
        fn found(line: &[u32; LINE_WORDS], words: &[u32; LINE_WORDS], long: usize) -> Vec<u32> {
            let whole = LINE_WORDS / long * long;
            words.chunks_exact(long).map(|entry| bits(|i| i < whole && line[i] == entry[i % long])).collect()
        }
        let of_sample = |[a, b]: &[[u32; LINE_WORDS]; 2]| {
            let mut results = vec![bits(|i| a[i] & b[i] == 0), bits(|i| (a[i] ^ b[i]) & a[i] == 0)];
            results.extend((0..LINE_WORDS).map(|i| a[i] & b[i]));
            results.extend((0..LINE_WORDS).map(|i| a[i] | b[i]));
            results.extend((0..LINE_WORDS).map(|i| a[i].wrapping_add(b[i])));
            for words in [a, b] {
                [3, 4, 5, 8].into_iter().for_each(|long| results.extend(found(a, words, long)));
            }
            results
        };
        samples().iter().flat_map(of_sample).collect()
    }

    struct Widest;

    impl WideKernel for Widest {
        type Output = Vec<u32>;
        #[inline(always)]
        fn run<V: U64s>(self, proof: V::Proof) -> Vec<u32> {
            every_operation::<V::Line>(proof)
        }
    }

    #[test]
    fn every_level_compares_lines_alike() {
        let expected = expected();
        for level in Level::all() {
            assert!(level.dispatch_wide(Widest) == expected, "{level}");
        }
    }
}
