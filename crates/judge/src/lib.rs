//! Verifies positions and boards, and returns verdicts on them.
#![forbid(unsafe_code)]

#[cfg(feature = "faults")]
pub mod faults;
pub mod gate;
#[cfg(feature = "faults")]
pub mod selftest;
pub mod subject;
