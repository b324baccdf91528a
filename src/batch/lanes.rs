//! Sibling positions in the lanes of a vector, their replies counted set-wise.
//!
//! Perft's last ply is only counted, and siblings differ by one move. So nothing is made: the boards of four or eight
//! children are the parent's, broadcast, xored with what each move changes, and every lane runs the same operations.
//!
//! What a slider can reach is found for all sliders of a side and one direction at once. Smearing them over the empty
//! squares (Kogge-Stone, <https://www.chessprogramming.org/Kogge-Stone_Algorithm>) takes three doubling steps, and two
//! sliders never smear over the same square, since one blocks the other; so the number of moves in that direction is the
//! bit count of what was reached, own men taken out, whichever slider each belongs to.
//!
//! Worked example: rooks on a1 and d1, the king on g1. Towards the east the rook on a1 reaches b1, c1, d1, the one on
//! d1 e1, f1, g1. The union has six squares; without the own men on d1 and g1 four remain, the four eastward moves.
//!
//! Pins need no list either. A man is pinned along a line if the king sees it along that line and an enemy slider
//! reaches it along the same one. It may still move along it: in each direction those sliders smear that are not
//! pinned, or pinned along this very line.
//!
//! The king is not lifted off the board: out of check no slider sees it. A child in check comes with the squares where
//! a man ends the check, and with the squares behind the king that the checker also attacks.

use super::singles::Parent;
use crate::chess::{Bitboard, Men, Square, attacks};
use crate::cpu::{Lanes, Queue};

/// Room for more children than are counted at once.
const ROOM: usize = 64;

/// Children that wait to be counted: for each, what its move changes.
pub(super) struct Children {
    length: usize,
    pawns: [u64; ROOM],
    knights: [u64; ROOM],
    slanted: [u64; ROOM],
    straight: [u64; ROOM],
    kings: [u64; ROOM],
    /// Where a man of the replier disappears, if one stands there.
    taken: [u64; ROOM],
    /// Where a man must go: anywhere, or where it ends the check.
    targets: [u64; ROOM],
    /// Where the king must not go: behind itself, seen from a checker.
    forbidden: [u64; ROOM],
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
            slanted: NONE,
            straight: NONE,
            kings: NONE,
            taken: NONE,
            targets: NONE,
            forbidden: NONE,
        }
    }
}

/// More moves than any position has, and room for one more man's.
const MOVES: usize = 512;
/// Room for the moves that are put down together: of a queen, at most 27.
const TOGETHER: usize = 32;

/// Moves that wait to be counted, no check and no promotion: the squares, as numbers.
pub(super) struct Moves {
    length: usize,
    from: [u8; MOVES + TOGETHER],
    to: [u8; MOVES + TOGETHER],
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

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_AB: u64 = NOT_A & NOT_A << 1;
const NOT_GH: u64 = NOT_H & NOT_H >> 1;

/// A direction: its step in squares, and where a step can end.
#[derive(Clone, Copy)]
struct Way(i32, u64);

const NORTH: Way = Way(8, !0);
const SOUTH: Way = Way(-8, !0);
const WEST: Way = Way(-1, NOT_H);
const NORTH_EAST: Way = Way(9, NOT_A);
const NORTH_WEST: Way = Way(7, NOT_H);
const SOUTH_EAST: Way = Way(-7, NOT_A);
const SOUTH_WEST: Way = Way(-9, NOT_H);

/// The empty squares in runs of one, two and four along a direction, shared by all who slide that way.
#[derive(Clone, Copy)]
struct Slide<V> {
    way: Way,
    land: V,
    one: V,
    two: V,
    four: V,
}

#[inline(always)]
fn shifted<V: Lanes>(set: V, by: i32) -> V {
    if by > 0 { set.shl(by as u32) } else { set.shr(-by as u32) }
}

impl<V: Lanes> Slide<V> {
    #[inline(always)]
    fn new(proof: V::Proof, way: Way, empty: V) -> Slide<V> {
        let land = V::splat(proof, way.1);
        let one = if way.1 == !0 { empty } else { empty & land };
        let two = one & shifted(one, way.0);
        let four = two & shifted(two, 2 * way.0);
        Slide { way, land, one, two, four }
    }

