//! The rules of chess, the hashing schemes, and the one walk of a game tree: all that is generic and hot.
#![forbid(unsafe_code)]

pub mod chess;
mod differences;
mod playouts;
mod position;
mod verify;
pub mod walk;
pub mod zobrist;

pub use differences::Differences;
pub use playouts::{Playouts, playouts, playouts_of};
pub use position::{ChildKeys, KeySink, Lifted, Position, Prepared, Undo};
pub use verify::{RowReport, Settings, count_game, made, moves, passed, statistics, verify, verify_game};
