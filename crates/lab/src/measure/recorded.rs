//! Rounds as the record keeps them, and back.

use super::sampler::{Samples, Slice, TimedRound};
use perft_gate_machine::record;
use std::time::Duration;

impl From<&TimedRound> for record::Round {
    fn from(round: &TimedRound) -> record::Round {
        let slice = |slice: &Slice| (slice.nodes, slice.time.as_nanos() as u64);
        let slices = round.slices.iter().map(|[first, last]| [slice(first), slice(last)]);
        record::Round { order: round.order.clone(), slices: slices.collect() }
    }
}

impl From<&record::Stage> for Samples {
    fn from(stage: &record::Stage) -> Samples {
        let slice = |&(nodes, ns): &(u64, u64)| Slice { nodes, time: Duration::from_nanos(ns) };
        let rounds = stage.rounds.iter().map(|round| TimedRound {
            order: round.order.clone(),
            slices: round.slices.iter().map(|[first, last]| [slice(first), slice(last)]).collect(),
        });
        Samples { rounds: rounds.collect(), interrupted: false }
    }
}