    /// What the sliders reach, the first man in the way included.
    #[inline(always)]
    fn reach(&self, sliders: V) -> V {
        let set = sliders | self.one & shifted(sliders, self.way.0);
        let set = set | self.two & shifted(set, 2 * self.way.0);
        let set = set | self.four & shifted(set, 4 * self.way.0);
        let ahead = shifted(set, self.way.0);
        if self.way.1 == !0 { ahead } else { ahead & self.land }
    }
}

/// The empty squares of some boards, ready for sliders in all directions.
pub(super) struct Slides<V> {
    occupied: V,
    north: Slide<V>,
    south: Slide<V>,
    west: Slide<V>,
    north_east: Slide<V>,
    north_west: Slide<V>,
    south_east: Slide<V>,
    south_west: Slide<V>,
}

impl<V: Lanes> Slides<V> {
    #[inline(always)]
    pub(super) fn new(proof: V::Proof, occupied: V) -> Slides<V> {
        let empty = !occupied;
        Slides {
            occupied,
            north: Slide::new(proof, NORTH, empty),
            south: Slide::new(proof, SOUTH, empty),
            west: Slide::new(proof, WEST, empty),
            north_east: Slide::new(proof, NORTH_EAST, empty),
            north_west: Slide::new(proof, NORTH_WEST, empty),
            south_east: Slide::new(proof, SOUTH_EAST, empty),
            south_west: Slide::new(proof, SOUTH_WEST, empty),
        }
    }

    #[inline(always)]
    fn on_files(&self, sliders: V) -> V {
        self.north.reach(sliders) | self.south.reach(sliders)
    }

    #[inline(always)]
    fn on_ranks(&self, sliders: V) -> V {
        reach_east(self.occupied, sliders) | self.west.reach(sliders)
    }

    #[inline(always)]
    fn on_diagonals(&self, sliders: V) -> V {
        self.north_east.reach(sliders) | self.south_west.reach(sliders)
    }

    #[inline(always)]
    fn on_antidiagonals(&self, sliders: V) -> V {
        self.north_west.reach(sliders) | self.south_east.reach(sliders)
    }

    /// What rooks reach.
    #[inline(always)]
    pub(super) fn straight(&self, sliders: V) -> V {
        self.on_files(sliders) | self.on_ranks(sliders)
    }

