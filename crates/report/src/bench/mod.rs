//! What `perft bench` prints: a record, or a comparison of two builds.

pub mod against;
pub mod text;
