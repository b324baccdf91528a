//! All that `perft compare` prints: text, and `perft.compare/1`.

pub mod json;
pub mod text;
