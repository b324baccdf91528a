//! Counts leaf nodes without a table, and visits a position only once for many of the paths that lead to it.
//!
//! **The idea.** 1. a3 e5 2. h3 and 1. h3 e5 2. a3 lead to the same position. It is enough to count the leaf nodes below
//! that position once and to multiply them by the number of paths. So the tree is expanded ply by ply. A *frontier* is a
//! list of positions at one ply, each with its number of paths. The sum of paths × leaf nodes over a frontier is the
//! number of leaf nodes of the tree. Three plies above the leaf nodes, the moves that are left after merging are counted
//! set-wise, each weighted by its number of paths.
//!
//! ```text
//! count(frontier, depth):
//!     for chunk of frontier, in parallel:                       // MAX_CHUNK positions
//!         for parent in chunk, move of parent:
//!             if an earlier child in the chunk is the same position: add parent.paths to its paths
//!             else: keep the child, with paths = parent.paths
//!         if depth = 3: total += sum over kept children of paths * leaf nodes two plies below
//!         else:         children += kept children
//!     if depth > 3:
//!         sort children by the moves of the side that has just moved
//!         for part of children: total += count(part, depth - 1)  // about ROOM children each
//! ```
//!
//! A frontier can have billions of positions. So children are merged only within a chunk, which fits in the cache, and
//! the search is depth-first over parts, so that each ply stores only the children of one part.
//!
//! **Sorting** puts positions with common children into one chunk. Let White be to move. Nearly all transpositions
//! result from White's moves in different orders, and then Black has made the same moves on both paths. So the
//! positions are sorted by the moves that Black has made, in any order. In the sort key, every move has a random
//! number. The low half of the key is the xor of these numbers, so it is equal for all orders, and it does not change
//! when White captures a piece. The high half consists of the two smallest numbers. Sets that differ in one move
//! usually have the same high half, so their positions come into one part, where the sets can become equal a ply later.
//! The key decides only which children are compared. Two children are merged only if they are equal as whole positions.
//!
//! **Source**: the two smallest numbers are a min-hash (A. Broder, *On the Resemblance and Containment of Documents*,
//! 1997).

#[cfg(test)]
mod tests;

use crate::setwise::{LeafCounter, neighbours_on_rank};
use arrayvec::ArrayVec;
use perft_gate_chess::{
    Bitboard, Board, Clock, Color, EnPassantPolicy, MAX_MOVES, Move, MoveList, Packed, Role, Square,
};
use perft_gate_simd::{Level, Token, inline_all, kernel, prefetch};
use perft_gate_walk::{Control, Game, Position};
use rayon::prelude::*;
use std::cell::Cell;
use std::ops::Range;

/// Minimum depth in plies of a tree in which paths to the same position are merged.
pub(crate) const MIN_DEPTH: u32 = 5;

/// Number of plies above the leaf nodes at which a frontier is no longer expanded but counted.
const LAST: u32 = 3;

/// Maximum number of positions whose children are merged with each other. The children of more positions would not fit
/// in a second-level cache of a megabyte.
const MAX_CHUNK: usize = 512;
/// Minimum number of positions in a chunk if threads share a small frontier. With fewer, little would be merged.
const MIN_CHUNK: usize = 128;

/// Number of children that a part of a frontier should have, in total and per thread. A child takes up to 128 bytes at
/// each ply.
const ROOM: usize = 1 << 20;
const ROOM_OF_THREAD: usize = 1 << 17;

/// Minimum length of the hash table of a chunk.
const MIN_SLOTS: usize = 1 << 15;
/// Number of slots per child. With two slots, half of the children would need another probe.
const SLOTS_PER_CHILD: usize = 4;

/// Random numbers for hashing: the first fractional digits of pi.
const SALT: [u64; 4] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];

/// Number of steps into which the progress of a count is divided.
pub(crate) const STEPS: u64 = 10_000;

