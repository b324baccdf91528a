//! Instruction-set levels, chosen at run time, and memory in huge pages: all unsafe code of the project.
//!
//! A plain build is compiled for the oldest x86-64; code outside a `#[target_feature]` region then pays 2 to 17 times
//! for popcounts, PEXT and vectors. So a [`Level`] is detected once, and each task is entered through
//! [`Level::dispatch`], which instantiates it as a function compiled for that level. The [`Token`] passed down is the
//! proof that detection succeeded: only this crate can make one, so the instructions behind it are safe to use. Vectors,
//! [`U64s`], are made only with such a proof.
//!
//! Everything that a task calls must be `#[inline(always)]` (or a task of its own), else it falls out of the region;
//! `ci/disassembly` checks the result.

#![allow(unsafe_code)]

mod gather;
mod kernels;
mod level;
mod memory;
mod pages;
mod v1;
#[cfg(target_arch = "x86_64")]
mod v3;
mod vector;

pub use gather::{gather, scatter};
pub use kernels::NibbleTables;
pub use level::Level;
pub use memory::Memory;
pub use pages::Pages;
pub use v1::V1;
#[cfg(target_arch = "x86_64")]
pub use v3::V3;
#[cfg(target_arch = "x86_64")]
pub use vector::{Avx2, Avx512, U64x4, U64x8};
pub use vector::{Bytes, JUMP_LANDING, LANDING, Pair, Plain, Portable, Rays, U64s, Width};

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as arch;

/// Prefetches the cache line that `place` starts in.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    // Miri has no caches to fill.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads nothing and never faults, and SSE is part of every x86-64.
    unsafe {
        arch::_mm_prefetch::<{ arch::_MM_HINT_T0 }>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

/// Proof that this machine can run a level's instructions, and the methods that use them.
pub trait Token: Copy + Send + Sync + 'static {
    /// True if [`Token::pext`] is one fast instruction.
    const FAST_PEXT: bool;
    /// True for the level that nearly all machines of their kind reach; see [`Level::is_common`].
    const COMMON: bool;

    /// Gathers the bits of `value` under `mask` at the low end.
    ///
    /// Called only where [`Token::FAST_PEXT`] is true.
    fn pext(self, value: u64, mask: u64) -> u64;

    /// Spreads the low bits of `value` over the places of `mask`: the inverse of [`Token::pext`].
    ///
    /// Called only where [`Token::FAST_PEXT`] is true.
    fn pdep(self, value: u64, mask: u64) -> u64;

    /// True if the vectors are fast; else an algorithm uses a scalar form of its own.
    const FAST_VECTORS: bool;
    /// The proof of the level's vectors.
    type Proof: Copy;
    /// Four 64-bit words, as the level holds them in registers.
    type U64x4: Bytes<Proof = Self::Proof>;
    /// Returns the proof of the level's vectors.
    fn proof(self) -> Self::Proof;
    /// Loads four words into a vector.
    #[inline(always)]
    fn load(self, from: &Quad) -> Self::U64x4 {
        U64s::load(self.proof(), &from.0)
    }
    /// Returns a vector with the same word in all four places.
    #[inline(always)]
    fn splat(self, word: u64) -> Self::U64x4 {
        U64s::splat(self.proof(), word)
    }

    /// Xors the table look-ups of all places, for each byte of a word and each of 32 columns; see
    /// [`kernels::NibbleTables`].
    fn look_ups(self, tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8];
    /// Xors twelve carry-less products for each of 32 sets; see `kernels::products_portable`.
    fn products(self, sets: &[[Quad; 2]; 32], multipliers: &[[Quad; 2]; 2]) -> [[u64; 32]; 2];

    /// Runs `task` in a function of its own, compiled for this level.
    fn call<K: Kernel>(self, task: K) -> K::Output;
    /// Runs `task` likewise with the level's widest vectors; returns nothing on a level where set-wise algorithms do not pay.
    fn call_wide<K: WideKernel>(self, task: K) -> Option<K::Output>;
}

/// Four words in memory, aligned so that one load takes them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C, align(32))]
pub struct Quad(pub [u64; 4]);

impl Quad {
    /// Four zeros.
    pub const ZERO: Quad = Quad([0; 4]);
}

/// A piece of work that can be compiled for any level.
///
/// `run` must be `#[inline(always)]`: it is inlined into the one function that carries the level's features.
pub trait Kernel {
    /// The result.
    type Output;
    /// True if the task is compiled for the common level alone ([`Level::is_common`]), which saves code where there are
    /// many tasks of a kind.
    const COMMON_ONLY: bool = false;
    /// Does the work.
    fn run<L: Token>(self, level: L) -> Self::Output;
}

