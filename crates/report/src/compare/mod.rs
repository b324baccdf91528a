//! All that `perft compare` prints: text, and `perft.compare/1`.

mod compared;
pub mod json;
pub mod text;

pub use compared::Compared;
