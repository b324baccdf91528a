//! Collisions of several schemes, counted together.
//!
//! Verdicts are based on a comparison with random key tables, not with a theoretical distribution.
//!
//! The number of collisions varies more than the number of independent events would. A small set of entries that causes
//! a collision repeats all over a tree, so the variance is many times the mean. A test that assumes a Poisson
//! distribution would condemn random tables. These tests assume no distribution:
//! - *Ranks.* If a scheme's tables were random, their losses and those of the random tables would mix at random. The
//!   rank sum (Wilcoxon, Mann and Whitney; ties share their ranks) measures the deviation from such a mixture.
//! - *Markov's bound.* The expected number is exact for any distribution, so the losses reach `k` times the expected
//!   number with a probability of at most 1 / k. If far less than one loss is expected, this test decides.
//! - *Distance.* A single table has no useful rank. It is an outlier if its losses exceed the *band*, the range of the
//!   losses of random tables, by many times the band's width.

use super::positions::{KeyPart, PlyPositions};
use crate::quality::{AuditVerdict, Window};
use perft_gate_chess::json::DecimalList;
use perft_gate_chess::{Board, EnPassantPolicy};
use perft_gate_simd::Level;
use perft_gate_unique::{UniqueError, expected_lost};
use perft_gate_walk::{Control, Progress};
use perft_gate_zobrist::{Axes, KeyTables, Scheme};
use serde::{Deserialize, Serialize};

/// Maximum width, in bits, of keys whose collisions can be counted.
pub const MAX_KEY_BITS: u32 = 64;

/// Options for counting collisions.
#[derive(Clone, Debug)]
pub struct CollisionOptions {
    pub windows: Vec<Window>,
    /// Widths of each window in bits, 1 to 64.
    pub widths: Vec<u32>,
    /// Number of key tables of each scheme.
    pub seeds: u64,
    pub first_seed: u64,
    /// Maximum number of bytes that positions and keys may take together.
    pub memory: usize,
    pub level: Level,
}

impl CollisionOptions {
    fn parts(&self, key_bits: u32) -> Vec<KeyPart> {
        let widths = |&window: &Window| {
            self.widths.iter().filter(move |&&bits| bits <= key_bits).map(move |&bits| KeyPart { window, bits })
        };
        self.windows.iter().flat_map(widths).collect()
    }

    /// Returns the number of random key tables to compare with.
    pub fn band(&self) -> u64 {
        self.seeds.max(MIN_BAND)
    }
}

/// Numbers of positions lost to collisions in a window of the keys.
#[perft_gate_chess::document(nonnegative, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct CollisionRow {
    /// Position of the window.
    pub window: Window,
    /// Width in bits.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub bits: u32,
    /// Number of positions that random keys would be expected to lose to collisions.
    pub expected: f64,
    /// Mean number of positions lost per key table.
    pub mean: f64,
    /// The mean divided by the expected number, or null if the expected number is 0.
    pub ratio: Option<f64>,
    /// Number of positions that were lost with each key table.
    pub lost: Losses,
    /// Number of positions that were lost with each random key table.
    pub band: Losses,
    /// Verdict.
    pub verdict: AuditVerdict,
}

/// The collisions of a scheme's keys.
#[perft_gate_chess::document(decimal, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Collisions {
    /// Name of the scheme.
    pub scheme: String,
    /// First seed of the scheme's key tables, or null if its only table is published or comes from a file.
    pub first_seed: Option<u64>,
    /// Width of its keys in bits.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub key_bits: u32,
    /// E.p. policy.
    #[serde(rename = "ep_policy")]
    pub policy: EnPassantPolicy,
    /// Number of distinct positions under the e.p. policy.
    pub positions: u64,
    /// The worst verdict of its rows.
    pub verdict: AuditVerdict,
    /// Requested window widths that exceed the width of the scheme's keys.
    pub left_out: Vec<u32>,
    /// Results grouped by window, then by width, each in the requested order.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub rows: Vec<CollisionRow>,
}

