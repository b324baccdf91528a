//! Sibling positions in the lanes of a vector, their replies counted set-wise.
//!
//! Perft's last ply is only counted, and siblings differ by one move. So no move is made: the boards of four or eight
//! children are the parent's, broadcast, xored with the change of each move, and every lane runs the same operations.
//!
//! The moves of all sliders of a side in one direction are found at once. Filling from them over the empty squares
//! (Kogge-Stone, <https://www.chessprogramming.org/Kogge-Stone_Algorithm>) takes three doubling steps, and two
//! fills never share a square, since one slider blocks the other. So the number of moves in that direction is the number
//! of reached squares without own pieces, whichever slider each belongs to.
//!
//! Worked example: rooks on a1 and d1, the king on g1. Towards the east the rook on a1 reaches b1, c1, d1, the one on
//! d1 e1, f1, g1. The union has six squares; without the own pieces on d1 and g1 four remain, the four eastward moves.
//!
//! Pins need no list either. A piece is pinned along a line if the king sees it along that line and an enemy slider
//! reaches it along the same line. It may still move along that line: in each direction the sliders that are not pinned,
//! or pinned along this very line, are filled.
//!
//! The king is not lifted off the board: out of check no slider sees it. A child in check comes with the squares where
//! a piece ends the check, and with the squares behind the king that the checker also attacks.

use super::king_lines::KingLines;
use super::parent::Parent;
use super::queue::{Children, MOVES, Moves, ROOM};
use super::slides::{NOT_A, NOT_H, Slides, king_attacks, knight_attacks, pawn_attacks, reach_east};
use perft_gate_simd::U64s;
use perft_gate_walk::chess::{Bitboard, SidePieces, attacks};

/// Counts the replies to the queued moves and to the queued children, and empties both queues.
#[inline(always)]
pub(super) fn count<V: U64s>(proof: V::Proof, parent: &Parent<'_>, moves: &mut Moves, children: &mut Children) -> u64 {
    let lines = KingLines::<V>::new(proof, parent.replier.king_square());
    let mut total = V::splat(proof, 0);
    // An overfull queue has overwritten its first entries, and the count would be wrong.
    assert!(moves.length < MOVES && children.length <= ROOM, "more moves or children than a queue has room for");
    let (mut at, mut child) = (0, 0);
    loop {
        let number = (moves.length - at).min(V::LANES);
        let joined = (children.length - child).min(V::LANES - number);
        if number + joined == 0 {
            break;
        }
        debug_assert!(at < MOVES);
        let (mut from, mut to) =
            (V::bits(proof, &moves.from[at & (MOVES - 1)..]), V::bits(proof, &moves.to[at & (MOVES - 1)..]));
        if joined > 0 {
            // The remaining lanes hold no move.
            let moved = V::first(proof, number);
            (from, to) = (from & moved, to & moved);
        }
        let mut boards = Boards::after(proof, &parent.mover, from, to);
        if joined > 0 {
            boards = boards.joined(proof, number, children, child);
        }
        total = total.plus(replies(proof, parent, &lines, boards) & V::first(proof, number + joined));
        (at, child) = (at + number, child + joined);
    }
    (moves.length, children.length) = (0, 0);
    total.sum(proof, V::LANES)
}

/// The mover's pieces in some children, and the effects of its moves on the replier.
struct Boards<V> {
    pawns: V,
    knights: V,
    diagonal: V,
    orthogonal: V,
    king: V,
    /// Squares on which a piece of the replier is captured, if one stands there.
    taken: V,
    /// Squares that a piece other than the king may enter: all, or those that end the check.
    targets: V,
    /// Squares that the king must not enter: those behind it, seen from a checker.
    forbidden: V,
}

impl<V: U64s> Boards<V> {
    /// Makes the boards after moves of any piece from one square to another.
    #[inline(always)]
    fn after(proof: V::Proof, mover: &SidePieces, from: V, to: V) -> Boards<V> {
        let both = from ^ to;
        Boards {
            pawns: V::splat(proof, mover.pawns.0).toggled_if_met(both, from),
            knights: V::splat(proof, mover.knights.0).toggled_if_met(both, from),
            diagonal: V::splat(proof, mover.diagonal.0).toggled_if_met(both, from),
            orthogonal: V::splat(proof, mover.orthogonal.0).toggled_if_met(both, from),
            king: V::splat(proof, mover.king.0).toggled_if_met(both, from),
            taken: to,
            targets: V::splat(proof, !0),
            forbidden: V::splat(proof, 0),
        }
    }

