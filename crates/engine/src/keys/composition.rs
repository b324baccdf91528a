//! Composition of a key from the numbers of a position's parts, the width of the numbers, and all sums of two of them.

use perft_gate_zobrist::generate::Basis;
use std::fmt;

/// How the numbers of a position's parts make its key.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KeyComposition {
    /// Their exclusive or.
    #[default]
    Xor,
    /// Their sum modulo a power of two with this exponent.
    Sum(u32),
    /// Neither predicts the keys of whole positions.
    Other,
}

impl KeyComposition {
    pub(super) fn difference(self, one: u128, other: u128) -> u128 {
        match self {
            KeyComposition::Sum(bits) => one.wrapping_sub(other) & mask(bits),
            KeyComposition::Xor | KeyComposition::Other => one ^ other,
        }
    }

    /// Returns a key with a number added.
    pub(super) fn join(self, key: u128, number: u128) -> u128 {
        match self {
            KeyComposition::Sum(bits) => key.wrapping_add(number) & mask(bits),
            KeyComposition::Xor | KeyComposition::Other => key ^ number,
        }
    }

    /// Returns true if keys consist of one number per part.
    pub const fn is_known(self) -> bool {
        !matches!(self, KeyComposition::Other)
    }
}

impl fmt::Display for KeyComposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyComposition::Xor => f.write_str("xor of one number per term"),
            KeyComposition::Sum(bits) => write!(f, "sum of one number per term, modulo 2^{bits}"),
            KeyComposition::Other => f.write_str("neither the xor nor the sum of one number per term"),
        }
    }
}

/// Returns a word with this many low bits set.
pub(super) const fn mask(bits: u32) -> u128 {
    if bits == 0 { 0 } else { u128::MAX >> (128 - bits) }
}

/// Number of random numbers at which their rank almost surely equals their width.
const ENOUGH_FOR_RANK: usize = 200;

/// Returns the number of independent bits in which keys differ: the rank of the numbers or, if only a few are known,
/// the number of bits set in any of them.
pub(super) fn width(numbers: impl ExactSizeIterator<Item = u128> + Clone) -> u32 {
    match numbers.len() {
        ENOUGH_FOR_RANK.. => Basis::new(numbers).rank() as u32,
        _ => numbers.fold(0, |all, number| all | number).count_ones(),
    }
}

/// Sums of two numbers, with the indices of the two in a list, the higher index first.
#[derive(Clone, Default, Debug)]
pub(super) struct PairSums(Vec<(u64, [u16; 2])>);

impl PairSums {
    pub(super) fn new(numbers: &[u128], composition: KeyComposition) -> PairSums {
        let mut sums = Vec::with_capacity(numbers.len() * numbers.len() / 2);
        for (at, number) in (0..).zip(numbers) {
            let sum = |other: &u128| fold(composition.join(*other, *number));
            sums.extend((0..at).zip(numbers).map(|(before, other)| (sum(other), [at, before])));
        }
        sums.sort_unstable();
        PairSums(sums)
    }

    /// Iterates over the pairs that may have this sum.
    pub(super) fn with(&self, sum: u128) -> impl Iterator<Item = [usize; 2]> {
        let sum = fold(sum);
        let first = self.0.partition_point(|(other, _)| *other < sum);
        self.0[first..].iter().take_while(move |(other, _)| *other == sum).map(|(_, pair)| pair.map(usize::from))
    }

    /// Iterates over groups of two pairs that may have the same sum: the first pair of each sum with every other.
    pub(super) fn equal(&self) -> impl Iterator<Item = [[usize; 2]; 2]> {
        let same = self.0.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() > 1);
        same.flat_map(|same| same[1..].iter().map(|(_, pair)| [same[0].1, *pair].map(|pair| pair.map(usize::from))))
    }
}

/// Returns a sum folded to 64 bits, which keys seldom exceed. Sorting 128 bits took half as long again, and a hash
/// table nearly four times as long. An odd factor keeps either half of a wider sum from deciding alone.
fn fold(sum: u128) -> u64 {
    sum as u64 ^ ((sum >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A random number for each part (splitmix64).
    pub(in crate::keys) fn random(number: u64) -> u128 {
        let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(z ^ z >> 31)
    }

    #[test]
    fn few_numbers_do_not_show_their_width_by_their_rank() {
        let numbers: Vec<u128> = (0..ENOUGH_FOR_RANK as u64).map(random).collect();
        assert!(width(numbers[..20].iter().copied()) > 60);
        assert_eq!(width(numbers.into_iter()), 64);
    }
}
