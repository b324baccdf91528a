//! Output of `perft unique`: the table of plies, and `perft.unique/1`.

pub mod json;
pub mod text;
