//! Medians, and their confidence intervals.
//!
//! Times on a shared machine have long tails, so the centre is the median and the spread is the median absolute
//! deviation; no value is discarded. The interval of a median is the percentile bootstrap's, but resamples are not
//! drawn: a resample of `n` values has its median at or below the `k`-th smallest if at least half of its draws are
//! among the `k` smallest, and the probability of that is a tail of the binomial distribution B(n, k/n). So the
//! interval is the one that infinitely many resamples would give, which matters at 99.99 %, where a thousand resamples
//! say nothing.
//!
//! Source: Efron 1979, "Bootstrap Methods: Another Look at the Jackknife", section 3.

/// Returns the middle value, or the mean of the middle two. **Panics** without values.
pub fn median(values: &[f64]) -> f64 {
    let sorted = sort(values);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

/// Returns the median distance from the median. **Panics** without values.
pub fn deviation(values: &[f64]) -> f64 {
    let middle = median(values);
    median(&values.iter().map(|value| (value - middle).abs()).collect::<Vec<_>>())
}

fn sort(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Probability that an interval misses, over all comparisons of a table together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Confidence {
    comparisons: usize,
}

impl Confidence {
    /// Probability that any interval of a table misses.
    pub const ERROR: f64 = 0.001;

    /// Returns the confidence for a table of this many comparisons: each gets its share of the error (Bonferroni).
    pub fn of_comparisons(comparisons: usize) -> Confidence {
        Confidence { comparisons: comparisons.max(1) }
    }

    /// Returns the probability that one interval misses.
    pub fn error(self) -> f64 {
        Confidence::ERROR / self.comparisons as f64
    }
}

/// A median and its bootstrap interval.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Median of the measured values.
    pub median: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the interval of the median of `values`. **Panics** without values.
    pub fn of_median(values: &[f64], confidence: Confidence) -> Interval {
        let sorted = sort(values);
        let (count, tail) = (sorted.len(), confidence.error() / 2.0);
        let resamples = Resamples::new(count);
        // If there are two middle values, take the outer one, so that the interval is too wide rather than too narrow.
        let [lower, upper] = [count.div_ceil(2), count / 2 + 1];
        let rank = |draws: usize, part: f64| {
            let ranks: Vec<usize> = (1..=count).collect();
            ranks.partition_point(|&rank| resamples.at_most(rank, draws) <= part).min(count - 1)
        };
        Interval { low: sorted[rank(lower, tail)], median: median(values), high: sorted[rank(upper, 1.0 - tail)] }
    }

    /// Returns half of its width.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Terms this small do not change a sum, even a thousand of them.
const NEGLIGIBLE: f64 = 1e-20;

/// Distribution of the draws of a resample of `n` values.
struct Resamples {
    /// Logarithms of the factorials up to `n`.
    factorials: Vec<f64>,
}

impl Resamples {
    fn new(count: usize) -> Resamples {
        let logarithms = (1..=count).scan(0.0, |sum, number| {
            *sum += (number as f64).ln();
            Some(*sum)
        });
        Resamples { factorials: std::iter::once(0.0).chain(logarithms).collect() }
    }

    /// Returns the probability that at least `draws` of the `n` draws are among the `rank` smallest values.
    fn at_most(&self, rank: usize, draws: usize) -> f64 {
        let count = self.factorials.len() - 1;
        if rank >= count {
            return 1.0;
        }
        let part = rank as f64 / count as f64;
        let likelihood = |drawn: usize| {
            let ways = self.factorials[count] - self.factorials[drawn] - self.factorials[count - drawn];
            (ways + drawn as f64 * part.ln() + (count - drawn) as f64 * (1.0 - part).ln()).exp()
        };
        let mut sum = 0.0;
        for drawn in draws..=count {
            let term = likelihood(drawn);
            sum += term;
            // Beyond the most likely number the terms only fall: the rest would not change the sum.
            if drawn as f64 > part * count as f64 && term <= sum * NEGLIGIBLE {
                break;
            }
        }
        sum
    }
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

    /// The interval ends where the medians of drawn resamples have their percentiles.
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
        let tail = Confidence::of_comparisons(1).error() / 2.0;
        let at = |part: f64| medians[(part * medians.len() as f64) as usize];
        let found = Interval::of_median(&values, Confidence::of_comparisons(1));
        assert_eq!((found.low, found.high), (at(tail), at(1.0 - tail)));
    }

    #[test]
    fn an_interval_holds_the_truth_as_often_as_it_says() {
        // A hundred times the error, so that misses can be counted: 5 % of 2000 sets, 100 plus or minus 10.
        let count_misses = |confidence: Confidence| {
            let sets = (0..2000).map(|seed| Interval::of_median(&numbers(seed, 41), confidence));
            sets.filter(|interval| interval.low > 0.5 || interval.high < 0.5).count()
        };
        assert!(count_misses(Confidence::of_comparisons(1)) <= 10);
        assert_eq!(count_misses(Confidence::of_comparisons(100)), 0);
    }

    #[test]
    fn more_comparisons_make_wider_intervals_and_more_values_narrower_ones() {
        let width = |count, comparisons| {
            Interval::of_median(&numbers(3, count), Confidence::of_comparisons(comparisons)).half_width()
        };
        assert!(width(101, 1) < width(101, 50));
        assert!(width(1001, 1) < width(101, 1) / 2.0);
        assert_eq!(Interval::of_median(&[7.0], Confidence::of_comparisons(1)).half_width(), 0.0);
    }
}
