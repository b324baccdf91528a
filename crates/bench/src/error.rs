//! Errors of a run.

use perft_gate_lab::measure::Miscount;

/// Error that ends a run without a record.
#[derive(thiserror::Error, Debug)]
pub enum BenchError {
    /// A workload counted a wrong number.
    #[error("{workload} on {threads} threads: {count}")]
    Wrong {
        /// Name of the workload.
        workload: &'static str,
        /// Number of threads.
        threads: usize,
        /// Counts, expected and found.
        count: Miscount,
    },
    /// The system did not provide threads or memory.
    #[error("{0}")]
    System(String),
}
