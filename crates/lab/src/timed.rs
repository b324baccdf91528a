//! Code that the machine benchmark times and that belongs to no other crate, compiled with full optimisation. Also
//! reports the optimisation level of all measured code, as given by the build scripts of the crates that contain it.

use hdrhistogram::Histogram;
use perft_gate_chess::{Board, Fen};
use perft_gate_count::setwise::LeafCounter;
use perft_gate_simd::Level;
use perft_gate_walk::{Control, Position, walk};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Steps of [`gigahertz`] per stretch, the time between two readings of the clock: a few tens of microseconds.
const STEPS: u64 = 1 << 16;
/// Steps per loop iteration. The instructions of the loop itself run in parallel with the steps.
const UNROLLED: u64 = 16;
const CYCLES_A_STEP: u64 = 2;
/// Stretches (of [`STEPS`] steps) per measurement of the clock speed, which takes a few milliseconds.
const STRETCHES: u32 = 100;
/// Time given to an idle processor to reach its full clock speed.
const WARM_UP: Duration = Duration::from_millis(20);

/// Returns true if a step is known to take [`CYCLES_A_STEP`]. This holds for optimised code on architectures where a
/// step was measured.
const fn is_calibrated() -> bool {
    !cfg!(debug_assertions) && cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
}

/// Returns the clock speed of this thread's processor in GHz, measured with a loop that takes a known number of cycles.
/// Returns `None` if the loop is not calibrated.
///
/// Each step is an exclusive or and an addition, each of which needs the previous result. So a step takes two cycles on
/// every x86-64 and AArch64 processor, regardless of how much the processor does in parallel. Only the fastest of many
/// short stretches counts, because an interruption can only make a stretch longer. The result is the actual clock
/// speed, not the advertised one.
pub fn gigahertz() -> Option<f64> {
    if !is_calibrated() {
        return None;
    }
    let begun = Instant::now();
    while begun.elapsed() < WARM_UP {
        black_box(steps(1));
    }
    let timed = (0..STRETCHES).map(|seed| {
        let start = Instant::now();
        black_box(steps(u64::from(seed)));
        start.elapsed()
    });
    let fastest = timed.min().filter(|time| !time.is_zero())?;
    Some((CYCLES_A_STEP * STEPS) as f64 / fastest.as_nanos() as f64)
}

fn steps(seed: u64) -> u64 {
    // These values are hidden from the compiler, which would otherwise merge steps.
    let [flipped, added] = black_box([0x5555_5555_5555_5555, 0x1234_5677]);
    let mut value = black_box(seed);
    for _ in 0..STEPS / UNROLLED {
        for _ in 0..UNROLLED {
            value = (value ^ flipped).wrapping_add(added);
        }
    }
    value
}

/// Returns the number of ways to place `size` queens on a board of `size` by `size` so that none attacks another.
///
/// Do not change this code: times of a faster version would not be comparable with earlier ones.
pub fn queens(size: u32) -> u64 {
    fn below(free: u32, files: u32, left: u32, right: u32) -> u64 {
        if files == free {
            return 1;
        }
        let mut squares = free & !(files | left | right);
        let mut ways = 0;
        while squares != 0 {
            let queen = squares & squares.wrapping_neg();
            squares ^= queen;
            ways += below(free, files | queen, (left | queen) << 1, (right | queen) >> 1);
        }
        ways
    }
    below((1 << size) - 1, 0, 0, 0)
}

const DEPTH: u32 = 3;
/// Number of leaves that each task must count: those of Kiwipete at depth 3.
pub const TASK_LEAVES: u64 = 97_862;
/// Number of significant digits to which times are kept.
const DIGITS: u8 = 2;
/// Maximum time of a task: one minute, in nanoseconds.
const MAX_TASK_NS: u64 = 60_000_000_000;

/// Times of tasks, in nanoseconds.
pub type TaskTimes = Histogram<u64>;

/// Returns an empty histogram.
pub fn no_times() -> TaskTimes {
    Histogram::new_with_max(MAX_TASK_NS, DIGITS).expect("bounds and a number of digits")
}

/// Runs identical tasks for the duration of `slice`, but at least one. Each task counts the leaves of Kiwipete at depth
/// 3.
///
/// A task takes tens of microseconds: longer than reading the clock, but shorter than an interruption by the system.
/// The times are added to `times`, an HdrHistogram with two significant digits.
///
/// **Errors**: the leaf count of a task, if it is wrong.
pub fn time_tasks(slice: Duration, level: Level, times: &mut TaskTimes) -> Result<(), u64> {
    let board: Board = Fen::parse(Fen::KIWIPETE).expect("a position");
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

/// Crates whose code is timed, each with its optimisation level.
const MEASURED: [(&str, &str); 4] = [
    ("count", perft_gate_count::OPT_LEVEL),
    ("lab", perft_gate_simd::opt_level!()),
    ("unique", perft_gate_unique::OPT_LEVEL),
    ("walk", perft_gate_walk::OPT_LEVEL),
];

/// Returns the optimisation level of the measured code: a single level if all crates agree, or else the level of each
/// crate.
pub fn measured_opt_level() -> String {
    combine(&MEASURED)
}

/// Returns `3`, or `count 2, lab 3` if the crates' levels differ.
fn combine(crates: &[(&str, &str)]) -> String {
    match crates {
        [(_, first), others @ ..] if others.iter().all(|(_, level)| level == first) => (*first).into(),
        _ => crates.iter().map(|(name, level)| format!("{name} {level}")).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_one_that_processors_have() {
        match gigahertz() {
            Some(speed) => assert!((0.3..8.0).contains(&speed), "{speed} GHz"),
            None => assert!(!is_calibrated()),
        }
    }

    #[test]
    fn every_task_is_timed_and_counts_right() {
        let mut times = no_times();
        assert_eq!(time_tasks(Duration::from_millis(5), Level::detect(), &mut times), Ok(()));
        // No machine takes less than a hundredth of a nanosecond per leaf.
        assert!(times.min() > TASK_LEAVES / 100 && times.len() < 5_000_000 / times.min() + 2, "{times:?}");
    }

    #[test]
    fn levels_that_differ_are_all_named() {
        assert_eq!(combine(&[("count", "s"), ("lab", "s")]), "s");
        assert_eq!(combine(&[("count", "3"), ("lab", "0"), ("walk", "3")]), "count 3, lab 0, walk 3");
    }
}
