//! Suites, verification of positions and boards, and the verdict on them.
#![forbid(unsafe_code)]

#[cfg(feature = "faults")]
pub mod faults;
pub mod gate;
#[cfg(feature = "faults")]
pub mod selftest;
pub mod subject;
pub mod suite;
