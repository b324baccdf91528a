//! What the replier's king sees along each line, by arithmetic on the one square that all lanes share.

use super::slides::reach_east;
use perft_gate_simd::Lanes;
use perft_gate_walk::chess::{Square, attacks};

/// The lines through the replier's king, which does not move.
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
    pub(super) fn new(proof: V::Proof, square: Square) -> KingLines<V> {
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
    pub(super) fn along(&self, occupied: V, line: V) -> V {
        let blockers = occupied & line;
        let up = blockers.minus(self.twice);
        let down = blockers.reversed().minus(self.twice_reversed).reversed();
        (up ^ down) & line
    }

    /// What the king sees on its rank.
    #[inline(always)]
    pub(super) fn on_rank(&self, occupied: V) -> V {
        let east = reach_east(occupied, self.king) & self.east;
        let men = occupied & self.west;
        let men = men | men.shr(1);
        let men = men | men.shr(2);
        let men = men | men.shr(4);
        east | !men.shr(1) & self.west
    }
}
