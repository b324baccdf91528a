//! The number of moves that arrive on each square, as bit planes.

use perft_gate_walk::chess::{Bitboard, Square};

/// The number of moves that arrive on each square, as four bit planes: of up to thirteen pieces, and of pawns from two sides.
#[derive(Clone, Copy)]
pub(super) struct Arrivals(pub(super) [Bitboard; 4]);

impl Arrivals {
    pub(super) const NONE: Arrivals = Arrivals([Bitboard::EMPTY; 4]);

    /// Adds one arrival on each square of a set.
    #[inline(always)]
    pub(super) fn add(&mut self, set: Bitboard) {
        let [ones, twos, fours, eights] = self.0;
        let (carry, more) = (ones & set, ones & twos & set);
        self.0 = [ones ^ set, twos ^ carry, fours ^ more, eights | fours & more];
    }

    /// Returns the squares on which a move arrives.
    #[inline(always)]
    pub(super) fn any(&self) -> Bitboard {
        let [ones, twos, fours, eights] = self.0;
        ones | twos | fours | eights
    }

    /// Returns the number of moves that arrive on a square.
    #[inline(always)]
    pub(super) fn on(&self, square: Square) -> i64 {
        let [ones, twos, fours, eights] = self.0.map(|plane| (plane.0 >> square.index() & 1) as i64);
        ones | twos << 1 | fours << 2 | eights << 3
    }

    /// Returns the number of moves that arrive on the squares of a set.
    #[inline(always)]
    pub(super) fn within(&self, set: Bitboard) -> i64 {
        let [ones, twos, fours, eights] = self.0;
        let mut number = (ones & set).count() + 2 * (twos & set).count();
        // The same for all sets of a node, so the branch is predicted.
        if (fours | eights).any() {
            number += 4 * (fours & set).count() + 8 * (eights & set).count();
        }
        number as i64
    }
}
