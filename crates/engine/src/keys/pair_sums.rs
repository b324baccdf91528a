//! Sums of two numbers of a key, sorted: made once, they explain any difference by a few look-ups.

use crate::keys::composition::KeyComposition;

/// Sums of two numbers, by the places of the two in a list: the second place comes before the first.
#[derive(Clone, Default, Debug)]
pub(super) struct PairSums(Vec<(u64, [u16; 2])>);

impl PairSums {
    /// Returns the sums of all pairs.
    pub(super) fn of(numbers: &[u128], composition: KeyComposition) -> PairSums {
        let mut sums = Vec::with_capacity(numbers.len() * numbers.len() / 2);
        for (at, number) in (0..).zip(numbers) {
            let sum = |other: &u128| folded(composition.join(*other, *number));
            sums.extend((0..at).zip(numbers).map(|(before, other)| (sum(other), [at, before])));
        }
        sums.sort_unstable();
        PairSums(sums)
    }

    /// Iterates over the pairs whose sum may be this one.
    pub(super) fn with(&self, sum: u128) -> impl Iterator<Item = [usize; 2]> {
        let sum = folded(sum);
        let first = self.0.partition_point(|(other, _)| *other < sum);
        self.0[first..].iter().take_while(move |(other, _)| *other == sum).map(|(_, pair)| pair.map(usize::from))
    }

    /// Iterates over two pairs that may have one sum, the first pair of each sum with every other.
    pub(super) fn equal(&self) -> impl Iterator<Item = [[usize; 2]; 2]> {
        let same = self.0.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() > 1);
        same.flat_map(|same| same[1..].iter().map(|(_, pair)| [same[0].1, *pair].map(|pair| pair.map(usize::from))))
    }
}

/// Returns a sum in 64 bits, of which keys have seldom more: 128 took half as long again to sort, and a hash table nearly four
/// times as long. An odd factor keeps either half of a wider sum from deciding alone.
fn folded(sum: u128) -> u64 {
    sum as u64 ^ ((sum >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
