//! The queues of moves and children that are to be counted in lanes.
//!
//! Most moves take a piece from one square to another, and two square numbers describe them. Checks, promotions and
//! castling change more: their children are queued as every set that differs from the parent's.

use perft_gate_chess::{Bitboard, Role, Square};

/// Room of the queue of children, for more than are counted at once.
pub(super) const CHILD_ROOM: usize = 64;

/// The queue of children: the changes that the move of each makes.
pub(super) struct ChildQueue {
    pub(super) length: usize,
    pub(super) pawns: [u64; CHILD_ROOM],
    pub(super) knights: [u64; CHILD_ROOM],
    pub(super) diagonal: [u64; CHILD_ROOM],
    pub(super) orthogonal: [u64; CHILD_ROOM],
    pub(super) kings: [u64; CHILD_ROOM],
    /// Squares on which a piece of the replier is captured, if one stands there.
    pub(super) taken: [u64; CHILD_ROOM],
    /// Squares that a piece other than the king may enter: all, or those that end the check.
    pub(super) targets: [u64; CHILD_ROOM],
    /// Squares that the king must not enter: those behind it, seen from a checker.
    pub(super) forbidden: [u64; CHILD_ROOM],
    /// The replier's last move: see [`LastMove`].
    pub(super) vacated: [u64; CHILD_ROOM],
    pub(super) entered: [u64; CHILD_ROOM],
}

/// The replier's last move, which leads from the common base to the parent of a child: the squares that it vacated and entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMove {
    pub(super) from: Square,
    pub(super) to: Square,
}

impl ChildQueue {
    pub(super) const fn new() -> ChildQueue {
        const NONE: [u64; CHILD_ROOM] = [0; CHILD_ROOM];
        ChildQueue {
            length: 0,
            pawns: NONE,
            knights: NONE,
            diagonal: NONE,
            orthogonal: NONE,
            kings: NONE,
            taken: NONE,
            targets: NONE,
            forbidden: NONE,
            vacated: NONE,
            entered: NONE,
        }
    }
}

/// Room of the queue of moves, for twice as many as a position may have.
pub(super) const MOVE_ROOM: usize = 1024;
/// Greatest number of lanes of a vector, which is loaded whole where the queue ends, too.
const MAX_LANES: usize = 8;

/// The queue of moves that neither check nor promote: the numbers of the squares that the move leaves and enters, and of those
/// that the replier's last move vacated and entered, six bits each.
pub(super) struct MoveQueue {
    pub(super) length: usize,
    pub(super) moves: [u64; MOVE_ROOM + MAX_LANES],
}

impl MoveQueue {
    pub(super) const fn new() -> MoveQueue {
        MoveQueue { length: 0, moves: [0; MOVE_ROOM + MAX_LANES] }
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns true if there may be no room for the moves of another position.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.length > MOVE_ROOM / 2
    }

    #[inline(always)]
    fn push_one(&mut self, squares: usize) {
        debug_assert!(self.length < MOVE_ROOM);
        self.moves[self.length & (MOVE_ROOM - 1)] = squares as u64;
        self.length += 1;
    }

    /// Queues the moves of a piece.
    #[inline(always)]
    pub(super) fn push(&mut self, last_move: LastMove, from: Square, to: Bitboard) {
        let squares = from.index() | last_move.from.index() << 12 | last_move.to.index() << 18;
        for to in to {
            self.push_one(squares | to.index() << 6);
        }
    }

    /// Queues one move.
    #[inline(always)]
    pub(super) fn push_pawn(&mut self, last_move: LastMove, from: Square, to: Square) {
        self.push_one(from.index() | to.index() << 6 | last_move.from.index() << 12 | last_move.to.index() << 18);
    }
}

impl ChildQueue {
    /// Returns true if there may be no room for the moves of another piece.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.length > CHILD_ROOM - 36
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Queues a child.
    #[inline(always)]
    pub(super) fn push(&mut self, last_move: LastMove, child: &Child) {
        debug_assert!(self.length < CHILD_ROOM);
        let at = self.length & (CHILD_ROOM - 1);
        self.pawns[at] = child.pawns.0;
        self.knights[at] = child.knights.0;
        self.diagonal[at] = child.diagonal.0;
        self.orthogonal[at] = child.orthogonal.0;
        self.kings[at] = child.kings.0;
        self.taken[at] = child.taken.0;
        self.targets[at] = child.targets.0;
        self.forbidden[at] = child.forbidden.0;
        self.vacated[at] = 1 << last_move.from.index();
        self.entered[at] = 1 << last_move.to.index();
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
    pub(super) fn toggle(mut self, role: Role, squares: Bitboard) -> Child {
        match role {
            Role::Pawn => self.pawns ^= squares,
            Role::Knight => self.knights ^= squares,
            Role::Bishop => self.diagonal ^= squares,
            Role::Rook => self.orthogonal ^= squares,
            Role::King => self.kings ^= squares,
            Role::Queen => {
                self.diagonal ^= squares;
                self.orthogonal ^= squares;
            }
        }
        self
    }
}
