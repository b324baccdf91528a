//! All that `perft keys audit` prints: text, and `perft.keys/1`.

pub mod json;
pub mod text;
