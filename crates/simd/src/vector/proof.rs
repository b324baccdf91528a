//! Proofs that a machine has the instructions of a vector, and the trait that seals all traits of this crate.

/// Prevents other crates from adding vectors and tokens that break the contract of the [module](super).
pub trait Sealed {}

/// Proof for portable code, which every machine can run.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// Proof that the machine has AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Returns the proof.
    ///
    /// # Safety
    /// The machine has AVX2.
    #[inline(always)]
    pub(crate) unsafe fn new_unchecked() -> Avx2 {
        Avx2(())
    }
}

/// Proof that the machine has the AVX-512 extensions F, BW, DQ, VL and VPOPCNTDQ, as Ice Lake and Zen 4 do.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// Returns the proof.
    ///
    /// # Safety
    /// The machine has these instructions (F, BW, DQ, VL, VPOPCNTDQ).
    #[inline(always)]
    pub(crate) unsafe fn new_unchecked() -> Avx512 {
        Avx512(())
    }
}

/// Proof that the machine has NEON, which every AArch64 processor has.
#[cfg(target_arch = "aarch64")]
#[derive(Clone, Copy, Debug)]
pub struct NeonProof(());

#[cfg(target_arch = "aarch64")]
impl NeonProof {
    /// Returns the proof. No detection is needed, because this code exists only in builds with NEON.
    #[inline(always)]
    pub(crate) const fn new() -> NeonProof {
        const { assert!(cfg!(target_feature = "neon")) };
        NeonProof(())
    }
}
