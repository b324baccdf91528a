//! Output of `perft count`: `perft.count/1`.

pub mod json;
pub mod text;
