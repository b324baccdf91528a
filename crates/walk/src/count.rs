//! Counts nodes, one by one or in bulk.

use crate::game::Game;
use crate::tasks::Control;
use crate::visitor::{Children, Visitor};
use perft_gate_simd::{Token, inline_all};

/// Counts nodes by ply. If `CUT` is 1, it counts in bulk: the count of the last ply is the total number of legal moves
/// of the nodes one ply above it. If `CUT` is 0, every node is walked.
#[derive(Clone)]
pub struct Count<'c, const CUT: u32> {
    depth: u32,
    /// Nodes by ply, 0 = the root.
    pub nodes: Vec<u64>,
    control: &'c Control,
}

impl<'c, const CUT: u32> Count<'c, CUT> {
    /// Makes a counter for a tree of `depth` plies.
    pub fn new(depth: u32, control: &'c Control) -> Count<'c, CUT> {
        Count { depth, nodes: vec![0; depth as usize + 1], control }
    }
}

#[inline_all]
impl<G: Game, const CUT: u32> Visitor<G> for Count<'_, CUT> {
    const CUT: u32 = CUT;
    const BY_PIECE: bool = CUT == 0;
    type Frame = ();

    fn enter<L: Token>(&mut self, _: L, _: &mut G, _: u32, from: Option<(&(), G::Move)>) {
        self.nodes[0] += u64::from(from.is_none());
    }
    fn open(&mut self, _: &G) {}
    fn close<L: Token>(&mut self, _: L, _: &G, (): &(), depth: u32, children: Children) {
        if let Some(nodes) = self.nodes.get_mut((self.depth - depth) as usize + 1) {
            *nodes += children.entered;
        }
    }
    fn cut<L: Token>(&mut self, level: L, game: &mut G) {
        if let (1, Some(nodes)) = (CUT, self.nodes.last_mut()) {
            *nodes += game.count_moves(level);
        }
    }
    fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }
}
