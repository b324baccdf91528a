//! Output of `perft engine`: text, `perft.engine/1`, JUnit XML, and GitHub annotations.

pub mod cases;
pub mod causes;
pub mod run;
pub mod text;
