//! One walk of the game tree, for every purpose.
//!
//! The walk makes and unmakes moves and calls a [`Visitor`] at every node. The visitor's constant `CUT` is the remaining
//! depth at which it handles the rest of a subtree itself (0 = every node is walked, 1 = bulk counting). Everything is
//! monomorphised and entered through [`Token::call`], so that a node is one function compiled for the level.

mod by_piece;
mod checks;
mod playouts;
mod statistics;
mod tasks;
mod visitors;

pub use by_piece::{ByPiece, each_child_by_piece};
pub use checks::{Check, Checks, Mismatch, Occasions};
pub use playouts::playout;
pub use statistics::{Classify, Statistics};
pub use tasks::{Control, Progress, SPLIT_RULE, Split, TaskPlan, run, walk};
pub use visitors::{Count, Verified, Verify};

use crate::Differences;
use crate::zobrist::{Key, KeyBatch, MOST_APPENDED, WrongKey};
use perft_gate_simd::{Kernel, Token};

/// Greatest depth of a walk in plies.
pub const MAX_DEPTH: u32 = 64;

/// Greatest length of a random game in plies.
pub const LONGEST_PLAYOUT: u32 = 10_000;

/// Greatest number of children that are visited between two calls of [`Siblings::make_room`]: the moves of a piece have
/// different targets, so there are no more than squares.
pub const MOST_SIBLINGS: usize = 64;

const _: () = assert!(MOST_SIBLINGS <= MOST_APPENDED);

/// A game whose tree can be walked. A clone copies only the position; the walk makes one at every inner node.
///
/// **Comparisons are counted where they are made.** A method that compares takes `compared` and adds one for each
/// comparison. The walk knows how many are due, so a check that is skipped anywhere shows in the count.
pub trait Game: Clone + Send + Sync {
    /// A move.
    type Move: Copy + Default + PartialEq + Into<u64> + Send + Sync + std::fmt::Debug;
    /// The moves of a position.
    type Moves: Default + std::ops::Deref<Target = [Self::Move]>;
    /// The work that all moves of a position share.
    type Prepared: Copy;
    /// The data that `unmake` needs.
    type Undo;

    /// True if the walk of this game is compiled for the common level alone.
    const COMMON_ONLY: bool = false;

