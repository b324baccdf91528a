//! Castling on the counter's flipped board: the mover (the side to move) castles on the first rank, and the replier
//! (the other side) on the eighth. The conditions depend only on the files of the king and the rook, so they are looked
//! up in a table.

use perft_gate_chess::{Bitboard, Color, Square, Wing, attacks};
use perft_gate_simd::inline_all;

/// The conditions for castling with a given king and rook.
#[derive(Clone, Copy, Debug)]
pub(super) struct Castle {
    pub(super) rook: Bitboard,
    /// Squares that the king or the rook crosses or enters, except the squares on which they start.
    pub(super) path: Bitboard,
    /// Squares on the king's path, including its original square and its target.
    pub(super) king_path: Bitboard,
}

/// The conditions on the first rank, indexed by the files of the king and the rook.
static CASTLES: [[Castle; 8]; 8] = {
    let mut table = [[Castle { rook: Bitboard::EMPTY, path: Bitboard::EMPTY, king_path: Bitboard::EMPTY }; 8]; 8];
    let mut king = 0;
    while king < 8 {
        let mut rook = 0;
        while rook < 8 {
            let (from, with) = (Square::new(king), Square::new(rook));
            let (king_to, rook_to) = Wing::of_rook(from, with).destinations(Color::White);
            let king_path = attacks::rank_span(from, king_to);
            let path = Bitboard((king_path.0 | attacks::rank_span(with, rook_to).0) & !(1 << king | 1 << rook));
            table[king as usize][rook as usize] = Castle { rook: Bitboard(1 << rook), path, king_path };
            rook += 1;
        }
        king += 1;
    }
    table
};

#[inline_all]
impl Castle {
    /// Returns the conditions of the mover's castling.
    pub(super) fn of_mover(king: Square, rook: Square) -> Castle {
        CASTLES[king.index() & 7][rook.index() & 7]
    }

    /// Returns the conditions of the replier's castling.
    pub(super) fn of_replier(king: Square, rook: Square) -> Castle {
        let Castle { rook, path, king_path } = Castle::of_mover(king, rook);
        let last_rank = |set: Bitboard| Bitboard(set.0 << 56);
        Castle { rook: last_rank(rook), path: last_rank(path), king_path: last_rank(king_path) }
    }

    /// Returns true if castling is legal, given the occupied and attacked squares and the pieces pinned along ranks.
    /// The castling rook can uncover an attack only along the rank, and a rook that would do so is pinned.
    pub(super) fn is_allowed(&self, occupied: Bitboard, attacked: Bitboard, pinned: Bitboard) -> bool {
        (self.path & occupied | self.king_path & attacked | self.rook & pinned).is_empty()
    }
}
