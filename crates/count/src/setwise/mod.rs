//! Set-wise counting: the leaf nodes of a tree, counted without making the moves of the last two plies.
//!
//! [`LeafCounter`] is the visitor for the walk. It takes over two plies above the leaf nodes. There the replies to all
//! moves of a position are counted set-wise (`replies`), and the moves that do not fit are counted in vectors of
//! siblings (`lanes`). Three plies above, plain moves are made on sets of pieces alone, and all siblings share those
//! vectors (`siblings`). On a level without fast vectors the last ply is counted in bulk, child by child. [`Hashed`]
//! probes a table first and skips positions that it holds.
//!
//! Where to begin: the essay in `replies` has the idea and two positions counted by hand. `zone` covers the surroundings
//! of the king, `pins` its lines, `sliders` and `pawns` the losses and gains of their pieces. `scene` sorts the moves
//! into summed and singly counted ones; `per_move` and `queue` hand the latter to the `lanes`. `few_pieces` and
//! `one_by_one` serve positions where sums do not pay. `docs/experiments.md` lists alternatives that were tried.

/// Records for the tests which way of counting was taken, and how often: see `paths`. In other builds it expands to nothing.
macro_rules! cover {
    ($path:ident, $times:expr) => {{
        #[cfg(test)]
        $crate::setwise::paths::add($crate::setwise::paths::Path::$path, $times as u64);
    }};
}

mod arrivals;
mod castling;
mod few_pieces;
mod hashed;
mod king_lines;
mod lanes;
mod leaf_counter;
mod one_by_one;
mod parent;
#[cfg(test)]
mod paths;
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
