//! All that `perft divide` prints: the comparison with a listing as text, and `perft.divide/1`.

pub mod json;
pub mod text;
