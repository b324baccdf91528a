//! All that `perft engine` prints: text, `perft.engine/1`, `perft.engine-keys/1`, JUnit XML, and GitHub annotations.

pub mod cases;
pub mod causes;
pub mod json;
pub mod key_audit;
pub mod run;
pub mod text;
