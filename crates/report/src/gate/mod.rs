//! All that `perft gate` prints: text, `perft.gate/1`, JUnit XML, and GitHub annotations.

pub mod cases;
pub mod json;
pub mod text;
