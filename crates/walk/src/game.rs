//! The interface of a game whose tree can be walked.

use perft_gate_chess::Differences;
use perft_gate_simd::{Token, inline_all};
use perft_gate_zobrist::{Key, KeyBatch, MAX_APPENDED, WrongKey};

/// Maximum depth of a walk in plies.
pub const MAX_DEPTH: u32 = 64;

/// Maximum length of a random game in plies.
pub const MAX_PLAYOUT_PLIES: u32 = 10_000;

/// Maximum number of children visited between two calls of [`Siblings::make_room`]. All moves of one piece have
/// different targets, so there are at most 64.
pub const MAX_SIBLINGS: usize = 64;

const _: () = assert!(MAX_SIBLINGS <= MAX_APPENDED);

/// A game whose tree can be walked. The walk clones it at every inner node. A clone copies only the position.
///
/// **Comparisons are counted where they are made.** A method that compares takes `compared` and adds one for each
/// comparison. The expected number of comparisons is known, so the count reveals any skipped check.
#[inline_all]
pub trait Game: Clone + Send + Sync {
    type Move: Copy + Default + PartialEq + Into<u64> + Send + Sync + std::fmt::Debug;
    /// The moves of a position.
    type Moves: Default + std::ops::Deref<Target = [Self::Move]>;
    /// The result of the work shared by all moves of a position.
    type Prepared: Copy;
    /// The data that `unmake` needs.
    type Undo;

    /// Like [`perft_gate_simd::Kernel::COMMON_ONLY`], for the code that walks this game.
    const COMMON_ONLY: bool = false;

    fn moves<L: Token>(&self, level: L, list: &mut Self::Moves);
    /// Appends the legal moves, using one function that all trackers and visitors share. Code that visits few nodes
    /// calls it.
    fn moves_apart<L: Token>(&self, level: L, list: &mut Self::Moves) {
        self.moves(level, list);
    }
    fn count_moves<L: Token>(&self, level: L) -> u64 {
        let mut list = Self::Moves::default();
        self.moves(level, &mut list);
        list.len() as u64
    }
    /// Does the work shared by all moves of this position: flips the side, advances the clocks and clears the e.p.
    /// square.
    fn prepare(&self) -> Self::Prepared;
    /// Makes a legal move of the prepared position.
    #[must_use = "a move that is made must be unmade"]
    fn make<L: Token>(&mut self, level: L, prepared: &Self::Prepared, mv: Self::Move) -> Self::Undo;
    #[must_use = "a move that is made must be unmade"]
    fn play<L: Token>(&mut self, level: L, mv: Self::Move) -> Self::Undo {
        let prepared = self.prepare();
        self.make(level, &prepared, mv)
    }
    /// Makes each legal move of the prepared position, visits the child, takes the move back, and visits the parent
    /// again.
    ///
    /// A game overrides this method if its moves share more work than the preparation. Each move must still make the
    /// same edits as in [`Game::make`].
    fn each_child<L: Token, S: Siblings<Self, L>>(&mut self, level: L, prepared: &Self::Prepared, siblings: &mut S) {
        let mut moves = Self::Moves::default();
        self.moves(level, &mut moves);
        each_child_listed(level, self, prepared, &moves, siblings);
    }
    /// Hides the position from the compiler, which could otherwise optimise away make and unmake if nothing reads the
    /// node.
    fn opaque<L: Token>(&mut self, _level: L) {
        std::hint::black_box(self);
    }
    /// Takes the last move back.
    fn unmake<L: Token>(&mut self, level: L, mv: Self::Move, undo: Self::Undo);
    /// Makes a null move. Returns `None` if a null move is not possible, for example in a game where players may not
    /// pass.
    fn make_null<L: Token>(&mut self, _level: L) -> Option<Self::Undo> {
        None
    }
    /// Takes a null move back.
    fn unmake_null(&mut self, _undo: Self::Undo) {}
    fn key(&self) -> Option<Key>;
    /// Computes the key from the position alone, not from the incremental key.
    fn recompute(&self) -> Option<Key>;
    /// Compares every incremental key with its recomputed value, and returns the first wrong one.
    fn wrong_key(&self, compared: &mut u64) -> Option<WrongKey> {
        *compared += 1;
        let (found, expected) = (self.key()?, self.recompute()?);
        (found != expected).then_some(WrongKey { part: 0, expected, found })
    }
    /// Returns an empty batch that recomputes the keys of many positions at once, or `None` if the game does not
    /// support batches.
    fn batch(&self) -> Option<KeyBatch<'_>> {
        None
    }
    /// Makes this position the reference of a batch. This position is the parent of the positions that are appended
    /// next.
    fn set_reference<L: Token>(&self, _level: L, _batch: &mut KeyBatch<'_>) {}
    /// Stores the position in a batch at the free place `at`, and returns the next free place. The caller must then
    /// call [`KeyBatch::advance`] to include the position in the batch.
    fn append<L: Token>(&self, _level: L, _batch: &mut KeyBatch<'_>, at: usize) -> usize {
        at
    }
    /// Compares every field with that of `other`. Returns true if all are equal.
    fn same<L: Token>(&self, level: L, other: &Self, compared: &mut u64) -> bool;
    /// Compares every field like [`Game::same`], and adds the differences to `differences` for a later check.
    fn compare_later<L: Token>(&self, level: L, other: &Self, differences: &mut Differences<L>, compared: &mut u64) {
        differences.add(u64::from(!self.same(level, other, compared)));
    }
    /// Returns descriptions of two positions that differ: first `expected`, then this one. The texts may also list the
    /// values of the fields that differ.
    fn difference(&self, expected: &Self) -> (String, String) {
        (expected.describe(), self.describe())
    }
    /// Compares the parts of the position that store the same information. Returns true if they agree.
    fn is_consistent<L: Token>(&self, level: L, compared: &mut u64) -> bool;
    /// Returns a hash of the position that is the same in every run. A parent's hash and the move to a child decide
    /// whether the child is selected for the round trip.
    fn sample(&self) -> u64;
    /// Writes the position as text, reads it back and compares the two, keys included. The error describes the
    /// difference.
    fn round_trip(&self, compared: &mut u64) -> Result<(), String>;
    fn describe(&self) -> String;
}

/// Makes the given moves of the prepared position, with the same visits as in [`Game::each_child`].
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

/// A visitor of the children of one node, and of the node itself after each child.
pub trait Siblings<G: Game, L: Token> {
    /// Makes room for up to [`MAX_SIBLINGS`] children. At most that number of children is visited before the next call.
    fn make_room(&mut self, level: L);
    /// Called when a move is about to be made.
    fn before(&mut self, level: L, game: &G, mv: G::Move);
    fn visit_child(&mut self, level: L, game: &mut G, mv: G::Move);
    /// Visits the parent after a move was unmade. Returns false if the walk should stop.
    fn visit_parent(&mut self, level: L, game: &G, mv: G::Move) -> bool;
}

/// Visits a child that was just made, takes the move back, and visits the parent. Returns `None` if the walk should
/// stop.
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
