//! `perft count` and `perft divide`.

mod divide;
mod document;
mod leaves;
mod stats;
mod way;

pub use divide::{DivideArgs, run as divide};
pub use leaves::{CountArgs, run};
