//! Dependencies of words that are summed: which few, each added or subtracted, come to zero modulo 2^b.
//!
//! Two keys that are sums are equal if the words of the one alone sum to what the words of the other alone do: the
//! first are added, the second subtracted. Up to four words make two sums of two that are equal or each other's
//! negative, so all sums and differences of two are listed, each as the smaller of itself and its negative, and equal
//! ones sought. As in [`super::dependencies()`] the zero word is an element, and makes three of four. All dependencies of
//! up to four words are found; larger ones are not sought.
//!
//! The multiples of one word are already the whole of Z / 2^b if it is odd, so rank means nothing here. What corresponds to
//! it is the number of bits that sums can differ in: all above the zeros that every word ends with.

use super::dependencies::{COUNTED, Dependencies, expected};
use std::collections::BTreeSet;

/// The most words in a dependency.
pub const MOST_SIGNED: usize = 4;
/// The element before the words.
const ZERO: u16 = 0;

/// A sum of elements up to its sign, and which they are.
type Signed = (u64, [u16; 2]);

/// All signed dependencies of up to two words, and of up to four if none of these is `wanted`.
pub(super) fn signed_dependencies(words: &[u128], bits: u32, wanted: impl Fn(&[usize]) -> bool) -> Dependencies {
    let stage = |half| Some(dependent(if half == 1 { singles(words, bits) } else { pairs(words, bits) }));
    let expected = |size| expected_signed(words.len(), size, bits);
    Dependencies::search(1..=MOST_SIGNED / 2, stage, expected, wanted)
}

/// How many there are of random words. Signs that are all turned around say the same.
pub(super) fn expected_signed(words: usize, size: usize, bits: u32) -> f64 {
    expected(words, size, bits) * 2_f64.powi(size as i32 - 1)
}

/// Bits that the sums of these words can differ in.
pub(super) fn bits_of_sums(words: impl IntoIterator<Item = u128>, bits: u32) -> usize {
    let zeros = words.into_iter().map(u128::trailing_zeros).min().unwrap_or(bits);
    bits.saturating_sub(zeros) as usize
}

/// The zero word and the words.
fn elements(words: &[u128]) -> impl Iterator<Item = (u16, u64)> + Clone {
    (ZERO..).zip(std::iter::once(0).chain(words.iter().map(|&word| word as u64)))
}

/// A value or its negative, whichever is smaller.
fn unsigned(value: u64, bits: u32) -> u64 {
    let mask = !0 >> (64 - bits);
    (value & mask).min(value.wrapping_neg() & mask)
}

fn singles(words: &[u128], bits: u32) -> Vec<Signed> {
    elements(words).map(|(element, word)| (unsigned(word, bits), [element; 2])).collect()
}

fn pairs(words: &[u128], bits: u32) -> Vec<Signed> {
    let mut pairs = Vec::with_capacity(words.len() * (words.len() + 1));
    for (i, first) in elements(words) {
        for (j, second) in elements(words).skip(usize::from(i) + 1) {
            pairs.push((unsigned(first.wrapping_sub(second), bits), [i, j]));
            if i != ZERO {
                pairs.push((unsigned(first.wrapping_add(second), bits), [i, j]));
            }
        }
    }
    pairs
}

/// The words of two equal sums without a common element; more than [`COUNTED`] if there are more, but not all.
fn dependent(mut sums: Vec<Signed>) -> BTreeSet<Vec<usize>> {
    sums.sort_unstable();
    let mut found = BTreeSet::new();
    for equal in sums.chunk_by(|a, b| a.0 == b.0) {
        for (i, (_, one)) in equal.iter().enumerate() {
            let disjoint = equal[..i].iter().filter(|(_, other)| !one.iter().any(|element| other.contains(element)));
            found.extend(disjoint.map(|(_, other)| {
                let all: BTreeSet<u16> = one.iter().chain(other).copied().filter(|&element| element != ZERO).collect();
                all.into_iter().map(|element| usize::from(element) - 1).collect()
            }));
            if found.len() > COUNTED {
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

    /// All words of which some signs make the sum zero: each is left out, added or subtracted.
    fn reference(words: &[u128], bits: u32, size: usize) -> BTreeSet<Vec<usize>> {
        let mut found = BTreeSet::new();
        for signs in 1..3_u32.pow(words.len() as u32) {
            let sign = |word: usize| signs / 3_u32.pow(word as u32) % 3;
            let members: Vec<usize> = (0..words.len()).filter(|&word| sign(word) > 0).collect();
            let sum = members.iter().fold(0_u64, |sum, &word| match sign(word) {
                1 => sum.wrapping_add(words[word] as u64),
                _ => sum.wrapping_sub(words[word] as u64),
            });
            if members.len() == size && sum << (64 - bits) == 0 {
                found.insert(members);
            }
        }
        found
    }

    #[test]
    fn all_signs_of_all_few_words_are_tried() {
        let mut random = random(9);
        let mut totals = [0; MOST_SIGNED];
        for (bits, sets) in [(4, 6), (7, 10), (10, 10), (64, 2)] {
            for set in 0..sets {
                let words: Vec<u128> = (0..9).map(|_| u128::from(random() >> (64 - bits))).collect();
                let found = signed_dependencies(&words, bits, |_| false);
                assert_eq!(found.sizes.len(), MOST_SIGNED);
                for (size, total) in found.sizes.iter().zip(&mut totals) {
                    let expected = reference(&words, bits, size.words);
                    *total += expected.len();
                    let of_size = found.subsets.iter().filter(|subset| subset.len() == size.words).cloned();
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
