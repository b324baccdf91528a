//! What is commonly measured of keys: distances, bits, windows. Some of it says little, and the figures show which.

use super::dependencies::expected;
use super::rank::Basis;
use super::signed::{bits_of_sums, expected_signed, signed_dependencies};
use super::{Dependencies, Watch, dependencies};
use perft_gate_walk::zobrist::Combine;

/// Hamming distances between the words, two by two.
///
/// **Not a measure of quality.** What collides is the xor of *several* words: 11110000, 11001100 and 00111100 are four
/// bits apart, as far as bytes can be expected to be, and xor to zero (Reichard's example). And random words of 64 bits
/// are 32 bits apart on average with a spread of 4, whatever else is wrong with them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Distances {
    /// The smallest.
    pub min: u32,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: u32,
}

/// The distances between these words; nothing if there are fewer than two.
pub fn distances(words: &[u128]) -> Option<Distances> {
    let pairs = || words.iter().enumerate().flat_map(|(i, &a)| words[..i].iter().map(move |&b| (a ^ b).count_ones()));
    let number = (words.len() * words.len().saturating_sub(1) / 2) as f64;
    let mean = pairs().map(f64::from).sum::<f64>() / number;
    Some(Distances { min: pairs().min()?, mean, max: pairs().max()? })
}

/// The bit that is set most unevenly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bias {
    /// Which bit, from the lowest.
    pub bit: u32,
    /// In how many words it is set.
    pub ones: usize,
    /// How far that is from half of them, in standard deviations of fair coins.
    pub z: f64,
}

impl Bias {
    /// Of 64 fair bits the worst is beyond this once in 2300 sets.
    pub const SUSPECT: f64 = 4.5;
}

/// The most uneven bit of words this wide.
pub fn bias(words: &[u128], bits: u32) -> Option<Bias> {
    let half = words.len() as f64 / 2.0;
    let of_bit = |bit: u32| {
        let ones = words.iter().filter(|&word| word >> bit & 1 == 1).count();
        Bias { bit, ones, z: (ones as f64 - half) / (half / 2.0).sqrt() }
    };
    (0..bits).map(of_bit).max_by(|a, b| a.z.abs().total_cmp(&b.z.abs()))
}

/// Which bits of a key index a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Window {
    /// The lowest.
    Low,
    /// The highest.
    High,
    /// The lowest xored with the highest; of as many bits as the word has, the word: there is nothing to fold.
    Fold,
}

impl Window {
    /// All of them.
    pub const ALL: [Window; 3] = [Window::Low, Window::High, Window::Fold];

    /// `low`, `high`, `fold`.
    pub const fn name(self) -> &'static str {
        match self {
            Window::Low => "low",
            Window::High => "high",
            Window::Fold => "fold",
        }
    }

    /// These bits of a word.
    pub fn of(self, word: u128, word_bits: u32, bits: u32) -> u128 {
        let mask = !0 >> (128 - bits);
        let (low, high) = (word & mask, word >> (word_bits - bits) & mask);
        match self {
            Window::Low => low,
            Window::High => high,
            Window::Fold if bits == word_bits => low,
            Window::Fold => low ^ high,
        }
    }
}

/// What a window leaves of the words.
#[derive(Clone, PartialEq, Debug)]
pub struct WindowReport {
    /// Which bits.
    pub window: Window,
    /// How many.
    pub bits: u32,
    /// How many words are independent in them; of sums, how many bits they differ in.
    pub rank: usize,
    /// Dependencies of up to four words or two, and up to the stage that finds some.
    pub dependencies: Dependencies,
    /// Is the window worse than random words would be?
    pub suspect: bool,
}

/// The widths that are looked at, in bits: a big table's tag or index, and a small table's index.
const WIDTHS: [u32; 2] = [32, 20];

