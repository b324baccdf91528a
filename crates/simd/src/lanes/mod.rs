//! Vectors of 64-bit lanes for set-wise algorithms: one board, or one direction, in each lane.
//!
//! An algorithm is written once over [`Lanes`] with the operators of the language, `&`, `|`, `^`, `!`, and runs on
//! vectors of four lanes (AVX2), of eight (AVX-512), or of eight in two halves (`Pair`). Vectors are made only with a
//! [`Lanes::Proof`], which only detection hands out, so whoever holds one may use its instructions.

#[cfg(target_arch = "x86_64")]
mod eight;
#[cfg(target_arch = "x86_64")]
mod folds;
#[cfg(target_arch = "x86_64")]
mod four;
#[cfg(target_arch = "x86_64")]
mod pair;
mod plain;
#[cfg(test)]
mod tests;
mod traits;

#[cfg(target_arch = "x86_64")]
pub(super) use eight::W512;
#[cfg(target_arch = "x86_64")]
pub(super) use four::W256;
pub use plain::{Plain, PlainU64x8};
pub use traits::{JUMP_LANDING, LANDING, Lanes, Queue, Rays, Width};

use traits::{jump, put_each, turn};
