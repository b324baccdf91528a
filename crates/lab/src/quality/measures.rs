//! Common measures of key tables: distances, biased bits, windows. Note that [`Distances`] says little about quality.

use super::dependencies::{Dependencies, dependencies, expected_number};
use super::signed::{bits_of_sums, expected_signed, signed_dependencies};
use perft_gate_walk::Control;
use perft_gate_zobrist::Combine;
use perft_gate_zobrist::generate::Basis;

/// Hamming distances between all pairs of entries.
///
/// **Not a measure of quality.** Collisions come from the xor of *several* entries: any two of 11110000, 11001100 and
/// 00111100 differ in four bits, the average for random bytes, yet all three xor to zero (Reichard's example). Random
/// 64-bit entries differ in 32 bits on average, with a standard deviation of 4, even if they are flawed in some other
/// way.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Distances {
    /// Smallest distance.
    pub min: u32,
    /// Mean distance.
    pub mean: f64,
    /// Largest distance.
    pub max: u32,
}

/// Returns the distances between these entries, or `None` if there are fewer than two.
pub fn distances(entries: &[u128]) -> Option<Distances> {
    let pairs =
        || entries.iter().enumerate().flat_map(|(i, &a)| entries[..i].iter().map(move |&b| (a ^ b).count_ones()));
    let number = (entries.len() * entries.len().saturating_sub(1) / 2) as f64;
    let mean = pairs().map(f64::from).sum::<f64>() / number;
    Some(Distances { min: pairs().min()?, mean, max: pairs().max()? })
}

/// The bit whose number of ones is farthest from half of the entries.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Bias {
    /// Number of the bit, counted from the lowest.
    pub bit: u32,
    /// Number of entries in which it is set.
    pub ones: usize,
    /// Deviation of `ones` from half of the entries, in units of the standard deviation of fair coin tosses.
    pub z: f64,
}

/// Largest acceptable absolute value of `z`. With fair bits, the worst of 64 bits exceeds it in one of 2300 tables.
pub(super) const MAX_BIAS: f64 = 4.5;

/// Returns the most biased bit of the entries, which are `bits` wide.
pub fn bias(entries: &[u128], bits: u32) -> Option<Bias> {
    let half = entries.len() as f64 / 2.0;
    let of_bit = |bit: u32| {
        let ones = entries.iter().filter(|&entry| entry >> bit & 1 == 1).count();
        Bias { bit, ones, z: (ones as f64 - half) / (half / 2.0).sqrt() }
    };
    (0..bits).map(of_bit).max_by(|a, b| a.z.abs().total_cmp(&b.z.abs()))
}

perft_gate_chess::named! {
    /// Part of a key that indexes a table.
    #[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
    pub enum Window {
        /// Lowest bits.
        Low = "low",
        /// Highest bits.
        High = "high",
        /// Lowest bits xored with the highest. At full width, nothing is folded, so the window is the entry itself.
        Fold = "fold",
    }
}

impl Window {
    /// Returns this window of a value.
    pub fn extract(self, entry: u128, key_bits: u32, bits: u32) -> u128 {
        let mask = !0 >> (128 - bits);
        let (low, high) = (entry & mask, entry >> (key_bits - bits) & mask);
        match self {
            Window::Low => low,
            Window::High => high,
            Window::Fold if bits == key_bits => low,
            Window::Fold => low ^ high,
        }
    }
}

/// Audit of one window (part of the bits) of the entries.
#[perft_gate_chess::document(Clone, PartialEq, Debug, serde::Serialize)]
pub struct WindowReport {
    /// Position of the window.
    pub window: Window,
    /// Width of the window, in bits.
    pub bits: u32,
    /// Number of independent entries in the window. If entries are added, number of bits in which sums can differ.
    pub rank: usize,
    /// Dependencies of up to four (or only two) entries. If any of one or two entries is found, the search ends there.
    pub dependencies: Dependencies,
    /// True if the window is worse than the same window of a random table.
    #[serde(rename = "suspicious")]
    pub suspect: bool,
}

