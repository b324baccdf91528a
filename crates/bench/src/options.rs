//! Options of a run, and how the time of the run is divided among its parts.

use super::workload::{Bound, Workload};
use perft_gate_simd::Level;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// Workloads to run. The yardstick always runs as well.
    pub workloads: Vec<Workload>,
    /// Thread counts with which each workload runs.
    pub threads: Vec<usize>,
    pub level: Level,
    pub quick: bool,
    /// Time for each part of the run.
    pub budget: BenchBudget,
    /// Time for one workload that runs after everything else and shows the effect of heat.
    pub sustained: Option<Duration>,
    /// Seed of the randomised slice order.
    pub seed: u64,
    /// Name that the owner has given to the machine and its setup.
    pub label: Option<String>,
    /// Further remarks of the owner.
    pub note: Option<String>,
}

impl BenchOptions {
    /// Returns the planned time of the run.
    pub fn total(&self) -> Duration {
        self.budget.total() + self.sustained.unwrap_or_default()
    }
}

/// Time for each part of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchBudget {
    /// Time for compute-bound workloads.
    pub core: Duration,
    /// Time for memory-bound workloads.
    pub memory: Duration,
    /// Time for the tasks of equal size.
    pub tasks: Duration,
}

impl BenchBudget {
    /// Budget that totals less than five minutes.
    pub const FULL: BenchBudget = BenchBudget::of_seconds(100, 150, 20);
    /// Budget that totals less than half a minute.
    pub const QUICK: BenchBudget = BenchBudget::of_seconds(16, 8, 3);

    const fn of_seconds(core: u64, memory: u64, tasks: u64) -> BenchBudget {
        let seconds = Duration::from_secs;
        BenchBudget { core: seconds(core), memory: seconds(memory), tasks: seconds(tasks) }
    }

    pub(super) fn total(self) -> Duration {
        self.core + self.memory + self.tasks
    }

    /// Returns the budget with no time for the core part or the memory part if none of `workloads` belongs to it.
    pub fn without_parts_beside(self, workloads: &[Workload]) -> BenchBudget {
        let of = |bound: Bound, time: Duration| {
            let has = workloads.iter().any(|workload| workload.bound() == bound);
            if has { time } else { Duration::ZERO }
        };
        BenchBudget { core: of(Bound::Core, self.core), memory: of(Bound::Memory, self.memory), ..self }
    }

    /// Returns the budget scaled to another total time.
    pub fn scaled_to(self, total: Duration) -> BenchBudget {
        let factor = total.as_secs_f64() / self.total().as_secs_f64();
        let scale = |part: Duration| part.mul_f64(factor);
        BenchBudget { core: scale(self.core), memory: scale(self.memory), tasks: scale(self.tasks) }
    }
}

/// Returns 1, 2, 4, … and all.
pub fn doublings(all: usize) -> Vec<usize> {
    let mut counts: Vec<usize> =
        std::iter::successors(Some(1), |&count| Some(2 * count)).take_while(|&count| count < all).collect();
    counts.push(all);
    counts
}

/// Titles of the works (each a workload on some threads) in the current part of a run, and the index of the work that
/// is being measured. The run stores this index outside the timed section.
#[derive(Default, Debug)]
pub struct BenchProgress {
    works: Mutex<Vec<String>>,
    current: AtomicUsize,
}

impl BenchProgress {
    /// Begins the next part of the run, which measures the works with these titles.
    pub(super) fn begin(&self, works: Vec<String>) {
        self.show_work(0);
        *self.works.lock().unwrap_or_else(PoisonError::into_inner) = works;
    }

    /// Sets which of the part's works is being measured.
    pub(super) fn show_work(&self, work: usize) {
        self.current.store(work, Ordering::Relaxed);
    }

    /// Describes the current measurement.
    pub fn current(&self) -> String {
        let works = self.works.lock().unwrap_or_else(PoisonError::into_inner);
        works.get(self.current.load(Ordering::Relaxed)).map_or("starting".into(), String::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_for_the_parts_that_run() {
        let second = Duration::from_secs(1);
        let of = |workloads: &[Workload]| BenchBudget::FULL.without_parts_beside(workloads);
        assert_eq!(of(&Workload::ALL), BenchBudget::FULL);
        assert_eq!(of(&[Workload::Bulk]), BenchBudget { memory: Duration::ZERO, ..BenchBudget::FULL });
        assert_eq!(of(&[Workload::Unique]), BenchBudget { core: Duration::ZERO, ..BenchBudget::FULL });
        assert_eq!(of(&[Workload::Bulk]).scaled_to(60 * second).core, 50 * second);
        assert!(BenchBudget::FULL.total() < 300 * second && BenchBudget::QUICK.total() < 30 * second);
    }

    #[test]
    fn thread_counts_double_up_to_all() {
        assert_eq!([1, 2, 6, 8].map(doublings), [vec![1], vec![1, 2], vec![1, 2, 4, 6], vec![1, 2, 4, 8]]);
    }
}