    /// Puts queued children into the lanes from `number` on, which hold no move.
    #[inline(always)]
    fn joined(self, proof: V::Proof, number: usize, children: &Children, child: usize) -> Boards<V> {
        Boards {
            pawns: self.pawns ^ queued(proof, 0, number, &children.pawns, child),
            knights: self.knights ^ queued(proof, 0, number, &children.knights, child),
            diagonal: self.diagonal ^ queued(proof, 0, number, &children.diagonal, child),
            orthogonal: self.orthogonal ^ queued(proof, 0, number, &children.orthogonal, child),
            king: self.king ^ queued(proof, 0, number, &children.kings, child),
            taken: self.taken | queued(proof, 0, number, &children.taken, child),
            targets: queued(proof, !0, number, &children.targets, child),
            forbidden: queued(proof, 0, number, &children.forbidden, child),
        }
    }
}

/// Returns `before` in the first `number` lanes, then the entries of a queue from `at` on.
#[inline(always)]
fn queued<V: U64s>(proof: V::Proof, before: u64, number: usize, entries: &[u64; ROOM], at: usize) -> V {
    V::splat(proof, before).followed_by(proof, number, V::load(proof, &entries[at..]))
}

/// Counts the replies in each lane.
#[inline(always)]
fn replies<V: U64s>(proof: V::Proof, parent: &Parent<'_>, lines: &KingLines<V>, boards: Boards<V>) -> V {
    let siblings = Siblings::new(proof, parent, &boards);
    let seen = siblings.seen(lines, &boards);
    let mut tally = V::tally(proof);
    tally = siblings.sliders(&seen, tally);
    tally = (lines.ring & !(siblings.own | seen.attacked | boards.forbidden)).count(tally);
    tally = siblings.knights(&seen, tally);
    tally = siblings.pawns(&seen, tally);
    tally = siblings.castling(&seen, tally);
    V::settled(proof, tally)
}

/// Sibling positions, one in each lane.
struct Siblings<'a, 'b, V: U64s> {
    proof: V::Proof,
    parent: &'a Parent<'b>,
    own: V,
    enemy: V,
    occupied: V,
    taken: V,
    targets: V,
    slides: Slides<V>,
    /// True if either side has orthogonal sliders; it seldom changes from one node to the next.
    any_orthogonal: bool,
    /// True if either side has diagonal sliders.
    any_diagonal: bool,
}

/// The mover's attacks and pins, which limit the replier.
struct Seen<V> {
    attacked: V,
    /// The replier's pinned pieces, by axis, and all together.
    on_file: V,
    on_rank: V,
    on_diagonal: V,
    on_antidiagonal: V,
    pinned: V,
}

impl<V: U64s> Seen<V> {
    /// Returns all squares but those of pieces that are pinned along another axis.
    #[inline(always)]
    fn free(&self, on_axis: V) -> V {
        !(self.pinned ^ on_axis)
    }
}

impl<'a, 'b, V: U64s> Siblings<'a, 'b, V> {
    #[inline(always)]
    fn new(proof: V::Proof, parent: &'a Parent<'b>, boards: &Boards<V>) -> Siblings<'a, 'b, V> {
        let Boards { pawns, knights, diagonal, orthogonal, king, taken, targets, .. } = *boards;
        let own = V::splat(proof, parent.replier.all.0) & !taken;
        let enemy = pawns | knights | diagonal | orthogonal | king;
        let occupied = own | enemy;
        Siblings {
            proof,
            parent,
            own,
            enemy,
            occupied,
            taken,
            targets,
            slides: Slides::new(proof, occupied),
            any_orthogonal: orthogonal.lanes_with_bits() != 0 || parent.replier.orthogonal.any(),
            any_diagonal: diagonal.lanes_with_bits() != 0 || parent.replier.diagonal.any(),
        }
    }

    /// Returns those of some pieces of the replier that were not captured.
    #[inline(always)]
    fn left(&self, pieces: Bitboard) -> V {
        V::splat(self.proof, pieces.0) & !self.taken
    }

