//! Sibling positions in the lanes of a vector. Their replies are counted set-wise.
//!
//! Perft needs only the number of moves at its last ply, and siblings differ by one move. So no move is made. The
//! parent's board is broadcast to four or eight lanes, and each lane is xored with the squares that its move changes.
//! Then all lanes run the same operations.
//!
//! All sliders of a side that move in one direction are handled at once. Filling from them over the empty squares
//! (Kogge-Stone, <https://www.chessprogramming.org/Kogge-Stone_Algorithm>) takes three doubling steps. Two fills never
//! share a square, since one slider blocks the other. So the number of moves in that direction is the number of reached
//! squares that hold no piece of the same side, whichever slider reaches them.
//!
//! Worked example: rooks on a1 and d1, the king on g1. Eastward, the rook on a1 reaches b1, c1 and d1, and the rook on
//! d1 reaches e1, f1 and g1. The union has six squares. Two of them, d1 and g1, hold pieces of the same side. The other
//! four are the targets of the four eastward moves.
//!
//! Pins are found as sets too. A piece is pinned along a line if the king sees it along that line and an enemy slider
//! reaches it along the same line. It can still move along that line. In each direction, the fill starts from the
//! sliders that are unpinned or pinned along that direction.
//!
//! The king is not lifted off the board, because no slider sees it unless it is in check. A child in check carries two
//! sets: the squares on which an arriving piece ends the check, and the squares behind the king that the checker
//! attacks through it.

use super::castling::Castle;
use super::king_lines::KingLines;
use super::parent::CommonSets;
use super::queue::{CHILD_ROOM, ChildQueue, MOVE_ROOM, MoveQueue, WEIGHT};
use super::slides::{NOT_A, NOT_H, Slides, king_attacks, knight_attacks, pawn_attacks, reach_east};
use perft_gate_chess::{Bitboard, SidePieces, attacks};
use perft_gate_simd::{U64s, inline_all};

/// Counts the replies to the queued moves and the replies in the queued children, and empties both queues. Siblings'
/// replies are multiplied by the weights of their last moves.
#[inline(always)]
pub(super) fn count<V: U64s>(
    proof: V::Proof,
    common: &CommonSets,
    moves: &mut MoveQueue,
    children: &mut ChildQueue,
) -> u64 {
    let lines = KingLines::<V>::new(proof, common.replier.king_square());
    let mut total = V::splat(proof, 0);
    // An overfull queue has overwritten its first entries, so the count would be wrong.
    assert!(
        moves.length < MOVE_ROOM && children.length <= CHILD_ROOM,
        "more moves or children than a queue has room for"
    );
    let (mut at, mut child) = (0, 0);
    loop {
        let number = (moves.length - at).min(V::LANES);
        let joined = (children.length - child).min(V::LANES - number);
        if number + joined == 0 {
            break;
        }
        debug_assert!(at < MOVE_ROOM);
        let next = at & (MOVE_ROOM - 1);
        let squares = V::load(proof, &moves.moves[next..next + V::LANES]);
        let mask = V::splat(proof, 63);
        let bit = |place: u32| (squares.shr(place) & mask).bits(proof);
        let (mut from, mut to) = (bit(0), bit(6));
        let (mut vacated, mut entered) = (V::splat(proof, 0), V::splat(proof, 0));
        if common.after_last_move {
            (vacated, entered) = (bit(12), bit(18));
        }
        if joined > 0 {
            // Lane `number` and all lanes after it hold no move.
            let moved = V::first(proof, number);
            (from, to) = (from & moved, to & moved);
            if common.after_last_move {
                vacated = (vacated & moved).concat_at(proof, number, V::load(proof, &children.vacated[child..]));
                entered = (entered & moved).concat_at(proof, number, V::load(proof, &children.entered[child..]));
            }
        }
        let mut boards = Boards::after(proof, common, (vacated, entered), (from, to));
        if joined > 0 {
            boards = boards.join(proof, number, children, child);
        }
        let mut replies = replies(proof, common, &lines, boards) & V::first(proof, number + joined);
        if common.after_last_move {
            let mut weights = squares.shr(WEIGHT);
            if joined > 0 {
                weights = (weights & V::first(proof, number)).concat_at(
                    proof,
                    number,
                    V::load(proof, &children.weights[child..]),
                );
            }
            replies = replies.times(weights);
        }
        total = total.plus(replies);
        (at, child) = (at + number, child + joined);
    }
    (moves.length, children.length) = (0, 0);
    total.sum()
}

/// A side's pieces by type, one child per lane.
struct Sets<V> {
    pawns: V,
    knights: V,
    diagonal: V,
    orthogonal: V,
}

