//! The level of AArch64: NEON, which every such processor has.

use crate::gather;
use crate::kernels::{self, NibbleTables};
use crate::quad::Quad;
use crate::token::{Kernel, Token, WideKernel};
use crate::vector::{NeonProof, Paired, Sealed, U64x2};

/// The token of NEON. Processors without the cryptographic extension (the Cortex-A72 of a Raspberry Pi 4 is one) lack the
/// carry-less product of 64 bits: they have the same level, and a portable product.
#[derive(Clone, Copy, Debug)]
pub struct Neon {
    /// True if the machine multiplies without carries (`pmull`).
    pmull: bool,
}

impl Neon {
    /// Returns the token of this machine.
    pub(crate) fn detect() -> Neon {
        Neon { pmull: std::arch::is_aarch64_feature_detected!("aes") }
    }

    /// Returns true if the machine multiplies without carries.
    pub(crate) const fn has_pmull(self) -> bool {
        self.pmull
    }
}

impl Sealed for Neon {}

impl Token for Neon {
    const FAST_PEXT: bool = false;
    const COMMON: bool = true;
    const FAST_VECTORS: bool = true;
    type Proof = NeonProof;
    type U64x4 = Paired<U64x2>;

    #[inline(always)]
    fn proof(self) -> NeonProof {
        NeonProof::new()
    }

    #[inline(always)]
    fn look_ups(self, tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
        kernels::look_ups_neon(tables, nibbles)
    }

    #[inline(always)]
    fn look_ups_of_two(self, tables: &NibbleTables, nibbles: &[[Quad; 64]; 2]) -> [[Quad; 8]; 2] {
        kernels::look_ups_of_two_neon(tables, nibbles)
    }

    #[inline(always)]
    fn products(self, sets: &[[Quad; 2]; 32], multipliers: &[[Quad; 2]; 2]) -> [[u64; 32]; 2] {
        if self.pmull {
            // SAFETY: `pmull` says that `detect` has seen the instruction.
            unsafe { kernels::products_pmull(sets, multipliers) }
        } else {
            kernels::products_portable(sets, multipliers)
        }
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

    #[inline(never)]
    fn call_wide<K: WideKernel>(self, task: K) -> Option<K::Output> {
        // Eight lanes take 1 to 8 % more instructions: fewer moves fill them.
        Some(task.run::<Paired<U64x2>>(self.proof()))
    }
}
