//! All that `perft engine` prints: text, `perft.engine/1`, JUnit XML, and GitHub annotations.

pub mod cases;
pub mod causes;
mod document;
pub mod json;
pub mod run;
pub mod text;
