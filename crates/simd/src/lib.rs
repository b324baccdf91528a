//! Instruction-set levels chosen at run time, and memory in huge pages. All of the project's unsafe code is here.
//!
//! A plain build targets the oldest x86-64. Popcounts, PEXT and vectors then take 2 to 17 times as long as in a
//! function with `#[target_feature]`. So a [`Level`] is detected once, and each task is a function with the attribute
//! [`kernel`], compiled for the level of its caller. The level's [`Token`] proves that detection succeeded. Only this
//! crate can make a token, so the instructions behind it are safe to use. Vectors, [`U64s`], need the same proof.
//!
//! Everything that a task calls must be `#[inline(always)]` (or a separate task). Otherwise it lacks the level's
//! instructions. [`inline_all`] adds the attribute to a type's methods. `ci/gate/disassembly` finds calls that were not
//! inlined.

#![allow(unsafe_code)]

// `#[kernel]` refers to this crate by name.
extern crate self as perft_gate_simd;

#[doc(hidden)]
pub mod exchange;
mod gather;
mod hints;
mod kernels;
mod level;
mod memory;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pages;
mod quad;
mod token;
mod v1;
#[cfg(target_arch = "x86_64")]
mod v3;
mod vector;

pub use gather::{gather, scatter};
pub use hints::{opaque, prefetch, prefetch_address};
pub use kernels::NibbleTables;
pub use level::{Availability, Level};
pub use memory::Memory;
pub use pages::Pages;
pub use perft_gate_kernel::{inline_all, kernel, opt_level};
pub use quad::Quad;
pub use token::{Caller, Kernel, Token, WideKernel};
pub use v1::V1;
pub use vector::{Bytes, CacheLine, LINE_WORDS, Paired, Plain, PlainLine, U64s};
