//! One walk of the game tree, for every purpose.
//!
//! The walk makes and unmakes moves; a [`Visitor`] is told of every node and decides, by its constant `CUT`, at which
//! remaining depth it takes the rest of a subtree over (0 = every node is walked, 1 = bulk counting). Everything is
//! monomorphised and entered through [`Token::call`], so that a node is one function compiled for the level.

mod playouts;
mod statistics;
mod tasks;
mod visitors;

pub use playouts::playout;
pub use statistics::{Classify, Statistics};
pub use tasks::{Control, Progress, SPLIT_RULE, Split, TaskPlan, run, walk};
pub use visitors::{Check, Checks, Count, Mismatch, Occasions, Verify};

use crate::zobrist::{Key, KeyBatch, WrongEntry, WrongKey};
use perft_gate_simd::{Kernel, Token};

/// Plies of the deepest walk.
pub const MAX_DEPTH: u32 = 64;

/// Plies of the longest random game.
pub const LONGEST_PLAYOUT: u32 = 10_000;

/// A game whose tree can be walked. A clone is a copy of the position alone: it is made at every inner node.
///
/// **Comparisons are counted where they are made.** What compares takes `compared` and adds one for each comparison,
/// beside it. The walk knows how many there must be; a check that is skipped anywhere is then missing from the count.
pub trait Game: Clone + Send + Sync {
    /// A move, small.
    type Move: Copy + Default + PartialEq + Into<u64> + Send + Sync + std::fmt::Debug;
    /// The moves of a position.
    type Moves: Default + std::ops::Deref<Target = [Self::Move]>;
    /// What all moves of a position have in common.
    type Prepared: Copy;
    /// What `unmake` needs.
    type Undo;

    /// Is it compiled for the common level alone?
    const COMMON_ONLY: bool = false;

    /// Appends the legal moves.
    fn moves<L: Token>(&self, level: L, list: &mut Self::Moves);
    /// How many legal moves there are.
    fn count_moves<L: Token>(&self, level: L) -> u64;
    /// Finds once what every move from here does alike: the side flips, the clocks go on, the old e.p. square goes.
    fn prepare(&self) -> Self::Prepared;
    /// Makes a legal move of the position that was prepared.
    #[must_use = "a move that is made must be unmade"]
    fn make<L: Token>(&mut self, level: L, prepared: &Self::Prepared, mv: Self::Move) -> Self::Undo;
    /// Makes a single move.
    #[inline(always)]
    #[must_use = "a move that is made must be unmade"]
    fn play<L: Token>(&mut self, level: L, mv: Self::Move) -> Self::Undo {
        let prepared = self.prepare();
        self.make(level, &prepared, mv)
    }
    /// Takes the last move back.
    fn unmake<L: Token>(&mut self, level: L, mv: Self::Move, undo: Self::Undo);
    /// Passes; nothing where that is not possible.
    fn make_null<L: Token>(&mut self, level: L) -> Option<Self::Undo>;
    /// Takes a pass back.
    fn unmake_null(&mut self, undo: Self::Undo);
    /// The incremental key, if there is one.
    fn key(&self) -> Option<Key>;
    /// The same by another way, from the position alone.
    fn recompute(&self) -> Option<Key>;
    /// Compares all keys that are kept, and yields the first that is not the position's.
    fn wrong_key(&self, compared: &mut u64) -> Option<WrongKey> {
        *compared += 1;
        let (found, expected) = (self.key()?, self.recompute()?);
        (found != expected).then_some(WrongKey { lane: 0, expected, found })
    }
    /// An empty batch that recomputes the keys of many positions at once, where there is such a way.
    fn batch(&self) -> Option<KeyBatch<'_>> {
        None
    }
    /// Appends the position; tells of a wrong key among those compared now.
    fn append<L: Token>(&self, _level: L, _batch: &mut KeyBatch<'_>) -> Option<WrongEntry> {
        None
    }
    /// Compares every field; returns true if all are the same.
    fn same<L: Token>(&self, level: L, other: &Self, compared: &mut u64) -> bool;
    /// Describes two positions that are not the same: the expected one, and this one. What the description of a
    /// position leaves out is named if it differs.
    fn difference(&self, expected: &Self) -> (String, String) {
        (expected.describe(), self.describe())
    }
    /// Compares the redundant parts of the position; returns true if they agree.
    fn is_consistent<L: Token>(&self, level: L, compared: &mut u64) -> bool;
    /// A fixed hash of the position, from which the choice of positions for the round trip is drawn.
    fn sample(&self) -> u64;
    /// Writes the position as text, reads it back and compares, key included; an error says what differs.
    fn round_trip(&self, compared: &mut u64) -> Result<(), String>;
    /// The position as text.
    fn describe(&self) -> String;
}

/// Told of every node of a walk.
pub trait Visitor<G: Game>: Send {
    /// At this remaining depth the visitor takes the subtree over.
    const CUT: u32;
    /// Compiles the parents of the nodes at `CUT` as a function of their own: faster, and twice the code.
    const OWN_LAST_PLY: bool = true;
    /// What it keeps of a parent while its children are walked.
    type Frame;