/// A [`Kernel`] over vectors of lanes.
pub trait WideKernel {
    /// The result.
    type Output;
    /// Does the work; must be `#[inline(always)]` too.
    fn run<L: Token, W: Width>(self, level: L, width: W) -> Self::Output;
}

/// The token of portable code.
#[derive(Clone, Copy, Debug)]
pub struct V1(());

impl V1 {
    /// Returns the token, which needs no detection: every machine runs portable code.
    pub const fn token() -> V1 {
        V1(())
    }
}

impl Token for V1 {
    const FAST_PEXT: bool = false;
    const COMMON: bool = cfg!(not(target_arch = "x86_64"));
    type Vector = [u64; 4];

    #[inline(always)]
    fn load(self, from: &Quad) -> [u64; 4] {
        from.0
    }
    #[inline(always)]
    fn store(self, to: &mut Quad, vector: [u64; 4]) {
        to.0 = vector;
    }
    #[inline(always)]
    fn splat(self, word: u64) -> [u64; 4] {
        [word; 4]
    }
    #[inline(always)]
    fn and(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        [a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]]
    }
    #[inline(always)]
    fn or(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        [a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]]
    }
    #[inline(always)]
    fn xor(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]]
    }
    #[inline(always)]
    fn is_zero(self, a: [u64; 4]) -> bool {
        a[0] | a[1] | a[2] | a[3] == 0
    }

    // The operations from here on are definitions for tests of the other levels, not code for speed.
    const LANES: bool = false;
    fn halves(self, a: &[u64; 4], b: &[u64; 4], half: usize) -> [u64; 4] {
        [a[2 * half], a[2 * half + 1], b[2 * half], b[2 * half + 1]]
    }
    fn low_nibbles(self, a: [u64; 4]) -> [u64; 4] {
        words(bytes(a).map(|byte| byte & 15))
    }
    fn high_nibbles(self, a: [u64; 4]) -> [u64; 4] {
        words(bytes(a).map(|byte| byte >> 4))
    }
    fn look_up(self, table: &[u8; 16], indices: [u64; 4]) -> [u64; 4] {
        words(bytes(indices).map(|index| table[index as usize]))
    }
    fn interleave_low<const N: usize>(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        interleaved::<N>(a, b, 0)
    }
    fn interleave_high<const N: usize>(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        interleaved::<N>(a, b, 8)
    }
    fn add16(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        let part = |word: u64, i: usize| (word >> (16 * i)) as u16;
        let sum = |a, b| (0..4).fold(0, |sum, i| sum | u64::from(part(a, i).wrapping_add(part(b, i))) << (16 * i));
        std::array::from_fn(|i| sum(a[i], b[i]))
    }
    fn even_bytes(self, a: [u64; 4]) -> [u64; 4] {
        a.map(|word| word & 0x00ff_00ff_00ff_00ff)
    }
    fn odd_bytes(self, a: [u64; 4]) -> [u64; 4] {
        a.map(|word| word >> 8 & 0x00ff_00ff_00ff_00ff)
    }
    fn look_ups(self, tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
        kernels::look_ups_portable(tables, nibbles)
    }
    fn products(self, sets: &[[Quad; 2]; 32], multipliers: &[[Quad; 2]; 2]) -> [[u64; 32]; 2] {
        kernels::products_portable(sets, multipliers)
    }

    #[inline(always)]
    fn pext(self, value: u64, mask: u64) -> u64 {
        gather::pext_portable(value, mask)
    }

    #[inline(always)]
    fn pdep(self, value: u64, mask: u64) -> u64 {
        gather::pdep_portable(value, mask)
    }

    #[inline(never)]
    fn call<K: Kernel>(self, task: K) -> K::Output {
        task.run(self)
    }
    fn call_wide<K: WideKernel>(self, _: K) -> Option<K::Output> {
        None
    }
}

fn bytes(words: [u64; 4]) -> [u8; 32] {
    std::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8])
}

fn words(bytes: [u8; 32]) -> [u64; 4] {
    std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j])))
}

/// Interleaves eight bytes of each half of `a` and `b` from byte `start` on, in elements of `N` bytes.
fn interleaved<const N: usize>(a: [u64; 4], b: [u64; 4], start: usize) -> [u64; 4] {
    let (a, b) = (bytes(a), bytes(b));
    words(std::array::from_fn(|i| {
        let (half, element, byte) = (i / 16 * 16, i % 16 / N, i % N);
        let from = half + start + element / 2 * N + byte;
        if element % 2 == 0 { a[from] } else { b[from] }
    }))
}

/// The token of x86-64-v3 (AVX2, BMI1, BMI2, LZCNT, POPCNT) with PCLMULQDQ, which every such machine has. `FAST` says
/// that PEXT is not microcoded, as it is on AMD before Zen 3.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct V3<const FAST: bool> {
    /// True if the [`kernels`] use 512-bit vectors.
    wide: bool,
}

