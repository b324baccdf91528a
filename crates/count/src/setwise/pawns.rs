//! Pawns as sets.
//!
//! [`PawnTargets`] holds the targets of the mover's pawns, one bitboard per kind of move: push, double push, capture to
//! either side. A shift by [`STEPS`] turns targets back into origins, so a set of moves needs no list. [`FreePawns`]
//! holds the replier's pawns that no pin stops, and answers two questions. When the mover's pieces arrive on some
//! squares, how many moves do these pawns lose because a push is blocked or a pawn is captured, minus the captures that
//! they gain? How many moves are gained when a piece leaves its square?

use super::arrivals::Arrivals;
use perft_gate_chess::{Bitboard, Black, Legality, Lines, Side, Sink, Square, White, movegen};
use perft_gate_simd::inline_all;

/// Distances from a pawn to its targets, in this order: push, double push, capture to the west, capture to the east.
pub(super) const STEPS: [u32; 4] = [8, 16, 7, 9];

/// Index of the double push in [`STEPS`].
pub(super) const DOUBLE: usize = 1;

/// Returns the origin squares of pawns, given their targets in the order of [`STEPS`].
#[inline(always)]
pub(super) fn origins(targets: &[Bitboard; 4]) -> Bitboard {
    let [ahead, double, west, east] = [0, 1, 2, 3].map(|way| Bitboard(targets[way].0 >> STEPS[way]));
    ahead | double | west | east
}

/// Returns the squares next to those of a set, on the same rank.
#[inline(always)]
pub(crate) fn neighbours_on_rank(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & !Bitboard::FILE_A.0) >> 1 | (squares.0 & !Bitboard::FILE_H.0) << 1)
}

/// The targets of a side's pawns.
pub(super) struct PawnTargets {
    /// Targets of moves that do not promote, in the order of [`STEPS`].
    pub(super) targets: [Bitboard; 4],
    /// Targets of promotions, in the order of [`STEPS`].
    pub(super) promotions: [Bitboard; 4],
}

impl PawnTargets {
    #[inline(always)]
    pub(super) fn new(pawns: Bitboard, legality: &Legality) -> PawnTargets {
        let mut ways = PawnTargets { targets: [Bitboard::EMPTY; 4], promotions: [Bitboard::EMPTY; 4] };
        // Most positions have no check, no pinned pawn and no promotion. In such positions, applying masks would cost
        // more than finding the moves.
        let pinned = pawns & (legality.orthogonal_pins | legality.diagonal_pins);
        if legality.check_mask == Bitboard::ALL && (pinned | pawns & White::rank(6)).is_empty() {
            let (empty, prey) = (!legality.occupied, legality.them);
            let ahead = White::forward(pawns) & empty;
            let double = White::forward(ahead & White::rank(2)) & empty;
            ways.targets = [ahead, double, White::attacks_west(pawns) & prey, White::attacks_east(pawns) & prey];
        } else {
            movegen::pawns::<White, _>(pawns, legality, &mut ways);
        }
        ways
    }
}

#[inline(always)]
const fn direction(delta: i32) -> usize {
    match delta {
        7 => 2,
        9 => 3,
        _ => 0,
    }
}

#[inline_all]
impl Sink for PawnTargets {
    fn piece(&mut self, _: Square, _: Bitboard) {}
    fn pawns(&mut self, targets: Bitboard, delta: i32) {
        self.targets[direction(delta)] = targets;
    }
    fn double_pushes(&mut self, targets: Bitboard, _: i32) {
        self.targets[DOUBLE] = targets;
    }
    fn promotions(&mut self, targets: Bitboard, delta: i32) {
        self.promotions[direction(delta)] = targets;
    }
    fn en_passant(&mut self, _: Square, _: Square) {}
    fn castle(&mut self, _: Square, _: Square) {}
}

/// The replier's seventh rank.
const BEFORE_LAST: Bitboard = Bitboard::rank(1);
/// The replier's last rank.
const LAST: Bitboard = Bitboard::rank(0);

/// The replier's pawns and their targets. A pinned pawn keeps only its moves along the line of the pin.
#[derive(Clone, Copy)]
pub(super) struct FreePawns {
    pushers: Bitboard,
    /// The targets of pushes on an empty board.
    ahead: Bitboard,
    west_attacks: Bitboard,
    east_attacks: Bitboard,
    promote: bool,
}

/// The moves of the replier's pawns for a given occupancy.
#[derive(Clone, Copy)]
pub(super) struct PawnReplies {
    pushed: Bitboard,
    doubled: Bitboard,
    to_west: Bitboard,
    to_east: Bitboard,
    pub(super) moves: u64,
}

#[inline_all]
impl FreePawns {
    /// Finds the moves that pins allow the replier's pawns, given the pinned pieces and the lines through the king.
    pub(super) fn new(pawns: Bitboard, pinned: Bitboard, lines: &Lines) -> FreePawns {
        let free_on = |line: u64| pawns & (!pinned | Bitboard(line));
        let (west, east) = (free_on(lines.diagonal), free_on(lines.antidiagonal));
        let pushers = free_on(lines.file);
        let ahead = Black::forward(pushers);
        FreePawns {
            pushers,
            ahead: ahead | Black::forward(ahead & Black::rank(2)),
            west_attacks: Black::attacks_west(west),
            east_attacks: Black::attacks_east(east),
            promote: (pawns & BEFORE_LAST).any(),
        }
    }

