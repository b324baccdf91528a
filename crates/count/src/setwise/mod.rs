//! Set-wise counting: the leaf nodes of a tree, counted without making the moves of the last two plies.
//!
//! [`LeafCounter`] is the visitor for the walk. It takes over two plies above the leaf nodes. There it counts the
//! replies to most moves of a position by sums (`replies`), and the replies to the other moves in vectors of siblings
//! (`lanes`). Three plies above the leaf nodes, it makes plain moves on bitboards alone, and the children of all
//! siblings share vectors (`siblings`). On a level without fast vectors it counts the last ply in bulk, child by child.
//! [`Hashed`] probes a table first and skips positions that the table holds.
//!
//! Where to begin: the essay in `replies` explains the idea and counts two positions by hand. `zone` covers the squares
//! around the replier's king, and `pins` covers the lines through it. `sliders` and `pawns` cover the moves that these
//! pieces lose and gain. `scene` sorts the moves into those that are summed and those that are counted singly.
//! `per_move` and `queue` pass these single moves to `lanes`. `few_pieces` and `one_by_one` count positions where sums
//! would be slower. `docs/experiments.md` lists alternatives that were tried.

mod arrivals;
mod castling;
mod few_pieces;
mod hashed;
mod king_lines;
mod lanes;
mod leaf_counter;
mod one_by_one;
mod parent;
mod pawns;
mod per_move;
mod pieces;
mod pins;
mod queue;
mod replies;
mod scene;
mod scratch;
mod siblings;
mod sliders;
mod slides;
mod sparse_node;
mod sparse_pawns;
mod sparse_pins;
#[cfg(test)]
mod tests;
mod zone;

pub use hashed::Hashed;
pub use leaf_counter::{CUT, LeafCounter};
pub(crate) use pawns::neighbours_on_rank;
