//! The tree walk that is used for every purpose.
//!
//! The walk makes and unmakes moves and calls a [`Visitor`] at every node. The visitor's constant `CUT` is the
//! remaining depth at which it handles a subtree itself (0 = every node is walked, 1 = bulk counting). Everything is
//! monomorphised, and the node function is a [`kernel`], compiled for the level.
//!
//! The node function is compiled for each combination of tracker, visitor and level. To keep the program small,
//! only the code for the parents of the last nodes, where most of the time is spent, is large. The nodes above them are
//! few. Their code calls one shared function to list the moves, makes the moves in only one place, and passes each node
//! at `CUT` to the visitor by a function call.

use crate::game::{Game, Siblings, each_child_listed};
use crate::visitor::{Children, Restored, Visitor};
use perft_gate_simd::{Token, inline_all, kernel};

/// Walks the subtree of a node that has been entered. The remaining `depth` exceeds [`Visitor::CUT`] except in the
/// trunk (the plies above the tasks).
///
/// `LAST` selects the separate function for the parents of the last nodes ([`Visitor::OWN_LAST_PLY`]). Their depth is a
/// compile-time constant. Nearly all nodes are children of such parents, and the visitor handles these children itself.
/// A walk of the `trunk` does not enter the nodes at depth 0: they are the roots of tasks, which enter them.
#[kernel]
fn walk_node<L: Token, G: Game, V: Visitor<G>, const LAST: bool>(
    level: L,
    game: &mut G,
    visitor: &mut V,
    depth: u32,
    trunk: bool,
) {
    let (depth, trunk) = if LAST { (V::CUT + 1, false) } else { (depth, trunk) };
    let above_tasks = trunk && depth == 1;
    let frame = visitor.open(game);
    let restored = Restored::new(level);
    let place = if LAST { visitor.begin_last(level, game) } else { 0 };
    let mut children = Below::<L, V, V::Frame, LAST> { visitor, frame: &frame, depth, trunk, made: 0, place, restored };
    // Watched parents (see `is_watched`) also make their moves piece by piece. A repeated walk watches more parents,
    // and reproduces a fault only if it makes the moves in the same way.
    if V::BY_PIECE && (LAST || V::WATCHES && depth == V::CUT + 1 && !trunk) {
        // Nothing else refers to this copy, so it can stay in registers while the moves to leaves are made and taken
        // back.
        let mut own = game.clone();
        let prepared = own.prepare();
        own.each_child(level, &prepared, &mut children);
        *game = own;
    } else {
        let mut moves = G::Moves::default();
        if LAST {
            game.moves(level, &mut moves)
        } else {
            game.moves_apart(level, &mut moves)
        }
        let prepared = game.prepare();
        children.visitor.take_known(level, game, &prepared, &mut moves, depth);
        each_child_listed(level, game, &prepared, &moves, &mut children);
    }
    let Below { visitor, made, place, restored, .. } = children;
    if LAST {
        visitor.end_last(level, place);
    }
    let entered = if above_tasks { 0 } else { made };
    let children = Children { entered, compared: restored.compared, differ: restored.differences.any() };
    visitor.close(level, game, &frame, depth, children);
}

/// Hands the children of a node to the visitor as their moves are made.
struct Below<'a, L: Token, V, F, const LAST: bool> {
    visitor: &'a mut V,
    frame: &'a F,
    /// Remaining depth of the parent, in plies.
    depth: u32,
    trunk: bool,
    made: u64,
    /// Place of the next child in the visitor's batch.
    place: usize,
    restored: Restored<L>,
}

