//! The verification of every node, check by check.
//!
//! | when | check | what is compared |
//! |---|---|---|
//! | a node is entered | V2 keys | the incremental key with the one recomputed from the board |
//! | a sampled node is entered | V6 round trip | the position and its key with those read back from its FEN |
//! | an inner node is entered | V4 null move | the key after a null move; after its unmake, the position with a copy |
//! | a child has been unmade | V3 unmake | the position, its key included, with the copy made before the first child |
//! | all children have been walked | V0 boards | the bitboards with the mailbox |
//!
//! V1 (counts) and V5 (equal positions have equal keys) compare whole plies, so the judge runs them after the walk.
//!
//! **Why this order.** The key comes first, because everything below a wrong key is wrong too. Only the topmost
//! mismatch of a subtree is reported. The null move comes before the children, so that a null move that is not undone
//! correctly is reported as such and not blamed on the first child. Boards come last: a single comparison after all
//! children were made and unmade catches anything that any of them left behind. No moves are made at leaves, so only
//! their keys and the unmaking of the moves that lead to them are checked.
//!
//! **Batches.** Recomputing a single key costs more than the rest of the node. So positions are appended to a
//! [`KeyBatch`], which recomputes and compares many keys at a time with vector instructions. It detects *that* a key is
//! wrong, but not at which node. The task is then walked again with each key compared at its node. The unmakes of
//! leaves are checked in the same way: their differences are accumulated, and the parent's moves are made again only if
//! something differs.
//!
//! Every check counts its comparisons as it makes them. [`Occasions`] determines how many comparisons were expected,
//! and the judge compares the two numbers.

use crate::checks::{Check, Checks, Mismatch, Occasions};
use crate::game::Game;
use crate::tasks::Control;
use crate::tree::make_each_move;
use crate::visitor::{Children, Restored, Visitor};
use perft_gate_simd::{Token, inline_all};
use perft_gate_zobrist::{KeyBatch, WrongEntry, WrongKey};

/// Maximum number of mismatches kept in a task, and in a report.
pub(crate) const KEPT: usize = 10;

/// What a [`Verify`] has found in its tree.
#[derive(Clone, Default, Debug)]
pub struct Verified<M> {
    /// The moves that lead to the root of the tree.
    pub above: Vec<M>,
    /// Depth of the tree in plies.
    pub depth: u32,
    /// Nodes by ply, 0 = the root.
    pub nodes: Vec<u64>,
    /// Number of comparisons made by each check.
    pub checks: Checks,
    /// Counts from which the expected number of comparisons is computed.
    pub occasions: Occasions,
    /// The first comparisons that failed.
    pub mismatches: Vec<Mismatch<M>>,
    /// The first wrong key that was found in a batch. The node at which it became wrong is not known yet.
    pub suspect: Option<WrongEntry>,
}

/// Checks every node: V0, V2, V3, V4 and V6.
#[derive(Clone)]
pub struct Verify<'c, M> {
    pub found: Verified<M>,
    /// The moves from the root of the whole tree to the parent of the current node. Later elements are left over from
    /// other nodes.
    path: Vec<M>,
    /// Number of plies from the root of the whole tree to the root of this task.
    above: usize,
    sample: Sample,
    /// The keys waiting to be compared together.
    batch: KeyBatch<'c>,
    /// True if there is no batch, so each key is compared at its node.
    at_once: bool,
    /// Number of positions added to the batch after a null move.
    batched_null_moves: u64,
    control: &'c Control,
}

