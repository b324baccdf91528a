//! All that `perft collisions` prints: text, and `perft.collisions/1`.

pub mod json;
mod report;
pub mod text;

pub use report::CollisionReport;
