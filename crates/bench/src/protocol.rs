//! The protocol by which one build of the program measures another: slices of a workload on request.
//!
//! A process is started with the name of a workload and a number of threads. It prints a [`PeerHello`] as one line of JSON, warms
//! up, and prints `ready`. Then it reads numbers of passes, one a line, runs them, and answers with the units counted and
//! the nanoseconds they took: `15990000 2810023`. It ends with its input. The caller decides whose turn it is, so two
//! builds never run at the same time.

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
