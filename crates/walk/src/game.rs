//! The interface of a game whose tree can be walked.

use perft_gate_chess::Differences;
use perft_gate_simd::{Token, inline_all};
use perft_gate_zobrist::{Key, KeyBatch, MAX_APPENDED, WrongKey};

/// Maximum depth of a walk in plies.
pub const MAX_DEPTH: u32 = 64;

/// Maximum length of a random game in plies.
pub const MAX_PLAYOUT_PLIES: u32 = 10_000;

/// Maximum number of children visited between two calls of [`Siblings::make_room`]. The moves of a piece have different
/// targets, so there are at most 64.
pub const MAX_SIBLINGS: usize = 64;

const _: () = assert!(MAX_SIBLINGS <= MAX_APPENDED);

/// A game whose tree can be walked. The walk clones it at every inner node. A clone copies only the position.
///
/// **Comparisons are counted where they are made.** A method that compares takes `compared` and adds one for each
/// comparison. The walk knows how many are due, so the count reveals any skipped check.
#[inline_all]
pub trait Game: Clone + Send + Sync {
    type Move: Copy + Default + PartialEq + Into<u64> + Send + Sync + std::fmt::Debug;
    /// The moves of a position.
    type Moves: Default + std::ops::Deref<Target = [Self::Move]>;
    /// The result of the work that all moves of a position have in common.
    type Prepared: Copy;
    /// The data that `unmake` needs.
    type Undo;

    /// True if the walk of this game is compiled for the common level only.
    const COMMON_ONLY: bool = false;

    fn moves<L: Token>(&self, level: L, list: &mut Self::Moves);
    /// Appends the legal moves with a function that all trackers and visitors share, for use where nodes are few.
    fn moves_apart<L: Token>(&self, level: L, list: &mut Self::Moves) {
        self.moves(level, list);
    }
    fn count_moves<L: Token>(&self, level: L) -> u64 {
        let mut list = Self::Moves::default();
        self.moves(level, &mut list);
        list.len() as u64
    }
    /// Does the work shared by all moves from here: flips the side, advances the clocks, clears the old e.p. square.
    fn prepare(&self) -> Self::Prepared;
    /// Makes a legal move of the prepared position.
    #[must_use = "a move that is made must be unmade"]
    fn make<L: Token>(&mut self, level: L, prepared: &Self::Prepared, mv: Self::Move) -> Self::Undo;
    #[must_use = "a move that is made must be unmade"]
    fn play<L: Token>(&mut self, level: L, mv: Self::Move) -> Self::Undo {
        let prepared = self.prepare();
        self.make(level, &prepared, mv)
    }
    /// Makes each legal move of the prepared position, visits the child, takes the move back, and visits the parent.
    ///
    /// If the moves of a game share more work than the preparation, the game overrides this method. The edits of each
    /// move must still be the same as in [`Game::make`].
    fn each_child<L: Token, S: Siblings<Self, L>>(&mut self, level: L, prepared: &Self::Prepared, siblings: &mut S) {
        let mut moves = Self::Moves::default();
        self.moves(level, &mut moves);
        each_child_listed(level, self, prepared, &moves, siblings);
    }
    /// Hides the position from the compiler, which could otherwise drop make and unmake if nothing reads the node.
    fn opaque<L: Token>(&mut self, _level: L) {
        std::hint::black_box(self);
    }
    /// Takes the last move back.
    fn unmake<L: Token>(&mut self, level: L, mv: Self::Move, undo: Self::Undo);
    /// Makes a null move. Returns `None` if none is possible, as in a game where no player may pass.
    fn make_null<L: Token>(&mut self, _level: L) -> Option<Self::Undo> {
        None
    }
    /// Takes a null move back.
    fn unmake_null(&mut self, _undo: Self::Undo) {}
    fn key(&self) -> Option<Key>;
    /// Computes the key from the position alone, not from the incremental key.
    fn recompute(&self) -> Option<Key>;
    /// Compares all incremental keys, and returns the first wrong one.
    fn wrong_key(&self, compared: &mut u64) -> Option<WrongKey> {
        *compared += 1;
        let (found, expected) = (self.key()?, self.recompute()?);
        (found != expected).then_some(WrongKey { part: 0, expected, found })
    }
    /// Returns an empty batch that recomputes the keys of many positions at once, if the game has one.
    fn batch(&self) -> Option<KeyBatch<'_>> {
        None
    }
    /// Makes this position the reference of a batch. It is the parent of the positions appended next.
    fn set_reference<L: Token>(&self, _level: L, _batch: &mut KeyBatch<'_>) {}
    /// Stores the position in a batch at the free place `at`, and returns the next free place. The caller must then
    /// count the position with [`KeyBatch::advance`].
    fn append<L: Token>(&self, _level: L, _batch: &mut KeyBatch<'_>, at: usize) -> usize {
        at
    }
    /// Compares every field. Returns true if all are equal.
    fn same<L: Token>(&self, level: L, other: &Self, compared: &mut u64) -> bool;
    /// Compares every field like [`Game::same`], and adds the differences to `differences` for a later check.
    fn compare_later<L: Token>(&self, level: L, other: &Self, differences: &mut Differences<L>, compared: &mut u64) {
        differences.add(u64::from(!self.same(level, other, compared)));
    }
    /// Describes two positions that differ: the expected one, and this one. The texts may also list the values of the
    /// fields that differ.
    fn difference(&self, expected: &Self) -> (String, String) {
        (expected.describe(), self.describe())
    }
    /// Compares the redundant parts of the position. Returns true if they agree.
    fn is_consistent<L: Token>(&self, level: L, compared: &mut u64) -> bool;
    /// Returns a hash of the position that is the same in every run. It decides which children make a round trip.
    fn sample(&self) -> u64;
    /// Writes the position as text, reads it back and compares the two, keys included. The error names the difference.
    fn round_trip(&self, compared: &mut u64) -> Result<(), String>;
    fn describe(&self) -> String;
}

/// Makes these moves of the prepared position, and makes the same visits as [`Game::each_child`].
#[inline(always)]
pub fn each_child_listed<L: Token, G: Game, S: Siblings<G, L>>(
    level: L,
    game: &mut G,
    prepared: &G::Prepared,
    moves: &[G::Move],
    siblings: &mut S,
) -> Option<()> {
    for &mv in moves {
        siblings.make_room(level);
        siblings.before(level, game, mv);
        let undo = game.make(level, prepared, mv);
        visit_and_unmake(level, game, mv, undo, siblings)?;
    }
    Some(())
}

/// The visits to the children of one node, and to the node itself after each child.
pub trait Siblings<G: Game, L: Token> {
    /// Prepares for up to [`MAX_SIBLINGS`] children before the next call.
    fn make_room(&mut self, level: L);
    /// Notes a move that is about to be made.
    fn before(&mut self, level: L, game: &G, mv: G::Move);
    fn visit_child(&mut self, level: L, game: &mut G, mv: G::Move);
    /// Visits the parent after a move was unmade. Returns false to stop.
    fn visit_parent(&mut self, level: L, game: &G, mv: G::Move) -> bool;
}

/// Visits a child that was just made, takes the move back, and visits the parent. Returns `None` to stop.
#[inline(always)]
pub fn visit_and_unmake<L: Token, G: Game, S: Siblings<G, L>>(
    level: L,
    game: &mut G,
    mv: G::Move,
    undo: G::Undo,
    siblings: &mut S,
) -> Option<()> {
    siblings.visit_child(level, game, mv);
    game.opaque(level);
    game.unmake(level, mv, undo);
    siblings.visit_parent(level, game, mv).then_some(())
}
