//! Tests of chess and zobrist that play games.

mod block;
mod packed;
mod trackers;
