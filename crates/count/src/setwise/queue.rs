//! The queues of moves and children that are to be counted in lanes.
//!
//! Most moves take a piece from one square to another, and two square numbers describe them. Checks, promotions and
//! castling change more: their children are queued as every set that differs from the parent's.

use perft_gate_chess::{Bitboard, Square};

/// Room of the queue of children, for more than are counted at once.
pub(super) const ROOM: usize = 64;

/// The queue of children: the changes that the move of each makes.
pub(super) struct Children {
    pub(super) length: usize,
    pub(super) pawns: [u64; ROOM],
    pub(super) knights: [u64; ROOM],
    pub(super) diagonal: [u64; ROOM],
    pub(super) orthogonal: [u64; ROOM],
    pub(super) kings: [u64; ROOM],
    /// Squares on which a piece of the replier is captured, if one stands there.
    pub(super) taken: [u64; ROOM],
    /// Squares that a piece other than the king may enter: all, or those that end the check.
    pub(super) targets: [u64; ROOM],
    /// Squares that the king must not enter: those behind it, seen from a checker.
    pub(super) forbidden: [u64; ROOM],
    /// The replier's last move: see [`Before`].
    pub(super) left: [u64; ROOM],
    pub(super) entered: [u64; ROOM],
}

/// The replier's last move, which leads from the common base to the parent of a child: the squares that it left and entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    pub(super) left: Square,
    pub(super) entered: Square,
}

/// The type of a moving piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mover {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
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
            left: NONE,
            entered: NONE,
        }
    }
}

/// Room of the queue of moves, for twice as many as a position may have.
pub(super) const MOVES: usize = 1024;
/// Greatest number of lanes of a vector, which is loaded whole where the queue ends, too.
const MOST_LANES: usize = 8;

/// The queue of moves that neither check nor promote: the numbers of the squares that the move leaves and enters, and of those
/// that the replier's last move left and entered, six bits each.
pub(super) struct Moves {
    pub(super) length: usize,
    pub(super) moves: [u64; MOVES + MOST_LANES],
}

impl Moves {
    pub(super) const fn new() -> Moves {
        Moves { length: 0, moves: [0; MOVES + MOST_LANES] }
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns true if there may be no room for the moves of another position.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.length > MOVES / 2
    }

    #[inline(always)]
    fn push_one(&mut self, squares: usize) {
        debug_assert!(self.length < MOVES);
        self.moves[self.length & (MOVES - 1)] = squares as u64;
        self.length += 1;
    }

    /// Queues the moves of a piece.
    #[inline(always)]
    pub(super) fn push(&mut self, before: Before, from: Square, to: Bitboard) {
        let squares = from.index() | before.left.index() << 12 | before.entered.index() << 18;
        for to in to {
            self.push_one(squares | to.index() << 6);
        }
    }

    /// Queues one move.
    #[inline(always)]
    pub(super) fn push_pawn(&mut self, before: Before, from: Square, to: Square) {
        self.push_one(from.index() | to.index() << 6 | before.left.index() << 12 | before.entered.index() << 18);
    }
}

impl Children {
    /// Returns true if there may be no room for the moves of another piece.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.length > ROOM - 36
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Queues a child.
    #[inline(always)]
    pub(super) fn push(&mut self, before: Before, child: &Child) {
        debug_assert!(self.length < ROOM);
        let at = self.length & (ROOM - 1);
        self.pawns[at] = child.pawns.0;
        self.knights[at] = child.knights.0;
        self.diagonal[at] = child.diagonal.0;
        self.orthogonal[at] = child.orthogonal.0;
        self.kings[at] = child.kings.0;
        self.taken[at] = child.taken.0;
        self.targets[at] = child.targets.0;
        self.forbidden[at] = child.forbidden.0;
        self.left[at] = 1 << before.left.index();
        self.entered[at] = 1 << before.entered.index();
        self.length += 1;
    }
}

/// The changes that one move makes.
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

    /// Toggles a piece of this type on these squares.
    #[inline(always)]
    pub(super) fn toggled(mut self, mover: Mover, squares: Bitboard) -> Child {
        match mover {
            Mover::Pawn => self.pawns ^= squares,
            Mover::Knight => self.knights ^= squares,
            Mover::Bishop => self.diagonal ^= squares,
            Mover::Rook => self.orthogonal ^= squares,
            Mover::King => self.kings ^= squares,
            Mover::Queen => {
                self.diagonal ^= squares;
                self.orthogonal ^= squares;
            }
        }
        self
    }
}
