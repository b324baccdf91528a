//! Rates over a long time, as a record keeps them.

use serde::{Deserialize, Serialize};

/// Rate of a workload over a long time, which shows what heat does.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sustained {
    /// Name of the workload.
    pub workload: String,
    /// Version of its definition.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub version: u32,
    /// Unit that is counted.
    pub unit: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// Consecutive stretches, in order.
    pub stretches: Vec<Stretch>,
}

/// A stretch of a sustained run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stretch {
    /// Start, in milliseconds after that of the first stretch.
    pub at_ms: u64,
    /// Number of units counted.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub nodes: u64,
    /// Time taken in nanoseconds.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub ns: u64,
    /// Temperature of the processor at its end, in degrees Celsius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub celsius: Option<f64>,
}

impl Stretch {
    /// Returns the rate in units a second.
    pub fn rate(&self) -> f64 {
        self.nodes as f64 * 1e9 / self.ns as f64
    }
}
