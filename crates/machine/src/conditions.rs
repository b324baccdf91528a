//! Conditions of a run: the load of the machine, its temperature and its clock speed.
//!
//! A thread samples them during the run. A field is absent if the system does not report it: virtual machines have no
//! temperatures, and systems other than Linux report little. The governor and the boost are in [`System`].
//!
//! [`System`]: crate::hardware::System

use serde::{Deserialize, Serialize};

/// Conditions of a run.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, Default, PartialEq, Debug)]
pub struct Conditions {
    /// Time of the whole run in seconds.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub seconds: f64,
    /// Number of samples.
    pub samples: u64,
    /// Load average of the last minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 } })))]
    pub load: Option<Readings>,
    /// Share of the time in which a processor had work, but the hypervisor ran another virtual machine; 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 }, "max": { "maximum": 1 } })))]
    pub steal: Option<Readings>,
    /// Share of all processor time that other programs took; 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 }, "max": { "maximum": 1 } })))]
    pub others: Option<Readings>,
    /// Number of runnable threads of other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 } })))]
    pub runnable: Option<Readings>,
    /// Clock speed of one thread in GHz, by a loop whose cycles are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 } })))]
    pub clock_ghz: Option<Readings>,
    /// The same while all threads run that loop: the slowest of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Readings", extend("properties" = { "min": { "minimum": 0 } })))]
    pub clock_all_ghz: Option<Readings>,
    /// Temperature of the processor in degrees Celsius, at its hottest sensor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Readings"))]
    pub celsius: Option<Readings>,
    /// Reasons why the scores are not comparable, as sentences; empty if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Beginning of the warning that marks a disturbed record.
pub const NEIGHBOURS_TOOK: &str = "neighbours took";

/// A quantity over a run.
#[perft_gate_kernel::document(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct Readings {
    /// First value.
    pub start: f64,
    /// Last value.
    pub end: f64,
    /// Smallest value.
    pub min: f64,
    /// Mean of the values.
    pub mean: f64,
    /// Largest value.
    pub max: f64,
}

impl Readings {
    /// Returns the readings of these values, rounded to four decimals; `None` if there are none.
    pub fn summarize(values: &[f64]) -> Option<Readings> {
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let [start, end] = [*values.first()?, *values.last()?].map(round);
        Some(Readings {
            start,
            end,
            min: round(values.iter().copied().fold(f64::INFINITY, f64::min)),
            mean: round(values.iter().sum::<f64>() / values.len() as f64),
            max: round(values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        })
    }

    /// Returns true if these can be readings of values from `low` to `high`.
    fn is_within(self, low: f64, high: f64) -> bool {
        let Readings { start, end, min, mean, max } = self;
        low <= min && max <= high && [start, end, mean].iter().all(|value| (min..=max).contains(value))
    }
}

impl Conditions {
    /// Returns the share of the time that neighbours took, 0 to 1: other programs and other virtual machines. Returns
    /// `None` if the system reports neither.
    pub fn neighbours(&self) -> Option<f64> {
        let means = [self.steal, self.others].map(|readings| readings.map(|readings| readings.mean));
        (means != [None; 2]).then(|| means.into_iter().flatten().sum::<f64>().min(1.0))
    }

    /// Returns the first field with impossible readings, and its expected values.
    pub fn find_impossible(&self) -> Option<(&'static str, &'static str)> {
        const POSITIVE: &str = "readings of at least 0, the others between the smallest and the largest";
        const SHARES: &str = "shares from 0 to 1, the others between the smallest and the largest";
        const CELSIUS: &str = "degrees from -100 to 200, the others between the smallest and the largest";
        let fields = [
            ("load", self.load, 0.0, f64::MAX, POSITIVE),
            ("steal", self.steal, 0.0, 1.0, SHARES),
            ("others", self.others, 0.0, 1.0, SHARES),
            ("runnable", self.runnable, 0.0, f64::MAX, POSITIVE),
            ("clock_ghz", self.clock_ghz, 0.0, f64::MAX, POSITIVE),
            ("clock_all_ghz", self.clock_all_ghz, 0.0, f64::MAX, POSITIVE),
            ("celsius", self.celsius, -100.0, 200.0, CELSIUS),
        ];
        let is_impossible =
            |readings: Option<Readings>, low, high| readings.is_some_and(|readings| !readings.is_within(low, high));
        fields
            .into_iter()
            .find(|(_, readings, low, high, _)| is_impossible(*readings, *low, *high))
            .map(|(name, .., expected)| (name, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_of_values_in_order() {
        let found = Readings::summarize(&[2.0, 1.0, 6.0, 3.0]).unwrap();
        assert_eq!(found, Readings { start: 2.0, end: 3.0, min: 1.0, mean: 3.0, max: 6.0 });
        assert_eq!(Readings::summarize(&[]), None);
        let equal = Readings::summarize(&[0.1; 3]).unwrap();
        assert!(equal.is_within(0.1, 0.1), "{equal:?}: a mean is no larger for being a sum");
        assert!(found.is_within(1.0, 6.0) && !found.is_within(1.5, 6.0) && !found.is_within(1.0, 5.0));
        assert!(!Readings { mean: 7.0, ..found }.is_within(0.0, 10.0));
        assert!(!Readings { min: f64::NAN, ..found }.is_within(0.0, 10.0));
    }
}
