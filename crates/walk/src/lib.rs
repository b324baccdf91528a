//! All code that walks a game tree: games, positions with their keys, visitors, and the verification of every node.
#![forbid(unsafe_code)]

mod by_piece;
mod checks;
mod count;
mod game;
mod one_move;
mod playouts;
mod position;
mod statistics;
mod tasks;
mod tree;
mod verify;
mod visitor;
mod visitors;

#[cfg(test)]
mod tests;

pub use by_piece::{ByPiece, each_child_by_piece};
pub use checks::{Check, Checks, Mismatch, Occasions};
pub use count::Count;
pub use game::{Game, MAX_DEPTH, MAX_PLAYOUT_PLIES, MAX_SIBLINGS, Siblings};
pub use one_move::{board_after, board_after_null_move, make_move, moves};
pub use playouts::{Playouts, playout, playouts, playouts_of};
pub use position::{ChildKeys, KeySink, Lifted, Position, Prepared, Undo};
pub use statistics::{Classify, KINDS, Statistics};
pub use tasks::{Control, Progress, SPLIT_RULE, Split, TaskPlan, run_tasks, walk};
pub use tree::walk_tree;
pub use verify::{
    RowReport, Settings, classify, count_each, count_game, count_in_bulk, statistics, verify, verify_game,
};
pub use visitor::{Children, Restored, Visitor};
pub use visitors::{Verified, Verify};

/// Optimisation level at which this crate is compiled: 0 to 3, s or z.
pub const OPT_LEVEL: &str = perft_gate_simd::opt_level!();
