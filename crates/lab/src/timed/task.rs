//! Equal tasks, one after another: each counts the leaves of Kiwipete to depth 3.
//!
//! A task takes some ten microseconds: longer than reading the clock, shorter than the system's interruptions. Its times go
//! into an HdrHistogram of two digits.

use hdrhistogram::Histogram;
use perft_gate_chess::{Board, Fen};
use perft_gate_count::setwise::LeafCounter;
use perft_gate_simd::Level;
use perft_gate_walk::{Control, Position, walk};
use std::time::{Duration, Instant};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DEPTH: u32 = 3;
/// Number of leaves of a task.
pub const TASK_LEAVES: u64 = 97_862;
/// Number of digits of the times.
const DIGITS: u8 = 2;
/// Maximum time of a task, in nanoseconds: a minute.
const MAX_TASK_NS: u64 = 60_000_000_000;

/// Times of tasks, in nanoseconds.
pub type TaskTimes = Histogram<u64>;

/// Returns room for the times of tasks.
pub fn no_times() -> TaskTimes {
    Histogram::new_with_max(MAX_TASK_NS, DIGITS).expect("bounds and a number of digits")
}

/// Runs tasks for this long, at least one. **Errors**: the count of a task, if it is wrong.
pub fn time_tasks(slice: Duration, level: Level, times: &mut TaskTimes) -> Result<(), u64> {
    let board: Board = Fen::parse(KIWIPETE).expect("a position");
    let control = Control::default();
    let (mut position, mut leaves) = (Position::new(board, ()), LeafCounter::new(&control));
    let begun = Instant::now();
    let mut start = begun;
    while start - begun < slice || start == begun {
        leaves.total = 0;
        walk(level, &mut position, &mut leaves, DEPTH);
        let end = Instant::now();
        times.saturating_record((end - start).as_nanos() as u64);
        start = end;
        if leaves.total != TASK_LEAVES {
            return Err(leaves.total);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_timed_and_counts_right() {
        let mut times = no_times();
        assert_eq!(time_tasks(Duration::from_millis(5), Level::detect(), &mut times), Ok(()));
        // No machine takes less than a hundredth of a nanosecond a leaf.
        assert!(times.min() > TASK_LEAVES / 100 && times.len() < 5_000_000 / times.min() + 2, "{times:?}");
    }
}
