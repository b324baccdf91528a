//! Vectors of 64-bit lanes for set-wise algorithms: one board, one direction, or one quarter of a board in each lane.
//!
//! An algorithm is written once over [`U64s`] with the operators of the language, `&`, `|`, `^`, `!`, and runs on a plain
//! array ([`Portable`]), on four lanes ([`U64x4`]: AVX2), on eight ([`U64x8`]: AVX-512), and on any vector doubled
//! ([`Pair`]: eight lanes of AVX2). What only some shapes of a vector have stands in two traits over it: [`Rays`], eight
//! lanes that look in eight directions, and [`Bytes`], lanes taken apart into bytes.
//!
//! **Safety contract**, the same for every vector: its fields are private and it is made only with a [`U64s::Proof`], and
//! a proof is made only by a level's token, which only detection hands out. So whoever holds a vector, or its proof, runs
//! on a machine that has its instructions, and all operations are safe to call.
//!
//! **Source** of the shape, one trait and one contract: `src/vector.rs` of <https://github.com/BurntSushi/memchr>.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod pair;
mod portable;
mod rays;
#[cfg(test)]
mod tests;
mod u64s;
mod width;

#[cfg(target_arch = "x86_64")]
pub use avx2::{Avx2, U64x4};
#[cfg(target_arch = "x86_64")]
pub use avx512::{Avx512, U64x8};
pub use pair::Pair;
pub use portable::{Plain, Portable};
pub use rays::{JUMP_LANDING, LANDING, Rays};
pub use u64s::{Bytes, U64s};
pub use width::Width;