/// Counts each scheme's key collisions among the positions `depth` plies below `board`. Runs on the current rayon pool.
/// Returns `None` if stopped. Calls `counted` with the number of finished key tables.
///
/// **Errors**: if the positions do not fit into the memory. **Panics** if a scheme has no keys, or keys of more than 64
/// bits.
pub fn collisions(
    board: &Board,
    depth: u32,
    schemes: &[Scheme],
    options: &CollisionOptions,
    control: &Control,
    mut counted: impl FnMut(Progress),
) -> Result<Option<Vec<Collisions>>, UniqueError> {
    let of_policy = |policy| schemes.iter().enumerate().filter(move |(_, scheme)| scheme.policy() == policy);
    let policies = EnPassantPolicy::ALL.into_iter().filter(|&policy| of_policy(policy).next().is_some());
    let number_of_tables = |scheme: &Scheme| if scheme.is_fixed() { 1 } else { options.seeds };
    let total = schemes.iter().map(number_of_tables).sum::<u64>() + policies.clone().count() as u64 * options.band();
    let mut progress = Progress { done: 0, total };
    let mut results: Vec<Option<Collisions>> = vec![None; schemes.len()];
    for policy in policies {
        counted(progress);
        let memory = (options.memory, options.level);
        let Some(mut positions) = PlyPositions::new(board, depth, policy, memory, control)? else { return Ok(None) };
        let n = positions.number;
        let mut lost = |tables: &mut dyn Iterator<Item = KeyTables>, key_bits: u32| {
            let parts = options.parts(key_bits);
            let mut lost = vec![Vec::new(); parts.len()];
            for key_tables in tables {
                let distinct = positions.count_distinct(&key_tables, key_bits, &parts, control)?;
                lost.iter_mut().zip(distinct).for_each(|(lost, distinct)| lost.push(n - distinct));
                progress.done += 1;
                counted(progress);
            }
            Some(parts.into_iter().zip(lost.into_iter().map(Losses::new)).collect::<Vec<_>>())
        };
        // Random tables come from seeds at the far end of the range, which no scheme is likely to use.
        let random = Scheme::of_axes(Axes { policy, ..Axes::CPW793 });
        let mut random = (0..options.band()).filter_map(|set| random.key_tables(u64::MAX - set));
        let Some(band) = lost(&mut random, MAX_KEY_BITS) else { return Ok(None) };
        for (number, scheme) in of_policy(policy) {
            let key_bits = key_bits(scheme);
            let seeds = (!scheme.is_fixed()).then(|| options.first_seed..options.first_seed + options.seeds);
            let tables = |seed| scheme.key_tables(seed).expect("a scheme with keys");
            let Some(lost) = lost(&mut seeds.clone().unwrap_or(0..1).map(tables), key_bits) else { return Ok(None) };
            let rows = lost.into_iter().map(|(part, lost)| {
                let (_, band) = band.iter().find(|(known, _)| *known == part).expect("a band of every part");
                let (KeyPart { window, bits }, mean) = (part, lost.mean());
                let expected = expected_lost(n, bits);
                let ratio = Some(mean / expected).filter(|ratio| ratio.is_finite());
                let verdict = verdict(n, expected, &lost, band);
                CollisionRow { window, bits, expected, mean, ratio, lost, band: band.clone(), verdict }
            });
            let rows: Vec<CollisionRow> = rows.collect();
            results[number] = Some(Collisions {
                scheme: scheme.name.to_string(),
                first_seed: seeds.map(|seeds| seeds.start),
                key_bits,
                policy,
                positions: n,
                verdict: rows.iter().map(|row| row.verdict).max().unwrap_or(AuditVerdict::Sound),
                left_out: options.widths.iter().copied().filter(|&bits| bits > key_bits).collect(),
                rows,
            });
        }
    }
    Ok(Some(results.into_iter().flatten().collect()))
}

