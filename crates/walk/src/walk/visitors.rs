//! The visitors: bulk counting, and the verification of every node.

use super::{Children, Game, Visitor};
use crate::zobrist::{KeyBatch, WrongEntry, WrongKey};
use perft_gate_simd::Token;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Counts nodes by ply. With `CUT` 1 it counts in bulk: the last ply is the number of its parents' moves. With 0 every
/// node is walked.
#[derive(Clone)]
pub struct Count<'c, const CUT: u32> {
    depth: u32,
    /// Nodes by ply, 0 = the root.
    pub nodes: Vec<u64>,
    stop: &'c AtomicBool,
}

impl<'c, const CUT: u32> Count<'c, CUT> {
    /// Makes a counter for a tree of `depth` plies.
    pub fn new(depth: u32, stop: &'c AtomicBool) -> Count<'c, CUT> {
        Count { depth, nodes: vec![0; depth as usize + 1], stop }
    }
}

impl<G: Game, const CUT: u32> Visitor<G> for Count<'_, CUT> {
    const CUT: u32 = CUT;
    const BY_PIECE: bool = CUT == 0;
    type Frame = ();

    #[inline(always)]
    fn enter<L: Token>(&mut self, _: L, _: &mut G, _: u32, from: Option<(&(), G::Move)>) {
        self.nodes[0] += u64::from(from.is_none());
    }
    #[inline(always)]
    fn open(&mut self, _: &G) {}
    #[inline(always)]
    fn close<L: Token>(&mut self, _: L, _: &G, (): &(), depth: u32, children: Children) {
        if let Some(nodes) = self.nodes.get_mut((self.depth - depth) as usize + 1) {
            *nodes += children.entered;
        }
    }
    #[inline(always)]
    fn cut<L: Token>(&mut self, level: L, game: &mut G) {
        if let (1, Some(nodes)) = (CUT, self.nodes.last_mut()) {
            *nodes += game.count_moves(level);
        }
    }
    #[inline(always)]
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A check of the nodes of a walk. V1 (counts) and V5 (identity) are made of whole plies, outside of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// V0: bitboards and mailbox agree.
    Boards,
    /// V2: the incremental key equals the full recompute.
    Keys,
    /// V3: `unmake` restores everything.
    Unmake,
    /// V4: a null move keeps the key right, and its unmake restores everything.
    NullMove,
    /// V6: position to FEN and back.
    RoundTrip,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Check::Boards => "V0 boards",
            Check::Keys => "V2 keys",
            Check::Unmake => "V3 unmake",
            Check::NullMove => "V4 null move",
            Check::RoundTrip => "V6 round trip",
        })
    }
}

/// The number of comparisons of each check, counted where they were made.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checks {
    /// Comparisons of V0, at inner nodes.
    pub boards: u64,
    /// Comparisons of V2, at every node, without those after null moves.
    pub keys: u64,
    /// Comparisons of V3, after every unmake, without those of null moves.
    pub unmakes: u64,
    /// Comparisons of V4 after every null move that was taken back, at inner nodes out of check.
    pub null_moves: u64,
    /// Comparisons of V4 of the key after every null move.
    pub null_keys: u64,
    /// Comparisons of V6, at sampled nodes.
    pub round_trips: u64,
}

impl Checks {
    pub fn add(&mut self, other: &Checks) {
        self.boards += other.boards;
        self.keys += other.keys;
        self.unmakes += other.unmakes;
        self.null_moves += other.null_moves;
        self.null_keys += other.null_keys;
        self.round_trips += other.round_trips;
    }
}

/// The counts that, with the number of nodes, say how many comparisons are due.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Occasions {
    /// Inner nodes without a null move: the side to move is in check.
    pub no_null_move: u64,
    /// Nodes that were selected for the round trip.
    pub sampled: u64,
}

impl Occasions {
    pub fn add(&mut self, other: &Occasions) {
        self.no_null_move += other.no_null_move;
        self.sampled += other.sampled;
    }
}

/// A check that failed: data, not an error.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch<M> {
    /// The check that failed.
    pub check: Check,
    /// The moves from the root.
    pub path: Vec<M>,
    /// The position as FEN.
    pub position: String,
    /// The expected value.
    pub expected: String,
    /// The value that was found.
    pub found: String,
    /// The two keys, if keys differ.
    pub wrong_key: Option<WrongKey>,
}

/// Number of mismatches that a task keeps.
const KEPT: usize = 10;

