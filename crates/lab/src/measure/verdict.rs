//! Verdict that an interval allows.

use super::statistics::Interval;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Noise floor: the difference that the same work shows from itself, as a fraction of the time.
#[derive(Serialize, Clone, Copy, PartialEq, PartialOrd, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Floor(#[cfg_attr(feature = "schema", schemars(range(min = 0)))] f64);

impl Floor {
    /// Minimum floor: the memory placement of a function alone makes this much difference between equal ones.
    pub const MIN: Floor = Floor(0.005);

    /// Returns the floor from the ratio of a work to itself: the end of the interval that is farther from 1.
    pub fn of(itself: Interval) -> Floor {
        Floor((itself.high - 1.0).max(1.0 - itself.low).max(Floor::MIN.0))
    }

    /// Returns this floor or `part`, whichever is higher: `part` is noise seen in another way, as a fraction of the
    /// time.
    pub fn at_least(self, part: f64) -> Floor {
        Floor(self.0.max(part))
    }

    /// Returns the floor as a fraction of the time.
    pub fn part(self) -> f64 {
        self.0
    }
}

/// Verdict on the ratio of two times.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CostVerdict {
    /// The whole interval lies above 1 by more than the noise.
    Slower,
    /// The whole interval lies below 1 by more than the noise.
    Faster,
    /// The interval contains 1 and is narrow: a difference beyond the noise would show.
    #[serde(rename = "no difference seen")]
    NoDifferenceSeen,
    /// The interval is wider than the noise, or neither contains 1 nor lies beyond the noise, or there are too few
    /// values.
    Undecided,
}

impl CostVerdict {
    /// Every verdict.
    pub const ALL: [CostVerdict; 4] =
        [CostVerdict::Slower, CostVerdict::Faster, CostVerdict::NoDifferenceSeen, CostVerdict::Undecided];

    /// Judges an interval of enough values.
    pub fn of(ratio: Interval, floor: Floor) -> CostVerdict {
        match floor {
            Floor(floor) if ratio.low > 1.0 + floor => CostVerdict::Slower,
            Floor(floor) if ratio.high < 1.0 - floor => CostVerdict::Faster,
            floor if ratio.low <= 1.0 && ratio.high >= 1.0 && is_narrow(ratio, floor) => CostVerdict::NoDifferenceSeen,
            _ => CostVerdict::Undecided,
        }
    }

    /// Returns the smallest difference, as a fraction of the time, that an interval of this width would show beyond the
    /// noise: a smaller one is called faster or slower in less than half of the runs.
    pub fn smallest_visible(ratio: Interval, floor: Floor) -> f64 {
        floor.0 + (ratio.high - ratio.median).max(ratio.median - ratio.low) / ratio.median
    }

    /// Returns the name used in tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            CostVerdict::Slower => "slower",
            CostVerdict::Faster => "faster",
            CostVerdict::NoDifferenceSeen => "no difference seen",
            CostVerdict::Undecided => "undecided",
        }
    }
}

impl fmt::Display for CostVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns true if an interval reaches no farther from its middle than the noise from 1.
pub(super) fn is_narrow(ratio: Interval, floor: Floor) -> bool {
    ratio.half_width() <= floor.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, high: f64) -> Interval {
        Interval { low, median: (low + high) / 2.0, high }
    }

    #[test]
    fn a_verdict_needs_the_near_end_beyond_the_noise() {
        let floor = Floor::of(interval(0.99, 1.02));
        assert_eq!(floor, Floor(1.02 - 1.0));
        for (low, high, verdict) in [
            (1.021, 1.5, CostVerdict::Slower),
            (1.019, 1.5, CostVerdict::Undecided),
            (1.001, 1.03, CostVerdict::Undecided),
            (0.97, 0.999, CostVerdict::Undecided),
            (0.99, 1.01, CostVerdict::NoDifferenceSeen),
            (0.5, 0.979, CostVerdict::Faster),
            (0.9, 1.1, CostVerdict::Undecided),
        ] {
            assert_eq!(CostVerdict::of(interval(low, high), floor), verdict, "{low} to {high}");
        }
    }

    #[test]
    fn a_difference_is_visible_if_its_interval_clears_the_noise() {
        let floor = Floor::of(interval(0.99, 1.01));
        let visible = CostVerdict::smallest_visible(interval(0.98, 1.02), floor);
        assert!((visible - 0.03).abs() < 1e-9, "{visible}");
        // The same interval around a difference a little larger, and a little smaller.
        let around = |ratio: f64| interval(0.98 * ratio, 1.02 * ratio);
        assert_eq!(CostVerdict::of(around(1.0 + visible + 0.001), floor), CostVerdict::Slower);
        assert_eq!(CostVerdict::of(around(1.0 + visible - 0.001), floor), CostVerdict::Undecided);
    }

    #[test]
    fn the_floor_is_never_below_what_layout_does() {
        assert_eq!(Floor::of(interval(0.9999, 1.0001)), Floor::MIN);
    }
}
