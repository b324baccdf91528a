//! The level for AArch64: NEON, which is part of every AArch64 processor.

use crate::kernels::{self, NibbleTables};
use crate::quad::Quad;
use crate::token::{Caller, Kernel, Token, WideKernel};
use crate::vector::{NeonProof, Paired, Sealed, U64x2};
use perft_gate_kernel::inline_all;

/// The token of NEON.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// Returns the token of this machine.
    pub(crate) const fn detect() -> Neon {
        Neon(())
    }
}

impl Sealed for Neon {}

impl Caller for Neon {
    #[inline(never)]
    fn call<K: Kernel>(self, task: K) -> K::Output {
        task.run(self)
    }
}

#[inline_all]
impl Token for Neon {
    const COMMON: bool = true;
    const FAST_VECTORS: bool = true;
    type Proof = NeonProof;
    type U64x4 = Paired<U64x2>;

    fn proof(self) -> NeonProof {
        NeonProof::new()
    }

    fn look_ups(self, tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
        kernels::look_ups_neon(tables, nibbles)
    }

    #[inline(never)]
    fn call_wide<K: WideKernel>(self, task: K) -> K::Output {
        // Eight lanes would take 1 to 8 % more instructions, because they are less often all filled with moves.
        task.run::<Paired<U64x2>>(self.proof())
    }
}
