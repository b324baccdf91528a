//! Game-playing tests of the chess and zobrist crates.

mod packed;
mod trackers;
