//! The protocol between two builds of the program: one measures the other, which runs slices of a workload on request.
//!
//! The process to be measured is started with the name of a workload and a number of threads. It prints a [`PeerHello`]
//! as one line of JSON, warms up, and prints `ready`. Each line that it then reads is a number of passes. It runs these
//! passes, and answers with the units counted and the nanoseconds taken: `15990000 2810023`. It exits when its input
//! ends. The caller decides whose turn it is, so two builds never run at the same time.
//!
//! The errors of a run and of a comparison are defined here too, because errors about the other build name the
//! protocol.

use perft_gate_lab::measure::Miscount;
use serde::{Deserialize, Serialize};

/// Name and version of the protocol.
pub const PROTOCOL: &str = "perft.slices/1";
/// Line that the measured process prints after its warm-up.
pub(super) const READY: &str = "ready";

/// First line that a measured process prints.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct PeerHello {
    /// Always [`PROTOCOL`].
    pub protocol: String,
    /// Version of the program's set of workloads.
    pub workloads_version: u32,
    /// Version of the program.
    pub version: String,
    /// Revision of the program's sources.
    pub revision: String,
    /// SIMD level that the program uses.
    pub level: String,
}

/// Error that ends a run without a result.
#[derive(thiserror::Error, Debug)]
pub enum BenchError {
    /// A workload returned a wrong count.
    #[error("{work}: {count}")]
    Wrong {
        /// The workload and its thread count. In a comparison of two builds, the path of the program precedes them.
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

/// Error caused by another program: the program's name and what it did.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum PeerError {
    /// The file is not a program, or the program does not know the protocol.
    #[error("{0}, expected a build of perft that speaks {PROTOCOL}")]
    Unknown(String),
    /// The program's workloads differ from ours.
    #[error("{0}: the programs measure different work")]
    OtherWorkloads(String),
    /// The program ended, hung or answered nonsense while it was being measured.
    #[error("{0}, expected a {PROTOCOL} answer")]
    Failed(String),
    /// The run was stopped.
    #[error("stopped")]
    Stopped,
}
