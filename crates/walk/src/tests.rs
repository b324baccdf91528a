//! Tests of chess and zobrist that play games.

mod packed;
mod trackers;
