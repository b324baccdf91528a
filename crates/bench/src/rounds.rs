//! Rounds of a record, from those that were timed, and back.

use perft_gate_lab::measure::{Samples, Slice, TimedRound};
use perft_gate_machine::record::{Round, Stage};
use std::time::Duration;

/// Returns a round as the record keeps it.
pub fn recorded_round(round: &TimedRound) -> Round {
    let slice = |slice: Slice| (slice.nodes, slice.time.as_nanos() as u64);
    Round { order: round.order.clone(), slices: round.slices.iter().map(|slices| slices.map(slice)).collect() }
}

/// Returns the rounds of a recorded stage.
pub fn samples(stage: &Stage) -> Samples {
    let slice = |(nodes, ns)| Slice { nodes, time: Duration::from_nanos(ns) };
    let rounds = stage.rounds.iter().map(|round| TimedRound {
        order: round.order.clone(),
        slices: round.slices.iter().map(|slices| slices.map(slice)).collect(),
    });
    Samples { rounds: rounds.collect(), interrupted: false }
}
