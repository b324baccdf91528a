//! Instruction-set levels, chosen at run time, and memory in huge pages: all unsafe code of the project.
//!
//! A plain build is compiled for the oldest x86-64; code outside a `#[target_feature]` region then pays 2 to 17 times
//! for popcounts, PEXT and vectors. So a [`Level`] is detected once, and each task is entered through
//! [`Level::dispatch`], which instantiates it as a function compiled for that level. The [`Token`] passed down is the
//! proof that detection succeeded: only this crate can make one, so the instructions behind it are safe to use. Vectors,
//! [`U64s`], are made only with such a proof.
//!
//! Everything that a task calls must be `#[inline(always)]` (or a task of its own), else it falls out of the region;
//! `ci/gate/disassembly` checks the result.

#![allow(unsafe_code)]

mod availability;
mod gather;
mod kernels;
mod level;
mod memory;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pages;
mod v1;
#[cfg(target_arch = "x86_64")]
mod v3;
mod vector;

pub use availability::Availability;
pub use gather::{gather, scatter};
pub use kernels::NibbleTables;
pub use level::Level;
pub use memory::Memory;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use pages::Pages;
pub use v1::V1;
#[cfg(target_arch = "x86_64")]
pub use v3::V3;
#[cfg(target_arch = "x86_64")]
pub use vector::{Avx2, Avx2Line, Avx512, Avx512Line, U64x4, U64x8};
pub use vector::{Bytes, CacheLine, LINE_WORDS, Paired, Plain, PlainLine, Portable, U64s};
#[cfg(target_arch = "aarch64")]
pub use vector::{NeonLine, NeonProof, U64x2};

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
    // The intrinsic for it is not stable.
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: a prefetch reads nothing and never faults, and is part of every AArch64.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{place}]",
            place = in(reg) std::ptr::from_ref(place),
            options(nostack, preserves_flags, readonly)
        );
    }
    #[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), miri))]
    let _ = place;
}

/// Prefetches the cache line of an address, whatever is there.
///
/// The hint for the second-level cache only (`prefetcht1`) is none: in a run of 33 of them, a Zen 5 server dropped at least three
/// of four.
#[inline(always)]
pub fn prefetch_address(address: usize) {
    // Miri has no caches to fill.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads nothing and never faults, and SSE is part of every x86-64.
    unsafe {
        arch::_mm_prefetch::<{ arch::_MM_HINT_T0 }>(std::ptr::without_provenance(address));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
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
    /// Returns true if the widest vectors have eight lanes.
    #[inline(always)]
    fn has_eight_lanes(self) -> bool {
        false
    }
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
    /// Does the same for two blocks of 32 columns, whose nibbles lie in bytes of their own: a table is then loaded once for
    /// both.
    fn look_ups_of_two(self, tables: &NibbleTables, nibbles: &[[Quad; 64]; 2]) -> [[Quad; 8]; 2];
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

/// A [`Kernel`] over vectors with as many lanes as the level has.
pub trait WideKernel {
    /// The result.
    type Output;
    /// Does the work; must be `#[inline(always)]` too.
    fn run<V: U64s>(self, proof: V::Proof) -> Self::Output;
}