/// The threads that count a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// All threads of the rayon pool.
    AllThreads,
    /// The calling thread, because other threads count other trees at the same time. If they shared their trees, a
    /// thread that waits for the others would begin another tree and need memory for both.
    OneThread,
}

/// A counter of leaf nodes that merges paths to the same position.
pub(crate) struct PathCounter<'a> {
    level: Level,
    control: &'a Control,
    sharing: Sharing,
    /// Number of children that a part of a frontier should have.
    room: usize,
}

/// A position of a frontier, stored in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Node {
    position: Packed,
    /// Number of paths that lead to the position.
    paths: u128,
    /// For each side, the sort key of the moves that it has made on the first path.
    moves: [u32; 2],
    /// The hash of the position.
    hash: u32,
    /// The position's first parent in the chunk, and the move that leads from there.
    parent: u16,
    mv: Move,
}

impl Node {
    /// The root of a tree.
    fn root(board: &Board) -> Node {
        let position = Packed::new(board, EnPassantPolicy::Legal);
        Node { position, paths: 1, moves: [NO_MOVES; 2], hash: 0, parent: 0, mv: Move::new(Square::A1, Square::A1, 0) }
    }
}

impl<'a> PathCounter<'a> {
    pub(crate) fn new(level: Level, control: &'a Control, sharing: Sharing) -> PathCounter<'a> {
        let room = match sharing {
            Sharing::AllThreads => ROOM.max(ROOM_OF_THREAD * rayon::current_num_threads()),
            Sharing::OneThread => ROOM_OF_THREAD,
        };
        PathCounter { level, control, sharing, room }
    }

    /// Counts the leaf nodes of a tree of [`MIN_DEPTH`] plies or more, and advances the progress by `steps`. If the
    /// count is stopped, the result is too low.
    pub(crate) fn leaves(&self, board: &Board, depth: u32, steps: u64) -> u128 {
        self.count(&[Node::root(board)], board.turn(), depth, 1, 0..steps)
    }

    /// Counts the leaf nodes below a frontier. Each position counts once per path. `branching` is the number of
    /// children per position one ply above.
    fn count(&self, frontier: &[Node], turn: Color, depth: u32, branching: usize, steps: Range<u64>) -> u128 {
        let length = steps.end - steps.start;
        if depth == LAST {
            let leaves = self.each_chunk(frontier, |merged, chunk| {
                count_chunk(self.level, &mut LeafCounter::new(self.control), merged, chunk, turn)
            });
            self.control.advance(length);
            return leaves.into_iter().sum();
        }
        let mut children = self.each_chunk(frontier, |merged, chunk| expand(self.level, merged, chunk, turn)).concat();
        match self.sharing {
            Sharing::AllThreads => children.par_sort_by_key(|child| child.moves[turn.index()]),
            Sharing::OneThread => children.sort_by_key(|child| child.moves[turn.index()]),
        }
        if children.is_empty() {
            self.control.advance(length);
        }
        // The next ply has about as many children per position as the last two plies.
        let own = children.len().div_ceil(frontier.len());
        let parts = children.chunks((self.room / own.max(branching)).max(1));
        let number = parts.len() as u64;
        let step = |part: u64| steps.start + length / number * part + length % number * part / number;
        (0..).zip(parts).map(|(at, part)| self.count(part, !turn, depth - 1, own, step(at)..step(at + 1))).sum()
    }

    /// Calls `work` with each chunk of a frontier and memory for its children, unless the count is stopped.
    fn each_chunk<T: Send>(&self, frontier: &[Node], work: impl Fn(&mut Merged, &[Node]) -> T + Sync) -> Vec<T> {
        let goes_on = |_: &&[Node]| !self.control.is_stopped();
        let work = |chunk: &[Node]| {
            let mut merged = SPARE.take();
            let result = work(&mut merged, chunk);
            SPARE.set(merged);
            result
        };
        match self.sharing {
            Sharing::AllThreads => {
                let even = frontier.len() / (4 * rayon::current_num_threads());
                let chunks = frontier.par_chunks(even.clamp(MIN_CHUNK, MAX_CHUNK));
                chunks.with_max_len(1).filter(goes_on).map(work).collect()
            }
            Sharing::OneThread => frontier.chunks(MAX_CHUNK).filter(goes_on).map(work).collect(),
        }
    }
}

/// The positions of a chunk and their merged children.
#[derive(Default)]
struct Merged {
    parents: Vec<Board>,
    /// The distinct children, in the order of their first parents.
    children: Vec<Node>,
    /// A hash table with linear probing. A slot holds the number of a child plus one, or 0 if it is free.
    slots: Vec<u32>,
}

thread_local! {
    /// The memory of the thread's last chunk, for reuse. In fresh memory, every 64th child would cost a page fault.
    static SPARE: Cell<Merged> = Cell::default();
}

/// Returns a hash of a position, found by two folded multiplications as in wyhash
/// (<https://github.com/wangyi-fudan/wyhash>).
#[inline(always)]
fn hash(position: Packed) -> u32 {
    let [a, b, c, d] = position.planes();
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    (fold(a ^ SALT[0], b ^ SALT[1]) ^ fold(c ^ SALT[2], d ^ SALT[3])) as u32
}

/// The sort key of no moves.
const NO_MOVES: u32 = !0 << 16;

/// Adds a move to a sort key.
#[inline(always)]
fn add_move(key: u32, mv: Move) -> u32 {
    let random = |square: Square| (square.index() as u32 + 1).wrapping_mul(0x9e37_79b9);
    // If a piece goes from one square to another in several moves, the xor of these moves is the same for every route.
    let mixed = random(mv.from()) ^ random(mv.to());
    let (smallest, second, number) = (key >> 24, key >> 16 & 0xff, mixed.wrapping_mul(0x85eb_ca6b) >> 24);
    smallest.min(number) << 24 | smallest.max(number).min(second) << 16 | (key ^ mixed >> 16) & 0xffff
}

/// Makes a move.
#[inline(always)]
fn after<L: Token>(level: L, board: &Board, mv: Move) -> Position<()> {
    let mut child = Position::new(*board, ());
    let _ = child.play(level, mv);
    child
}

#[inline_all]
impl Merged {
    /// Replaces the content by a chunk and its children. With `SORTED`, the children get sort keys.
    fn fill<L: Token, const SORTED: bool>(&mut self, level: L, chunk: &[Node], turn: Color) {
        self.parents.clear();
        self.children.clear();
        self.make_slots(MIN_SLOTS);
        for (number, node) in chunk.iter().enumerate() {
            self.add_children::<L, SORTED>(level, number as u16, node, turn);
        }
    }

