//! Output of `perft compare`: text, and `perft.compare/1`.

pub mod json;
pub mod text;
