//! Verification of positions and boards, and their verdicts.
#![forbid(unsafe_code)]

#[cfg(feature = "faults")]
pub mod faults;
pub mod gate;
#[cfg(feature = "faults")]
pub mod selftest;
pub mod subject;
