//! Finds the smallest dependent subsets, which are small sets of entries that xor to zero.
//!
//! **Meet in the middle.** A subset of `2h` entries that xors to zero consists of two disjoint subsets of `h` entries
//! with the same sum. So the search lists the sums of `h` entries and looks for equal ones. Zero is added to the
//! entries as an element: a subset that contains it is a dependency of `2h - 1` entries. The stages h = 1, 2, 3, 4 thus
//! find all dependencies of 1 and 2, 3 and 4, 5 and 6, 7 and 8 entries. Sums are listed class by class. The sums of a
//! *class* have the same highest bits. The number of these bits determines the memory use. The cores share the classes.
//!
//! **An eighth of the sums is enough for 7 and 8 entries.** A dependency of eight splits into two fours in 35 ways, and
//! only one of these must be found. Colour every element by its three highest bits, a vector of GF(2)^3. The colours of
//! the eight elements sum to zero. *Four of the elements have colours that sum to zero*, and so do the other four:
//! - If two disjoint pairs of equal colour exist, they are such a four.
//! - Else at most one colour repeats. If none does, all eight colours occur, and {000, 001, 010, 011} sum to zero.
//! - If one colour occurs twice and six others once, one colour is missing. The eight possible colours sum to zero, so
//!   the colours of the elements sum to the missing one plus the repeated one. These differ, so this case cannot occur.
//! - If one colour occurs three times and five others once, two are missing. The elements sum to the sum of these two,
//!   which differ, so this case cannot occur either.
//!
//! So the search lists only those of the C(n, 4) sums whose three highest bits are zero. (With four bits this fails:
//! the six colours 0, e1, e2, e3, e4 and e1+e2+e3+e4 sum to zero, but no four of them do.)
//!
//! Before the search, a random linear map takes the elements to 64 bits. It keeps every dependency for entries of any
//! width, and makes the highest bits as good as random even for the most regular entries. Dependencies created only by
//! the map are removed at the end, where the true entries are summed.

use super::sums::{MAX_SUMMANDS, Members, NOTHING, Repeated, SubsetSums};
use perft_gate_walk::Control;
use perft_gate_zobrist::generate::finalize;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Approximate number of sums in a class: 32 MiB for each thread.
const CLASS: u64 = 1 << 22;
/// Number of dependencies beyond which counting stops.
pub const MAX_COUNTED: usize = 1_000_000;
/// Index of the element zero, which comes before the entries.
pub(super) const ZERO: u16 = 0;

/// Dependencies of one size.
#[perft_gate_chess::document(Clone, PartialEq, Debug, serde::Serialize)]
pub struct DependencyCount {
    /// Number of entries in a subset.
    #[serde(rename = "words")]
    pub entries: usize,
    /// Number of subsets of this size that xor to zero, or a lower bound if there are more than a million.
    pub found: usize,
    /// True if there are more subsets than were counted.
    #[serde(rename = "at_least")]
    pub more: bool,
    /// Expected number for independent random entries: C(n, k) / 2^bits.
    pub expected: f64,
}

/// Dependencies of a key table.
#[perft_gate_chess::document(Clone, PartialEq, Debug, Default, serde::Serialize)]
pub struct Dependencies {
    /// Results by size, from 1 to the largest that was searched.
    pub sizes: Vec<DependencyCount>,
    /// Subsets found, the smallest first, as sorted indices of entries.
    #[serde(skip)]
    pub subsets: Vec<Vec<usize>>,
    /// True if the search was stopped.
    pub interrupted: bool,
}

impl Dependencies {
    /// Runs the stages. `stage(half)` yields all dependencies of `2 * half - 1` and of `2 * half` entries, or `None` if
    /// stopped. The search ends after the first stage that finds a `wanted` dependency.
    pub(super) fn search(
        stages: RangeInclusive<usize>,
        stage: impl Fn(usize) -> Option<BTreeSet<Vec<usize>>>,
        expected: impl Fn(usize) -> f64,
        wanted: impl Fn(&[usize]) -> bool,
    ) -> Dependencies {
        let mut result = Dependencies::default();
        for half in stages {
            let Some(found) = stage(half) else {
                result.interrupted = true;
                break;
            };
            let more = found.len() > MAX_COUNTED;
            for size in [2 * half - 1, 2 * half] {
                let found = found.iter().filter(|subset| subset.len() == size).count();
                result.sizes.push(DependencyCount { entries: size, found, more, expected: expected(size) });
            }
            let is_last = more || found.iter().any(|subset| wanted(subset));
            result.subsets.extend(found);
            if is_last {
                break;
            }
        }
        result.subsets.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
        result
    }