    /// A node was reached, by a move from a parent or as the root; `depth` plies remain.
    fn enter<L: Token>(&mut self, level: L, game: &mut G, depth: u32, from: Option<(&Self::Frame, G::Move)>);
    /// An inner node is about to be expanded.
    fn open(&mut self, game: &G) -> Self::Frame;
    /// A child is about to be made; `depth` plies remain at the parent.
    #[inline(always)]
    fn descend(&mut self, _game: &G, _frame: &Self::Frame, _depth: u32, _mv: G::Move) {}
    /// A child was unmade, `depth` plies remain at the parent. A visitor that compares what was restored counts that.
    #[inline(always)]
    fn unmade<L: Token>(
        &mut self,
        _level: L,
        _game: &G,
        _frame: &Self::Frame,
        (_depth, _mv): (u32, G::Move),
        _compared: &mut u64,
    ) {
    }
    /// An inner node's last child was unmade.
    #[inline(always)]
    fn close<L: Token>(&mut self, _level: L, _game: &G, _frame: &Self::Frame, _depth: u32, _children: Children) {}
    /// The moves of an inner node are there, and none is made yet; `depth` plies remain at it. What a visitor removes is
    /// not walked.
    #[inline(always)]
    fn prune<L: Token>(&mut self, _level: L, _game: &G, _prepared: &G::Prepared, _moves: &mut G::Moves, _depth: u32) {}
    /// Need what lies below a root that was entered not be walked?
    #[inline(always)]
    fn is_known<L: Token>(&mut self, _level: L, _root: &G, _depth: u32) -> bool {
        false
    }
    /// The rest of the tree below a node at remaining depth `CUT`, which was entered.
    fn cut<L: Token>(&mut self, level: L, game: &mut G);
    /// The tree's walk is over.
    fn finish<L: Token>(&mut self, _level: L) {}
    /// Should the walk end? Asked now and then.
    fn stopped(&self) -> bool {
        false
    }
}

/// What became of an inner node's children, counted where it costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Children {
    /// Made and entered.
    pub entered: u64,
    /// Unmade, and the parent compared with what it was before.
    pub compared: u64,
}

/// Walks the subtree of a node that was entered; `depth` plies remain, more than [`Visitor::CUT`].
///
/// Nearly all nodes are children of `LAST` parents, whose children the visitor takes over: there the depth is a
/// constant, and what depends on it is settled when the function is compiled.
struct Node<'a, G, V, const LAST: bool> {
    game: &'a mut G,
    visitor: &'a mut V,
    depth: u32,
    /// Returns at depth 0 without entering those nodes: they are the roots of tasks, which enter them.
    trunk: bool,
}

impl<G: Game, V: Visitor<G>, const LAST: bool> Kernel for Node<'_, G, V, LAST> {
    type Output = ();

    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        let Node { game, visitor, depth, trunk } = self;
        let (depth, trunk) = if LAST { (V::CUT + 1, false) } else { (depth, trunk) };
        let above_tasks = trunk && depth == 1;
        let frame = visitor.open(game);
        let mut moves = G::Moves::default();
        game.moves(level, &mut moves);
        let prepared = game.prepare();
        visitor.prune(level, game, &prepared, &mut moves, depth);
        let (mut made, mut compared) = (0, 0);
        for &mv in moves.iter() {
            visitor.descend(game, &frame, depth, mv);
            let undo = game.make(level, &prepared, mv);
            if !above_tasks {
                visitor.enter(level, game, depth - 1, Some((&frame, mv)));
                subtree(level, game, visitor, depth - 1, trunk);
            }
            // A node is made and unmade, whoever looks at it: the compiler must not cancel the one against the other.
            std::hint::black_box(&mut *game);
            game.unmake(level, mv, undo);
            visitor.unmade(level, game, &frame, (depth, mv), &mut compared);
            made += 1;
            if !LAST && depth > 3 && visitor.stopped() {
                break;
            }
        }
        let entered = if above_tasks { 0 } else { made };
        visitor.close(level, game, &frame, depth, Children { entered, compared });
    }
}

/// What lies below a node that was entered.
#[inline(always)]
fn subtree<L: Token, G: Game, V: Visitor<G>>(level: L, game: &mut G, visitor: &mut V, depth: u32, trunk: bool) {
    if trunk {
        level.call(Node::<G, V, false> { game, visitor, depth, trunk });
    } else if depth == V::CUT {
        visitor.cut(level, game);
    } else if depth == V::CUT + 1 && V::OWN_LAST_PLY {
        level.call(Node::<G, V, true> { game, visitor, depth, trunk });
    } else if depth > V::CUT {
        level.call(Node::<G, V, false> { game, visitor, depth, trunk });
    }
}

/// Walks a whole tree from its root.
pub struct Tree<'a, G, V> {
    pub(crate) game: &'a mut G,
    pub(crate) visitor: &'a mut V,
    pub(crate) depth: u32,
    /// Walks the plies above tasks, whose roots are left to them; at least one.
    pub(crate) trunk: bool,
}

impl<G: Game, V: Visitor<G>> Kernel for Tree<'_, G, V> {
    type Output = ();
    const COMMON_ONLY: bool = G::COMMON_ONLY;

    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        let Tree { game, visitor, depth, trunk } = self;
        visitor.enter(level, game, depth, None);
        if !visitor.is_known(level, game, depth) {
            subtree(level, game, visitor, depth, trunk);
        }
        visitor.finish(level);
    }
}
