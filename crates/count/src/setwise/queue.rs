//! The queues of moves and children that wait to be counted in lanes.
//!
//! Most moves take a piece from one square to another, so two square numbers describe them. Checks, promotions and
//! castling change more. For these moves, a queued child holds the changes to every set.

use perft_gate_chess::{Bitboard, Role, Square};
use perft_gate_simd::inline_all;

/// Capacity of the queue of children.
pub(super) const CHILD_ROOM: usize = 64;

/// The squares that a move toggles in each set, and the effects of the move. `T` is a set for one move or an array of
/// sets for many moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildSets<T> {
    pub(super) pawns: T,
    pub(super) knights: T,
    pub(super) diagonal: T,
    pub(super) orthogonal: T,
    pub(super) kings: T,
    /// Squares on which the mover's move captures a piece of the replier, if there is one.
    pub(super) taken: T,
    /// Allowed targets of the replier's pieces except the king: all squares, or only those where a move ends the check.
    pub(super) targets: T,
    /// Squares that a checking slider attacks, even through the king: the king must not enter them.
    pub(super) forbidden: T,
}

impl<T: Copy> ChildSets<T> {
    const fn all(set: T) -> ChildSets<T> {
        ChildSets {
            pawns: set,
            knights: set,
            diagonal: set,
            orthogonal: set,
            kings: set,
            taken: set,
            targets: set,
            forbidden: set,
        }
    }
}

pub(super) struct ChildQueue {
    pub(super) length: usize,
    pub(super) sets: ChildSets<[u64; CHILD_ROOM]>,
    /// The replier's last move: see [`LastMove`].
    pub(super) vacated: [u64; CHILD_ROOM],
    pub(super) entered: [u64; CHILD_ROOM],
    pub(super) weights: [u64; CHILD_ROOM],
}

/// The replier's last move, which leads from the sets that siblings share to the parent of a child.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMove {
    pub(super) from: Square,
    pub(super) to: Square,
    /// The factor by which the replies below the move are multiplied. It is ignored for the only parent of a queue.
    pub(super) weight: u32,
}

#[inline_all]
impl ChildQueue {
    pub(super) const fn new() -> ChildQueue {
        let none = [0; CHILD_ROOM];
        ChildQueue { length: 0, sets: ChildSets::all(none), vacated: none, entered: none, weights: none }
    }

    /// Returns true if there might not be enough room for the moves of another piece.
    pub(super) fn is_full(&self) -> bool {
        self.length > CHILD_ROOM - 36
    }

    pub(super) fn push(&mut self, last_move: LastMove, child: &Child) {
        debug_assert!(self.length < CHILD_ROOM);
        let at = self.length & (CHILD_ROOM - 1);
        self.sets.pawns[at] = child.pawns.0;
        self.sets.knights[at] = child.knights.0;
        self.sets.diagonal[at] = child.diagonal.0;
        self.sets.orthogonal[at] = child.orthogonal.0;
        self.sets.kings[at] = child.kings.0;
        self.sets.taken[at] = child.taken.0;
        self.sets.targets[at] = child.targets.0;
        self.sets.forbidden[at] = child.forbidden.0;
        self.vacated[at] = 1 << last_move.from.index();
        self.entered[at] = 1 << last_move.to.index();
        self.weights[at] = last_move.weight.into();
        self.length += 1;
    }
}

/// Capacity of the queue of moves: more than twice the maximum number of moves of a position.
pub(super) const MOVE_ROOM: usize = 1024;
/// Position of the weight in an entry of the queue of moves.
pub(super) const WEIGHT: u32 = 24;
/// Maximum number of lanes in a vector. The queue has as many spare entries: at its end, a whole vector is loaded.
const MAX_LANES: usize = 8;

/// The queue of moves that neither give check nor promote. Each entry consists of four six-bit square numbers and a
/// weight: the squares that the move leaves and enters, and those that the replier's last move vacated and entered, and
/// the weight of that last move.
pub(super) struct MoveQueue {
    pub(super) length: usize,
    pub(super) moves: [u64; MOVE_ROOM + MAX_LANES],
}

#[inline_all]
impl MoveQueue {
    pub(super) const fn new() -> MoveQueue {
        MoveQueue { length: 0, moves: [0; MOVE_ROOM + MAX_LANES] }
    }

    /// Returns true if there might not be enough room for the moves of another position.
    pub(super) fn is_full(&self) -> bool {
        self.length > MOVE_ROOM / 2
    }

    pub(super) fn push_one(
        &mut self,
        LastMove { from: vacated, to: entered, weight }: LastMove,
        from: Square,
        to: Square,
    ) {
        debug_assert!(self.length < MOVE_ROOM);
        let squares = from.index() | to.index() << 6 | vacated.index() << 12 | entered.index() << 18;
        self.moves[self.length & (MOVE_ROOM - 1)] = squares as u64 | u64::from(weight) << WEIGHT;
        self.length += 1;
    }

    pub(super) fn push(&mut self, last_move: LastMove, from: Square, to: Bitboard) {
        for to in to {
            self.push_one(last_move, from, to);
        }
    }
}

/// The changes of one move.
pub(super) type Child = ChildSets<Bitboard>;

impl Child {
    pub(super) const NONE: Child = Child { targets: Bitboard::ALL, ..ChildSets::all(Bitboard::EMPTY) };

    /// Toggles a piece of type `role` on `squares`.
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