    /// Returns the number of entries in the smallest dependency found.
    pub fn smallest(&self) -> Option<usize> {
        self.subsets.first().map(Vec::len)
    }
}

/// Returns all dependencies of up to `max` entries (rounded up to 2, 4, 6 or 8). The search ends after the stage that
/// finds the first `wanted` dependency, because larger dependencies would mostly contain the smaller ones.
pub fn dependencies(
    entries: &[u128],
    bits: u32,
    max: usize,
    wanted: impl Fn(&[usize]) -> bool,
    control: &Control,
) -> Dependencies {
    let stages = 1..=max.div_ceil(2).min(MAX_SUMMANDS);
    let expected = |size| expected_number(entries.len(), size, bits);
    Dependencies::search(stages, |half| search_stage(entries, half, control), expected, wanted)
}

/// Returns the expected number of dependencies of `size` random entries, C(n, k) / 2^bits.
pub fn expected_number(entries: usize, size: usize, bits: u32) -> f64 {
    let subsets: f64 = (0..size).map(|i| entries.saturating_sub(i) as f64 / (i + 1) as f64).product();
    subsets / 2_f64.powi(bits as i32)
}

/// Maps 128 bits linearly to 64, in the same way on every machine: bit `i` of the result is the parity of the bits
/// under mask `i`.
fn map_to_64_bits(entries: &[u128]) -> Vec<u64> {
    let mask = |i: u64| u128::from(finalize(1, 2 * i)) << 64 | u128::from(finalize(1, 2 * i + 1));
    let masks: [u128; 64] = std::array::from_fn(|i| mask(i as u64));
    let map = |entry: u128| (0..64).fold(0, |bits, i| bits | u64::from((entry & masks[i]).count_ones() & 1) << i);
    std::iter::once(0).chain(entries.iter().map(|&entry| map(entry))).collect()
}

/// Returns the number of highest bits that define a class, and the number of classes to list.
fn classes(elements: usize, half: usize) -> (u32, u64) {
    let needed = if half == MAX_SUMMANDS { 3 } else { 0 };
    let sums = expected_number(elements, half, 0);
    let bits = (sums / CLASS as f64).log2().ceil().max(0.0) as u32;
    let bits = bits.max(needed);
    (bits, 1 << (bits - needed))
}

/// Returns the dependencies of `2 half - 1` and `2 half` entries. Ends early once it has found more than
/// [`MAX_COUNTED`]. Returns `None` if stopped.
fn search_stage(entries: &[u128], half: usize, control: &Control) -> Option<BTreeSet<Vec<usize>>> {
    let elements = map_to_64_bits(entries);
    let (prefix_bits, classes) = classes(elements.len(), half);
    let sums = SubsetSums::new(&elements, half, prefix_bits);
    control.begin(classes);
    let (next, known) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found = Mutex::new(Vec::new());
    (0..rayon::current_num_threads()).into_par_iter().for_each(|_| {
        let mut repeated = Repeated::new(prefix_bits);
        // Classes are started in order and always finished, so the number of threads does not affect the result.
        while !control.is_stopped() && known.load(Relaxed) <= MAX_COUNTED {
            let class = next.fetch_add(1, Relaxed);
            if class as u64 >= classes {
                break;
            }
            let subsets = class_dependencies(entries, &sums, class as u64, &mut repeated);
            known.fetch_add(subsets.len(), Relaxed);
            found.lock().expect("no panic").push((class, subsets));
            control.advance(1);
        }
    });
    if control.is_stopped() {
        return None;
    }
    let mut found = found.into_inner().expect("no panic");
    found.sort_unstable_by_key(|&(class, _)| class);
    let mut all = BTreeSet::new();
    for (_, subsets) in found {
        all.extend(subsets);
        if all.len() > MAX_COUNTED {
            break;
        }
    }
    Some(all)
}

/// Returns the dependencies found by pairing equal sums of this class.
fn class_dependencies(
    entries: &[u128],
    sums: &SubsetSums,
    class: u64,
    repeated: &mut Repeated,
) -> BTreeSet<Vec<usize>> {
    sums.for_each(class, |sum| repeated.push(sum));
    let values = repeated.drain();
    let mut found = BTreeSet::new();
    if values.is_empty() {
        return found;
    }
    let mut equal: HashMap<u64, Vec<Members>> = values.iter().map(|&value| (value, Vec::new())).collect();
    let wanted = |sum: u64| values.binary_search(&sum).is_ok();
    sums.for_each_wanted(class, wanted, |sum, members| equal.entry(sum).or_default().push(members));
    for value in values {
        let groups = &equal[&value];
        for (i, first) in groups.iter().enumerate() {
            let unions = groups[..i].iter().filter_map(|second| union(first, second));
            found.extend(unions.filter(|subset| subset.iter().fold(0, |sum, &entry| sum ^ entries[entry]) == 0));
            if found.len() > MAX_COUNTED {
                return found;
            }
        }
    }
    found
}

