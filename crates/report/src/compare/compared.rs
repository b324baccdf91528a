//! Results of a comparison of schemes.

use perft_gate_lab::measure::{
    Contestants, HardwareEvent, Judgement, MakeUnmake, NoCounters, Recompute, RoundPlan, Samples,
};
use perft_gate_machine::Machine;
use perft_gate_machine::record::Build;
use perft_gate_simd::Level;

/// Results of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// Contestants and tables.
    pub lineup: &'a Contestants,
    /// Samples, with at least one round.
    pub samples: &'a Samples,
    /// Verdicts of each table.
    pub judgements: &'a [Judgement],
    /// Recompute times by contestant and level; empty for a scheme without keys, or if the run was stopped before.
    pub recomputes: &'a [Vec<(Level, Recompute)>],
    /// Events a node by contestant; empty if the run was stopped before.
    pub counters: Result<&'a [Vec<(HardwareEvent, f64)>], &'a NoCounters>,
    /// Work that was timed.
    pub path: &'a MakeUnmake,
    /// Plan of the sampling.
    pub plan: RoundPlan,
    /// Core that the thread was pinned to.
    pub pinned_to: Option<usize>,
    /// Time of the start, UTC, RFC 3339.
    pub started: &'a str,
    /// Build of the program.
    pub build: &'a Build,
    /// Machine and system.
    pub machine: &'a Machine,
}