    /// Adds the children of `node`, or adds its paths to those of equal children.
    fn add_children<L: Token, const SORTED: bool>(&mut self, level: L, parent: u16, node: &Node, turn: Color) {
        let board = node.position.board();
        self.parents.push(board);
        let mut moves = MoveList::default();
        Position::new(board, ()).moves_apart(level, &mut moves);
        if SLOTS_PER_CHILD * (self.children.len() + moves.len()) > self.slots.len() {
            self.make_slots(2 * self.slots.len());
        }
        // Whether a slot is free is hard to predict. The loops are separate so that the slots and children are in the
        // first-level cache when a branch depends on them.
        let mask = self.slots.len() - 1;
        let mut found = ArrayVec::<(Packed, u32), MAX_MOVES>::new();
        let plain = PlainMoves::new(&board, turn);
        for &mv in &moves {
            let position = plain.child(level, &board, mv);
            let hash = hash(position);
            prefetch(&self.slots[hash as usize & mask]);
            found.push((position, hash));
        }
        for (_, hash) in &found {
            let child = self.slots[*hash as usize & mask] as usize;
            self.children.get(child.wrapping_sub(1)).inspect(|child| prefetch(*child));
        }
        for (&mv, &(position, hash)) in moves.iter().zip(&found) {
            let mut at = hash as usize & mask;
            loop {
                if self.slots[at] == 0 {
                    let mut moves = node.moves;
                    if SORTED {
                        moves[turn.index()] = add_move(moves[turn.index()], mv);
                    }
                    self.children.push(Node { position, paths: node.paths, moves, hash, parent, mv });
                    self.slots[at] = self.children.len() as u32;
                    break;
                }
                let child = &mut self.children[self.slots[at] as usize - 1];
                if child.position == position {
                    child.paths += node.paths;
                    break;
                }
                at = (at + 1) & mask;
            }
        }
    }