#[inline_all]
impl<V: U64s> Sets<V> {
    fn splat(proof: V::Proof, pieces: &SidePieces) -> Sets<V> {
        Sets {
            pawns: V::splat(proof, pieces.pawns.0),
            knights: V::splat(proof, pieces.knights.0),
            diagonal: V::splat(proof, pieces.diagonal.0),
            orthogonal: V::splat(proof, pieces.orthogonal.0),
        }
    }

    /// Moves a piece of any type from one square to another.
    fn move_piece(&self, from: V, both: V) -> Sets<V> {
        Sets {
            pawns: self.pawns.xor_where_met(both, from),
            knights: self.knights.xor_where_met(both, from),
            diagonal: self.diagonal.xor_where_met(both, from),
            orthogonal: self.orthogonal.xor_where_met(both, from),
        }
    }

    /// Removes the pieces on some squares.
    fn without(&self, taken: V) -> Sets<V> {
        Sets {
            pawns: self.pawns & !taken,
            knights: self.knights & !taken,
            diagonal: self.diagonal & !taken,
            orthogonal: self.orthogonal & !taken,
        }
    }
}

/// Children, one per lane: the pieces of both sides, and the effects of the mover's moves on the replier.
struct Boards<V> {
    mover: Sets<V>,
    king: V,
    /// The replier's pieces, including captured ones.
    replier: Sets<V>,
    /// All pieces of the replier, including the king and captured ones.
    all: V,
    /// Squares that the replier's last move vacated and entered.
    vacated: V,
    entered: V,
    /// Squares on which the mover's move captures a piece of the replier, if there is one.
    taken: V,
    /// Allowed targets of the replier's pieces except the king: all squares, or only those where a move ends the check.
    targets: V,
    /// Squares that a checking slider attacks, even through the king: the king must not enter them.
    forbidden: V,
}

#[inline_all]
impl<V: U64s> Boards<V> {
    /// Returns the boards after the replier's last move and a move of the mover. Each move takes one piece from one
    /// square to another.
    fn after(proof: V::Proof, common: &CommonSets, (vacated, entered): (V, V), (from, to): (V, V)) -> Boards<V> {
        let (mut mover, mut replier) = (Sets::splat(proof, &common.mover), Sets::splat(proof, &common.replier));
        let mut all = V::splat(proof, common.replier.all.0);
        if common.after_last_move {
            let both = vacated ^ entered;
            (mover, replier, all) = (mover.without(entered), replier.move_piece(vacated, both), all ^ both);
        }
        let both = from ^ to;
        Boards {
            mover: mover.move_piece(from, both),
            king: V::splat(proof, common.mover.king.0).xor_where_met(both, from),
            replier,
            all,
            vacated,
            entered,
            taken: to,
            targets: V::splat(proof, !0),
            forbidden: V::splat(proof, 0),
        }
    }

    /// Fills the lanes that hold no move, which start at `number`, with queued children.
    fn join(self, proof: V::Proof, number: usize, children: &ChildQueue, child: usize) -> Boards<V> {
        let Sets { pawns, knights, diagonal, orthogonal } = self.mover;
        let mover = Sets {
            pawns: pawns ^ append_queued(proof, 0, number, &children.sets.pawns, child),
            knights: knights ^ append_queued(proof, 0, number, &children.sets.knights, child),
            diagonal: diagonal ^ append_queued(proof, 0, number, &children.sets.diagonal, child),
            orthogonal: orthogonal ^ append_queued(proof, 0, number, &children.sets.orthogonal, child),
        };
        Boards {
            mover,
            king: self.king ^ append_queued(proof, 0, number, &children.sets.kings, child),
            taken: self.taken | append_queued(proof, 0, number, &children.sets.taken, child),
            targets: append_queued(proof, !0, number, &children.sets.targets, child),
            forbidden: append_queued(proof, 0, number, &children.sets.forbidden, child),
            ..self
        }
    }
}

/// Returns a vector with `fill` in its first `number` lanes. The other lanes hold entries of a queue, starting at `at`.
#[inline(always)]
fn append_queued<V: U64s>(proof: V::Proof, fill: u64, number: usize, entries: &[u64; CHILD_ROOM], at: usize) -> V {
    V::splat(proof, fill).concat_at(proof, number, V::load(proof, &entries[at..]))
}