/// Returns the width of a scheme's keys in bits.
pub fn key_bits(scheme: &Scheme) -> u32 {
    scheme.axes.map_or(0, |axes| axes.width.bits())
}

/// Minimum number of random tables to compare with.
pub const MIN_BAND: u64 = 20;

/// Rank sums that chance exceeds once in 10,000 and once in a million tests, in standard deviations above the mean.
const SUSPICIOUS_Z: f64 = 3.72;
const BROKEN_Z: f64 = 4.75;
/// Mean losses, in multiples of the expected loss, that random tables reach at most once in 1000 tests and once in
/// 10,000 tests.
const SUSPICIOUS_EXCESS: f64 = 1e3;
const BROKEN_EXCESS: f64 = 1e4;
/// Minimum number of tables for a rank test.
const MIN_RANKED: usize = 8;
/// Distance from the band (of random losses) beyond which a table is an outlier, in multiples of the band's width.
const SUSPICIOUS_WIDTHS: f64 = 2.0;
const BROKEN_WIDTHS: f64 = 10.0;
/// A scheme is harmful, not merely regular, if its losses exceed `HARMFUL_LOSS` times the band's losses, or if its
/// number of distinct keys falls below `HARMFUL_REST` times the band's number.
const HARMFUL_LOSS: f64 = 1.5;
const HARMFUL_REST: f64 = 0.75;

/// Number of positions lost with each of several key tables.
#[perft_gate_chess::document(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Losses(
    #[serde(with = "DecimalList")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    Vec<u64>,
);

impl Losses {
    /// Creates a list of losses, one for each table. There must be at least one table.
    pub fn new(by_table: Vec<u64>) -> Losses {
        assert!(!by_table.is_empty(), "the loss of at least one table");
        Losses(by_table)
    }

    /// Returns the losses in the order of the seeds.
    pub fn by_table(&self) -> &[u64] {
        &self.0
    }

    pub fn mean(&self) -> f64 {
        self.0.iter().map(|&lost| lost as f64).sum::<f64>() / self.0.len() as f64
    }

    pub fn min(&self) -> u64 {
        self.0.iter().copied().min().expect("one table")
    }

    pub fn max(&self) -> u64 {
        self.0.iter().copied().max().expect("one table")
    }

    /// Returns the median. If there are two middle values, this is the upper one.
    pub fn median(&self) -> u64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted[sorted.len() / 2]
    }
}

/// Judges the losses of a scheme's tables, given the number of positions, the expected loss and the losses of the
/// random tables.
pub fn verdict(positions: u64, expected: f64, lost: &Losses, band: &Losses) -> AuditVerdict {
    let excess = if lost.max() == 0 { 0.0 } else { lost.mean() / expected };
    let z = if lost.0.len() < MIN_RANKED { 0.0 } else { rank_sum(&lost.0, &band.0) };
    let is_far_out = |widths: f64| {
        let width = (band.max() - band.min()).max(1) as f64;
        // If a random table loses no position, the width of the band means nothing.
        band.min() > 0 && lost.median() as f64 > band.max() as f64 + widths * width
    };
    let distinct = |lost: u64| (positions - lost) as f64;
    let is_harmful = lost.median() as f64 > HARMFUL_LOSS * band.median() as f64
        || distinct(lost.median()) < HARMFUL_REST * distinct(band.median());
    if excess >= BROKEN_EXCESS || is_harmful && (z >= BROKEN_Z || is_far_out(BROKEN_WIDTHS)) {
        AuditVerdict::Broken
    } else if excess >= SUSPICIOUS_EXCESS || z >= SUSPICIOUS_Z || is_far_out(SUSPICIOUS_WIDTHS) {
        AuditVerdict::Suspicious
    } else {
        AuditVerdict::Sound
    }
}

