//! Dependencies of entries that are added: small subsets that sum to zero modulo 2^b if each entry is either added or
//! subtracted.
//!
//! Two summed keys are equal if the entries that only one position has and those that only the other has give the same
//! sum. So a dependency adds the entries of one position and subtracts those of the other. Four such entries make two
//! pairs whose sums or differences are equal or negatives of each other. So the search lists all sums and differences
//! of two entries, replaces each with its negative if that is smaller, and looks for equal values. As in
//! [`super::dependencies()`], zero counts as an element, so a dependency of three entries is found as one of four
//! elements. This finds all dependencies of up to four entries, but no larger ones.
//!
//! Rank means nothing here, because the multiples of a single odd entry already cover all of Z / 2^b. Its counterpart
//! is the number of bits in which sums can differ: all bits above the trailing zeros common to all entries.

use super::dependencies::{Dependencies, MAX_COUNTED, ZERO, expected_number, union};
use super::sums::{Members, NOTHING};
use std::collections::BTreeSet;

/// Maximum number of entries in a dependency.
pub const MAX_SIGNED: usize = 4;

/// A sum of elements, regardless of its sign, and the elements themselves.
type Signed = (u64, Members);

/// Returns all signed dependencies of up to two entries and, if none of these is `wanted`, those of up to four.
pub(super) fn signed_dependencies(entries: &[u128], bits: u32, wanted: impl Fn(&[usize]) -> bool) -> Dependencies {
    let single = |(element, entry)| (absolute(entry, bits), [element, NOTHING, NOTHING, NOTHING]);
    let stage =
        |half| Some(equal_sums(if half == 1 { elements(entries).map(single).collect() } else { pairs(entries, bits) }));
    let expected = |size| expected_signed(entries.len(), size, bits);
    Dependencies::search(1..=MAX_SIGNED / 2, stage, expected, wanted)
}

/// Returns the expected number of signed dependencies of random entries. Two dependencies that differ only by flipping
/// all signs count as one.
pub(super) fn expected_signed(entries: usize, size: usize, bits: u32) -> f64 {
    expected_number(entries, size, bits) * 2_f64.powi(size as i32 - 1)
}

/// Returns the number of bits in which the sums of these entries can differ.
pub(super) fn bits_of_sums(entries: impl IntoIterator<Item = u128>, bits: u32) -> usize {
    let zeros = entries.into_iter().map(u128::trailing_zeros).min().unwrap_or(bits);
    bits.saturating_sub(zeros) as usize
}

fn elements(entries: &[u128]) -> impl Iterator<Item = (u16, u64)> + Clone {
    (ZERO..).zip(std::iter::once(0).chain(entries.iter().map(|&entry| entry as u64)))
}

/// Returns a value or its negative, whichever is smaller.
fn absolute(value: u64, bits: u32) -> u64 {
    let mask = !0 >> (64 - bits);
    (value & mask).min(value.wrapping_neg() & mask)
}

fn pairs(entries: &[u128], bits: u32) -> Vec<Signed> {
    let mut pairs = Vec::with_capacity(entries.len() * (entries.len() + 1));
    for (i, first) in elements(entries) {
        for (j, second) in elements(entries).skip(usize::from(i) + 1) {
            let members = [i, j, NOTHING, NOTHING];
            pairs.push((absolute(first.wrapping_sub(second), bits), members));
            if i != ZERO {
                pairs.push((absolute(first.wrapping_add(second), bits), members));
            }
        }
    }
    pairs
}

/// Finds pairs of equal sums that have no element in common, and returns the entries of each pair. Ends early once it
/// has found more than [`MAX_COUNTED`].
fn equal_sums(mut sums: Vec<Signed>) -> BTreeSet<Vec<usize>> {
    sums.sort_unstable();
    let mut found = BTreeSet::new();
    for equal in sums.chunk_by(|a, b| a.0 == b.0) {
        for (i, (_, one)) in equal.iter().enumerate() {
            found.extend(equal[..i].iter().filter_map(|(_, other)| union(one, other)));
            if found.len() > MAX_COUNTED {
                return found;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::tests::random;

    /// Returns all subsets that sum to zero for some choice of signs. Tries leaving out, adding or subtracting each
    /// entry.
    fn reference(entries: &[u128], bits: u32, size: usize) -> BTreeSet<Vec<usize>> {
        let mut found = BTreeSet::new();
        for signs in 1..3_u32.pow(entries.len() as u32) {
            let sign = |entry: usize| signs / 3_u32.pow(entry as u32) % 3;
            let members: Vec<usize> = (0..entries.len()).filter(|&entry| sign(entry) > 0).collect();
            let sum = members.iter().fold(0_u64, |sum, &entry| match sign(entry) {
                1 => sum.wrapping_add(entries[entry] as u64),
                _ => sum.wrapping_sub(entries[entry] as u64),
            });
            if members.len() == size && sum << (64 - bits) == 0 {
                found.insert(members);
            }
        }
        found
    }

    #[test]
    fn all_signs_of_all_few_entries_are_tried() {
        let mut random = random(9);
        let mut totals = [0; MAX_SIGNED];
        for (bits, sets) in [(4, 6), (7, 10), (10, 10), (64, 2)] {
            for set in 0..sets {
                let entries: Vec<u128> = (0..9).map(|_| u128::from(random() >> (64 - bits))).collect();
                let found = signed_dependencies(&entries, bits, |_| false);
                assert_eq!(found.sizes.len(), MAX_SIGNED);
                for (size, total) in found.sizes.iter().zip(&mut totals) {
                    let expected = reference(&entries, bits, size.entries);
                    *total += expected.len();
                    let of_size = found.subsets.iter().filter(|subset| subset.len() == size.entries).cloned();
                    assert_eq!(of_size.collect::<BTreeSet<_>>(), expected, "{bits} bits, set {set}, {size:?}");
                    assert_eq!(size.found, expected.len());
                }
            }
        }
        assert!(totals.iter().all(|&total| total > 0), "{totals:?}");
    }

    #[test]
    fn sums_of_multiples_have_fewer_bits() {
        assert_eq!(bits_of_sums([8, 24, 1 << 20], 48), 45);
        assert_eq!((bits_of_sums([8, 3], 48), bits_of_sums([0], 48), bits_of_sums([], 48)), (48, 0, 0));
    }
}