#[inline(always)]
fn replies<V: U64s>(proof: V::Proof, common: &CommonSets, lines: &KingLines<V>, boards: Boards<V>) -> V {
    let siblings = SiblingLanes::new(proof, common, &boards);
    let seen = siblings.find_attacks_and_pins(lines);
    let mut tally = V::tally(proof);
    tally = siblings.sliders(&seen, tally);
    tally = (lines.ring & !(siblings.own | seen.attacked | boards.forbidden)).count(tally);
    tally = siblings.knights(&seen, tally);
    tally = siblings.pawns(&seen, tally);
    tally = siblings.castling(&seen, tally);
    V::lane_sums(proof, tally)
}

/// Sibling positions, one in each lane.
struct SiblingLanes<'a, V: U64s> {
    proof: V::Proof,
    common: &'a CommonSets,
    boards: &'a Boards<V>,
    /// The replier's pieces after captures.
    remaining: Sets<V>,
    own: V,
    enemy: V,
    occupied: V,
    slides: Slides<V>,
    /// True if either side has orthogonal sliders. Seldom changes from node to node, so branches on it predict well.
    any_orthogonal: bool,
    /// True if either side has diagonal sliders.
    any_diagonal: bool,
}

/// The mover's attacks and pins, which limit the replier.
struct Seen<V> {
    attacked: V,
    /// The replier's pinned pieces: one set for each axis of the pin, and one set of all of them.
    on_file: V,
    on_rank: V,
    on_diagonal: V,
    on_antidiagonal: V,
    pinned: V,
}

impl<V: U64s> Seen<V> {
    /// Returns all squares except those of pieces pinned along another axis.
    #[inline(always)]
    fn free(&self, on_axis: V) -> V {
        !(self.pinned ^ on_axis)
    }
}

