//! What an interval lets one say.

use super::statistics::Interval;
use std::fmt;

/// The noise floor: how different the same work seems from itself.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Floor(f64);

impl Floor {
    /// No floor is lower: where a function lies in memory alone makes such a difference between equal ones.
    pub const LEAST: Floor = Floor(0.005);

    /// From the ratio of the work to itself: the end of its interval that is farther from 1.
    pub fn of(itself: Interval) -> Floor {
        Floor((itself.high - 1.0).max(1.0 - itself.low).max(Floor::LEAST.0))
    }

    /// This or more: noise that was seen otherwise, as a part of the time.
    pub fn at_least(self, part: f64) -> Floor {
        Floor(self.0.max(part))
    }

    /// As a part of the time.
    pub fn part(self) -> f64 {
        self.0
    }
}

/// What can be said of the ratio of one time to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All of the interval lies above 1 and the noise.
    Slower,
    /// All of the interval lies below 1 and the noise.
    Faster,
    /// The interval holds 1 and is narrow: were there a difference beyond the noise, it would show.
    NoDifferenceSeen,
    /// The interval is wider than the noise, or neither holds 1 nor lies beyond the noise, or there are too few values.
    Undecided,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 4] = [Verdict::Slower, Verdict::Faster, Verdict::NoDifferenceSeen, Verdict::Undecided];

    /// Judges an interval of enough values.
    pub fn of(ratio: Interval, floor: Floor) -> Verdict {
        match floor {
            Floor(floor) if ratio.low > 1.0 + floor => Verdict::Slower,
            Floor(floor) if ratio.high < 1.0 - floor => Verdict::Faster,
            floor if ratio.low <= 1.0 && ratio.high >= 1.0 && is_narrow(ratio, floor) => Verdict::NoDifferenceSeen,
            _ => Verdict::Undecided,
        }
    }

    /// As tables and JSON write it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
            Verdict::NoDifferenceSeen => "no difference seen",
            Verdict::Undecided => "undecided",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Does an interval reach no farther from its middle than the noise does from 1?
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
            (1.021, 1.5, Verdict::Slower),
            (1.019, 1.5, Verdict::Undecided),
            (1.001, 1.03, Verdict::Undecided),
            (0.97, 0.999, Verdict::Undecided),
            (0.99, 1.01, Verdict::NoDifferenceSeen),
            (0.5, 0.979, Verdict::Faster),
            (0.9, 1.1, Verdict::Undecided),
        ] {
            assert_eq!(Verdict::of(interval(low, high), floor), verdict, "{low} to {high}");
        }
    }

    #[test]
    fn the_floor_is_never_below_what_layout_does() {
        assert_eq!(Floor::of(interval(0.9999, 1.0001)), Floor::LEAST);
    }
}