/// Returns the rank sum of `numbers` among `numbers` and `others` together, in standard deviations above its mean.
fn rank_sum(numbers: &[u64], others: &[u64]) -> f64 {
    let (n, m) = (numbers.len() as f64, others.len() as f64);
    let mut all: Vec<(u64, bool)> = numbers.iter().map(|&number| (number, true)).collect();
    all.extend(others.iter().map(|&number| (number, false)));
    all.sort_unstable();
    let (mut sum, mut before, mut tied) = (0.0, 0.0, 0.0);
    for equal in all.chunk_by(|a, b| a.0 == b.0) {
        let length = equal.len() as f64;
        sum += equal.iter().filter(|(_, is_ours)| *is_ours).count() as f64 * (before + (length + 1.0) / 2.0);
        tied += length * (length * length - 1.0);
        before += length;
    }
    let total = n + m;
    let variance = n * m / 12.0 * (total + 1.0 - tied / (total * (total - 1.0)));
    if variance <= 0.0 { 0.0 } else { (sum - n * (total + 1.0) / 2.0) / variance.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AuditVerdict::{Broken, Sound, Suspicious};

    fn lost(by_table: impl IntoIterator<Item = u64>) -> Losses {
        Losses::new(by_table.into_iter().collect())
    }

    #[test]
    fn rank_sums_are_those_of_the_textbook() {
        // For these numbers, Mann and Whitney's U is 25 of 25. Its mean is 12.5 and its variance 5 · 5 · 11 / 12.
        assert!((rank_sum(&[6, 7, 8, 9, 10], &[1, 2, 3, 4, 5]) - 12.5 / (275.0_f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(rank_sum(&[1, 3], &[2, 2]), 0.0);
        assert_eq!(rank_sum(&[7; 20], &[7; 20]), 0.0);
        // Ties make the variance smaller: U is 4 of 4, the variance 1/3 · (5 − 12/12).
        assert!((rank_sum(&[2, 2], &[1, 1]) - 2.0 / (4.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_band_judges_sets_and_single_ones() {
        let band = lost((0..20).map(|i| 9_800 + 70 * i));
        let judge = |by_table: Vec<u64>| verdict(9_417_681, 10_317.6, &lost(by_table), &band);
        assert_eq!(judge((0..20).map(|i| 9_700 + 80 * i).collect()), Sound);
        // A single unlucky table is not enough, however unlucky it is, but a shift of all tables is.
        assert_eq!(judge((0..20).map(|i| if i == 7 { 60_000 } else { 10_000 }).collect()), Sound);
        assert_eq!(judge((0..20).map(|i| 11_300 + i).collect()), Suspicious);
        assert_eq!(judge((0..20).map(|i| 20_000 + i).collect()), Broken);
        assert_eq!((judge(vec![11_500]), judge(vec![15_000]), judge(vec![40_000])), (Sound, Suspicious, Broken));
    }

    #[test]
    fn where_nothing_is_expected_only_markov_speaks() {
        let band = lost([0; 20]);
        let judge = |expected: f64, by_table: Vec<u64>| verdict(9_417_681, expected, &lost(by_table), &band);
        assert_eq!(judge(2.4e-6, vec![0; 20]), Sound);
        assert_eq!(judge(2.4e-6, vec![824_098]), Broken);
        // One seed of twenty loses one position at 64 bits, which happens by chance once in 20,000 times.
        assert_eq!(judge(2.4e-6, (0..20).map(|i| u64::from(i == 3)).collect()), Broken);
        assert_eq!(judge(0.16, vec![30]), Sound);
        assert_eq!(judge(0.16, vec![200]), Suspicious);
    }

    #[test]
    fn full_windows_are_judged_by_the_keys_that_are_left() {
        let positions = 9_417_681;
        let band = lost((0..20).map(|_| positions - 65_536));
        let judge = |kept: u64| verdict(positions, (positions - 65_536) as f64, &lost([positions - kept; 20]), &band);
        assert_eq!((judge(65_536), judge(65_000), judge(32_768)), (Sound, Suspicious, Broken));
    }
}