    /// Appends the legal moves.
    fn moves<L: Token>(&self, level: L, list: &mut Self::Moves);
    /// Appends the legal moves by a function that all trackers and visitors share, for nodes that are few.
    #[inline(always)]
    fn moves_apart<L: Token>(&self, level: L, list: &mut Self::Moves) {
        self.moves(level, list);
    }
    /// Counts the legal moves.
    fn count_moves<L: Token>(&self, level: L) -> u64;
    /// Does once the work that all moves from here share: the side flips, the clocks advance, the old e.p. square is cleared.
    fn prepare(&self) -> Self::Prepared;
    /// Makes a legal move of the prepared position.
    #[must_use = "a move that is made must be unmade"]
    fn make<L: Token>(&mut self, level: L, prepared: &Self::Prepared, mv: Self::Move) -> Self::Undo;
    /// Makes a single move.
    #[inline(always)]
    #[must_use = "a move that is made must be unmade"]
    fn play<L: Token>(&mut self, level: L, mv: Self::Move) -> Self::Undo {
        let prepared = self.prepare();
        self.make(level, &prepared, mv)
    }
    /// Makes each legal move of the prepared position and takes it back, with a visit in between and one after.
    ///
    /// A game whose moves share more than the preparation overrides it; the edits of a move are still those of
    /// [`Game::make`].
    #[inline(always)]
    fn each_child<L: Token, S: Siblings<Self, L>>(&mut self, level: L, prepared: &Self::Prepared, siblings: &mut S) {
        let mut moves = Self::Moves::default();
        self.moves(level, &mut moves);
        for &mv in moves.iter() {
            siblings.make_room(level);
            siblings.before(self, mv);
            let undo = self.make(level, prepared, mv);
            if !visited(level, self, mv, undo, siblings) {
                break;
            }
        }
    }
    /// Takes the last move back.
    fn unmake<L: Token>(&mut self, level: L, mv: Self::Move, undo: Self::Undo);
    /// Makes a null move; returns nothing if none is possible.
    fn make_null<L: Token>(&mut self, level: L) -> Option<Self::Undo>;
    /// Takes a null move back.
    fn unmake_null(&mut self, undo: Self::Undo);
    /// Returns the incremental key, if there is one.
    fn key(&self) -> Option<Key>;
    /// Computes the key from the position alone, in a different way.
    fn recompute(&self) -> Option<Key>;
    /// Compares all keys that are kept, and returns the first that is wrong.
    fn wrong_key(&self, compared: &mut u64) -> Option<WrongKey> {
        *compared += 1;
        let (found, expected) = (self.key()?, self.recompute()?);
        (found != expected).then_some(WrongKey { part: 0, expected, found })
    }
    /// Returns an empty batch that recomputes the keys of many positions at once, if the game has one.
    fn batch(&self) -> Option<KeyBatch<'_>> {
        None
    }
    /// Stores the position in a batch, at the place `at`, for which there is room; returns the place of the next one. The
    /// caller counts the position by [`KeyBatch::advance`].
    fn append<L: Token>(&self, _level: L, _batch: &mut KeyBatch<'_>, at: usize) -> usize {
        at
    }
    /// Compares every field; returns true if all are the same.
    fn same<L: Token>(&self, level: L, other: &Self, compared: &mut u64) -> bool;
    /// Does the same, and adds what differs to `differences`, which are tested later.
    #[inline(always)]
    fn compare_later<L: Token>(&self, level: L, other: &Self, differences: &mut Differences<L>, compared: &mut u64) {
        differences.add(u64::from(!self.same(level, other, compared)));
    }
    /// Describes two positions that differ: the expected one, and this one. Fields that differ and are not in the
    /// description of a position are named.
    fn difference(&self, expected: &Self) -> (String, String) {
        (expected.describe(), self.describe())
    }
    /// Compares the redundant parts of the position; returns true if they agree.
    fn is_consistent<L: Token>(&self, level: L, compared: &mut u64) -> bool;
    /// Returns a fixed hash of the position, which selects the positions of the round trip.
    fn sample(&self) -> u64;
    /// Writes the position as text, reads it back and compares, key included. The error says what differs.
    fn round_trip(&self, compared: &mut u64) -> Result<(), String>;
    /// Returns the position as text.
    fn describe(&self) -> String;
}

/// The visits of the children of one node.
pub trait Siblings<G: Game, L: Token> {
    /// Prepares for [`MOST_SIBLINGS`] children, which are then visited without another call.
    fn make_room(&mut self, level: L);
    /// Notes a move that is about to be made.
    fn before(&mut self, game: &G, mv: G::Move);
    /// Visits a child.
    fn made(&mut self, level: L, game: &mut G, mv: G::Move);
    /// Visits the parent after a move was unmade; returns false if no more moves are wanted.
    fn unmade(&mut self, level: L, game: &G, mv: G::Move) -> bool;
}

/// Visits a child that was made, takes the move back and visits the parent; returns false if no more moves are wanted.
#[inline(always)]
pub fn visited<L: Token, G: Game, S: Siblings<G, L>>(
    level: L,
    game: &mut G,
    mv: G::Move,
    undo: G::Undo,
    siblings: &mut S,
) -> bool {
    siblings.made(level, game, mv);
    // The compiler must not cancel make against unmake if the visitor does not look at the node.
    std::hint::black_box(&mut *game);
    game.unmake(level, mv, undo);
    siblings.unmade(level, game, mv)
}

/// An observer of a walk, called at every node.
pub trait Visitor<G: Game>: Send {
    /// The remaining depth at which the visitor handles the subtree itself.
    const CUT: u32;
    /// True if the parents of the nodes at `CUT` get a function of their own: faster, but twice the code.
    const OWN_LAST_PLY: bool = true;
    /// True if the moves are made by [`Game::each_child`], which is faster where most nodes are made and takes more code. The
    /// moves are then never listed, so [`Visitor::prune`] is not called.
    const BY_PIECE: bool = false;
    /// The data that is kept of a parent while its children are walked.
    type Frame;

