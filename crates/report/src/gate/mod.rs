//! All that `perft gate` prints: text, `perft.gate/1`, JUnit XML, and GitHub annotations.

pub mod cases;
mod document;
pub mod json;
pub mod text;
