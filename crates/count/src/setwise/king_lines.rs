//! The squares that the replier's king sees along each line. The king stands on the same square in all lanes of a
//! vector, so all lanes share the masks.

use super::slides::reach_east;
use perft_gate_chess::{Square, attacks};
use perft_gate_simd::{U64s, inline_all};

/// The lines through the replier's king, and the masks that find the squares that this king sees along them.
pub(super) struct KingLines<V> {
    king: V,
    twice: V,
    twice_reversed: V,
    pub(super) file: V,
    pub(super) diagonal: V,
    pub(super) antidiagonal: V,
    east: V,
    west: V,
    pub(super) ring: V,
}

/// The sets of [`KingLines`] for each square of the king.
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

#[inline_all]
impl<V: U64s> KingLines<V> {
    pub(super) fn new(proof: V::Proof, square: Square) -> KingLines<V> {
        let sets = &KING_LINES[square.index()];
        KingLines {
            king: V::splat(proof, sets[0]),
            twice: V::splat(proof, sets[1]),
            twice_reversed: V::splat(proof, sets[2]),
            file: V::splat(proof, sets[3]),
            diagonal: V::splat(proof, sets[4]),
            antidiagonal: V::splat(proof, sets[5]),
            east: V::splat(proof, sets[6]),
            west: V::splat(proof, sets[7]),
            ring: V::splat(proof, sets[8]),
        }
    }

    /// Returns the squares that the king sees along a line other than a rank, by hyperbola quintessence.
    pub(super) fn along(&self, occupied: V, line: V) -> V {
        let blockers = occupied & line;
        let up = blockers.minus(self.twice);
        let down = blockers.reverse_bytes().minus(self.twice_reversed).reverse_bytes();
        (up ^ down) & line
    }

    /// Returns the squares that the king sees along its rank.
    pub(super) fn on_rank(&self, occupied: V) -> V {
        let east = reach_east(occupied, self.king) & self.east;
        let blocked = occupied & self.west;
        let blocked = blocked | blocked.shr(1);
        let blocked = blocked | blocked.shr(2);
        let blocked = blocked | blocked.shr(4);
        east | !blocked.shr(1) & self.west
    }
}