#[cfg(target_arch = "x86_64")]
impl<const FAST: bool> Token for V3<FAST> {
    const FAST_PEXT: bool = FAST;
    const COMMON: bool = FAST;
    type Vector = arch::__m256i;

    #[inline(always)]
    fn load(self, from: &Quad) -> arch::__m256i {
        // SAFETY: a quad is 32 bytes long and aligned to them; the token proves AVX2.
        unsafe { arch::_mm256_load_si256(std::ptr::from_ref(from).cast()) }
    }
    #[inline(always)]
    fn store(self, to: &mut Quad, vector: arch::__m256i) {
        // SAFETY: a quad is 32 bytes long and aligned to them; the token proves AVX2.
        unsafe { arch::_mm256_store_si256(std::ptr::from_mut(to).cast(), vector) }
    }
    #[inline(always)]
    fn splat(self, word: u64) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_set1_epi64x(word as i64) }
    }
    #[inline(always)]
    fn and(self, a: arch::__m256i, b: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn or(self, a: arch::__m256i, b: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_or_si256(a, b) }
    }
    #[inline(always)]
    fn xor(self, a: arch::__m256i, b: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_xor_si256(a, b) }
    }
    #[inline(always)]
    fn is_zero(self, a: arch::__m256i) -> bool {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_testz_si256(a, a) != 0 }
    }

    const LANES: bool = true;
    #[inline(always)]
    fn halves(self, a: &[u64; 4], b: &[u64; 4], half: usize) -> arch::__m256i {
        debug_assert!(half < 2);
        let (a, b, at) = (a.as_ptr(), b.as_ptr(), 2 * (half & 1));
        // SAFETY: `at` is 0 or 2, so both loads stay inside their four words; the token proves AVX2.
        unsafe {
            let low = arch::_mm_loadu_si128(a.add(at).cast());
            let high = arch::_mm_loadu_si128(b.add(at).cast());
            arch::_mm256_inserti128_si256::<1>(arch::_mm256_castsi128_si256(low), high)
        }
    }
    #[inline(always)]
    fn low_nibbles(self, a: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_and_si256(a, arch::_mm256_set1_epi8(15)) }
    }
    #[inline(always)]
    fn high_nibbles(self, a: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_and_si256(arch::_mm256_srli_epi16::<4>(a), arch::_mm256_set1_epi8(15)) }
    }
    #[inline(always)]
    fn look_up(self, table: &[u8; 16], indices: arch::__m256i) -> arch::__m256i {
        // SAFETY: 16 bytes are read from an array of 16; the token proves AVX2.
        unsafe {
            let table = arch::_mm_loadu_si128(table.as_ptr().cast());
            arch::_mm256_shuffle_epi8(arch::_mm256_broadcastsi128_si256(table), indices)
        }
    }
    #[inline(always)]
    fn interleave_low<const N: usize>(self, a: arch::__m256i, b: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe {
            match N {
                1 => arch::_mm256_unpacklo_epi8(a, b),
                2 => arch::_mm256_unpacklo_epi16(a, b),
                _ => arch::_mm256_unpacklo_epi32(a, b),
            }
        }
    }
    #[inline(always)]
    fn interleave_high<const N: usize>(self, a: arch::__m256i, b: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe {
            match N {
                1 => arch::_mm256_unpackhi_epi8(a, b),
                2 => arch::_mm256_unpackhi_epi16(a, b),
                _ => arch::_mm256_unpackhi_epi32(a, b),
            }
        }
    }

    #[inline(always)]
    fn add16(self, a: arch::__m256i, b: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_add_epi16(a, b) }
    }
    #[inline(always)]
    fn even_bytes(self, a: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_and_si256(a, arch::_mm256_set1_epi16(255)) }
    }
    #[inline(always)]
    fn odd_bytes(self, a: arch::__m256i) -> arch::__m256i {
        // SAFETY: the token proves AVX2.
        unsafe { arch::_mm256_srli_epi16::<8>(a) }
    }
    #[inline(always)]
    fn look_ups(self, tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
        // SAFETY: the token proves AVX2, and `wide` that `is_wide` has seen the rest.
        unsafe {
            if self.wide { kernels::look_ups_512(tables, nibbles) } else { kernels::look_ups_256(tables, nibbles) }
        }
    }
    #[inline(always)]
    fn products(self, sets: &[[Quad; 2]; 32], multipliers: &[[Quad; 2]; 2]) -> [[u64; 32]; 2] {
        // SAFETY: the token proves AVX2 and PCLMULQDQ, and `wide` that `is_wide` has seen the rest.
        unsafe {
            if self.wide { kernels::products_512(sets, multipliers) } else { kernels::products_128(sets, multipliers) }
        }
    }

    #[inline(always)]
    fn pext(self, value: u64, mask: u64) -> u64 {
        // SAFETY: the token exists, so `detect` has seen BMI2.
        unsafe { arch::_pext_u64(value, mask) }
    }

    #[inline(always)]
    fn pdep(self, value: u64, mask: u64) -> u64 {
        // SAFETY: the token exists, so `detect` has seen BMI2.
        unsafe { arch::_pdep_u64(value, mask) }
    }

    #[inline(always)]
    fn call<K: Kernel>(self, task: K) -> K::Output {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,pclmulqdq,popcnt")]
        fn v3_task<K: Kernel, L: Token>(task: K, level: L) -> K::Output {
            task.run(level)
        }
        // SAFETY: the token exists, so `detect` has seen every feature that `v3_task` enables.
        unsafe { v3_task(task, self) }
    }

    #[inline(always)]
    fn call_wide<K: WideKernel>(self, task: K) -> Option<K::Output> {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,pclmulqdq,popcnt")]
        fn with_256<K: WideKernel, L: Token>(task: K, level: L) -> K::Output {
            task.run(level, lanes::W256(()))
        }
        #[inline(never)]
        #[target_feature(
            enable = "avx2,bmi1,bmi2,lzcnt,pclmulqdq,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq"
        )]
        fn with_512<K: WideKernel, L: Token>(task: K, level: L) -> K::Output {
            task.run(level, lanes::W512(()))
        }
        // The compiler would inline these functions in spite of `inline(never)`, and the code of the rare ones would then
        // stand between that of the others. A function pointer that it cannot see through keeps them apart.
        let run: unsafe fn(K, Self) -> K::Output = if self.wide { with_512::<K, Self> } else { with_256::<K, Self> };
        // SAFETY: the token exists, so `detect` has seen the features of v3, and `wide` says that `is_wide` has seen the
        // others.
        Some(unsafe { std::hint::black_box(run)(task, self) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs all operations on quads and keeps results that a wrong operation would change.
    struct Fold(Quad, Quad);
    impl Kernel for Fold {
        type Output = ([Quad; 10], bool, bool);
        #[inline(always)]
        fn run<L: Token>(self, level: L) -> Self::Output {
            let (a, b) = (level.load(&self.0), level.load(&self.1));
            let table: [u8; 16] =
                std::array::from_fn(|i| (self.1.0[0] >> (4 * (i & 7)) ^ self.1.0[1] >> (3 * i)) as u8);
            let each = [
                level.xor(level.and(a, b), level.or(a, level.splat(self.1.0[2]))),
                level.halves(&self.0.0, &self.1.0, 0),
                level.halves(&self.0.0, &self.1.0, 1),
                level.look_up(&table, level.xor(level.low_nibbles(a), level.high_nibbles(b))),
                level.interleave_low::<1>(a, b),
                level.interleave_high::<1>(a, b),
                level.interleave_low::<2>(a, b),
                level.interleave_high::<2>(a, b),
                level.xor(level.interleave_low::<4>(a, b), level.interleave_high::<4>(b, a)),
                level.add16(level.xor(a, level.even_bytes(b)), level.odd_bytes(a)),
            ];
            let mut out = [Quad::ZERO; 10];
            for (quad, vector) in out.iter_mut().zip(each) {
                level.store(quad, vector);
            }
            (out, level.is_zero(level.xor(a, a)), level.is_zero(a))
        }
    }

    #[test]
    fn every_level_computes_the_same() {
        let mut x = 1_u64;
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            x ^ x >> 29
        };
        for round in 0..200 {
            // One bit in one lane is not zero.
            let a = if round < 4 {
                Quad(std::array::from_fn(|lane| u64::from(lane == round)))
            } else {
                Quad(std::array::from_fn(|_| next()))
            };
            let b = Quad(std::array::from_fn(|_| next()));
            let naive = Quad(std::array::from_fn(|i| a.0[i] & b.0[i] ^ (a.0[i] | b.0[2])));
            let expected = Level::portable().dispatch(Fold(a, b));
            assert_eq!((expected.0[0], expected.1, expected.2), (naive, true, false));
            assert_eq!(Level::detect().dispatch(Fold(a, b)), expected, "{}", Level::detect());
        }
    }

    #[test]
    fn interleaving_is_what_it_says() {
        let a = std::array::from_fn(|i| i as u8);
        let b = a.map(|byte: u8| byte + 100);
        let low = bytes(V1::token().interleave_low::<2>(words(a), words(b)));
        assert_eq!(low[..8], [0, 1, 100, 101, 2, 3, 102, 103]);
        assert_eq!(low[16..20], [16, 17, 116, 117]);
        let high = bytes(V1::token().interleave_high::<1>(words(a), words(b)));
        assert_eq!(high[..6], [8, 108, 9, 109, 10, 110]);
        assert_eq!(high[16..19], [24, 124, 25]);
    }
}
