//! Machine benchmark: fixed workloads on 1, 2, 4, … and all threads, interleaved. The count that each pass returns is
//! checked.
//!
//! A workload is either compute-bound or memory-bound. The workloads of each kind run interleaved, together with the
//! *yardstick*, a small program that never changes. It distinguishes a slower machine from slower code. To reveal
//! jitter, throttling and slow cores, every hardware thread also runs tasks of equal size, first alone and then while
//! all other threads are busy.
//!
//! [`run()`] returns a [`Record`](perft_gate_machine::record::Record); [`RecordSummary`] evaluates a record, and
//! [`diff()`](diff::diff) compares two of them.
#![forbid(unsafe_code)]

pub mod against;
pub mod diff;
mod options;
mod peer;
mod protocol;
mod run;
mod summary;
mod tasks;
mod team;
mod workload;

pub use options::{BenchBudget, BenchOptions, BenchProgress, doublings};
pub use peer::{PeerProcess, Program, serve};
pub use protocol::{BenchError, PROTOCOL, PeerError, PeerHello};
pub use run::run;
pub use summary::{Drift, PERCENTILES, RecordSummary, Score, TaskLine, WorkloadLine, reference};
pub use team::Team;
pub use workload::{Bound, WORKLOADS_VERSION, Workload, YARDSTICK};