#[inline_all]
impl<'a, V: U64s> SiblingLanes<'a, V> {
    fn new(proof: V::Proof, common: &'a CommonSets, boards: &'a Boards<V>) -> SiblingLanes<'a, V> {
        let Boards { mover: Sets { pawns, knights, diagonal, orthogonal }, king, taken, .. } = *boards;
        let own = boards.all & !taken;
        let enemy = pawns | knights | diagonal | orthogonal | king;
        let occupied = own | enemy;
        SiblingLanes {
            proof,
            common,
            boards,
            remaining: boards.replier.without(taken),
            own,
            enemy,
            occupied,
            slides: Slides::new(proof, occupied),
            any_orthogonal: orthogonal.lanes_with_bits() != 0 || common.replier.orthogonal.any(),
            any_diagonal: diagonal.lanes_with_bits() != 0 || common.replier.diagonal.any(),
        }
    }

    fn find_attacks_and_pins(&self, lines: &KingLines<V>) -> Seen<V> {
        let SiblingLanes { proof, boards, own, occupied, slides, .. } = self;
        let none = V::splat(*proof, 0);
        let mut attacked = pawn_attacks(*proof, boards.mover.pawns) | king_attacks(*proof, boards.king);
        if boards.mover.knights.lanes_with_bits() != 0 {
            attacked = attacked | knight_attacks(*proof, boards.mover.knights);
        }
        let (mut on_file, mut on_rank, mut on_diagonal, mut on_antidiagonal) = (none, none, none, none);
        if self.any_orthogonal {
            let (files, ranks) = (slides.on_files(boards.mover.orthogonal), slides.on_ranks(boards.mover.orthogonal));
            on_file = files & lines.along(*occupied, lines.file) & *own;
            on_rank = ranks & lines.on_rank(*occupied) & *own;
            attacked = attacked | files | ranks;
        }
        if self.any_diagonal {
            let (diagonals, others) =
                (slides.on_diagonals(boards.mover.diagonal), slides.on_antidiagonals(boards.mover.diagonal));
            on_diagonal = diagonals & lines.along(*occupied, lines.diagonal) & *own;
            on_antidiagonal = others & lines.along(*occupied, lines.antidiagonal) & *own;
            attacked = attacked | diagonals | others;
        }
        let pinned = on_file | on_rank | on_diagonal | on_antidiagonal;
        Seen { attacked, on_file, on_rank, on_diagonal, on_antidiagonal, pinned }
    }

    fn sliders(&self, seen: &Seen<V>, mut tally: V::Sums) -> V::Sums {
        let slides = &self.slides;
        let open = !self.own & self.boards.targets;
        if self.any_orthogonal {
            let sliders = self.remaining.orthogonal;
            let (files, ranks) = (sliders & seen.free(seen.on_file), sliders & seen.free(seen.on_rank));
            tally = (slides.north.reach(files) & open).count(tally);
            tally = (slides.south.reach(files) & open).count(tally);
            tally = (reach_east(self.occupied, ranks) & open).count(tally);
            tally = (slides.west.reach(ranks) & open).count(tally);
        }
        if self.any_diagonal {
            let sliders = self.remaining.diagonal;
            let (diagonals, others) =
                (sliders & seen.free(seen.on_diagonal), sliders & seen.free(seen.on_antidiagonal));
            tally = (slides.north_east.reach(diagonals) & open).count(tally);
            tally = (slides.south_west.reach(diagonals) & open).count(tally);
            tally = (slides.north_west.reach(others) & open).count(tally);
            tally = (slides.south_east.reach(others) & open).count(tally);
        }
        tally
    }

    /// Counts the moves of knights, one knight at a time, because two knights can attack the same square.
    fn knights(&self, seen: &Seen<V>, mut tally: V::Sums) -> V::Sums {
        let Boards { vacated, entered, taken, targets, .. } = *self.boards;
        let (open, stays) = (!self.own & targets, seen.pinned | taken | vacated);
        for knight in self.common.replier.knights {
            let moves = (stays & V::splat(self.proof, 1 << knight.index())).is_zero() & open;
            tally = (moves & V::splat(self.proof, attacks::knight(knight).0)).count(tally);
        }
        if self.common.after_last_move && self.common.replier.knights.any() {
            // The knight that made the replier's last move, if a knight made it.
            let knight = self.remaining.knights & entered & !seen.pinned;
            tally = (knight_attacks(self.proof, knight) & open).count(tally);
        }
        tally
    }

    /// Counts the moves of pawns, which move down the board.
    fn pawns(&self, seen: &Seen<V>, mut tally: V::Sums) -> V::Sums {
        let (proof, targets) = (self.proof, self.boards.targets);
        let (pawns, empty, prey) = (self.remaining.pawns, !self.occupied, self.enemy & targets);
        let pushed = (pawns & seen.free(seen.on_file)).shr(8) & empty;
        let doubled = (pushed & V::splat(proof, 0xff << 40)).shr(8) & empty & targets;
        let pushed = pushed & targets;
        let (not_a, not_h) = (V::splat(proof, NOT_A), V::splat(proof, NOT_H));
        let to_west = (pawns & seen.free(seen.on_diagonal) & not_a).shr(9) & prey;
        let to_east = (pawns & seen.free(seen.on_antidiagonal) & not_h).shr(7) & prey;
        // No two of these moves end on the same square.
        tally = (pushed | doubled | to_west).count(tally);
        tally = to_east.count(tally);
        if (pawns & V::splat(proof, Bitboard::rank(1).0)).lanes_with_bits() != 0 {
            let last = V::splat(proof, 0xff);
            for promoted in [pushed & last, to_west & last, to_east & last] {
                tally = promoted.count(promoted.count(promoted.count(tally)));
            }
        }
        tally
    }

    fn castling(&self, seen: &Seen<V>, mut tally: V::Sums) -> V::Sums {
        let splat = |set: Bitboard| V::splat(self.proof, set.0);
        let king = self.common.replier.king_square();
        for rook in self.common.rooks {
            let castle = Castle::of_replier(king, rook);
            let rook = splat(castle.rook);
            let bad = (self.boards.taken | self.boards.vacated | seen.on_rank) & rook
                | self.occupied & splat(castle.path)
                | seen.attacked & splat(castle.king_path);
            tally = (bad.is_zero() & V::splat(self.proof, 1)).count(tally);
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use perft_gate_chess::attacks::{self, Lines};
    use perft_gate_chess::{Bitboard, Side, White};

    /// Each byte of a tally counts the moves that end on one rank. To each square there are at most one slide from each
    /// direction, all possible knight moves, one king step, and the moves of three pawns, which count four times each
    /// on the last rank. Castling moves are counted in the byte of that rank too.
    #[test]
    fn all_moves_that_end_on_a_rank_fit_a_byte() {
        let most = |rank: u32| -> u64 {
            let ways = Bitboard::rank(rank).into_iter().map(|square| {
                let Lines { file, rank: row, diagonal, antidiagonal } = *attacks::lines_through(square);
                let (above, below) = (!1 << square.index(), (1 << square.index()) - 1);
                let rays =
                    [file, row, diagonal, antidiagonal].into_iter().flat_map(|line| [line & above, line & below]);
                let pawns = White::forward(square.into()).count() + White::pawn_attacks(square.into()).count();
                rays.filter(|&ray| ray != 0).count() as u64
                    + attacks::knight(square).count()
                    + 1
                    + pawns * if rank == 0 { 4 } else { 1 }
            });
            ways.sum::<u64>() + if rank == 0 { 2 } else { 0 }
        };
        let largest = (0..8).map(most).max().expect("eight ranks");
        assert!((150..=255).contains(&largest), "{largest} moves may end on a rank, expected at most 255");
    }
}
