//! Optimisation level of this crate's code, as its build script found it.

/// Optimisation level that this crate is compiled with: 0 to 3, s or z.
pub const OPT_LEVEL: &str = env!("PERFT_OPT_LEVEL");
