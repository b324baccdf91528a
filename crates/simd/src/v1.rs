//! The level of portable code, available on every machine.

use crate::kernels::{self, NibbleTables};
use crate::quad::Quad;
use crate::token::{Caller, Kernel, Token, WideKernel};
use crate::vector::{Plain, Portable, Sealed};

/// The token of portable code.
#[derive(Clone, Copy, Debug)]
pub struct V1(());

impl V1 {
    /// Returns the token. It needs no detection, because every machine runs portable code.
    pub const fn token() -> V1 {
        V1(())
    }
}

impl Sealed for V1 {}

impl Caller for V1 {
    #[inline(never)]
    fn call<K: Kernel>(self, task: K) -> K::Output {
        task.run(self)
    }
}

impl Token for V1 {
    const COMMON: bool = cfg!(not(any(target_arch = "x86_64", target_arch = "aarch64")));
    const FAST_VECTORS: bool = false;
    type Proof = Plain;
    type U64x4 = Portable<4>;

    #[inline(always)]
    fn proof(self) -> Plain {
        Plain
    }

    fn look_ups(self, tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
        kernels::look_ups_portable(tables, nibbles)
    }

    #[inline(never)]
    fn call_wide<K: WideKernel>(self, task: K) -> K::Output {
        task.run::<Portable<4>>(Plain)
    }
}