    /// Finds the mover's attacks and pins.
    #[inline(always)]
    fn seen(&self, lines: &KingLines<V>, boards: &Boards<V>) -> Seen<V> {
        let Siblings { proof, own, occupied, slides, .. } = self;
        let none = V::splat(*proof, 0);
        let mut attacked = pawn_attacks(*proof, boards.pawns) | king_attacks(*proof, boards.king);
        if boards.knights.lanes_with_bits() != 0 {
            attacked = attacked | knight_attacks(*proof, boards.knights);
        }
        let (mut on_file, mut on_rank, mut on_diagonal, mut on_antidiagonal) = (none, none, none, none);
        if self.any_orthogonal {
            let (files, ranks) = (slides.on_files(boards.orthogonal), slides.on_ranks(boards.orthogonal));
            on_file = files & lines.along(*occupied, lines.file) & *own;
            on_rank = ranks & lines.on_rank(*occupied) & *own;
            attacked = attacked | files | ranks;
        }
        if self.any_diagonal {
            let (diagonals, others) = (slides.on_diagonals(boards.diagonal), slides.on_antidiagonals(boards.diagonal));
            on_diagonal = diagonals & lines.along(*occupied, lines.diagonal) & *own;
            on_antidiagonal = others & lines.along(*occupied, lines.antidiagonal) & *own;
            attacked = attacked | diagonals | others;
        }
        let pinned = on_file | on_rank | on_diagonal | on_antidiagonal;
        Seen { attacked, on_file, on_rank, on_diagonal, on_antidiagonal, pinned }
    }

    #[inline(always)]
    fn sliders(&self, seen: &Seen<V>, mut tally: V::Sums) -> V::Sums {
        let (slides, replier) = (&self.slides, &self.parent.replier);
        let open = !self.own & self.targets;
        if self.any_orthogonal {
            let sliders = self.left(replier.orthogonal);
            let (files, ranks) = (sliders & seen.free(seen.on_file), sliders & seen.free(seen.on_rank));
            tally = (slides.north.reach(files) & open).count(tally);
            tally = (slides.south.reach(files) & open).count(tally);
            tally = (reach_east(self.occupied, ranks) & open).count(tally);
            tally = (slides.west.reach(ranks) & open).count(tally);
        }
        if self.any_diagonal {
            let sliders = self.left(replier.diagonal);
            let (diagonals, others) =
                (sliders & seen.free(seen.on_diagonal), sliders & seen.free(seen.on_antidiagonal));
            tally = (slides.north_east.reach(diagonals) & open).count(tally);
            tally = (slides.south_west.reach(diagonals) & open).count(tally);
            tally = (slides.north_west.reach(others) & open).count(tally);
            tally = (slides.south_east.reach(others) & open).count(tally);
        }
        tally
    }

    /// Counts the moves of knights, one knight at a time: two of them can attack one square.
    #[inline(always)]
    fn knights(&self, seen: &Seen<V>, mut tally: V::Sums) -> V::Sums {
        let (open, stays) = (!self.own & self.targets, seen.pinned | self.taken);
        for knight in self.parent.replier.knights {
            let moves = (stays & V::splat(self.proof, 1 << knight.index())).is_zero() & open;
            tally = (moves & V::splat(self.proof, attacks::knight(knight).0)).count(tally);
        }
        tally
    }

    /// Counts the moves of pawns, which go down the board.
    #[inline(always)]
    fn pawns(&self, seen: &Seen<V>, mut tally: V::Sums) -> V::Sums {
        let Siblings { proof, targets, .. } = *self;
        let (pawns, empty, prey) = (self.left(self.parent.replier.pawns), !self.occupied, self.enemy & targets);
        let pushed = (pawns & seen.free(seen.on_file)).shr(8) & empty;
        let doubled = (pushed & V::splat(proof, 0xff << 40)).shr(8) & empty & targets;
        let pushed = pushed & targets;
        let (not_a, not_h) = (V::splat(proof, NOT_A), V::splat(proof, NOT_H));
        let to_west = (pawns & seen.free(seen.on_diagonal) & not_a).shr(9) & prey;
        let to_east = (pawns & seen.free(seen.on_antidiagonal) & not_h).shr(7) & prey;
        // No two of these moves end on the same square.
        tally = (pushed | doubled | to_west).count(tally);
        tally = to_east.count(tally);
        if (self.parent.replier.pawns & Bitboard::rank(1)).any() {
            let last = V::splat(proof, 0xff);
            for promoted in [pushed & last, to_west & last, to_east & last] {
                tally = promoted.count(promoted.count(promoted.count(tally)));
            }
        }
        tally
    }

    #[inline(always)]
    fn castling(&self, seen: &Seen<V>, mut tally: V::Sums) -> V::Sums {
        let splat = |set: Bitboard| V::splat(self.proof, set.0);
        for castle in self.parent.castles() {
            let rook = splat(castle.rook);
            let bad = (self.taken | seen.on_rank) & rook
                | self.occupied & splat(castle.path)
                | seen.attacked & splat(castle.king_path);
            tally = (bad.is_zero() & V::splat(self.proof, 1)).count(tally);
        }
        tally
    }
}
