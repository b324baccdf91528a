//! All that `perft count` writes: `perft.count/1`.

pub mod json;
pub mod text;
