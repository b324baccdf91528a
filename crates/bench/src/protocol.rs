//! The protocol by which one build of the program measures another: it runs slices of a workload on request.
//!
//! A process starts with the name of a workload and a number of threads. It prints a [`PeerHello`] as one line of JSON,
//! warms up, and prints `ready`. Then it reads numbers of passes, one per line, runs them, and answers with the units
//! counted and the nanoseconds taken: `15990000 2810023`. It exits when its input ends. The caller decides whose turn
//! it is, so two builds never run at the same time.
//!
//! The errors of a run and of a comparison are defined here too, because the errors of the other build mention the
//! protocol.

use perft_gate_lab::measure::Miscount;
use serde::{Deserialize, Serialize};

/// Name and version of the protocol.
pub const PROTOCOL: &str = "perft.slices/1";
/// Line after the warm-up.
pub(super) const READY: &str = "ready";

/// First line of a process.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct PeerHello {
    /// Always [`PROTOCOL`].
    pub protocol: String,
    /// Version of its set of workloads.
    pub workloads_version: u32,
    /// Version of the program.
    pub version: String,
    /// Revision of its sources.
    pub revision: String,
    /// SIMD level that it uses.
    pub level: String,
}

/// Error that ends a run without a result.
#[derive(thiserror::Error, Debug)]
pub enum BenchError {
    /// A workload returned a wrong count.
    #[error("{work}: {count}")]
    Wrong {
        /// The workload and its threads, preceded by the program in a comparison of two builds.
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
    /// It is not a program, or does not know the protocol.
    #[error("{0}, expected a build of perft that speaks {PROTOCOL}")]
    Unknown(String),
    /// Its workloads differ.
    #[error("{0}: the work differs")]
    OtherWorkloads(String),
    /// It ended, hung, or answered nonsense while it was measured.
    #[error("{0}, expected an answer of {PROTOCOL}")]
    Failed(String),
    /// The run was stopped.
    #[error("stopped")]
    Stopped,
}