#[inline_all]
impl<'c, M: Copy + Default + PartialEq> Verify<'c, M> {
    /// Makes a visitor for a tree of `depth` plies below the moves `above`. `sample_mask` selects the nodes for V6 (0
    /// selects all).
    ///
    /// If `batch` (obtained from the game) is given, keys are compared in batches. Otherwise, each key is compared at
    /// its node.
    pub fn new(
        above: &[M],
        depth: u32,
        sample_mask: u64,
        batch: Option<KeyBatch<'c>>,
        control: &'c Control,
    ) -> Verify<'c, M> {
        let mut path = above.to_vec();
        path.resize(above.len() + depth as usize, M::default());
        Verify {
            found: Verified { above: above.to_vec(), depth, nodes: vec![0; depth as usize + 1], ..Verified::default() },
            path,
            above: above.len(),
            sample: Sample::new(sample_mask),
            at_once: batch.is_none(),
            batch: batch.unwrap_or_default(),
            batched_null_moves: 0,
            control,
        }
    }

    /// Returns the number of moves from the root of the whole tree to a node with this remaining depth.
    fn ply(&self, depth: u32) -> usize {
        self.above + (self.found.depth - depth) as usize
    }

    /// Adds the position's key to the batch for comparison, or compares it at once if there is no batch.
    fn compare<L: Token, G: Game<Move = M>>(&mut self, level: L, at: Place<M>, game: &G) {
        if self.at_once {
            return self.compare_now(at, game);
        }
        let place = self.batch.place();
        let next = game.append(level, &mut self.batch, place);
        if at.check == Check::NullMove {
            self.batched_null_moves += (next - place) as u64;
        }
        self.compare_batch(level, next);
    }

    /// Adds the positions before `place` to the batch, and compares all keys in the batch if it is full.
    fn compare_batch<L: Token>(&mut self, level: L, place: usize) {
        self.batch.advance(place);
        if let Some(wrong) = self.batch.make_room(level) {
            self.found.suspect.get_or_insert(wrong);
        }
    }

    fn compare_all<L: Token>(&mut self, level: L) {
        if let Some(wrong) = self.batch.compare(level) {
            self.found.suspect.get_or_insert(wrong);
        }
    }

    // Work that is rarely needed is in separate functions, so that it does not slow down the node function.

    #[cold]
    #[inline(never)]
    fn compare_now<G: Game<Move = M>>(&mut self, at: Place<M>, game: &G) {
        let compared = match at.check {
            Check::NullMove => &mut self.found.checks.null_keys,
            _ => &mut self.found.checks.keys,
        };
        if let Some(wrong) = game.wrong_key(compared) {
            self.report(at, game, || (wrong.expected.to_string(), wrong.found.to_string()), Some(wrong));
        }
    }

    #[cold]
    #[inline(never)]
    fn report<G: Game<Move = M>>(
        &mut self,
        at: Place<M>,
        game: &G,
        texts: impl FnOnce() -> (String, String),
        wrong_key: Option<WrongKey>,
    ) {
        let Place { check, depth, last } = at;
        if self.found.mismatches.len() < KEPT {
            let mut path = self.path[..self.ply(depth)].to_vec();
            if let (Some(last), Some(slot)) = (last, path.last_mut()) {
                *slot = last;
            }
            // A wrong key stays wrong in the whole subtree, so only the root of that subtree is reported.
            let inherited = |kept: &Mismatch<M>| kept.check == check && path.starts_with(&kept.path);
            if !self.found.mismatches.iter().any(inherited) {
                let (expected, found) = texts();
                let position = game.describe();
                self.found.mismatches.push(Mismatch { check, path, position, expected, found, wrong_key });
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn report_unmake<G: Game<Move = M>>(&mut self, at: Place<M>, game: &G, before: &G) {
        self.report(at, game, || game.difference(before), None);
    }

    /// Makes and unmakes the moves of a parent of leaves again, and compares the parent after each move, to find the
    /// one that was not undone correctly.
    #[cold]
    #[inline(never)]
    fn find_unmake<L: Token, G: Game<Move = M>>(&mut self, level: L, parent: &G) {
        let known = self.found.mismatches.len();
        // The expected number of comparisons does not include these, so they are not counted.
        let counted = self.found.checks;
        make_each_move(level, &mut parent.clone(), self);
        self.found.checks = counted;
        if self.found.mismatches.len() == known && known < KEPT {
            self.found.mismatches.push(Mismatch {
                check: Check::Unmake,
                path: self.path[..self.ply(1)].to_vec(),
                position: parent.describe(),
                expected: "the same result when its moves are made again".into(),
                found: "a failed restore that did not recur (memory or hardware?)".into(),
                wrong_key: None,
            });
        }
    }

    #[cold]
    #[inline(never)]
    fn report_boards<G: Game<Move = M>>(&mut self, depth: u32, game: &G) {
        let texts = || ("bitboards equal to the mailbox's".into(), "bitboards and mailbox differ".into());
        self.report(Place { check: Check::Boards, depth, last: None }, game, texts, None);
    }

    #[cold]
    #[inline(never)]
    fn round_trip<G: Game<Move = M>>(&mut self, at: Place<M>, game: &G) {
        self.found.occasions.sampled += 1;
        if let Err(found) = game.round_trip(&mut self.found.checks.round_trips) {
            self.report(at, game, || ("the same position and key".into(), found), None);
        }
    }

    /// Enters a node and makes all checks that are due there. `from` holds the parent's hash and the move that led
    /// here, or is `None` at the root.
    fn enter_any<L: Token, G: Game<Move = M>>(&mut self, level: L, game: &mut G, depth: u32, from: Option<(u64, M)>)
    where
        M: Into<u64>,
    {
        let last = from.map(|(_, mv)| mv);
        let at = |check| Place { check, depth, last };
        if game.key().is_some() {
            self.compare(level, at(Check::Keys), game);
        }
        let sampled = match from {
            Some((parent, mv)) => self.sample.has_child(parent, mv.into()),
            None => {
                self.found.nodes[0] += 1;
                true
            }
        };
        if sampled {
            self.round_trip(at(Check::RoundTrip), game);
        }
        if depth > 0 {
            self.null_move(level, game, at(Check::NullMove));
        }
    }

    fn null_move<L: Token, G: Game<Move = M>>(&mut self, level: L, game: &mut G, at: Place<M>) {
        let before = game.clone();
        let Some(undo) = game.make_null(level) else {
            self.found.occasions.no_null_move += 1;
            return;
        };
        if game.key().is_some() {
            self.compare(level, at, game);
        }
        game.unmake_null(undo);
        if !game.same(level, &before, &mut self.found.checks.null_moves) {
            self.report_unmake(at, game, &before);
        }
    }
}

/// A check and its place in the tree, for reports.
#[derive(Clone, Copy)]
struct Place<M> {
    check: Check,
    /// Remaining plies.
    depth: u32,
    /// The move that leads to the node, if the path does not contain it yet.
    last: Option<M>,
}

/// Selects the nodes for the round trip: some of the children of some of the parents. If the sample is sparse, most
/// parents are skipped together with all their children.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Bits of a parent's hash that must be zero for its children to be chosen.
    parents: u64,
    /// Bits of a child's hash that must be zero for the child to be chosen.
    children: u64,
}

impl Sample {
    /// Number of low hash bits that are not used.
    const UNUSED: u32 = 12;
    /// The bits of the mask that select among children. The other bits select among parents.
    const CHILDREN: u64 = 63;

    /// Returns a sample that contains about one in `mask` + 1 nodes.
    fn new(mask: u64) -> Sample {
        let [parents, children] =
            [mask & !Sample::CHILDREN, mask & Sample::CHILDREN].map(|mask| mask << Sample::UNUSED);
        Sample { parents, children }
    }

    /// Returns true if children of this parent can be chosen.
    #[inline(always)]
    fn has_parent(self, parent: u64) -> bool {
        parent & self.parents == 0
    }

    /// Returns true if the child after this move is chosen. The hash is computed from the parent's hash and the move,
    /// because the child has just been written, and reading it back at once would stall the processor.
    #[inline(always)]
    fn has_child(self, parent: u64, mv: u64) -> bool {
        self.has_parent(parent) && (parent ^ mv.wrapping_mul(0x1e37_79b9)) & self.children == 0
    }
}

/// A copy of a parent, kept while its children are walked.
#[derive(Clone, Copy)]
pub struct Parent<G> {
    game: G,
    hash: u64,
}

#[inline_all]
impl<G: Game> Visitor<G> for Verify<'_, G::Move> {
    const BY_PIECE: bool = true;
    const WATCHES: bool = true;
    type Frame = Parent<G>;

    fn enter<L: Token>(&mut self, level: L, game: &mut G, depth: u32, from: Option<(&Parent<G>, G::Move)>) {
        self.enter_any(level, game, depth, from.map(|(parent, mv)| (parent.hash, mv)));
    }
    fn enter_last<L: Token>(&mut self, level: L, game: &mut G, _: (&Parent<G>, G::Move), place: &mut usize) {
        if game.key().is_some() {
            *place = game.append(level, &mut self.batch, *place);
        }
    }
    fn begin_last<L: Token>(&mut self, level: L, parent: &G) -> usize {
        parent.set_reference(level, &mut self.batch);
        self.batch.place()
    }
    fn end_last<L: Token>(&mut self, level: L, place: usize) {
        self.batch.advance(place);
        self.compare_all(level);
    }
    fn make_room<L: Token>(&mut self, level: L, place: usize) -> usize {
        self.compare_batch(level, place);
        self.batch.place()
    }
    /// Returns true if the leaves below this parent are compared one by one, or if some may be sampled for V6.
    fn is_watched(&self, parent: &G) -> bool {
        self.at_once && parent.key().is_some() || self.sample.has_parent(parent.sample())
    }
    fn open(&mut self, game: &G) -> Parent<G> {
        Parent { game: game.clone(), hash: game.sample() }
    }
    fn descend<L: Token>(&mut self, _: L, _: &G, (_, mv): (&Parent<G>, G::Move), depth: u32) {
        let ply = self.ply(depth);
        if depth > 1
            && let Some(last) = self.path.get_mut(ply)
        {
            *last = mv;
        }
    }
    fn after_unmake<L: Token, const LAST: bool>(
        &mut self,
        level: L,
        game: &G,
        parent: &Parent<G>,
        (depth, mv): (u32, G::Move),
        restored: &mut Restored<L>,
    ) {
        let Restored { compared, differences } = restored;
        if LAST {
            game.compare_later(level, &parent.game, differences, compared);
        } else if !game.same(level, &parent.game, compared) {
            let at = Place { check: Check::Unmake, depth: depth - 1, last: Some(mv) };
            self.report_unmake(at, game, &parent.game);
        }
    }
    fn close<L: Token>(&mut self, level: L, game: &G, parent: &Parent<G>, depth: u32, children: Children) {
        if children.differ {
            // The parent is copied, because a value passed by reference could not stay in registers while the children
            // are walked.
            let parent = parent.game.clone();
            self.find_unmake(level, &parent);
        }
        if let Some(nodes) = self.found.nodes.get_mut((self.found.depth - depth) as usize + 1) {
            *nodes += children.entered;
        }
        self.found.checks.unmakes += children.compared;
        if !game.is_consistent(level, &mut self.found.checks.boards) {
            self.report_boards(depth, game);
        }
    }
    fn finish<L: Token>(&mut self, level: L) {
        if !self.at_once {
            self.compare_all(level);
            // Counts only the comparisons that the batch has actually made. Comparisons after null moves are counted
            // separately.
            let compared = self.batch.compared();
            self.found.checks.null_keys = self.batched_null_moves.min(compared);
            self.found.checks.keys = compared - self.found.checks.null_keys;
        }
    }
    fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }
}
