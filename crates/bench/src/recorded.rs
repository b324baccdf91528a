//! Rounds as the record keeps them, and back.

use perft_gate_lab::measure::{Samples, Slice, TimedRound};
use perft_gate_machine::record::{Round, Stage};
use std::time::Duration;

/// Returns a round as the record keeps it.
pub fn recorded_round(round: &TimedRound) -> Round {
    let slice = |slice: &Slice| (slice.nodes, slice.time.as_nanos() as u64);
    let slices = round.slices.iter().map(|[first, last]| [slice(first), slice(last)]);
    Round { order: round.order.clone(), slices: slices.collect() }
}

/// Returns the rounds of a recorded stage.
pub fn samples(stage: &Stage) -> Samples {
    let slice = |&(nodes, ns): &(u64, u64)| Slice { nodes, time: Duration::from_nanos(ns) };
    let rounds = stage.rounds.iter().map(|round| TimedRound {
        order: round.order.clone(),
        slices: round.slices.iter().map(|[first, last]| [slice(first), slice(last)]).collect(),
    });
    Samples { rounds: rounds.collect(), interrupted: false }
}