/// Widths of the windows, in bits: the tag or index of a big hash table, and the index of a small one.
const WIDTHS: [u32; 2] = [32, 20];

/// Audits every window that is narrower than the entries, and searches it for dependencies of up to `max` entries.
/// `is_open` tells if a dependency may occur in a game. If entries are added, only low windows are audited, because
/// carries make the higher bits of a sum depend on the lower bits.
pub fn windows(
    entries: &[u128],
    (key_bits, combine): (u32, Combine),
    max: usize,
    is_open: impl Fn(&[usize]) -> bool,
) -> Vec<WindowReport> {
    let mut reports = Vec::new();
    for bits in WIDTHS.into_iter().filter(|&bits| bits < key_bits) {
        for window in Window::ALL {
            let seen: Vec<u128> = entries.iter().map(|&entry| window.extract(entry, key_bits, bits)).collect();
            let (rank, found) = match (combine, window) {
                (Combine::Xor, _) => {
                    let rank = Basis::new(seen.iter().copied()).rank();
                    (rank, dependencies(&seen, bits, max, |_| true, &Control::default()))
                }
                (Combine::Add, Window::Low) => {
                    (bits_of_sums(seen.iter().copied(), bits), signed_dependencies(&seen, bits, |_| true))
                }
                (Combine::Add, _) => continue,
            };
            let is_worse = found.exceeds_expectation() && found.subsets.iter().any(|subset| is_open(subset));
            let suspect = rank < entries.len().min(bits as usize) || is_worse;
            reports.push(WindowReport { window, bits, rank, dependencies: found, suspect });
        }
    }
    reports
}

impl Dependencies {
    /// Returns true if there are more dependencies than chance explains. A count is suspect if it exceeds the expected
    /// count by more than six standard deviations plus three. The margin is this wide because small dependent subsets
    /// occur in clusters.
    pub fn exceeds_expectation(&self) -> bool {
        self.sizes.iter().any(|size| size.found as f64 > size.expected + 6.0 * size.expected.sqrt() + 3.0)
            // If practically no dependencies are expected, even one is too many.
            || self.sizes.iter().any(|size| size.found > 0 && size.expected < 1e-3)
    }
}

/// Returns the usual size of the smallest dependency among random entries.
pub fn expected_smallest(entries: usize, bits: u32, combine: Combine) -> usize {
    let number = |size: usize| match combine {
        Combine::Xor => expected_number(entries, size, bits),
        Combine::Add => expected_signed(entries, size, bits),
    };
    (1..entries).find(|&size| number(size) >= 0.5).unwrap_or(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::tests::list;

    #[test]
    fn bytes_that_are_far_apart_may_be_dependent() {
        let bytes = [0b1111_0000, 0b1100_1100, 0b0011_1100];
        assert_eq!(distances(&bytes), Some(Distances { min: 4, mean: 4.0, max: 4 }));
        let found = dependencies(&bytes, 8, 6, |_| true, &Control::default());
        assert_eq!(found.subsets, [vec![0, 1, 2]]);
        assert_eq!(distances(&[1]), None);
    }

    #[test]
    fn folded_rotations_are_equal_and_only_they() {
        let suspects = |name: &str| {
            let reports = windows(&list(name).bits_of_entries(), (64, Combine::Xor), 4, |_| true);
            let suspects = reports.into_iter().filter(|report| report.suspect);
            suspects.map(|report| format!("{}{}", report.window.name(), report.bits)).collect::<Vec<_>>()
        };
        assert_eq!(suspects("cpw793"), [""; 0]);
        assert_eq!(suspects("polyglot"), [""; 0]);
        assert_eq!(suspects("rotate"), ["fold32"]);
        let rotate = windows(&list("rotate").bits_of_entries(), (64, Combine::Xor), 4, |_| true);
        let fold = rotate.iter().find(|report| (report.window, report.bits) == (Window::Fold, 32)).unwrap();
        // A piece's entries on two squares half a board from each other are equal in this window: 12 × 32 pairs.
        assert_eq!(fold.dependencies.sizes[1].found, 384);
    }
}