/// Returns the indices of the entries in two sums, without the zero. Returns `None` if the sums share an element.
pub(super) fn union(first: &Members, second: &Members) -> Option<Vec<usize>> {
    let mut union: Vec<u16> = first.iter().chain(second).copied().filter(|&member| member != NOTHING).collect();
    union.sort_unstable();
    let is_disjoint = union.windows(2).all(|pair| pair[0] != pair[1]);
    is_disjoint
        .then(|| union.into_iter().filter(|&member| member != ZERO).map(|member| usize::from(member) - 1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::tests::random;

    /// Returns all subsets of this size that xor to zero, by trying each.
    fn reference(entries: &[u128], size: usize) -> Vec<Vec<usize>> {
        let subsets = (0_u32..1 << entries.len()).filter(|set| set.count_ones() as usize == size);
        let members = |set: u32| (0..entries.len()).filter(move |i| set >> i & 1 == 1);
        let zero = subsets.filter(|&set| members(set).fold(0, |sum, i| sum ^ entries[i]) == 0);
        let mut all: Vec<Vec<usize>> = zero.map(|set| members(set).collect()).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn each_stage_finds_what_trying_all_subsets_finds() {
        let mut random = random(4);
        let mut sizes = [0; 9];
        for (entries, bits, sets) in [(12, 4, 20), (16, 8, 20), (18, 12, 10), (18, 16, 10), (6, 64, 5)] {
            for set in 0..sets {
                let entries: Vec<u128> = (0..entries).map(|_| u128::from(random() >> (64 - bits))).collect();
                for half in 1..=MAX_SUMMANDS {
                    let found = search_stage(&entries, half, &Control::default()).unwrap();
                    let expected = [reference(&entries, 2 * half - 1), reference(&entries, 2 * half)].concat();
                    expected.iter().for_each(|subset| sizes[subset.len()] += 1);
                    assert_eq!(found, BTreeSet::from_iter(expected), "{bits} bits, set {set}, half {half}");
                }
            }
        }
        assert!(sizes[1..].iter().all(|&size| size > 5), "{sizes:?}");
    }

    #[test]
    fn a_planted_dependency_is_found_and_no_other() {
        let mut random = random(5);
        for size in 1..=8 {
            // Entries of 128 bits, entries whose lower half is zero, and enough entries for a real search's classes.
            for (count, mask) in [(40, !0), (40, !0 << 64), (110, u128::from(u64::MAX))] {
                let mut entries: Vec<u128> =
                    (0..count).map(|_| (u128::from(random()) << 64 | u128::from(random())) & mask).collect();
                let mut planted: Vec<usize> = Vec::new();
                while planted.len() < size {
                    let entry = (random() % count as u64) as usize;
                    if !planted.contains(&entry) {
                        planted.push(entry);
                    }
                }
                let (&last, others) = planted.split_last().unwrap();
                entries[last] = others.iter().fold(0, |sum, &entry| sum ^ entries[entry]);
                planted.sort_unstable();
                let found = dependencies(&entries, 64, 8, |_| true, &Control::default());
                assert_eq!(found.subsets, [planted], "{size} of {count}");
                let counts: Vec<usize> = found.sizes.iter().map(|size| size.found).collect();
                let expected: Vec<usize> = (1..=size.next_multiple_of(2)).map(|k| usize::from(k == size)).collect();
                assert_eq!(counts, expected);
            }
        }
    }

    #[test]
    fn a_stopped_search_says_so() {
        let control = Control::default();
        control.stop.store(true, Relaxed);
        assert!(dependencies(&[1, 2, 4], 64, 6, |_| true, &control).interrupted);
    }

    #[test]
    fn a_hopeless_set_is_not_counted_to_its_end() {
        let entries: Vec<u128> = (1..2048).collect();
        let found = dependencies(&entries, 11, 6, |_| true, &Control::default());
        assert!(found.smallest() == Some(3) && found.sizes.len() == 4 && found.sizes[3].more);
    }

    #[test]
    fn expectations_are_those_of_the_literature() {
        for (entries, size, value) in
            [(781, 6, 1.7e-5), (781, 7, 0.0019), (781, 8, 0.180), (781, 9, 15.4), (803, 8, 0.224), (851, 8, 0.358)]
        {
            let found = expected_number(entries, size, 64);
            assert!((found / value - 1.0).abs() < 0.03, "{entries} {size}: {found}");
        }
    }
}
