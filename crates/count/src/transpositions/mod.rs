//! Counts paths to the same position together, without a table.
//!
//! **The idea.** 1. a3 e5 2. h3 and 1. h3 e5 2. a3 lead to the same position. The leaf nodes below it are counted for
//! one of these paths and multiplied by two. Such *transpositions* can be found exactly by comparing lists of moves. A
//! move, a reply and a second move of the first side form a path of three plies. Two paths with the same reply end in
//! one position if
//!
//! - the moves **change places**: they are moves of two pieces, and both paths are legal; or
//! - the paths are two **routes** of one piece: it goes from one square over an empty square to a third.
//!
//! ([`ThreePlies`](three_plies::ThreePlies) lists the conditions.) Of the paths that end in one position, only the
//! first in move-list order is visited. Its *multiplicity* is the number of these paths, and the count below it is
//! multiplied by that number. The other paths have multiplicity 0, and nothing below them is visited.
//!
//! **The recursion.** Paths of three plies begin at every ply, so multiplicities are passed down the tree. At a
//! position, the multiplicities of the nodes two plies below are given. Those of the nodes three plies below follow
//! from them and are passed to the children. So the moves of both sides change places, and only a few orders of many
//! moves are visited. Each step preserves the sum over all nodes of multiplicity times leaf nodes. At the root all
//! multiplicities are 1, so the sum is the number of leaf nodes.
//!
//! ```text
//! count(position, weight, depth):                  // weight[move, reply]: all 1 at the root
//!     for first in moves:
//!         for reply, second in the two plies after it:
//!             below[reply, second] = 0 if an earlier path represents this one, or else
//!                 the sum of weight[m, r] over all paths m, r, s that end in the same position
//!         if depth = 5: total += sum of below[reply, second] * leaves two plies on, set-wise
//!         else:         total += count(position after first, below, depth - 1)
//! ```
//!
//! The last step begins five plies above the leaf nodes. It finds the multiplicity of each node two plies above them,
//! and these nodes are counted set-wise. It costs two lists of moves for each of their parents, which have some thirty
//! children each.
//!
//! The idea comes from partial-order reduction in model checking (P. Godefroid, *Partial-Order Methods for the
//! Verification of Concurrent Systems*, 1996), which tries independent steps of two processes in only one order. There
//! it is enough to reach every state. Here the number of paths must be preserved.

mod count;
#[cfg(test)]
mod tests;
mod three_plies;

pub(crate) use count::{MIN_DEPTH, PathCounter};
