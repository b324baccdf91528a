//! Latency of tasks of equal size on every hardware thread, first alone and then with all other threads busy.
//!
//! A task counts the leaves of Kiwipete at depth 3 (see [`time_tasks`]).

use super::options::BenchOptions;
use super::protocol::BenchError;
use super::team::Team;
use perft_gate_lab::measure::Miscount;
use perft_gate_lab::timed::{TASK_LEAVES, TaskTimes, no_times, time_tasks};
use perft_gate_machine::pinning::cores;
use perft_gate_machine::record::Tasks;
use perft_gate_simd::Level;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Number of turns that each hardware thread gets. The first turn is a warm-up.
const ROUNDS: u32 = 8;

/// Times tasks on each hardware thread separately, then on all of them at once.
pub(super) fn run(options: &BenchOptions, stop: &AtomicBool) -> Result<Vec<Tasks>, BenchError> {
    let (cores, budget) = (cores(), options.budget.tasks / 2);
    // If threads cannot be pinned, there is one worker per available hardware thread, on an unknown core.
    let number =
        if cores.is_empty() { std::thread::available_parallelism().map_or(1, Into::into) } else { cores.len() };
    let all = Team::on(cores.clone(), number)?;
    let alone: Result<Vec<Team>, BenchError> = match cores.is_empty() {
        true => Team::new(1).map(|team| vec![team]),
        false => cores.iter().map(|&core| Team::on(vec![core], 1)).collect(),
    };
    let mut tasks = Vec::new();
    for (teams, loaded) in [(&alone?[..], false), (&[all], true)] {
        let timed = time_each_team(teams, budget, options.level, stop)
            .map_err(|count| BenchError::Wrong { work: "tasks".into(), count })?;
        tasks.extend(timed.iter().map(|(core, times)| as_record(*core, loaded, times)));
    }
    Ok(tasks)
}

/// Times the tasks on one team after another. Returns each worker's times, with its hardware thread if that is known.
fn time_each_team(
    teams: &[Team],
    budget: Duration,
    level: Level,
    stop: &AtomicBool,
) -> Result<Vec<(Option<usize>, TaskTimes)>, Miscount> {
    let slice = budget / (ROUNDS * teams.len() as u32);
    let times: Vec<Vec<Mutex<TaskTimes>>> =
        teams.iter().map(|team| (0..team.threads).map(|_| Mutex::new(no_times())).collect()).collect();
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
                return Err(Miscount { work, expected: TASK_LEAVES, found });
            }
        }
    }
    let core = |team: &Team, worker: usize| team.cores.get(worker).copied().filter(|_| team.pinned == team.threads);
    let of_team = |(team, times): (_, Vec<Mutex<TaskTimes>>)| {
        let timed = times.into_iter().enumerate().map(move |(worker, times)| {
            (core(team, worker), times.into_inner().unwrap_or_else(PoisonError::into_inner))
        });
        timed.collect::<Vec<_>>()
    };
    Ok(teams.iter().zip(times).flat_map(of_team).collect())
}

fn as_record(core: Option<usize>, loaded: bool, times: &TaskTimes) -> Tasks {
    let recorded = times.iter_recorded().map(|step| (step.value_iterated_to(), step.count_at_value()));
    Tasks { core, loaded, nodes: TASK_LEAVES, longest_ns: times.max(), times: recorded.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_every_time() {
        let mut times = no_times();
        assert_eq!(time_tasks(Duration::from_millis(5), Level::detect(), &mut times), Ok(()));
        let record = as_record(Some(3), true, &times);
        assert_eq!(record.times.iter().map(|(_, count)| count).sum::<u64>(), times.len());
        assert!(record.times.is_sorted() && record.longest_ns >= record.times.last().unwrap().0 * 98 / 100);
    }
}
