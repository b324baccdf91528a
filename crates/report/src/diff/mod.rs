//! All that `perft diff` prints: text, Markdown, and `perft.diff/1`.

mod cells;
pub mod json;
pub mod markdown;
pub mod text;
