//! All that `perft key` writes: `perft.key/1`.

pub mod json;