    /// What bishops reach.
    #[inline(always)]
    pub(super) fn slanted(&self, sliders: V) -> V {
        self.on_diagonals(sliders) | self.on_antidiagonals(sliders)
    }
}

/// Towards the east a subtraction finds the first man in the way on every rank: the borrow stops there.
#[inline(always)]
fn reach_east<V: Lanes>(occupied: V, sliders: V) -> V {
    occupied ^ occupied.minus_bytes(sliders).minus_bytes(sliders)
}

/// Where knights attack.
#[inline(always)]
pub(super) fn knight_attacks<V: Lanes>(proof: V::Proof, knights: V) -> V {
    let mask = |word| V::splat(proof, word);
    let one = knights.shr(1) & mask(NOT_H) | knights.shl(1) & mask(NOT_A);
    let two = knights.shr(2) & mask(NOT_GH) | knights.shl(2) & mask(NOT_AB);
    one.shl(16) | one.shr(16) | two.shl(8) | two.shr(8)
}

/// Where pawns attack, up the board.
#[inline(always)]
fn pawn_attacks<V: Lanes>(proof: V::Proof, pawns: V) -> V {
    (pawns & V::splat(proof, NOT_A)).shl(7) | (pawns & V::splat(proof, NOT_H)).shl(9)
}

/// Where kings attack, and where they stand.
#[inline(always)]
pub(super) fn king_attacks<V: Lanes>(proof: V::Proof, kings: V) -> V {
    let mask = |word| V::splat(proof, word);
    let row = kings | kings.shr(1) & mask(NOT_H) | kings.shl(1) & mask(NOT_A);
    row | row.shl(8) | row.shr(8)
}

/// The lines through the replier's king, which does not move.
struct KingLines<V> {
    king: V,
    twice: V,
    twice_reversed: V,
    file: V,
    diagonal: V,
    antidiagonal: V,
    east: V,
    west: V,
    ring: V,
}

/// The words of [`KingLines`], for each square.
static KING_LINES: [[u64; 9]; 64] = {
    let mut table = [[0; 9]; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        let (king, rank) = (1_u64 << index, 0xff << (index & 56));
        let lines = attacks::lines_through(square);
        table[index] = [
            king,
            king << 1,
            king.swap_bytes() << 1,
            lines.file,
            lines.diagonal,
            lines.antidiagonal,
            rank & !(king | (king - 1)),
            rank & (king - 1),
            attacks::king(square).0,
        ];
        index += 1;
    }
    table
};

impl<V: Lanes> KingLines<V> {
    #[inline(always)]
    fn new(proof: V::Proof, square: Square) -> KingLines<V> {
        let words = &KING_LINES[square.index()];
        KingLines {
            king: V::splat(proof, words[0]),
            twice: V::splat(proof, words[1]),
            twice_reversed: V::splat(proof, words[2]),
            file: V::splat(proof, words[3]),
            diagonal: V::splat(proof, words[4]),
            antidiagonal: V::splat(proof, words[5]),
            east: V::splat(proof, words[6]),
            west: V::splat(proof, words[7]),
            ring: V::splat(proof, words[8]),
        }
    }

    /// Hyperbola quintessence on a line that is not a rank.
    #[inline(always)]
    fn along(&self, occupied: V, line: V) -> V {
        let blockers = occupied & line;
        let up = blockers.minus(self.twice);
        let down = blockers.reversed().minus(self.twice_reversed).reversed();
        (up ^ down) & line
    }