/// Checks every node: V0, V2, V3, V4 and V6.
#[derive(Clone)]
pub struct Verify<'c, M> {
    depth: u32,
    /// Nodes by ply, 0 = the root.
    pub nodes: Vec<u64>,
    /// Number of comparisons of each check.
    pub checks: Checks,
    /// The counts that say how many comparisons are due.
    pub occasions: Occasions,
    /// The first comparisons that failed.
    pub mismatches: Vec<Mismatch<M>>,
    /// The moves from the root of the whole tree to the parent of the current node; later elements are left over from other
    /// nodes.
    path: Vec<M>,
    /// Number of plies above this task's tree.
    above: usize,
    /// Mask that selects the nodes of V6, shifted to the bits of the hash that are used.
    sample_mask: u64,
    batch: Option<KeyBatch<'c>>,
    /// Number of positions after null moves that went into the batch.
    batched_null_moves: u64,
    /// The first wrong key of a batch. The node where it went wrong is not known yet.
    pub suspect: Option<WrongEntry>,
    stop: &'c AtomicBool,
}

impl<'c, M: Copy + Default + PartialEq> Verify<'c, M> {
    /// Makes a checker for a tree of `depth` plies below these moves; `sample_mask` selects the nodes of V6 (0 = all).
    ///
    /// The keys are compared in the batch of the walked game; without one, each at its node.
    pub fn new(
        above: &[M],
        depth: u32,
        sample_mask: u64,
        batch: Option<KeyBatch<'c>>,
        stop: &'c AtomicBool,
    ) -> Verify<'c, M> {
        let mut path = above.to_vec();
        path.resize(above.len() + depth as usize, M::default());
        Verify {
            depth,
            nodes: vec![0; depth as usize + 1],
            checks: Checks::default(),
            occasions: Occasions::default(),
            mismatches: Vec::new(),
            path,
            above: above.len(),
            sample_mask: sample_mask << SAMPLED_BITS,
            batch,
            batched_null_moves: 0,
            suspect: None,
            stop,
        }
    }

    /// Returns the moves that lead to the root of the tree.
    pub fn above(&self) -> &[M] {
        &self.path[..self.above]
    }

    /// Returns the depth of the tree in plies.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of moves that lead to a node with this remaining depth.
    #[inline(always)]
    fn ply(&self, depth: u32) -> usize {
        self.above + (self.depth - depth) as usize
    }

    /// Compares the position's key: in the batch, or at once if there is none.
    #[inline(always)]
    fn compare<L: Token, G: Game<Move = M>>(
        &mut self,
        level: L,
        check: Check,
        (depth, last): (u32, Option<M>),
        game: &G,
    ) {
        match &mut self.batch {
            Some(batch) => {
                let stored = batch.stored();
                if let Some(wrong) = game.append(level, batch) {
                    self.suspect.get_or_insert(wrong);
                }
                if check == Check::NullMove {
                    self.batched_null_moves += batch.stored() - stored;
                }
            }
            None => self.compare_now(Place { check, depth, last }, game),
        }
    }

    // Rare work is in functions of its own, so that it does not burden the node function.

    #[cold]
    #[inline(never)]
    fn compare_now<G: Game<Move = M>>(&mut self, at: Place<M>, game: &G) {
        let compared = match at.check {
            Check::NullMove => &mut self.checks.null_keys,
            _ => &mut self.checks.keys,
        };
        if let Some(wrong) = game.wrong_key(compared) {
            self.report(at, game, (wrong.expected.to_string(), wrong.found.to_string()), Some(wrong));
        }
    }

    #[cold]
    #[inline(never)]
    fn report<G: Game<Move = M>>(
        &mut self,
        at: Place<M>,
        game: &G,
        (expected, found): (String, String),
        wrong_key: Option<WrongKey>,
    ) {
        let Place { check, depth, last } = at;
        if self.mismatches.len() < KEPT {
            let mut path = self.path[..self.ply(depth)].to_vec();
            if let (Some(last), Some(slot)) = (last, path.last_mut()) {
                *slot = last;
            }
            // A wrong key stays wrong in the whole subtree; the report of its root is enough.
            let inherited = |kept: &Mismatch<M>| kept.check == check && path.starts_with(&kept.path);
            if !self.mismatches.iter().any(inherited) {
                let position = game.describe();
                self.mismatches.push(Mismatch { check, path, position, expected, found, wrong_key });
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn report_unmake<G: Game<Move = M>>(&mut self, at: Place<M>, game: &G, before: &G) {
        self.report(at, game, game.difference(before), None);
    }

    #[cold]
    #[inline(never)]
    fn report_boards<G: Game<Move = M>>(&mut self, depth: u32, game: &G) {
        let texts = ("bitboards equal to the mailbox's".into(), "bitboards and mailbox differ".into());
        self.report(Place { check: Check::Boards, depth, last: None }, game, texts, None);
    }

    #[cold]
    #[inline(never)]
    fn round_trip<G: Game<Move = M>>(&mut self, at: Place<M>, game: &G) {
        self.occasions.sampled += 1;
        if let Err(found) = game.round_trip(&mut self.checks.round_trips) {
            self.report(at, game, ("the same position and key".into(), found), None);
        }
    }

    #[inline(always)]
    fn null_move<L: Token, G: Game<Move = M>>(&mut self, level: L, game: &mut G, at: Place<M>) {
        let before = game.clone();
        let Some(undo) = game.make_null(level) else {
            self.occasions.no_null_move += 1;
            return;
        };
        if game.key().is_some() {
            self.compare(level, Check::NullMove, (at.depth, at.last), game);
        }
        game.unmake_null(undo);
        if !game.same(level, &before, &mut self.checks.null_moves) {
            self.report_unmake(at, game, &before);
        }
    }
}

/// The place of a check in the tree, for reports.
#[derive(Clone, Copy)]
struct Place<M> {
    check: Check,
    /// Remaining plies.
    depth: u32,
    /// The move into the node, if the path does not hold it yet.
    last: Option<M>,
}

/// Returns true if the child of this parent after this move is selected for the round trip. The hash is of the parent and
/// the move: the child has just been written, and reading it back at once would stall the node.
#[inline(always)]
fn is_sampled(parent: u64, mv: u64, shifted_mask: u64) -> bool {
    (parent ^ mv.wrapping_mul(0x1e37_79b9)) & shifted_mask == 0
}

/// Number of low bits of the hash that are not used.
const SAMPLED_BITS: u32 = 12;

/// A copy of a parent, kept while its children are walked.
#[derive(Clone, Copy)]
pub struct Parent<G> {
    game: G,
    hash: u64,
}

impl<G: Game> Visitor<G> for Verify<'_, G::Move> {
    const CUT: u32 = 0;
    const BY_PIECE: bool = true;
    type Frame = Parent<G>;

    #[inline(always)]
    fn enter<L: Token>(&mut self, level: L, game: &mut G, depth: u32, from: Option<(&Parent<G>, G::Move)>) {
        let last = from.map(|(_, mv)| mv);
        if game.key().is_some() {
            self.compare(level, Check::Keys, (depth, last), game);
        }
        let sampled = match from {
            Some((parent, mv)) => is_sampled(parent.hash, mv.into(), self.sample_mask),
            None => {
                self.nodes[0] += 1;
                true
            }
        };
        if sampled {
            self.round_trip(Place { check: Check::RoundTrip, depth, last }, game);
        }
        if depth > 0 {
            self.null_move(level, game, Place { check: Check::NullMove, depth, last });
        }
    }
    #[inline(always)]
    fn open(&mut self, game: &G) -> Parent<G> {
        Parent { game: game.clone(), hash: game.sample() }
    }
    #[inline(always)]
    fn descend(&mut self, _: &G, _: &Parent<G>, depth: u32, mv: G::Move) {
        let ply = self.ply(depth);
        if depth > 1
            && let Some(last) = self.path.get_mut(ply)
        {
            *last = mv;
        }
    }
    #[inline(always)]
    fn unmade<L: Token>(
        &mut self,
        level: L,
        game: &G,
        parent: &Parent<G>,
        (depth, mv): (u32, G::Move),
        compared: &mut u64,
    ) {
        if !game.same(level, &parent.game, compared) {
            let at = Place { check: Check::Unmake, depth: depth - 1, last: Some(mv) };
            self.report_unmake(at, game, &parent.game);
        }
    }
    #[inline(always)]
    fn close<L: Token>(&mut self, level: L, game: &G, _: &Parent<G>, depth: u32, children: Children) {
        if let Some(nodes) = self.nodes.get_mut((self.depth - depth) as usize + 1) {
            *nodes += children.entered;
        }
        self.checks.unmakes += children.compared;
        if !game.is_consistent(level, &mut self.checks.boards) {
            self.report_boards(depth, game);
        }
    }
    #[inline(always)]
    fn cut<L: Token>(&mut self, _: L, _: &mut G) {}
    fn finish<L: Token>(&mut self, level: L) {
        if let Some(batch) = &mut self.batch {
            if let Some(wrong) = batch.flush(level) {
                self.suspect.get_or_insert(wrong);
            }
            // The report counts what the kernel has compared, and nothing else; null moves count separately.
            let compared = batch.compared();
            self.checks.null_keys = self.batched_null_moves.min(compared);
            self.checks.keys = compared - self.checks.null_keys;
        }
    }
    #[inline(always)]
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