    /// Enters a node, after a move from its parent or as the root; `depth` plies remain.
    fn enter<L: Token>(&mut self, level: L, game: &mut G, depth: u32, from: Option<(&Self::Frame, G::Move)>);
    /// Enters a child of a parent that has a function of its own; nothing remains to be walked below it.
    #[inline(always)]
    fn enter_last<L: Token>(
        &mut self,
        level: L,
        game: &mut G,
        (frame, mv): (&Self::Frame, G::Move),
        _place: &mut usize,
    ) {
        self.enter(level, game, Self::CUT, Some((frame, mv)));
    }
    /// Returns the place in the visitor's batch, if it has one, of the first child of such a parent.
    ///
    /// The place is kept in a register while siblings are entered: in memory it would be written and read back for each.
    #[inline(always)]
    fn place(&self) -> usize {
        0
    }
    /// Counts what was stored before `place`, prepares for [`MOST_SIBLINGS`] children, and returns the place of the next.
    #[inline(always)]
    fn make_room<L: Token>(&mut self, _level: L, place: usize) -> usize {
        place
    }
    /// Returns true if the children of this parent are entered by [`Visitor::enter`] although they are the last.
    #[inline(always)]
    fn watches(&self, _parent: &G) -> bool {
        false
    }
    /// Opens an inner node, before its moves are generated.
    fn open(&mut self, game: &G) -> Self::Frame;
    /// Notes a move that is about to be made; `depth` plies remain at the parent.
    #[inline(always)]
    fn descend(&mut self, _game: &G, _frame: &Self::Frame, _depth: u32, _mv: G::Move) {}
    /// Notes a move that was unmade; `depth` plies remain at the parent. A visitor that compares the restored parent counts
    /// the comparison in `restored`. If `LAST`, it may leave what differs there, for [`Visitor::close`].
    #[inline(always)]
    fn unmade<L: Token, const LAST: bool>(
        &mut self,
        _level: L,
        _game: &G,
        _frame: &Self::Frame,
        (_depth, _mv): (u32, G::Move),
        _restored: &mut Restored<L>,
    ) {
    }
    /// Closes an inner node, after its last move was unmade.
    #[inline(always)]
    fn close<L: Token>(&mut self, _level: L, _game: &G, _frame: &Self::Frame, _depth: u32, _children: Children) {}
    /// Prunes the moves of an inner node before any is made; `depth` plies remain at it. Moves that are removed are not
    /// walked.
    #[inline(always)]
    fn prune<L: Token>(&mut self, _level: L, _game: &G, _prepared: &G::Prepared, _moves: &mut G::Moves, _depth: u32) {}
    /// Returns true if the subtree of a root that was entered need not be walked (a table hit).
    #[inline(always)]
    fn is_known<L: Token>(&mut self, _level: L, _root: &G, _depth: u32) -> bool {
        false
    }
    /// Handles the subtree of a node at remaining depth `CUT`, after it was entered.
    fn cut<L: Token>(&mut self, level: L, game: &mut G);
    /// Ends the walk of the tree.
    fn finish<L: Token>(&mut self, _level: L) {}
    /// Returns true if the walk should stop; called now and then.
    fn stopped(&self) -> bool {
        false
    }
}

/// The counts of an inner node's children, taken in the walk, where they cost nothing.
#[derive(Clone, Copy, Debug)]
pub struct Children {
    /// Number of children that were made and entered.
    pub entered: u64,
    /// Number of children after which the restored parent was compared with its copy.
    pub compared: u64,
    /// True if the parent was not restored after one of them, and that is not reported yet.
    pub differ: bool,
}

/// The comparisons of a parent with its copy, after its moves were unmade.
#[derive(Clone, Copy)]
pub struct Restored<L: Token> {
    /// Number of comparisons.
    pub compared: u64,
    /// What they found, if it is not reported yet.
    pub differences: Differences<L>,
}

impl<L: Token> Restored<L> {
    /// Returns no comparisons.
    #[inline(always)]
    pub fn new(level: L) -> Restored<L> {
        Restored { compared: 0, differences: Differences::none(level) }
    }
}