    /// What the king sees on its rank.
    #[inline(always)]
    fn on_rank(&self, occupied: V) -> V {
        let east = reach_east(occupied, self.king) & self.east;
        let men = occupied & self.west;
        let men = men | men.shr(1);
        let men = men | men.shr(2);
        let men = men | men.shr(4);
        east | !men.shr(1) & self.west
    }
}

/// Counts the replies to some moves, and to some children that were put down whole, and forgets both.
#[inline(always)]
pub(super) fn count<V: Queue>(proof: V::Proof, parent: &Parent<'_>, moves: &mut Moves, children: &mut Children) -> u64 {
    let lines = KingLines::<V>::new(proof, parent.replier.king_square());
    let mut total = V::splat(proof, 0);
    let (mut at, mut child) = (0, 0);
    loop {
        let number = (moves.length - at).min(V::N);
        let joined = (children.length - child).min(V::N - number);
        if number + joined == 0 {
            break;
        }
        let (mut from, mut to) =
            (V::bits(proof, &moves.from[at & (MOVES - 1)..]), V::bits(proof, &moves.to[at & (MOVES - 1)..]));
        if joined > 0 {
            // The lanes that are left hold no move.
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
    total.sum(proof, V::N)
}

/// The mover's side of some children, and what its moves mean for the replier.
struct Boards<V> {
    pawns: V,
    knights: V,
    slanted: V,
    straight: V,
    king: V,
    /// Where a man of the replier disappears, if one stands there.
    taken: V,
    /// Where a man must go: anywhere, or where it ends the check.
    targets: V,
    /// Where the king must not go: behind itself, seen from a checker.
    forbidden: V,
}

impl<V: Queue> Boards<V> {
    /// After moves of any man from one square to another.
    #[inline(always)]
    fn after(proof: V::Proof, mover: &Men, from: V, to: V) -> Boards<V> {
        let both = from ^ to;
        Boards {
            pawns: V::splat(proof, mover.pawns.0).toggled_if_met(both, from),
            knights: V::splat(proof, mover.knights.0).toggled_if_met(both, from),
            slanted: V::splat(proof, mover.slanted.0).toggled_if_met(both, from),
            straight: V::splat(proof, mover.straight.0).toggled_if_met(both, from),
            king: V::splat(proof, mover.king.0).toggled_if_met(both, from),
            taken: to,
            targets: V::splat(proof, !0),
            forbidden: V::splat(proof, 0),
        }
    }

    /// The same with children in the lanes from `number` on, which hold no move yet.
    #[inline(always)]
    fn joined(self, proof: V::Proof, number: usize, children: &Children, child: usize) -> Boards<V> {
        Boards {
            pawns: self.pawns ^ queued(proof, 0, number, &children.pawns, child),
            knights: self.knights ^ queued(proof, 0, number, &children.knights, child),
            slanted: self.slanted ^ queued(proof, 0, number, &children.slanted, child),
            straight: self.straight ^ queued(proof, 0, number, &children.straight, child),
            king: self.king ^ queued(proof, 0, number, &children.kings, child),
            taken: self.taken | queued(proof, 0, number, &children.taken, child),
            targets: queued(proof, !0, number, &children.targets, child),
            forbidden: queued(proof, 0, number, &children.forbidden, child),
        }
    }
}

/// Words from `at` on in the lanes from `number` on; in those before, one and the same.
#[inline(always)]
fn queued<V: Queue>(proof: V::Proof, before: u64, number: usize, words: &[u64; ROOM], at: usize) -> V {
    V::splat(proof, before).followed_by(proof, number, V::load(proof, &words[at..]))
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
        self.slanted[at] = child.slanted.0;
        self.straight[at] = child.straight.0;
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
    pub(super) slanted: Bitboard,
    pub(super) straight: Bitboard,
    pub(super) kings: Bitboard,
    pub(super) taken: Bitboard,
    pub(super) targets: Bitboard,
    pub(super) forbidden: Bitboard,
}

impl Child {
    pub(super) const NONE: Child = Child {
        pawns: Bitboard::EMPTY,
        knights: Bitboard::EMPTY,
        slanted: Bitboard::EMPTY,
        straight: Bitboard::EMPTY,
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
            Mover::Bishop => self.slanted ^= squares,
            Mover::Rook => self.straight ^= squares,
            Mover::Queen => {
                self.slanted ^= squares;
                self.straight ^= squares;
            }
        }
        self
    }
}

/// The number of replies in each lane.
#[inline(always)]
fn replies<V: Lanes>(proof: V::Proof, parent: &Parent<'_>, lines: &KingLines<V>, boards: Boards<V>) -> V {
    let splat = |set: Bitboard| V::splat(proof, set.0);
    let Parent { replier, castles, .. } = parent;
    let Boards { pawns, knights, slanted, straight, king, taken, targets, forbidden } = boards;
    let (own_pawns, own_slanted, own_straight) =
        (splat(replier.pawns) & !taken, splat(replier.slanted) & !taken, splat(replier.straight) & !taken);
    let own = splat(replier.all) & !taken;
    let enemy = pawns | knights | slanted | straight | king;
    let occupied = own | enemy;
    let empty = !occupied;
    let none = V::splat(proof, 0);
    let slides = Slides::new(proof, occupied);
    // Whether anybody slides straight, or slanted, seldom changes from one node to the next.
    let someone_slides = |set: V, own: Bitboard| set.lanes_with_bits() != 0 || own.any();
    let someone_straight = someone_slides(straight, replier.straight);
    let someone_slanted = someone_slides(slanted, replier.slanted);

    // What the mover attacks, and whom it pins.
    let mut attacked = pawn_attacks(proof, pawns) | king_attacks(proof, king);
    if knights.lanes_with_bits() != 0 {
        attacked = attacked | knight_attacks(proof, knights);
    }
    let (mut pin_file, mut pin_rank, mut pin_diagonal, mut pin_antidiagonal) = (none, none, none, none);
    if someone_straight {
        let (on_files, on_ranks) = (slides.on_files(straight), slides.on_ranks(straight));
        pin_file = on_files & lines.along(occupied, lines.file) & own;
        pin_rank = on_ranks & lines.on_rank(occupied) & own;
        attacked = attacked | on_files | on_ranks;
    }
    if someone_slanted {
        let (on_diagonals, on_antidiagonals) = (slides.on_diagonals(slanted), slides.on_antidiagonals(slanted));
        pin_diagonal = on_diagonals & lines.along(occupied, lines.diagonal) & own;
        pin_antidiagonal = on_antidiagonals & lines.along(occupied, lines.antidiagonal) & own;
        attacked = attacked | on_diagonals | on_antidiagonals;
    }
    let pinned = pin_file | pin_rank | pin_diagonal | pin_antidiagonal;
    let free = |pin: V| !(pinned ^ pin);
    let open = !own & targets;

    let mut tally = V::tally(proof);
    // Sliders.
    if someone_straight {
        let (files, ranks) = (own_straight & free(pin_file), own_straight & free(pin_rank));
        tally = (slides.north.reach(files) & open).count(tally);
        tally = (slides.south.reach(files) & open).count(tally);
        tally = (reach_east(occupied, ranks) & open).count(tally);
        tally = (slides.west.reach(ranks) & open).count(tally);
    }
    if someone_slanted {
        let (movers, others) = (own_slanted & free(pin_diagonal), own_slanted & free(pin_antidiagonal));
        tally = (slides.north_east.reach(movers) & open).count(tally);
        tally = (slides.south_west.reach(movers) & open).count(tally);
        tally = (slides.north_west.reach(others) & open).count(tally);
        tally = (slides.south_east.reach(others) & open).count(tally);
    }
    // The king.
    let forbidden = own | attacked | forbidden;
    tally = (lines.ring & !forbidden).count(tally);
    // Knights, each alone: two of them can attack one square.
    let stays = pinned | taken;
    for knight in replier.knights {
        let moves = (stays & splat(knight.into())).is_zero() & open;
        tally = (moves & splat(attacks::knight(knight))).count(tally);
    }
    // Pawns, down the board.
    let pushed = (own_pawns & free(pin_file)).shr(8) & empty;
    let doubled = (pushed & V::splat(proof, 0xff << 40)).shr(8) & empty & targets;
    let pushed = pushed & targets;
    let prey = enemy & targets;
    let (not_a, not_h) = (V::splat(proof, NOT_A), V::splat(proof, NOT_H));
    let to_west = (own_pawns & free(pin_diagonal) & not_a).shr(9) & prey;
    let to_east = (own_pawns & free(pin_antidiagonal) & not_h).shr(7) & prey;
    // No two of these end on one square.
    tally = (pushed | doubled | to_west).count(tally);
    tally = to_east.count(tally);
    if (replier.pawns & Bitboard::rank(1)).any() {
        let last = V::splat(proof, 0xff);
        for promoted in [pushed & last, to_west & last, to_east & last] {
            tally = promoted.count(promoted.count(promoted.count(tally)));
        }
    }
    // Castling.
    for castle in castles {
        let rook = splat(castle.rook);
        let bad = taken & rook | pin_rank & rook | occupied & splat(castle.path) | attacked & splat(castle.king_path);
        tally = (bad.is_zero() & V::splat(proof, 1)).count(tally);
    }
    V::settled(proof, tally)
}
