//! The levels x86-64-v3 and, for kernels over wide vectors, AVX-512.

use crate::kernels::{self, NibbleTables};
use crate::quad::Quad;
use crate::token::{Caller, Kernel, Token, WideKernel};
use crate::vector::{Avx2, Avx512, Sealed, U64x4, U64x8};
use perft_gate_kernel::inline_all;
use std::arch::x86_64 as arch;

/// The token of x86-64-v3 (AVX2, BMI1, BMI2, LZCNT, POPCNT).
#[derive(Clone, Copy, Debug)]
pub struct V3 {
    /// True if the [`kernels`] use 512-bit vectors.
    wide: bool,
    /// True if PEXT is one fast instruction and `v3-nopext` was not asked for. AMD processors before Zen 3 run it in
    /// microcode.
    fast_pext: bool,
}

impl V3 {
    /// Returns the token.
    ///
    /// # Safety
    /// The machine has the instructions of x86-64-v3. If `wide` is true, it also has the instructions that `is_wide`
    /// checks.
    pub(crate) const unsafe fn new_unchecked(wide: bool, fast_pext: bool) -> V3 {
        V3 { wide, fast_pext }
    }

    /// Returns true if the kernels use 512-bit vectors.
    pub(crate) const fn is_wide(self) -> bool {
        self.wide
    }

    /// Returns the token of the same machine without 512-bit vectors and, unless `pext` is true, without PEXT.
    pub(crate) const fn narrow(self, pext: bool) -> V3 {
        V3 { wide: false, fast_pext: self.fast_pext && pext }
    }
}

impl Sealed for V3 {}

impl Caller for V3 {
    #[inline(always)]
    fn call<K: Kernel>(self, task: K) -> K::Output {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn v3_task<K: Kernel, L: Token>(task: K, level: L) -> K::Output {
            task.run(level)
        }
        // SAFETY: the token exists, so `detect` found every feature that `v3_task` enables.
        unsafe { v3_task(task, self) }
    }
}

#[inline_all]
impl Token for V3 {
    const COMMON: bool = true;
    const FAST_VECTORS: bool = true;
    type Proof = Avx2;
    type U64x4 = U64x4;

    fn has_eight_lanes(self) -> bool {
        self.wide
    }

    fn fast_pext(self) -> bool {
        self.fast_pext
    }

    fn proof(self) -> Avx2 {
        // SAFETY: the token proves AVX2.
        unsafe { Avx2::new_unchecked() }
    }

    fn look_ups(self, tables: &NibbleTables, nibbles: &[Quad; 32]) -> [Quad; 8] {
        // SAFETY: the token proves AVX2, and `wide` proves that `is_wide` found AVX-512.
        unsafe {
            if self.wide { kernels::look_ups_512(tables, nibbles) } else { kernels::look_ups_256(tables, nibbles) }
        }
    }

    fn pext(self, value: u64, mask: u64) -> u64 {
        // SAFETY: the token exists, so `detect` found BMI2.
        unsafe { arch::_pext_u64(value, mask) }
    }

    fn pdep(self, value: u64, mask: u64) -> u64 {
        // SAFETY: the token exists, so `detect` found BMI2.
        unsafe { arch::_pdep_u64(value, mask) }
    }

    fn call_wide<K: WideKernel>(self, task: K) -> K::Output {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_256<K: WideKernel>(task: K) -> K::Output {
            // SAFETY: the caller holds the token of v3, which proves AVX2.
            task.run::<U64x4>(unsafe { Avx2::new_unchecked() })
        }
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
        fn with_512<K: WideKernel>(task: K) -> K::Output {
            // SAFETY: the caller holds a token with `wide`, so `is_wide` found AVX-512.
            task.run::<U64x8>(unsafe { Avx512::new_unchecked() })
        }
        // The compiler would inline these functions despite `inline(never)` and mix rarely used code with the rest. A
        // function pointer that it cannot see through keeps them separate.
        let run: unsafe fn(K) -> K::Output = if self.wide { with_512::<K> } else { with_256::<K> };
        // SAFETY: the token exists, so `detect` found the features of v3. If `wide`, `is_wide` found those of AVX-512.
        unsafe { std::hint::black_box(run)(task) }
    }
}