/// Walks the subtree of a node that was entered; `depth` plies remain, more than [`Visitor::CUT`].
///
/// Nearly all nodes are children of `LAST` parents, whose children the visitor handles itself. There the depth is a
/// compile-time constant.
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
        let restored = Restored::new(level);
        let place = if LAST { visitor.place() } else { 0 };
        let mut children =
            Below::<L, V, V::Frame, LAST> { visitor, frame: &frame, depth, trunk, made: 0, place, restored };
        if V::BY_PIECE {
            let prepared = game.prepare();
            game.each_child(level, &prepared, &mut children);
        } else {
            let mut moves = G::Moves::default();
            if LAST {
                game.moves(level, &mut moves)
            } else {
                game.moves_apart(level, &mut moves)
            }
            let prepared = game.prepare();
            children.visitor.prune(level, game, &prepared, &mut moves, depth);
            for &mv in moves.iter() {
                Siblings::<G, L>::make_room(&mut children, level);
                children.before(game, mv);
                let undo = game.make(level, &prepared, mv);
                if !visited(level, game, mv, undo, &mut children) {
                    break;
                }
            }
        }
        let Below { visitor, made, place, restored, .. } = children;
        if LAST {
            visitor.make_room(level, place);
        }
        let entered = if above_tasks { 0 } else { made };
        let children = Children { entered, compared: restored.compared, differ: restored.differences.any() };
        visitor.close(level, game, &frame, depth, children);
    }
}

/// The children of a node, as its visitor sees them.
struct Below<'a, L: Token, V, F, const LAST: bool> {
    visitor: &'a mut V,
    frame: &'a F,
    /// Plies that remain at the parent.
    depth: u32,
    trunk: bool,
    made: u64,
    /// Place of the next child in the visitor's batch.
    place: usize,
    restored: Restored<L>,
}

impl<L: Token, G: Game, V: Visitor<G>, const LAST: bool> Siblings<G, L> for Below<'_, L, V, V::Frame, LAST> {
    #[inline(always)]
    fn make_room(&mut self, level: L) {
        if LAST {
            self.place = self.visitor.make_room(level, self.place);
        }
    }
    #[inline(always)]
    fn before(&mut self, game: &G, mv: G::Move) {
        self.visitor.descend(game, self.frame, self.depth, mv);
    }
    #[inline(always)]
    fn made(&mut self, level: L, game: &mut G, mv: G::Move) {
        let Below { frame, depth, trunk, .. } = *self;
        let visitor = &mut *self.visitor;
        if LAST {
            visitor.enter_last(level, game, (frame, mv), &mut self.place);
            visitor.cut(level, game);
        } else if !V::BY_PIECE {
            if !(trunk && depth == 1) {
                visitor.enter(level, game, depth - 1, Some((frame, mv)));
                subtree(level, game, visitor, depth - 1, trunk);
            }
        } else {
            // A function of its own: the loops by piece have several places that visit.
            level.call(Inner { game, visitor, frame, depth, trunk, mv });
        }
    }
    #[inline(always)]
    fn unmade(&mut self, level: L, game: &G, mv: G::Move) -> bool {
        // A watched parent of the last nodes is still one of the last parents.
        let at = (self.depth, mv);
        if LAST || V::OWN_LAST_PLY && self.depth == V::CUT + 1 && !self.trunk {
            self.visitor.unmade::<L, true>(level, game, self.frame, at, &mut self.restored);
        } else {
            self.visitor.unmade::<L, false>(level, game, self.frame, at, &mut self.restored);
        }
        self.made += 1;
        LAST || self.depth <= 3 || !self.visitor.stopped()
    }
}

/// Enters and walks a child whose children are not the visitor's own.
struct Inner<'a, G: Game, V: Visitor<G>> {
    game: &'a mut G,
    visitor: &'a mut V,
    frame: &'a V::Frame,
    /// Plies that remain at the parent.
    depth: u32,
    trunk: bool,
    mv: G::Move,
}

impl<G: Game, V: Visitor<G>> Kernel for Inner<'_, G, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        let Inner { game, visitor, frame, depth, trunk, mv } = self;
        if !(trunk && depth == 1) {
            visitor.enter(level, game, depth - 1, Some((frame, mv)));
            subtree(level, game, visitor, depth - 1, trunk);
        }
    }
}

/// Walks the subtree below a node that was entered.
#[inline(always)]
fn subtree<L: Token, G: Game, V: Visitor<G>>(level: L, game: &mut G, visitor: &mut V, depth: u32, trunk: bool) {
    if trunk {
        level.call(Node::<G, V, false> { game, visitor, depth, trunk });
    } else if depth == V::CUT {
        visitor.cut(level, game);
    } else if depth == V::CUT + 1 && V::OWN_LAST_PLY && !visitor.watches(game) {
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
    /// True for a walk of the plies above the tasks, at least one, which leaves the roots of the tasks out.
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
