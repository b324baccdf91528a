//! All that `perft bench` prints: a record, and two builds by turns, as text.

pub mod against;
pub mod text;
