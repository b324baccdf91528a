//! Worker threads that stay on their hardware threads.

use super::protocol::BenchError;
use perft_gate_machine::pinning::{cores, pin};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A pool of pinned workers.
pub struct Team {
    /// Number of workers.
    pub threads: usize,
    /// Hardware threads to pin the workers to, in order.
    pub cores: Vec<usize>,
    /// Number of workers that are pinned.
    pub pinned: usize,
    pub(super) pool: ThreadPool,
}

impl Team {
    /// Starts `threads` workers and pins them to the first hardware threads in [`cores`]. **Errors**: the system
    /// provides no threads.
    pub fn new(threads: usize) -> Result<Team, BenchError> {
        Team::on(cores().into_iter().take(threads).collect(), threads)
    }

    /// Starts `threads` workers and pins one to each hardware thread in `cores`. Any workers beyond that are not
    /// pinned. **Errors**: the system provides no threads.
    pub fn on(cores: Vec<usize>, threads: usize) -> Result<Team, BenchError> {
        let pinned = Arc::new(AtomicUsize::new(0));
        let (wanted, counter) = (cores.clone(), Arc::clone(&pinned));
        let builder = ThreadPoolBuilder::new().num_threads(threads).start_handler(move |worker| {
            if wanted.get(worker).is_some_and(|&core| pin(core)) {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        });
        let pool = builder.build().map_err(|error| BenchError::System(format!("{threads} threads: {error}")))?;
        // Once all workers have answered, all have started, so `pinned` is final.
        pool.broadcast(|_| ());
        Ok(Team { threads, cores, pinned: pinned.load(Ordering::Relaxed), pool })
    }

    /// Runs `work` once on every worker at the same time.
    pub fn each<R: Send>(&self, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        self.pool.broadcast(|context| work(context.index()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_works_on_every_thread() {
        let team = Team::new(2).unwrap();
        assert_eq!(team.each(|worker| worker), [0, 1]);
        assert!(team.pinned <= team.cores.len() && team.cores.len() <= 2);
    }
}
