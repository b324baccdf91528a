//! Vectors of 64-bit lanes for set-wise algorithms. Each lane holds one board, or a quarter of a board.
//!
//! Each algorithm is written once, generic over [`U64s`], with Rust's operators `&`, `|`, `^`, `!`. It runs on a plain
//! array ([`Portable`]), on two lanes (`U64x2`: NEON), on four (`U64x4`: AVX2) and on eight (`U64x8`: AVX-512).
//! [`Paired`] joins two vectors into one with twice the lanes. The subtrait [`Bytes`] adds operations on lanes split
//! into bytes, which are needed only to recompute keys. Both traits have only operations that some algorithm uses.
//! [`CacheLine`] is another kind of vector: sixteen words of a table, compared at once.
//!
//! **Safety contract** for every vector type: its fields are private, and a value can be made only with a
//! [`U64s::Proof`]. Only a level's token makes a proof, and only detection hands out tokens. So code that holds a
//! vector or a proof runs on a machine with the vector's instructions, and all operations are safe to call.
//!
//! **Source**: the design, with one trait and one contract, follows `src/vector.rs` of
//! <https://github.com/BurntSushi/memchr>.

/// Implements the operators of a vector, each with one instruction.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! operators {
    ($vector:ident: $($trait:ident $method:ident $intrinsic:ident),+) => {$(
        impl $trait for $vector {
            type Output = $vector;
            by_instruction!($vector: $method $intrinsic);
        }
    )+};
}

/// Defines methods that apply one instruction to two vectors.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! by_instruction {
    ($vector:ident: $($method:ident $intrinsic:ident),+) => {$(
        #[inline(always)]
        fn $method(self, other: $vector) -> $vector {
            // SAFETY: making a vector takes a proof that the processor has the vector's instructions.
            $vector(unsafe { arch::$intrinsic(self.0, other.0) })
        }
    )+};
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod cache_line;
#[cfg(target_arch = "aarch64")]
mod neon;
mod paired;
mod portable;
mod proof;
#[cfg(test)]
mod tests;
mod u64s;

#[cfg(target_arch = "x86_64")]
pub use avx2::U64x4;
#[cfg(target_arch = "x86_64")]
pub use avx512::U64x8;
pub use cache_line::{CacheLine, LINE_WORDS, PlainLine};
#[cfg(target_arch = "aarch64")]
pub use neon::U64x2;
pub use paired::Paired;
pub use portable::Portable;
#[cfg(target_arch = "aarch64")]
pub use proof::NeonProof;
#[cfg(target_arch = "x86_64")]
pub use proof::{Avx2, Avx512};
pub use proof::{Plain, Sealed};
pub use u64s::{Bytes, U64s};
