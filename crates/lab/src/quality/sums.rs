//! Sums of up to four entries that share a prefix, enumerated class by class without storing them all.
//!
//! A sum of `h` elements is split into a left part of `h / 2` elements and a right part of the remaining elements. All
//! elements of the left part precede those of the right part, so every subset appears once. Parts are sorted by their
//! highest bits (the *prefix*). Within a prefix, left parts are sorted by their last element and right parts by their
//! first. A *class* contains all sums with one prefix. So the class combines all left parts of a given prefix with
//! right parts of a single prefix. Those right parts of a prefix that begin after the end of a left part form a run,
//! which extends to the end of the prefix. The run is shorter for left parts that end later. The inner loop xors one
//! value with every value of a slice.

/// Maximum number of elements in a sum.
pub(super) const MAX_SUMMANDS: usize = 4;

/// Elements of a sum or of part of a sum. Unused places hold [`NOTHING`].
pub(super) type Members = [u16; MAX_SUMMANDS];

/// Mark of an unused place.
pub(super) const NOTHING: u16 = u16::MAX;

/// All left parts or all right parts of sums, sorted by prefix (highest bits) and then by `edges`.
struct Parts {
    values: Vec<u64>,
    /// For a left part, the first element that may follow it. For a right part, its first element.
    edges: Vec<u16>,
    members: Vec<[u16; 2]>,
    /// Index of the first part of each prefix, followed by the end of the last prefix.
    starts: Vec<usize>,
}

impl Parts {
    fn new(elements: &[u64], size: usize, is_left: bool, prefix_bits: u32) -> Parts {
        let mut parts: Vec<(u64, u16, [u16; 2])> = Vec::new();
        let with_numbers = || (0_u16..).zip(elements);
        match size {
            0 => parts.push((0, 0, [NOTHING; 2])),
            1 => parts.extend(with_numbers().map(|(i, &entry)| (entry, if is_left { i + 1 } else { i }, [i, NOTHING]))),
            _ => {
                for (i, &first) in with_numbers() {
                    let later = with_numbers().skip(usize::from(i) + 1);
                    parts.extend(later.map(|(j, &second)| (first ^ second, if is_left { j + 1 } else { i }, [i, j])));
                }
            }
        }
        parts.sort_unstable_by_key(|&(value, edge, members)| (top(value, prefix_bits), edge, members));
        let starts = (0..=1_u64 << prefix_bits)
            .map(|prefix| parts.partition_point(|&(value, ..)| top(value, prefix_bits) < prefix))
            .collect();
        Parts {
            values: parts.iter().map(|part| part.0).collect(),
            edges: parts.iter().map(|part| part.1).collect(),
            members: parts.iter().map(|part| part.2).collect(),
            starts,
        }
    }

    fn of_prefix(&self, prefix: u64) -> std::ops::Range<usize> {
        self.starts[prefix as usize]..self.starts[prefix as usize + 1]
    }
}

/// Returns the highest bits of a value.
pub(super) fn top(value: u64, bits: u32) -> u64 {
    value.checked_shr(64 - bits).unwrap_or(0)
}

/// All sums of a given number of elements.
pub(super) struct SubsetSums {
    left: Parts,
    right: Parts,
    /// Number of highest bits that define a class.
    pub(super) prefix_bits: u32,
}

impl SubsetSums {
    /// Prepares all sums of `size` of these elements. There must be fewer than 65535 elements.
    pub(super) fn new(elements: &[u64], size: usize, prefix_bits: u32) -> SubsetSums {
        assert!((1..=MAX_SUMMANDS).contains(&size) && elements.len() < usize::from(NOTHING));
        let left = Parts::new(elements, size / 2, true, prefix_bits);
        let right = Parts::new(elements, size - size / 2, false, prefix_bits);
        SubsetSums { left, right, prefix_bits }
    }

    /// Calls `visit` with each left part and the range of right parts that complete it to a sum of the class.
    #[inline(always)]
    fn for_each_run(&self, class: u64, mut visit: impl FnMut(usize, std::ops::Range<usize>)) {
        for prefix in 0..1 << self.prefix_bits {
            let rights = self.right.of_prefix(prefix ^ class);
            let mut start = rights.start;
            for left in self.left.of_prefix(prefix) {
                let edge = self.left.edges[left];
                while start < rights.end && self.right.edges[start] < edge {
                    start += 1;
                }
                if start == rights.end {
                    break;
                }
                visit(left, start..rights.end);
            }
        }
    }

    #[inline(always)]
    pub(super) fn for_each(&self, class: u64, mut visit: impl FnMut(u64)) {
        self.for_each_run(class, |left, rights| {
            let value = self.left.values[left];
            self.right.values[rights].iter().for_each(|other| visit(value ^ other));
        });
    }

    /// Calls `visit` with every wanted sum of a class and the elements of the sum, in order.
    pub(super) fn for_each_wanted(
        &self,
        class: u64,
        wanted: impl Fn(u64) -> bool,
        mut visit: impl FnMut(u64, Members),
    ) {
        self.for_each_run(class, |left, rights| {
            let value = self.left.values[left];
            for right in rights {
                let sum = value ^ self.right.values[right];
                if wanted(sum) {
                    let ([a, b], [c, d]) = (self.left.members[left], self.right.members[right]);
                    let mut members = [a, b, c, d];
                    members.sort_unstable();
                    visit(sum, members);
                }
            }
        });
    }
}

/// Number of bits after the prefix that select a partition.
const PARTITION_BITS: u32 = 8;
/// Number of bitmap slots per value. One in `SPARSE` values shares its slot and is collected though it is not repeated.
const SPARSE: usize = 16;

/// Finds repeated values in a long list without sorting it. The buffers are reused from one class to the next.
///
/// Values are spread over partitions that fit the cache. In each partition, one bitmap marks the slot of every value,
/// and another marks the slots that are hit twice. The values whose slots are hit twice, a few in a hundred, are
/// collected and sorted.
pub(super) struct Repeated {
    prefix_bits: u32,
    partitions: Vec<Vec<u64>>,
    seen: Vec<u64>,
    twice: Vec<u64>,
    suspects: Vec<u64>,
}

impl Repeated {
    /// Returns an empty list for values whose highest `prefix_bits` bits are all equal.
    pub(super) fn new(prefix_bits: u32) -> Repeated {
        let partitions = vec![Vec::new(); 1 << PARTITION_BITS];
        Repeated { prefix_bits, partitions, seen: Vec::new(), twice: Vec::new(), suspects: Vec::new() }
    }

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
    fn every_subset_is_summed_once() {
        let mut random = crate::quality::tests::random(2);
        let elements: Vec<u64> = (0..17).map(|_| random()).collect();
        for (size, subsets) in [(1, 17), (2, 136), (3, 680), (4, 2380)] {
            for bits in [0, 1, 5, 9] {
                let sums = SubsetSums::new(&elements, size, bits);
                let mut seen = Vec::new();
                for class in 0..1 << bits {
                    let mut values = Vec::new();
                    sums.for_each(class, |sum| values.push(sum));
                    let mut again = values.iter();
                    sums.for_each_wanted(
                        class,
                        |_| true,
                        |sum, members| {
                            let present = members.iter().filter(|&&member| member != NOTHING);
                            let expected = present.fold(0, |sum, &member| sum ^ elements[usize::from(member)]);
                            assert_eq!((sum, again.next()), (expected, Some(&expected)));
                            assert_eq!(top(sum, bits), class);
                            seen.push(members);
                        },
                    );
                }
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), subsets, "{size} {bits}");
            }
        }
    }

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
