//! Medians, their confidence intervals, and the verdict that an interval allows.
//!
//! Times on a shared machine have long tails, so the centre is the median and the spread is the median absolute
//! deviation. No value is discarded. The interval of a median is the percentile bootstrap interval, but computed
//! without drawing resamples. A resample of `n` values has its median at or below the `k`-th smallest if at least half
//! of its draws are among the `k` smallest, and the probability of that is a tail of the binomial distribution B(n,
//! k/n). So the interval equals that of infinitely many resamples, which matters at 99.99 %, where a thousand resamples
//! say nothing.
//!
//! Source: Efron 1979, "Bootstrap Methods: Another Look at the Jackknife", section 3.

use serde::{Deserialize, Serialize};

/// Returns the middle value, or the mean of the middle two. **Panics** if there are no values.
pub fn median(values: &[f64]) -> f64 {
    let sorted = sort(values);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

/// Returns the median absolute deviation from the median. **Panics** if there are no values.
pub fn deviation(values: &[f64]) -> f64 {
    let middle = median(values);
    median(&values.iter().map(|value| (value - middle).abs()).collect::<Vec<_>>())
}

fn sort(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Probability that at least one interval of a table misses its true value.
pub const TABLE_ERROR: f64 = 0.001;

/// A median and its bootstrap interval.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Median of the measured values.
    pub median: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the interval of the median of `values`, for use in a table with `comparisons` comparisons. Each
    /// comparison gets an equal share of the [`TABLE_ERROR`] (Bonferroni). **Panics** if there are no values.
    pub fn of_median(values: &[f64], comparisons: usize) -> Interval {
        let sorted = sort(values);
        let (count, tail) = (sorted.len(), TABLE_ERROR / comparisons.max(1) as f64 / 2.0);
        let factorials = log_factorials(count);
        // If there are two middle values, each end uses the outer one, so the interval is too wide, not too narrow.
        let [lower, upper] = [count.div_ceil(2), count / 2 + 1];
        let rank = |draws: usize, part: f64| {
            let ranks: Vec<usize> = (1..=count).collect();
            ranks.partition_point(|&rank| at_most(&factorials, rank, draws) <= part).min(count - 1)
        };
        Interval { low: sorted[rank(lower, tail)], median: median(values), high: sorted[rank(upper, 1.0 - tail)] }
    }
}

/// Terms smaller than this fraction of a sum do not change it, even if there are a thousand of them.
const NEGLIGIBLE: f64 = 1e-20;

/// Returns the logarithms of the factorials up to `count`.
fn log_factorials(count: usize) -> Vec<f64> {
    let logarithms = (1..=count).scan(0.0, |sum, number| {
        *sum += (number as f64).ln();
        Some(*sum)
    });
    std::iter::once(0.0).chain(logarithms).collect()
}

/// Returns the probability that at least `draws` of the `n` draws of a resample are among the `rank` smallest values.
/// `factorials` has the logarithms of the factorials up to `n`.
fn at_most(factorials: &[f64], rank: usize, draws: usize) -> f64 {
    let count = factorials.len() - 1;
    if rank >= count {
        return 1.0;
    }
    let part = rank as f64 / count as f64;
    let likelihood = |drawn: usize| {
        let ways = factorials[count] - factorials[drawn] - factorials[count - drawn];
        (ways + drawn as f64 * part.ln() + (count - drawn) as f64 * (1.0 - part).ln()).exp()
    };
    let mut sum = 0.0;
    for drawn in draws..=count {
        let term = likelihood(drawn);
        sum += term;
        // Beyond the most likely number, terms only get smaller, so the rest does not change the sum.
        if drawn as f64 > part * count as f64 && term <= sum * NEGLIGIBLE {
            break;
        }
    }
    sum
}

/// Noise floor: the difference that is measured if code is timed against itself, as a fraction of the time.
#[perft_gate_chess::document(Serialize, Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Floor(#[cfg_attr(feature = "schema", schemars(range(min = 0)))] pub f64);

impl Floor {
    /// Minimum floor. Equal functions can differ by this much just because they are at different addresses.
    pub const MIN: Floor = Floor(0.005);

    /// Returns how far `itself`, the ratio of code's time to itself, reaches from 1, but at least `Floor::MIN`.
    pub fn new(itself: Interval) -> Floor {
        Floor((itself.high - 1.0).max(1.0 - itself.low).max(Floor::MIN.0))
    }
}

perft_gate_chess::named! {
    /// Verdict on the ratio of two times.
    #[perft_gate_chess::document(kebab, Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
    pub enum CostVerdict {
        /// The whole interval lies above 1 by more than the noise.
        Slower = "slower",
        /// The whole interval lies below 1 by more than the noise.
        Faster = "faster",
        /// The interval contains 1 and is so narrow that a difference beyond the noise would show.
        #[serde(rename = "no measurable difference")]
        NoMeasurableDifference = "no measurable difference",
        /// The interval is wider than the noise, or neither contains 1 nor lies beyond the noise, or there are too few
        /// values.
        Undecided = "undecided",
    }
}

impl CostVerdict {
    /// Judges an interval that is based on enough values.
    pub fn new(ratio: Interval, floor: Floor) -> CostVerdict {
        match floor {
            Floor(floor) if ratio.low > 1.0 + floor => CostVerdict::Slower,
            Floor(floor) if ratio.high < 1.0 - floor => CostVerdict::Faster,
            floor if ratio.low <= 1.0 && ratio.high >= 1.0 && is_narrow(ratio, floor) => {
                CostVerdict::NoMeasurableDifference
            }
            _ => CostVerdict::Undecided,
        }
    }

    /// Returns the smallest difference that is visible beyond the noise with an interval of this width, as a fraction
    /// of the time. A smaller difference gets a `Faster` or `Slower` verdict in less than half of the runs.
    pub fn smallest_visible(ratio: Interval, floor: Floor) -> f64 {
        floor.0 + (ratio.high - ratio.median).max(ratio.median - ratio.low) / ratio.median
    }
}

/// Returns true if half of an interval's width is at most the noise floor.
pub(super) fn is_narrow(ratio: Interval, floor: Floor) -> bool {
    (ratio.high - ratio.low) / 2.0 <= floor.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    fn numbers(seed: u64, count: usize) -> Vec<f64> {
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        (0..count).map(|_| random.next_u32() as f64 / f64::from(u32::MAX)).collect()
    }

    #[test]
    fn the_middle_and_the_spread() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(deviation(&[1.0, 2.0, 3.0, 4.0, 1000.0]), 1.0);
    }

    /// The ends of the interval are percentiles of the medians of resamples that are actually drawn.
    #[test]
    fn the_interval_is_that_of_many_resamples() {
        let values = numbers(1, 41);
        let mut random = ChaCha20Rng::seed_from_u64(2);
        let resample = |random: &mut ChaCha20Rng| {
            let drawn: Vec<f64> = (0..41).map(|_| values[(random.next_u64() % 41) as usize]).collect();
            median(&drawn)
        };
        let mut medians: Vec<f64> = (0..200_000).map(|_| resample(&mut random)).collect();
        medians.sort_by(f64::total_cmp);
        let tail = TABLE_ERROR / 2.0;
        let at = |part: f64| medians[(part * medians.len() as f64) as usize];
        let found = Interval::of_median(&values, 1);
        assert_eq!((found.low, found.high), (at(tail), at(1.0 - tail)));
    }

    #[test]
    fn an_interval_holds_the_truth_as_often_as_it_says() {
        // With an error probability of 0.1 %, about two of 2000 intervals should miss the true median. With 0.001 %,
        // none should.
        let count_misses = |comparisons| {
            let sets = (0..2000).map(|seed| Interval::of_median(&numbers(seed, 41), comparisons));
            sets.filter(|interval| interval.low > 0.5 || interval.high < 0.5).count()
        };
        assert!(count_misses(1) <= 10);
        assert_eq!(count_misses(100), 0);
    }

    #[test]
    fn more_comparisons_make_wider_intervals_and_more_values_narrower_ones() {
        let width_of = |values: &[f64], comparisons| {
            let Interval { low, high, .. } = Interval::of_median(values, comparisons);
            high - low
        };
        let width = |count, comparisons| width_of(&numbers(3, count), comparisons);
        assert!(width(101, 1) < width(101, 50));
        assert!(width(1001, 1) < width(101, 1) / 2.0);
        assert_eq!(width_of(&[7.0], 1), 0.0);
    }

    fn interval(low: f64, high: f64) -> Interval {
        Interval { low, median: (low + high) / 2.0, high }
    }

    #[test]
    fn a_verdict_needs_the_near_end_beyond_the_noise() {
        let floor = Floor::new(interval(0.99, 1.02));
        assert_eq!(floor, Floor(1.02 - 1.0));
        // The floor is never below the difference that code layout alone can cause.
        assert_eq!(Floor::new(interval(0.9999, 1.0001)), Floor::MIN);
        for (low, high, verdict) in [
            (1.021, 1.5, CostVerdict::Slower),
            (1.019, 1.5, CostVerdict::Undecided),
            (1.001, 1.03, CostVerdict::Undecided),
            (0.97, 0.999, CostVerdict::Undecided),
            (0.99, 1.01, CostVerdict::NoMeasurableDifference),
            (0.5, 0.979, CostVerdict::Faster),
            (0.9, 1.1, CostVerdict::Undecided),
        ] {
            assert_eq!(CostVerdict::new(interval(low, high), floor), verdict, "{low} to {high}");
        }
    }

    #[test]
    fn a_difference_is_visible_if_its_interval_clears_the_noise() {
        let floor = Floor::new(interval(0.99, 1.01));
        let visible = CostVerdict::smallest_visible(interval(0.98, 1.02), floor);
        assert!((visible - 0.03).abs() < 1e-9, "{visible}");
        // An interval of the same width is put around a slightly larger and a slightly smaller difference.
        let around = |ratio: f64| interval(0.98 * ratio, 1.02 * ratio);
        assert_eq!(CostVerdict::new(around(1.0 + visible + 0.001), floor), CostVerdict::Slower);
        assert_eq!(CostVerdict::new(around(1.0 + visible - 0.001), floor), CostVerdict::Undecided);
    }
}