#[inline_all]
impl<L: Token, G: Game, V: Visitor<G>, const LAST: bool> Siblings<G, L> for Below<'_, L, V, V::Frame, LAST> {
    fn make_room(&mut self, level: L) {
        if LAST {
            self.place = self.visitor.make_room(level, self.place);
        }
    }
    fn before(&mut self, level: L, game: &G, mv: G::Move) {
        self.visitor.descend(level, game, (self.frame, mv), self.depth);
    }
    fn visit_child(&mut self, level: L, game: &mut G, mv: G::Move) {
        let Below { frame, depth, trunk, .. } = *self;
        let visitor = &mut *self.visitor;
        if LAST {
            visitor.enter_last(level, game, (frame, mv), &mut self.place);
            visitor.cut(level, game);
        } else {
            // With `WATCHES`, `Game::each_child` visits children in several places, which share one function.
            if V::WATCHES {
                walk_child_apart(level, game, visitor, frame, depth, trunk, mv)
            } else {
                walk_child(level, game, visitor, frame, depth, trunk, mv)
            }
        }
    }
    fn visit_parent(&mut self, level: L, game: &G, mv: G::Move) -> bool {
        // A watched parent of the last nodes is walked without `LAST`, but is compared in the same way as with `LAST`.
        let at = (self.depth, mv);
        if LAST || V::OWN_LAST_PLY && self.depth == V::CUT + 1 && !self.trunk {
            self.visitor.after_unmake::<L, true>(level, game, self.frame, at, &mut self.restored);
        } else {
            self.visitor.after_unmake::<L, false>(level, game, self.frame, at, &mut self.restored);
        }
        self.made += 1;
        LAST || self.depth <= 3 || !self.visitor.is_stopped()
    }
}

/// Enters and walks a child of a parent that is not `LAST`. `depth` is the remaining depth at the parent.
#[kernel(inlined = walk_child)]
fn walk_child_apart<L: Token, G: Game, V: Visitor<G>>(
    level: L,
    game: &mut G,
    visitor: &mut V,
    frame: &V::Frame,
    depth: u32,
    trunk: bool,
    mv: G::Move,
) {
    if !(trunk && depth == 1) {
        visitor.enter(level, game, depth - 1, Some((frame, mv)));
        subtree(level, game, visitor, depth - 1, trunk);
    }
}

/// Walks the subtree below an entered node.
#[inline(always)]
fn subtree<L: Token, G: Game, V: Visitor<G>>(level: L, game: &mut G, visitor: &mut V, depth: u32, trunk: bool) {
    if trunk {
        walk_node::<G, V, false>(level, game, visitor, depth, trunk);
    } else if depth == V::CUT && V::OWN_LAST_PLY {
        // This case is rare, because nearly all such nodes are handled in the separate function that walks their
        // parents.
        cut(level, game, visitor);
    } else if depth == V::CUT {
        visitor.cut(level, game);
    } else if depth == V::CUT + 1 && V::OWN_LAST_PLY && !visitor.is_watched(game) {
        walk_node::<G, V, true>(level, game, visitor, depth, trunk);
    } else if depth > V::CUT {
        walk_node::<G, V, false>(level, game, visitor, depth, trunk);
    }
}

/// Hands a node with remaining depth [`Visitor::CUT`] to the visitor.
#[kernel]
fn cut<L: Token, G: Game, V: Visitor<G>>(level: L, game: &mut G, visitor: &mut V) {
    visitor.cut(level, game);
}

/// Makes each move of a node and takes it back without entering the child, as in the last ply of the trunk.
pub(crate) fn make_each_move<L: Token, G: Game, V: Visitor<G>>(level: L, game: &mut G, visitor: &mut V) {
    walk_node::<G, V, false>(level, game, visitor, 1, true);
}

/// Walks a whole tree from its root. If `trunk` is true, walks only the plies above the tasks and does not enter the
/// roots of the tasks.
#[kernel(common_only = G::COMMON_ONLY)]
pub fn walk_tree<L: Token, G: Game, V: Visitor<G>>(level: L, game: &mut G, visitor: &mut V, depth: u32, trunk: bool) {
    visitor.enter(level, game, depth, None);
    if !visitor.is_known(level, game, depth) {
        subtree(level, game, visitor, depth, trunk);
    }
    visitor.finish(level);
}
