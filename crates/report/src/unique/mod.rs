//! All that `perft unique` writes: `perft.unique/1`.

pub mod json;
