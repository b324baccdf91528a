//! The number of moves to each square, as bit planes.

use perft_gate_chess::{Bitboard, Square};
use perft_gate_simd::inline_all;

/// The number of moves to each square, as four bit planes. At most fifteen moves lead to the same square: thirteen by
/// pieces and two by pawns.
#[derive(Clone, Copy, Default)]
pub(super) struct Arrivals(pub(super) [Bitboard; 4]);

#[inline_all]
impl Arrivals {
    pub(super) fn add(&mut self, set: Bitboard) {
        let [ones, twos, fours, eights] = self.0;
        let (carry, more) = (ones & set, ones & twos & set);
        self.0 = [ones ^ set, twos ^ carry, fours ^ more, eights | fours & more];
    }

    /// Returns the squares on which a move arrives.
    pub(super) fn any(&self) -> Bitboard {
        let [ones, twos, fours, eights] = self.0;
        ones | twos | fours | eights
    }

    /// Returns the number of moves that arrive on a square.
    pub(super) fn on(&self, square: Square) -> i64 {
        let [ones, twos, fours, eights] = self.0.map(|plane| (plane.0 >> square.index() & 1) as i64);
        ones | twos << 1 | fours << 2 | eights << 3
    }

    /// Returns the total number of moves that arrive on the squares of a set.
    pub(super) fn within(&self, set: Bitboard) -> i64 {
        let [ones, twos, fours, eights] = self.0;
        let mut number = (ones & set).count() + 2 * (twos & set).count();
        // The condition is the same for all sets of a node, so the branch predicts well.
        if (fours | eights).any() {
            number += 4 * (fours & set).count() + 8 * (eights & set).count();
        }
        number as i64
    }
}

#[cfg(test)]
mod tests {
    use super::Arrivals;
    use perft_gate_chess::{Bitboard, Square};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// Maximum number of moves to one square: thirteen by pieces and two by pawns.
    const MAX_ARRIVALS: usize = 15;

    fn compare(sets: &[Bitboard], within: Bitboard) {
        let mut arrivals = Arrivals::default();
        sets.iter().for_each(|&set| arrivals.add(set));
        let expected: [i64; 64] =
            std::array::from_fn(|square| sets.iter().filter(|set| set.0 >> square & 1 != 0).count() as i64);
        for (square, expected) in expected.into_iter().enumerate() {
            assert_eq!(arrivals.on(Square::new(square as u32)), expected, "square {square} of {sets:?}");
            assert_eq!(arrivals.any().0 >> square & 1 != 0, expected > 0, "square {square} of {sets:?}");
        }
        let sum: i64 = (0..64).filter(|square| within.0 >> square & 1 != 0).map(|square| expected[square]).sum();
        assert_eq!(arrivals.within(within), sum, "within {within:?} of {sets:?}");
    }

    #[test]
    fn arrivals_are_counted_as_one_by_one() {
        let mut random = ChaCha8Rng::seed_from_u64(20_270_311);
        for round in 0..3000 {
            // Sparse, dense and half-full sets.
            let sets: Vec<Bitboard> = (0..round % (MAX_ARRIVALS + 1))
                .map(|_| {
                    let (a, b) = (random.next_u64(), random.next_u64());
                    Bitboard([a & b, a | b, a][round / 16 % 3])
                })
                .collect();
            compare(&sets, Bitboard(random.next_u64()));
        }
        for number in 0..=MAX_ARRIVALS {
            compare(&vec![Bitboard::ALL; number], Bitboard::ALL);
        }
    }
}
