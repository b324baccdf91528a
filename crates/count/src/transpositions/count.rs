//! Counts the leaf nodes of a tree on all threads, merging paths of three plies.

use super::three_plies::{Multiplicities, Multiplicity, NodeVisitor, find_paths, visit_nodes};
use crate::setwise::LeafCounter;
use perft_gate_chess::{Board, MoveList};
use perft_gate_simd::{Level, Token, inline_all};
use perft_gate_walk::{Control, Game, Position, board_after};
use rayon::prelude::*;

/// Minimum depth in plies of a tree that is counted this way: three plies for the paths, and two plies below them that
/// are counted set-wise.
pub(crate) const MIN_DEPTH: u32 = 5;

/// A counter of leaf nodes that merges paths to the same position.
pub(crate) struct PathCounter<'a> {
    pub(crate) level: Level,
    pub(crate) control: &'a Control,
    /// The remaining depth at which finished nodes are reported as progress, or `None` to report nothing.
    pub(crate) progress_at: Option<u32>,
}

impl PathCounter<'_> {
    /// Counts the leaf nodes of a tree of [`MIN_DEPTH`] plies or more. If the count is stopped, the result is too low.
    pub(crate) fn leaves(&self, board: &Board, depth: u32) -> u128 {
        self.count(board, &Multiplicities::Ones, depth)
    }

    /// Counts the leaf nodes of a tree, each weighted by the multiplicity of its ancestor two plies below the root.
    fn count(&self, board: &Board, multiplicities: &Multiplicities, depth: u32) -> u128 {
        if self.control.is_stopped() {
            return 0;
        }
        let plies = &find_paths(self.level, board, multiplicities);
        let below = |first| {
            let leaves = plies.first_move(first).map_or(0, |mv| {
                let after_move = board_after(board, mv);
                if depth == MIN_DEPTH {
                    let mut counter = NodeCounter { leaves: LeafCounter::new(self.control), total: 0 };
                    visit_nodes(self.level, plies, multiplicities, first, after_move, &mut counter);
                    if self.progress_at == Some(depth - 2) {
                        self.control.advance(plies.replies[first].len() as u64);
                    }
                    return counter.total;
                }
                let mut lister = PathLister(Vec::new());
                visit_nodes(self.level, plies, multiplicities, first, after_move, &mut lister);
                self.count(&after_move, &Multiplicities::Listed(lister.0), depth - 1)
            });
            if self.progress_at == Some(depth - 1) {
                self.control.advance(1);
            }
            leaves
        };
        (0..plies.moves.len()).into_par_iter().with_max_len(1).map(below).sum()
    }
}

/// Lists the multiplicities of the children of each visited node.
struct PathLister(Vec<Vec<Multiplicity>>);

#[inline_all]
impl NodeVisitor for PathLister {
    fn visit<L: Token>(&mut self, _: L, _: &Position<()>, _: &MoveList, paths: &mut [Multiplicity]) -> bool {
        self.0.push(paths.to_vec());
        true
    }
    fn pass(&mut self) {
        self.0.push(Vec::new());
    }
}

/// Counts the leaf nodes three plies below each visited node.
struct NodeCounter<'c> {
    leaves: LeafCounter<'c>,
    total: u128,
}

impl NodeVisitor for NodeCounter<'_> {
    #[inline(always)]
    fn visit<L: Token>(&mut self, level: L, node: &Position<()>, moves: &MoveList, paths: &mut [Multiplicity]) -> bool {
        let prepared = node.prepare();
        let mut next = 0;
        while let Some(first) = (next..paths.len()).find(|&number| paths[number] != 0) {
            let multiplicity = paths[first];
            let mut part = MoveList::default();
            for number in first..paths.len() {
                if paths[number] == multiplicity {
                    part.push(moves[number]);
                    paths[number] = 0;
                }
            }
            next = first + 1;
            let mut leaves = self.leaves.count_after(level, node.board(), &mut part);
            let mut child = *node;
            for &mv in part.iter() {
                let _ = child.make(level, &prepared, mv);
                leaves += self.leaves.count_subtree(level, child.board());
            }
            self.total += multiplicity * u128::from(leaves);
        }
        !self.leaves.is_stopping()
    }
}