    /// Returns the squares that the pawns could enter or attack. A piece that leaves or enters such a square can change
    /// the pawns' moves.
    pub(super) fn reach(&self) -> Bitboard {
        self.ahead | self.west_attacks | self.east_attacks
    }

    /// Returns the pawns' moves to `targets`, given the empty squares and the enemy's pieces on `targets`.
    pub(super) fn replies(&self, empty: Bitboard, enemy: Bitboard, targets: Bitboard) -> PawnReplies {
        let pushed = Black::forward(self.pushers) & empty;
        let doubled = Black::forward(pushed & Black::rank(2)) & empty & targets;
        let pushed = pushed & targets;
        let (to_west, to_east) = (self.west_attacks & enemy, self.east_attacks & enemy);
        let mut moves = (pushed | doubled | to_west).count() + to_east.count();
        if self.promote {
            moves += 3 * ((pushed & LAST).count() + (to_west & LAST).count() + (to_east & LAST).count());
        }
        PawnReplies { pushed, doubled, to_west, to_east, moves }
    }

    /// Returns the number of pawn moves, summed over the positions that result from one quiet move to each square of
    /// `entered`. The squares that those moves leave must not affect pawn moves.
    pub(super) fn moves_after_arrivals(&self, replies: &PawnReplies, entered: Bitboard) -> i64 {
        let PawnReplies { pushed, doubled, moves, .. } = *replies;
        let change = |within: Bitboard| {
            let entered = entered & within;
            (entered & self.west_attacks).count() as i64 + (entered & self.east_attacks).count() as i64
                - (entered & pushed).count() as i64
                - (entered & (doubled | White::forward(doubled))).count() as i64
        };
        let mut number = (moves * entered.count()) as i64 + change(Bitboard::ALL);
        if self.promote {
            number += 3 * change(LAST);
        }
        number
    }

    /// Returns the number of moves that pawns lose because arriving pieces block the pawns, minus the number of
    /// captures that the pawns gain.
    pub(super) fn arrival_losses(&self, replies: &PawnReplies, arrivals: &Arrivals) -> i64 {
        if (arrivals.any() & self.reach()).is_empty() {
            return 0;
        }
        let PawnReplies { pushed, doubled, .. } = *replies;
        let mut lost = arrivals.within(pushed) + arrivals.within(doubled | White::forward(doubled));
        lost -= arrivals.within(self.west_attacks) + arrivals.within(self.east_attacks);
        if self.promote {
            let stopped = arrivals.within(pushed & LAST)
                - arrivals.within(self.west_attacks & LAST)
                - arrivals.within(self.east_attacks & LAST);
            lost += 3 * stopped;
        }
        lost
    }

    /// Returns the number of pawn moves lost because arriving pieces capture pawns.
    pub(super) fn capture_losses(&self, replies: &PawnReplies, arrivals: &Arrivals) -> i64 {
        let PawnReplies { pushed, doubled, to_west, to_east, .. } = *replies;
        let from = |pushed: Bitboard, to_west: Bitboard, to_east: Bitboard| {
            arrivals.within(White::forward(pushed))
                + arrivals.within(White::attacks_east(to_west))
                + arrivals.within(White::attacks_west(to_east))
        };
        let mut lost = from(pushed, to_west, to_east) + arrivals.within(White::forward(White::forward(doubled)));
        if self.promote {
            let captured = from(pushed & LAST, to_west & LAST, to_east & LAST);
            lost += 3 * captured;
        }
        lost
    }

    /// Returns the net number of pawn moves gained when a piece leaves `from`, summed over its targets `to`.
    ///
    /// A pawn gains nothing if the piece captures it, or blocks it again from the target square.
    pub(super) fn vacating_gains(&self, empty: Bitboard, from: Bitboard, to: Bitboard) -> i64 {
        let mut gained = 0;
        let behind = White::forward(from);
        if (behind & self.pushers).any() {
            gained = (to & !behind).count() as i64;
            let next = Black::forward(from) & empty;
            if (from & Black::rank(2)).any() && next.any() {
                gained += (to & !behind & !next).count() as i64;
            }
        }
        let first = White::forward(behind);
        if (from & Black::rank(3)).any() && (first & self.pushers).any() && (behind & empty).any() {
            gained += (to & !first & !behind).count() as i64;
        }
        if (from & self.west_attacks).any() {
            gained -= (to & !White::attacks_east(from)).count() as i64;
        }
        if (from & self.east_attacks).any() {
            gained -= (to & !White::attacks_west(from)).count() as i64;
        }
        // On the last rank, each of these moves is a promotion and counts four times.
        if (from & LAST).any() { 4 * gained } else { gained }
    }
}
