//! Sums of two key numbers, sorted, to find numbers that cancel out.
//!
//! An engine has 300,000 such sums. They are sorted here and not in the crate that learns the numbers, because that one is
//! built without optimisation.

/// Sums of all pairs of numbers in a list, each with the indices of its two numbers, the higher index first.
#[derive(Clone, Default, Debug)]
pub struct PairSums(Vec<(u64, [u16; 2])>);

/// Number of first bits that select the bucket of a sum.
const BUCKET_BITS: u32 = 12;

impl PairSums {
    /// Sums the numbers with `join`, such as an exclusive or. There may be 65,536 numbers. Takes time n² log n.
    pub fn new(numbers: &[u128], join: &dyn Fn(u128, u128) -> u128) -> PairSums {
        // Sorting small buckets takes two thirds of the instructions of sorting everything at once.
        let mut buckets = vec![Vec::new(); 1 << BUCKET_BITS];
        for (at, number) in (0..).zip(numbers) {
            for (before, other) in (0..at).zip(numbers) {
                let sum = fold(join(*other, *number));
                buckets[(sum >> (64 - BUCKET_BITS)) as usize].push((sum, [at, before]));
            }
        }
        buckets.iter_mut().for_each(|bucket| bucket.sort_unstable());
        PairSums(buckets.concat())
    }

    /// Returns the pairs that may have this sum, because the folds of the sums are equal.
    pub fn with(&self, sum: u128) -> Vec<[usize; 2]> {
        let sum = fold(sum);
        let first = self.0.partition_point(|(other, _)| *other < sum);
        let same = self.0[first..].iter().take_while(|(other, _)| *other == sum);
        same.map(|(_, pair)| pair.map(usize::from)).collect()
    }

    /// Returns combinations of two pairs that may have the same sum. For each sum, the first pair is combined with
    /// every other pair.
    pub fn equal(&self) -> Vec<[[usize; 2]; 2]> {
        let same = self.0.chunk_by(|one, other| one.0 == other.0);
        same.flat_map(|same| same[1..].iter().map(|(_, pair)| [same[0].1, *pair].map(|pair| pair.map(usize::from))))
            .collect()
    }
}

/// Returns a sum folded to 64 bits, which keys seldom exceed. Sorting 128-bit sums took 1.5 times as long, and a hash
/// table nearly four times as long. Both halves of a wider sum affect the result, because multiplying by an odd factor
/// loses no bits. The second factor spreads narrow keys over all first bits.
fn fold(sum: u128) -> u64 {
    (sum as u64 ^ ((sum >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
