//! Latency of equal tasks on every hardware thread: alone, and with all others busy.
//!
//! A task counts the leaves of Kiwipete to depth 3, which takes some ten microseconds: longer than reading the clock,
//! shorter than the system's interruptions. Its times go into an HdrHistogram of two digits.

use super::error::BenchError;
use super::options::BenchOptions;
use super::team::{Team, cores};
use crate::measure::Miscount;
use hdrhistogram::Histogram;
use perft_gate_chess::{Board, Fen};
use perft_gate_count::setwise::LeafCounter;
use perft_gate_machine::record::Tasks;
use perft_gate_simd::Level;
use perft_gate_walk::{Position, walk};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DEPTH: u32 = 3;
/// Number of leaves of a task.
const LEAVES: u64 = 97_862;
/// Number of digits of the times.
const DIGITS: u8 = 2;
/// Maximum time of a task, in nanoseconds: a minute.
const MAX_TASK_NS: u64 = 60_000_000_000;
/// Number of turns of each hardware thread; the first is for warming up.
const ROUNDS: u32 = 8;

/// Times tasks on every hardware thread in turn, then on all of them at once.
pub(super) fn run(options: &BenchOptions, stop: &AtomicBool) -> Result<Vec<Tasks>, BenchError> {
    let (cores, budget) = (cores(), options.budget.tasks / 2);
    // Where threads cannot be pinned there are as many workers, on no known core.
    let number =
        if cores.is_empty() { std::thread::available_parallelism().map_or(1, Into::into) } else { cores.len() };
    let all = Team::on(cores.clone(), number)?;
    let alone: Result<Vec<Team>, BenchError> = match cores.is_empty() {
        true => Team::new(1).map(|team| vec![team]),
        false => cores.iter().map(|&core| Team::on(vec![core], 1)).collect(),
    };
    let mut tasks = Vec::new();
    for (teams, loaded) in [(&alone?[..], false), (&[all], true)] {
        let timed = time_each_team(teams, budget, options.level, stop).map_err(|count| BenchError::Wrong {
            workload: "tasks",
            threads: teams[0].threads,
            count,
        })?;
        tasks.extend(timed.iter().map(|WorkerTimes { core, times }| as_record(*core, loaded, times)));
    }
    Ok(tasks)
}

/// Times of a worker.
struct WorkerTimes {
    /// Hardware thread that it ran on.
    core: Option<usize>,
    times: Histogram<u64>,
}

/// Returns the times of every worker of every team.
fn time_each_team(
    teams: &[Team],
    budget: Duration,
    level: Level,
    stop: &AtomicBool,
) -> Result<Vec<WorkerTimes>, Miscount> {
    let slice = budget / (ROUNDS * teams.len() as u32);
    let times: Vec<Vec<Mutex<Histogram<u64>>>> =
        teams.iter().map(|team| (0..team.threads).map(|_| Mutex::new(empty_histogram())).collect()).collect();
    for round in 0..ROUNDS {
        for (work, (team, times)) in teams.iter().zip(&times).enumerate() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let wrong = team.each(|worker| {
                let mut times = times[worker].lock().unwrap_or_else(PoisonError::into_inner);
                if round == 1 {
                    times.reset();
                }
                time_tasks(slice, level, &mut times)
            });
            if let Some(found) = wrong.into_iter().find_map(Result::err) {
                return Err(Miscount { work, expected: LEAVES, found });
            }
        }
    }
    let core = |team: &Team, worker: usize| team.cores.get(worker).copied().filter(|_| team.pinned == team.threads);
    let of_team = |(team, times): (_, Vec<Mutex<Histogram<u64>>>)| {
        let timed = times.into_iter().enumerate().map(move |(worker, times)| WorkerTimes {
            core: core(team, worker),
            times: times.into_inner().unwrap_or_else(PoisonError::into_inner),
        });
        timed.collect::<Vec<_>>()
    };
    Ok(teams.iter().zip(times).flat_map(of_team).collect())
}

fn empty_histogram() -> Histogram<u64> {
    Histogram::new_with_max(MAX_TASK_NS, DIGITS).expect("bounds and a number of digits")
}

/// Runs tasks for this long, at least one. **Errors**: the count of a task, if it is wrong.
fn time_tasks(slice: Duration, level: Level, times: &mut Histogram<u64>) -> Result<(), u64> {
    let board: Board = Fen::parse(KIWIPETE).expect("a position");
    let never = AtomicBool::new(false);
    let (mut position, mut leaves) = (Position::new(board, ()), LeafCounter::new(&never));
    let begun = Instant::now();
    let mut start = begun;
    while start - begun < slice || start == begun {
        leaves.total = 0;
        walk(level, &mut position, &mut leaves, DEPTH);
        let end = Instant::now();
        times.saturating_record((end - start).as_nanos() as u64);
        start = end;
        if leaves.total != LEAVES {
            return Err(leaves.total);
        }
    }
    Ok(())
}

fn as_record(core: Option<usize>, loaded: bool, times: &Histogram<u64>) -> Tasks {
    let recorded = times.iter_recorded().map(|step| (step.value_iterated_to(), step.count_at_value()));
    Tasks { core, loaded, nodes: LEAVES, longest_ns: times.max(), times: recorded.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_timed_and_counts_right() {
        let mut times = empty_histogram();
        assert_eq!(time_tasks(Duration::from_millis(5), Level::detect(), &mut times), Ok(()));
        // No machine takes less than a hundredth of a nanosecond a leaf.
        assert!(times.min() > LEAVES / 100 && times.len() < 5_000_000 / times.min() + 2, "{times:?}");
        let record = as_record(Some(3), true, &times);
        assert_eq!(record.times.iter().map(|(_, count)| count).sum::<u64>(), times.len());
        assert!(record.times.is_sorted() && record.longest_ns >= record.times.last().unwrap().0 * 98 / 100);
    }
}