    /// Makes a hash table of the children. `length` must be a power of two.
    fn make_slots(&mut self, length: usize) {
        self.slots.clear();
        self.slots.resize(length, 0);
        for (child, number) in self.children.iter().zip(1..) {
            let mut at = child.hash as usize & (length - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (length - 1);
            }
            self.slots[at] = number;
        }
    }
}

/// Computes the positions after the plain moves of a board without making these moves on a board.
struct PlainMoves {
    /// The position after a pass.
    passed: Packed,
    turn: Color,
    king: Square,
    /// The mover's rooks that may castle.
    rooks: Bitboard,
    /// Squares next to the other side's pawns. A double push to one of them may allow an en-passant capture.
    capturable: Bitboard,
}

#[inline_all]
impl PlainMoves {
    fn new(board: &Board, turn: Color) -> PlainMoves {
        let mut passed = *board;
        passed.state.pass(Clock::Counts);
        PlainMoves {
            passed: Packed::new(&passed, EnPassantPolicy::Legal),
            turn,
            king: board.king(turn),
            rooks: board.castling_rooks() & board.color(turn),
            capturable: neighbours_on_rank(board.pieces(!turn, Role::Pawn)),
        }
    }

    /// Returns the position after any move of the board.
    fn child<L: Token>(&self, level: L, board: &Board, mv: Move) -> Packed {
        let (from, to) = (mv.from(), mv.to());
        if !mv.is_plain() || mv.is_double_push() && self.capturable.has(to) {
            return Packed::new(after(level, board, mv).board(), EnPassantPolicy::Legal);
        }
        let moved = if self.rooks.has(from) { to.into() } else { Bitboard::EMPTY };
        let lost = if from == self.king { self.rooks } else { moved };
        self.passed.after_plain_move(level, (from, to), self.turn, lost)
    }
}

/// Returns the merged children of a chunk.
#[kernel]
fn expand<L: Token>(level: L, merged: &mut Merged, chunk: &[Node], turn: Color) -> Vec<Node> {
    merged.fill::<L, true>(level, chunk, turn);
    merged.children.clone()
}

/// Counts the leaf nodes three plies below the positions of a chunk. Each position counts once per path.
#[kernel]
fn count_chunk<L: Token>(
    level: L,
    counter: &mut LeafCounter<'_>,
    merged: &mut Merged,
    chunk: &[Node],
    turn: Color,
) -> u128 {
    merged.fill::<L, false>(level, chunk, turn);
    let mut total = 0;
    for siblings in merged.children.chunk_by(|a, b| a.parent == b.parent) {
        if counter.is_stopping() {
            break;
        }
        let (mut moves, mut weights) = (MoveList::default(), ArrayVec::<u32, MAX_MOVES>::new());
        for child in siblings {
            if let Ok(weight) = u32::try_from(child.paths) {
                moves.push(child.mv);
                weights.push(weight);
            } else {
                total += child.paths * u128::from(counter.count_subtree(level, &child.position.board()));
            }
        }
        let board = &merged.parents[usize::from(siblings[0].parent)];
        total += u128::from(counter.count_after(level, board, &mut moves, &mut weights));
        for (&mv, &weight) in moves.iter().zip(&weights) {
            let leaves = counter.count_subtree(level, after(level, board, mv).board());
            total += u128::from(weight) * u128::from(leaves);
        }
    }
    total
}
