//! Sums of up to four entries that share a prefix, enumerated class by class without storing them all.
//!
//! A sum of `h` elements has a left part of `h / 2` elements and a right part of the rest; all elements of the left
//! part come before those of the right part, so that every subset appears once. Both kinds of parts are sorted by their
//! highest bits, and within equal highest bits by their last or first element. The sums of one *class* (a value of the
//! highest bits) pair the left parts of a prefix with the right parts of the one prefix that completes it. The right
//! parts that begin late enough form a run at the end of their bucket, and the run only gets shorter as the left parts
//! end later: the inner loop is one xor over a slice.

/// Maximum number of elements in a sum.
pub(super) const MAX_SUMMANDS: usize = 4;

/// Elements of a sum, or of a part of one; unused places are [`NOTHING`].
pub(super) type Members = [u16; MAX_SUMMANDS];

/// Mark of an unused place.
pub(super) const NOTHING: u16 = u16::MAX;

/// Left or right parts, sorted by prefix and then by edge.
struct Parts {
    values: Vec<u64>,
    /// First element that may follow a left part, or first element of a right part.
    edges: Vec<u16>,
    members: Vec<[u16; 2]>,
    /// Start of each prefix, and the end of the last.
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
    /// Number of highest bits that make a class.
    pub(super) prefix_bits: u32,
}

impl SubsetSums {
    /// Returns the sums of `size` of these elements, of which there must be fewer than 65535.
    pub(super) fn new(elements: &[u64], size: usize, prefix_bits: u32) -> SubsetSums {
        assert!((1..=MAX_SUMMANDS).contains(&size) && elements.len() < usize::from(NOTHING));
        let left = Parts::new(elements, size / 2, true, prefix_bits);
        let right = Parts::new(elements, size - size / 2, false, prefix_bits);
        SubsetSums { left, right, prefix_bits }
    }

    /// Calls `visit` with each left part and its run of right parts.
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

    /// Calls `visit` with every sum of a class.
    #[inline(always)]
    pub(super) fn for_each(&self, class: u64, mut visit: impl FnMut(u64)) {
        self.for_each_run(class, |left, rights| {
            let value = self.left.values[left];
            self.right.values[rights].iter().for_each(|other| visit(value ^ other));
        });
    }

    /// Calls `visit` with every wanted sum of a class, and its elements in order.
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
}
