//! Search for repeated values in a long list, without sorting it.
//!
//! Values are spread over partitions that fit the cache. In each partition, one bitmap has a bit for every value seen
//! and another for every bit hit twice; values with the second bit, a few in a hundred, are collected and sorted.

use super::sums::top;

/// Number of highest bits below the prefix that name a partition.
const PARTITION_BITS: u32 = 8;
/// Slots for each value: one in this many values is collected unnecessarily.
const SPARSE: usize = 16;

/// Lists in cache-sized pieces, and the bitmaps; kept from one class to the next.
pub(super) struct Repeated {
    prefix_bits: u32,
    partitions: Vec<Vec<u64>>,
    seen: Vec<u64>,
    twice: Vec<u64>,
    suspects: Vec<u64>,
}

impl Repeated {
    /// Returns an empty list for values that share this many of their highest bits.
    pub(super) fn new(prefix_bits: u32) -> Repeated {
        let partitions = vec![Vec::new(); 1 << PARTITION_BITS];
        Repeated { prefix_bits, partitions, seen: Vec::new(), twice: Vec::new(), suspects: Vec::new() }
    }

    /// Adds a value.
    #[inline(always)]
    pub(super) fn push(&mut self, value: u64) {
        self.partitions[top(value << self.prefix_bits, PARTITION_BITS) as usize].push(value);
    }

    /// Returns the values that were added more than once, sorted, and empties the lists.
    pub(super) fn drain(&mut self) -> Vec<u64> {
        let mut repeated = Vec::new();
        for partition in &mut self.partitions {
            let slot_bits = (partition.len() * SPARSE).next_power_of_two().trailing_zeros().clamp(10, 24);
            let slots = 1 << (slot_bits - 6);
            for map in [&mut self.seen, &mut self.twice] {
                map.clear();
                map.resize(slots, 0);
            }
            let slot = |value: u64| {
                let slot = top(value << (self.prefix_bits + PARTITION_BITS), slot_bits);
                (slot as usize >> 6, 1 << (slot & 63))
            };
            for &value in &*partition {
                let (at, bit) = slot(value);
                self.twice[at] |= self.seen[at] & bit;
                self.seen[at] |= bit;
            }
            self.suspects.clear();
            self.suspects.extend(partition.iter().copied().filter(|&value| {
                let (at, bit) = slot(value);
                self.twice[at] & bit != 0
            }));
            self.suspects.sort_unstable();
            let equal = self.suspects.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1);
            repeated.extend(equal.map(|equal| equal[0]));
            partition.clear();
        }
        repeated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_stand_twice_are_found() {
        let mut random = crate::quality::tests::random(3);
        for (prefix_bits, values, low_bits) in [(0, 5000, 64), (12, 5000, 64), (12, 3000, 20), (3, 300, 4), (0, 0, 64)]
        {
            let mut repeated = Repeated::new(prefix_bits);
            for _ in 0..2 {
                let mut list: Vec<u64> =
                    (0..values).map(|_| random() >> prefix_bits & (!0 >> (64 - low_bits))).collect();
                list.extend_from_within(..list.len() / 100);
                list.iter().for_each(|&value| repeated.push(value));
                list.sort_unstable();
                let expected: Vec<u64> =
                    list.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1).map(|equal| equal[0]).collect();
                assert_eq!(repeated.drain(), expected, "{prefix_bits} {values} {low_bits}");
            }
        }
    }
}
