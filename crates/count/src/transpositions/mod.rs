//! Paths that lead to one position, counted together: no table is needed to know of them.
//!
//! **The idea.** After 1. a3 e5 2. h3 stands the position that 1. h3 e5 2. a3 leads to. Both have as many leaf nodes below, so one
//! of them is counted, for two. Such *transpositions* can be found exactly, by comparing lists of moves: a move, a reply and a
//! second move of the same side make a path of three plies, and two such paths with the same reply end in one position if
//!
//! - the moves **change places**: they are of two pieces, and each path is legal; or
//! - they are two **routes** of one piece, from one square over an empty one to a third.
//!
//! ([`ThreePlies`](three_plies::ThreePlies) has the conditions.) Of the paths that end in one position the first in the list of moves
//! is visited, and its *multiplicity* is the number of all: what is counted below it counts so many times. A path that another
//! stands for has multiplicity 0, and nothing below it is visited.
//!
//! **The recursion.** A node's paths of three plies begin at every ply, so multiplicities are summed from ply to ply: those two
//! plies below a position are given, those three plies below follow from them, and these are the ones that its children are
//! given. So both sides' moves change places, and of the orders in which many moves can be played few are visited. Each step keeps
//! the sum over all nodes of multiplicity times leaf nodes, and at the root all multiplicities are 1: so the sum is the number of
//! leaf nodes.
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
//! The last step begins five plies above the leaf nodes, and says how often each node two plies above them counts; these are
//! counted set-wise. It costs two lists of moves for each of their parents, which have some thirty such children each.
//!
//! The idea is that of partial-order reduction in model checking (P. Godefroid, *Partial-Order Methods for the Verification of
//! Concurrent Systems*, 1996), where independent steps of two processes are tried in one order. There it is enough that every
//! state is reached; here the number of paths is kept.

mod count;
#[cfg(test)]
mod tests;
mod three_plies;

pub(crate) use count::{MIN_DEPTH, PathCounter};
