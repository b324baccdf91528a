//! The token of a level, and tasks that are compiled for a level.

use crate::kernels::NibbleTables;
use crate::quad::Quad;
use crate::vector::{Bytes, Sealed, U64s};
use perft_gate_kernel::inline_all;

/// Proof that this machine can run a level's instructions, and the methods that use them.
#[inline_all]
pub trait Token: Caller + Sealed + Copy + Send + Sync + 'static {
    /// True for the common level of an architecture; see [`Level::is_common`](crate::Level::is_common).
    const COMMON: bool;

    /// Returns true if [`Token::pext`] is one fast instruction and is to be used.
    fn fast_pext(self) -> bool {
        false
    }

    /// Gathers the bits of `value` under `mask` at the low end.
    ///
    /// The default implementation moves one bit at a time: a reference for other implementations, too slow for a walk.
    fn pext(self, value: u64, mask: u64) -> u64 {
        let (mut gathered, mut place, mut rest) = (0, 0, mask);
        while rest != 0 {
            gathered |= (value >> rest.trailing_zeros() & 1) << place;
            place += 1;
            rest &= rest - 1;
        }
        gathered
    }

    /// Spreads the low bits of `value` to the bit positions of `mask`: the inverse of [`Token::pext`].
    ///
    /// The default implementation is as slow as that of `pext`.
    fn pdep(self, value: u64, mask: u64) -> u64 {
        let (mut spread, mut place, mut rest) = (0, 0, mask);
        while rest != 0 {
            spread |= (value >> place & 1) << rest.trailing_zeros();
            place += 1;
            rest &= rest - 1;
        }
        spread
    }

    /// True if the level's vectors are fast. Otherwise, algorithms use a separate scalar form.
    const FAST_VECTORS: bool;
    /// The proof that the machine has the level's vectors.
    type Proof: Copy;
    /// Four 64-bit words in the level's registers.
    type U64x4: Bytes<Proof = Self::Proof>;
    /// Returns the proof that the machine has the level's vectors.
    fn proof(self) -> Self::Proof;
    /// Returns true if the widest vectors have eight lanes.
    fn has_eight_lanes(self) -> bool {
        false
    }
    /// Loads four words into a vector.
    fn load(self, from: &Quad) -> Self::U64x4 {
        U64s::load(self.proof(), &from.0)
    }
    /// Returns a vector with the same word in all four lanes.
    fn splat(self, word: u64) -> Self::U64x4 {
        U64s::splat(self.proof(), word)
    }

    /// For each of 32 columns and each byte of a word, returns the xor of the entries in [`NibbleTables`] that the
    /// column's nibbles select.
    fn look_ups(self, tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8];

    /// Runs `task` in a separate function with the level's widest vectors.
    fn call_wide<K: WideKernel>(self, task: K) -> K::Output;
}

/// The argument that selects a kernel's level: a [`Level`](crate::Level) or its [`Token`].
pub trait Caller {
    /// Runs `task` in a separate function, compiled for this level.
    fn call<K: Kernel>(self, task: K) -> K::Output;
}

/// A piece of work that can be compiled for any level; [`kernel`](crate::kernel) makes one from a function.
///
/// `run` must be `#[inline(always)]`, so that it is inlined into the one function compiled with the level's features.
pub trait Kernel {
    /// The result.
    type Output;
    /// True if the task is compiled only for the common level ([`Level::is_common`](crate::Level::is_common)). That
    /// saves code if there are many similar tasks.
    const COMMON_ONLY: bool = false;
    /// Does the work.
    fn run<L: Token>(self, level: L) -> Self::Output;
}

/// A task that works on vectors with as many lanes as the level has.
pub trait WideKernel {
    /// The result.
    type Output;
    /// Does the work. Like [`Kernel::run`], it must be `#[inline(always)]`.
    fn run<V: U64s>(self, proof: V::Proof) -> Self::Output;
}
