//! Errors of a run, and of a comparison with another build.

use super::protocol::PROTOCOL;
use perft_gate_lab::measure::Miscount;

/// Error that ends a run without a result.
#[derive(thiserror::Error, Debug)]
pub enum BenchError {
    /// A workload counted a wrong number.
    #[error("{work}: {count}")]
    Wrong {
        /// The workload and its threads; before them the program, if it is another.
        work: String,
        /// Counts, expected and found.
        count: Miscount,
    },
    /// The system did not provide threads or memory.
    #[error("{0}")]
    System(String),
    /// The other build cannot be measured.
    #[error("{0}")]
    Peer(#[from] PeerError),
}

/// Error of another program: its name and what it did.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum PeerError {
    /// It is no program, or one that does not know the protocol.
    #[error("{0}, expected a build of perft that speaks {PROTOCOL}")]
    Unknown(String),
    /// Its workloads are others.
    #[error("{0}: the work differs")]
    OtherWorkloads(String),
    /// It ended, hung, or answered nonsense while it was measured.
    #[error("{0}, expected an answer of {PROTOCOL}")]
    Failed(String),
    /// The run was stopped.
    #[error("stopped")]
    Stopped,
}
