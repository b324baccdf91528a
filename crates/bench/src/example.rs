//! A made-up record, for tests.

use super::summary::reference;
use super::workload::{Bound, Workload, YARDSTICK};
use perft_gate_machine::record::{Record, Round, Stage, Work};

/// Returns a made-up record of the yardstick and one workload, on one thread and on two; `cost` is that of the
/// workload's nodes.
pub fn example(cost: f64) -> Record {
    let work = |workload: Workload, threads: usize| Work {
        workload: workload.name().into(),
        version: workload.version(),
        unit: workload.unit().into(),
        threads,
        cores: (0..threads).collect(),
        pinned: threads,
        nodes: 1000,
    };
    let works =
        [YARDSTICK, Workload::SetWise].into_iter().flat_map(|workload| [1, 2].map(|threads| work(workload, threads)));
    let round = |number: u64| {
        // Noise of a few parts in ten thousand, which repeats.
        let ns = |cost: f64, slice: u64| (1e7 * cost * (1.0 + ((7 * number + 3 * slice) % 5) as f64 * 1e-4)) as u64;
        let costs = [1.0, 0.5, cost, cost / 2.0];
        Round {
            order: vec![2, 0, 3, 1],
            slices: costs.map(|cost| [0, 1].map(|slice| (1_000_000, ns(cost, slice)))).to_vec(),
        }
    };
    let rounds = (0..48).map(round).collect();
    let stage = Stage { bound: Bound::Core.name().into(), works: works.collect(), rounds };
    Record { stages: vec![stage], ..reference() }
}
