//! Counts paths to the same position together, without a table.
//!
//! **The idea.** 1. a3 e5 2. h3 and 1. h3 e5 2. a3 lead to the same position. Only one of these paths is visited, and
//! the number of leaf nodes below it is doubled. Such *transpositions* can be found exactly by comparing lists of
//! moves. A move, a reply and a second move of the first side form a path of three plies. Two paths with the same reply
//! end in the same position if
//!
//! - the first side's moves **change places**: two different pieces make them, and both orders are legal; or
//! - the paths are two **routes** of one piece: it goes to the same square over different empty squares.
//!
//! ([`ThreePlies`](three_plies::ThreePlies) lists the conditions.) Of the paths that end in the same position, only the
//! first in move-list order is visited. Its *multiplicity* is the number of these paths, and the count below it is
//! multiplied by that number. The other paths have multiplicity 0 and are not visited.
//!
//! **The recursion.** Paths of three plies begin at every ply, so multiplicities are passed down the tree. At each
//! position, the multiplicities of the nodes two plies below are given. They determine those of the nodes three plies
//! below, which are passed to the children. In this way, moves of either side can change places, and only a few of the
//! many move orders are visited. Each step preserves the sum of multiplicity × leaf nodes over all nodes. At the root
//! all multiplicities are 1, so the sum is the number of leaf nodes.
//!
//! ```text
//! count(position, weight, depth):                  // weight[move, reply]: all 1 at the root
//!     for first in moves:
//!         for reply, second in the two plies after it:
//!             below[reply, second] = 0 if an earlier path represents this one, or else
//!                 the sum of weight[m, r] over all paths m, r, s that end in the same position
//!         if depth = 5: total += sum of below[reply, second] * leaves two plies below, set-wise
//!         else:         total += count(position after first, below, depth - 1)
//! ```
//!
//! The last step begins five plies above the leaf nodes. It finds the multiplicity of each node two plies above the
//! leaf nodes, and counts below these nodes set-wise. This costs two move lists per parent of these nodes, which is
//! little because a parent has some thirty children.
//!
//! The idea comes from partial-order reduction in model checking (P. Godefroid, *Partial-Order Methods for the
//! Verification of Concurrent Systems*, 1996), which tries independent steps of two processes in only one order. In
//! model checking it is enough to reach every state. Here the number of paths must be preserved.

mod count;
#[cfg(test)]
mod tests;
mod three_plies;

pub(crate) use count::{MIN_DEPTH, PathCounter};
