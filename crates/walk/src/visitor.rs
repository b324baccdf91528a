//! An observer of a walk, called at every node.

use crate::game::Game;
use perft_gate_chess::Differences;
use perft_gate_simd::{Token, inline_all};

/// An observer of a walk, called at every node.
#[inline_all]
pub trait Visitor<G: Game>: Send {
    /// The remaining depth at which the visitor itself handles the rest of the subtree, in [`Visitor::cut`].
    const CUT: u32 = 0;
    /// True if a separate function walks the parents of the nodes at `CUT`. This is faster, but doubles the code.
    const OWN_LAST_PLY: bool = true;
    /// True if [`Game::each_child`] makes the moves of the parents that a separate function walks. That is faster if
    /// most moves are made, but takes more code. [`Visitor::take_known`] is not called at these parents, because no
    /// moves are listed.
    const BY_PIECE: bool = false;
    /// True if [`Visitor::is_watched`] may return true.
    const WATCHES: bool = false;
    /// The data kept for a parent while its children are walked.
    type Frame;

    /// Enters a node, either after a move from its parent or as the root. `depth` is the remaining depth.
    fn enter<L: Token>(&mut self, _level: L, _game: &mut G, _depth: u32, _from: Option<(&Self::Frame, G::Move)>) {}
    /// Enters a child of a parent that a separate function walks. The walk goes no deeper.
    fn enter_last<L: Token>(
        &mut self,
        level: L,
        game: &mut G,
        (frame, mv): (&Self::Frame, G::Move),
        _place: &mut usize,
    ) {
        self.enter(level, game, Self::CUT, Some((frame, mv)));
    }
    /// Called at a parent that a separate function walks, before its children are made. Returns the place of the first
    /// child in the visitor's batch, if there is a batch.
    ///
    /// The walk keeps the place in a register while siblings are entered. If the place were in memory, it would be read
    /// and written for each sibling.
    fn begin_last<L: Token>(&mut self, _level: L, _parent: &G) -> usize {
        0
    }
    /// Called after all children of a parent that a separate function walks. Their batch entries are before `place`.
    fn end_last<L: Token>(&mut self, _level: L, _place: usize) {}
    /// Adds the entries before `place` to the batch, makes room for [`MAX_SIBLINGS`](crate::MAX_SIBLINGS) more
    /// children, and returns the next place.
    fn make_room<L: Token>(&mut self, _level: L, place: usize) -> usize {
        place
    }
    /// Returns true if the children of this parent must be entered with [`Visitor::enter`], even in the last ply.
    fn is_watched(&self, _parent: &G) -> bool {
        false
    }
    /// Called at an inner node before its moves are generated.
    fn open(&mut self, game: &G) -> Self::Frame;
    /// Called when a move is about to be made. `depth` is the remaining depth of the parent.
    fn descend<L: Token>(&mut self, _level: L, _game: &G, (_frame, _mv): (&Self::Frame, G::Move), _depth: u32) {}
    /// Called after a move has been unmade. `depth` is the remaining depth of the parent. A visitor that compares the
    /// restored parent counts the comparison in `restored`. If `LAST` is true, the visitor may record any differences
    /// in `restored` and leave the report to [`Visitor::close`].
    fn after_unmake<L: Token, const LAST: bool>(
        &mut self,
        _level: L,
        _game: &G,
        _frame: &Self::Frame,
        (_depth, _mv): (u32, G::Move),
        _restored: &mut Restored<L>,
    ) {
    }
    /// Called at an inner node after its last move has been unmade.
    fn close<L: Token>(&mut self, _level: L, _game: &G, _frame: &Self::Frame, _depth: u32, _children: Children) {}
    /// Called at an inner node before any of its moves is made. Counts the subtrees that are already known (table
    /// hits), and removes the moves that lead to them. `depth` is the remaining depth of the node.
    fn take_known<L: Token>(
        &mut self,
        _level: L,
        _game: &G,
        _prepared: &G::Prepared,
        _moves: &mut G::Moves,
        _depth: u32,
    ) {
    }
    /// Returns true if the tree below `root`, which has been entered, need not be walked (a table hit).
    fn is_known<L: Token>(&mut self, _level: L, _root: &G, _depth: u32) -> bool {
        false
    }
    /// Handles the subtree of a node that has been entered and has remaining depth `CUT`.
    fn cut<L: Token>(&mut self, _level: L, _game: &mut G) {}
    /// Called at the end of the walk.
    fn finish<L: Token>(&mut self, _level: L) {}
    /// Returns true if the walk should stop. The walk calls this from time to time.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Facts about the children of an inner node, which the walk gathers at no extra cost.
#[derive(Clone, Copy, Debug)]
pub struct Children {
    /// Number of children made and entered.
    pub entered: u64,
    /// Number of children after which the restored parent was compared with its copy.
    pub compared: u64,
    /// True if a move was not undone correctly and this has not been reported yet.
    pub differ: bool,
}

/// A record of the comparisons between a parent and its copy, which are made after each move of the parent is unmade.
#[derive(Clone, Copy)]
pub struct Restored<L: Token> {
    /// Number of comparisons.
    pub compared: u64,
    /// The differences that were found and have not been reported yet.
    pub differences: Differences<L>,
}

impl<L: Token> Restored<L> {
    /// Returns an empty record, without comparisons.
    #[inline(always)]
    pub fn new(level: L) -> Restored<L> {
        Restored { compared: 0, differences: Differences::none(level) }
    }
}
