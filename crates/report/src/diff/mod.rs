//! All that `perft diff` prints: text, Markdown, and `perft.diff/1`.

pub mod json;
pub mod text;
