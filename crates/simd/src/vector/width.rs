//! Which vectors a set-wise algorithm runs on, by the proof of their instructions.

#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx512, Pair, U64x4, U64x8};
use super::{Plain, Portable, Rays, U64s};

/// The vectors of a proof: one for sibling positions, one for the eight directions.
pub trait Width: Copy + Send + Sync {
    /// Sibling positions side by side.
    type Children: U64s<Proof = Self>;
    /// Directions side by side.
    type Rays: Rays<Proof = Self>;
}

impl Width for Plain {
    type Children = Portable<8>;
    type Rays = Portable<8>;
}

#[cfg(target_arch = "x86_64")]
impl Width for Avx2 {
    type Children = U64x4;
    type Rays = Pair<U64x4>;
}

#[cfg(target_arch = "x86_64")]
impl Width for Avx512 {
    type Children = U64x8;
    type Rays = U64x8;
}
