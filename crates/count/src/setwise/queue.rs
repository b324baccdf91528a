//! What waits to be counted in lanes: moves, and children put down whole.
//!
//! Most moves take a man from one square to another, and two numbers say all. Checks, promotions and castling change more:
//! of these every set that differs from the parent's is put down.

use perft_gate_simd::Queue;
use perft_gate_walk::chess::{Bitboard, Square};

/// Scratch for more children than are counted at once.
pub(super) const ROOM: usize = 64;

/// Children that wait to be counted: for each, what its move changes.
pub(super) struct Children {
    pub(super) length: usize,
    pub(super) pawns: [u64; ROOM],
    pub(super) knights: [u64; ROOM],
    pub(super) diagonal: [u64; ROOM],
    pub(super) orthogonal: [u64; ROOM],
    pub(super) kings: [u64; ROOM],
    /// Where a man of the replier disappears, if one stands there.
    pub(super) taken: [u64; ROOM],
    /// Where a man must go: anywhere, or where it ends the check.
    pub(super) targets: [u64; ROOM],
    /// Where the king must not go: behind itself, seen from a checker.
    pub(super) forbidden: [u64; ROOM],
}

/// A man of the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mover {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
}

impl Children {
    pub(super) const fn new() -> Children {
        const NONE: [u64; ROOM] = [0; ROOM];
        Children {
            length: 0,
            pawns: NONE,
            knights: NONE,
            diagonal: NONE,
            orthogonal: NONE,
            kings: NONE,
            taken: NONE,
            targets: NONE,
            forbidden: NONE,
        }
    }
}

/// More moves than any position has, and room for one more man's.
pub(super) const MOVES: usize = 512;
/// Scratch for the moves that are put down together: of a queen, at most 27.
const TOGETHER: usize = 32;

/// Moves that wait to be counted, no check and no promotion: the squares, as numbers.
pub(super) struct Moves {
    pub(super) length: usize,
    pub(super) from: [u8; MOVES + TOGETHER],
    pub(super) to: [u8; MOVES + TOGETHER],
}

impl Moves {
    pub(super) const fn new() -> Moves {
        Moves { length: 0, from: [0; MOVES + TOGETHER], to: [0; MOVES + TOGETHER] }
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The moves of a man.
    #[inline(always)]
    pub(super) fn push<V: Queue>(&mut self, proof: V::Proof, from: Square, to: Bitboard) {
        let at = self.length & (MOVES - 1);
        self.from[at..at + TOGETHER].fill(from.index() as u8);
        V::put_squares(proof, to.0, &mut self.to[at..at + TOGETHER]);
        self.length = at + to.count() as usize;
    }

    /// The moves of pawns that all go the same way.
    #[inline(always)]
    pub(super) fn push_pawns<V: Queue>(&mut self, proof: V::Proof, to: Bitboard, delta: u32) {
        let at = self.length & (MOVES - 1);
        V::put_squares(proof, to.0 >> delta, &mut self.from[at..at + TOGETHER]);
        V::put_squares(proof, to.0, &mut self.to[at..at + TOGETHER]);
        self.length = at + to.count() as usize;
    }
}

impl Children {
    /// Is there no room for another man's moves?
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.length > ROOM - 36
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// One child of any kind.
    #[inline(always)]
    pub(super) fn push(&mut self, child: &Child) {
        let at = self.length & (ROOM - 1);
        self.pawns[at] = child.pawns.0;
        self.knights[at] = child.knights.0;
        self.diagonal[at] = child.diagonal.0;
        self.orthogonal[at] = child.orthogonal.0;
        self.kings[at] = child.kings.0;
        self.taken[at] = child.taken.0;
        self.targets[at] = child.targets.0;
        self.forbidden[at] = child.forbidden.0;
        self.length += 1;
    }
}

/// What one move changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) pawns: Bitboard,
    pub(super) knights: Bitboard,
    pub(super) diagonal: Bitboard,
    pub(super) orthogonal: Bitboard,
    pub(super) kings: Bitboard,
    pub(super) taken: Bitboard,
    pub(super) targets: Bitboard,
    pub(super) forbidden: Bitboard,
}

impl Child {
    pub(super) const NONE: Child = Child {
        pawns: Bitboard::EMPTY,
        knights: Bitboard::EMPTY,
        diagonal: Bitboard::EMPTY,
        orthogonal: Bitboard::EMPTY,
        kings: Bitboard::EMPTY,
        taken: Bitboard::EMPTY,
        targets: Bitboard::ALL,
        forbidden: Bitboard::EMPTY,
    };

    /// Toggles a kind of man on these squares.
    #[inline(always)]
    pub(super) fn toggled(mut self, mover: Mover, squares: Bitboard) -> Child {
        match mover {
            Mover::Pawn => self.pawns ^= squares,
            Mover::Knight => self.knights ^= squares,
            Mover::Bishop => self.diagonal ^= squares,
            Mover::Rook => self.orthogonal ^= squares,
            Mover::Queen => {
                self.diagonal ^= squares;
                self.orthogonal ^= squares;
            }
        }
        self
    }
}
