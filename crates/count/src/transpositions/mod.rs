//! Counts paths that lead to the same position together, without a table.
//!
//! **The idea.** 1. a3 e5 2. h3 and 1. h3 e5 2. a3 lead to the same position. Both have the same leaf nodes below, so
//! one is counted, for two. Such *transpositions* can be found exactly by comparing lists of moves. A move, a reply and
//! a second move of the same side form a path of three plies. Two such paths with the same reply end in one position if
//!
//! - the moves **change places**: they are moves of two pieces, and each path is legal; or
//! - they are two **routes** of one piece, from one square over an empty one to a third.
//!
//! ([`ThreePlies`](three_plies::ThreePlies) has the conditions.) Of the paths that end in one position, the first in
//! the list of moves is visited. Its *multiplicity* is the number of these paths, and the count below it is multiplied
//! by it. A path represented by another has multiplicity 0, and nothing below it is visited.
//!
//! **The recursion.** A node's paths of three plies begin at every ply, so multiplicities pass from ply to ply. Those
//! two plies below a position are given, those three plies below follow from them, and these are passed to its
//! children. So the moves of both sides change places, and few of the orders of many moves are visited. Each step
//! preserves the sum over all nodes of multiplicity times leaf nodes. At the root all multiplicities are 1, so the sum
//! is the number of leaf nodes.
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
//! The last step begins five plies above the leaf nodes. It determines how often each node two plies above them counts; these
//! nodes are counted set-wise. It costs two lists of moves for each of their parents, which have some thirty such children each.
//!
//! The idea is that of partial-order reduction in model checking (P. Godefroid, *Partial-Order Methods for the
//! Verification of Concurrent Systems*, 1996), where independent steps of two processes are tried in one order. There
//! it is enough to reach every state; here the number of paths is preserved.

mod count;
#[cfg(test)]
mod tests;
mod three_plies;

pub(crate) use count::{MIN_DEPTH, PathCounter};