/// Every window of these words that is narrower than they are, with its dependencies of up to `most` words; `is_open` says
/// which of them matter. The low bits of a sum are the sum of the low bits; what sums make of the others is not known.
pub fn windows(
    words: &[u128],
    (word_bits, combine): (u32, Combine),
    most: usize,
    is_open: impl Fn(&[usize]) -> bool,
) -> Vec<WindowReport> {
    let mut reports = Vec::new();
    for bits in WIDTHS.into_iter().filter(|&bits| bits < word_bits) {
        for window in Window::ALL {
            let seen: Vec<u128> = words.iter().map(|&word| window.of(word, word_bits, bits)).collect();
            let (rank, found) = match (combine, window) {
                (Combine::Xor, _) => {
                    let rank = Basis::of(seen.iter().copied()).rank();
                    (rank, dependencies(&seen, bits, most, |_| true, &Watch::default()))
                }
                (Combine::Add, Window::Low) => {
                    (bits_of_sums(seen.iter().copied(), bits), signed_dependencies(&seen, bits, |_| true))
                }
                (Combine::Add, _) => continue,
            };
            let is_worse = found.exceeds_expectation() && found.subsets.iter().any(|subset| is_open(subset));
            let suspect = rank < words.len().min(bits as usize) || is_worse;
            reports.push(WindowReport { window, bits, rank, dependencies: found, suspect });
        }
    }
    reports
}

impl Dependencies {
    /// Are there more than random words would have? A count is suspect beyond what is expected by six standard
    /// deviations and three: counts of small subsets come in clusters.
    pub fn exceeds_expectation(&self) -> bool {
        self.sizes.iter().any(|size| size.found as f64 > size.expected + 6.0 * size.expected.sqrt() + 3.0)
            // One that should not exist at all.
            || self.sizes.iter().any(|size| size.found > 0 && size.expected < 1e-3)
    }
}

/// How many dependencies of the smallest sizes random words would have, for comparison with a key's width.
pub fn expected_smallest(words: usize, bits: u32, combine: Combine) -> usize {
    let number = |size: usize| match combine {
        Combine::Xor => expected(words, size, bits),
        Combine::Add => expected_signed(words, size, bits),
    };
    (1..words).find(|&size| number(size) >= 0.5).unwrap_or(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::tests::{list, random};

    #[test]
    fn bytes_that_are_far_apart_may_be_dependent() {
        let bytes = [0b1111_0000, 0b1100_1100, 0b0011_1100];
        assert_eq!(distances(&bytes), Some(Distances { min: 4, mean: 4.0, max: 4 }));
        let found = dependencies(&bytes, 8, 6, |_| true, &Watch::default());
        assert_eq!(found.subsets, [vec![0, 1, 2]]);
        assert_eq!(distances(&[1]), None);
    }

    #[test]
    fn an_uneven_bit_is_seen() {
        let mut random = random(6);
        let mut words: Vec<u128> = (0..781).map(|_| random().into()).collect();
        assert!(bias(&words, 64).unwrap().z.abs() < Bias::SUSPECT);
        words.iter_mut().for_each(|word| *word &= !(u128::from(random() & random()) & 1 << 17));
        let bias = bias(&words, 64).unwrap();
        assert!(bias.bit == 17 && bias.z < -Bias::SUSPECT, "{bias:?}");
    }

    #[test]
    fn windows_cut_words() {
        let word = 0x0123_4567_89ab_cdef;
        let seen = Window::ALL.map(|window| window.of(word, 64, 32));
        assert_eq!(seen, [0x89ab_cdef, 0x0123_4567, 0x8888_8888]);
        assert_eq!(Window::High.of(0xabcd, 16, 4), 0xa);
        assert_eq!(Window::ALL.map(|window| window.of(word, 64, 64)), [word; 3]);
    }

    #[test]
    fn folded_rotations_are_equal_and_only_they() {
        let suspects = |name: &str| {
            let reports = windows(&list(name).bits_of_words(), (64, Combine::Xor), 4, |_| true);
            let suspects = reports.into_iter().filter(|report| report.suspect);
            suspects.map(|report| format!("{}{}", report.window.name(), report.bits)).collect::<Vec<_>>()
        };
        assert_eq!(suspects("cpw793"), [""; 0]);
        assert_eq!(suspects("polyglot"), [""; 0]);
        assert_eq!(suspects("rotate"), ["fold32"]);
        let rotate = windows(&list("rotate").bits_of_words(), (64, Combine::Xor), 4, |_| true);
        let fold = rotate.iter().find(|report| (report.window, report.bits) == (Window::Fold, 32)).unwrap();
        // A square and the one half a board on: 12 × 32 pairs.
        assert_eq!(fold.dependencies.sizes[1].found, 384);
    }

    #[test]
    fn random_sets_have_nine_word_dependencies() {
        assert_eq!([781, 803, 851].map(|words| expected_smallest(words, 64, Combine::Xor)), [9, 9, 9]);
    }
}
