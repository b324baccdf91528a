//! Worker threads that stay on their hardware threads.

use super::error::BenchError;
use perft_gate_machine::pinning::{self, pin};
use perft_gate_machine::{CoreKind, Hardware, Sysfs, core_kinds};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A pool of pinned workers.
pub struct Team {
    /// Number of workers.
    pub threads: usize,
    /// Kind of core that they run on, if they run on one kind alone.
    pub kind: Option<String>,
    /// Hardware threads to pin them to, in order.
    pub cores: Vec<usize>,
    /// Number of workers that are pinned.
    pub pinned: usize,
    pool: ThreadPool,
}

/// Returns the hardware threads that this process may be pinned to: first one of every core, the fastest kind of core
/// first, then the others of each.
pub fn cores() -> Vec<usize> {
    let sysfs = Sysfs::default();
    in_order(pinning::cores(), &core_kinds(), |core| sysfs.place_in_core(core))
}

fn in_order(mut cores: Vec<usize>, kinds: &[CoreKind], place_in_core: impl Fn(usize) -> usize) -> Vec<usize> {
    let kind = |core: usize| kinds.iter().position(|kind| kind.threads.contains(&core));
    cores.sort_by_key(|&core| (place_in_core(core), kind(core).unwrap_or(kinds.len()), core));
    cores
}

/// Describes where threads are placed, in the order of [`cores`].
pub fn placement(hardware: &Hardware) -> String {
    let is_pinned = !pinning::cores().is_empty();
    placement_on(hardware, if is_pinned { None } else { Some(pinning::describe_unpinned(std::env::consts::OS)) })
}

fn placement_on(hardware: &Hardware, not_pinned: Option<String>) -> String {
    if let Some(not_pinned) = not_pinned {
        return not_pinned;
    }
    let order = match hardware.smt {
        Some(true) => "cores before their SMT siblings",
        Some(false) => "one thread a core (no SMT)",
        None => "in the order of the hardware threads (which of them share a core is not available)",
    };
    let kinds = if hardware.kinds.is_empty() { "" } else { ", the fastest kind of core first" };
    format!("pinned, {order}{kinds}")
}

/// A hardware thread of a kind of core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoreOfKind {
    /// Name of the kind.
    pub kind: String,
    /// Number of the hardware thread.
    pub core: usize,
}

/// Returns a hardware thread of every kind of core, the fastest first; empty if there is one kind, or if threads cannot
/// be pinned.
pub fn one_of_each_kind() -> Vec<CoreOfKind> {
    let cores = cores();
    let of_kind = |CoreKind { name, threads, .. }: CoreKind| {
        let core = cores.iter().copied().find(|core| threads.contains(core))?;
        Some(CoreOfKind { kind: name, core })
    };
    let found: Vec<CoreOfKind> = core_kinds().into_iter().filter_map(of_kind).collect();
    if found.len() > 1 { found } else { Vec::new() }
}

impl Team {
    /// Starts this many workers, on the first of the [`cores`]. **Errors**: the system provides no threads.
    pub fn new(threads: usize) -> Result<Team, BenchError> {
        Team::on(cores().into_iter().take(threads).collect(), threads)
    }

    /// Starts this many workers on these hardware threads; further workers are not pinned. **Errors**: the system
    /// provides no threads.
    pub fn on(cores: Vec<usize>, threads: usize) -> Result<Team, BenchError> {
        let pinned = Arc::new(AtomicUsize::new(0));
        let (wanted, counter) = (cores.clone(), Arc::clone(&pinned));
        let builder = ThreadPoolBuilder::new().num_threads(threads).start_handler(move |worker| {
            if wanted.get(worker).is_some_and(|&core| pin(core)) {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        });
        let pool = builder.build().map_err(|error| BenchError::System(format!("{threads} threads: {error}")))?;
        // All have started when all have answered.
        pool.broadcast(|_| ());
        Ok(Team { threads, kind: None, cores, pinned: pinned.load(Ordering::Relaxed), pool })
    }

    /// Starts one worker on this hardware thread; returns `None` if the system does not pin it there. **Errors**: the
    /// system provides no thread.
    pub fn on_kind(CoreOfKind { kind, core }: &CoreOfKind) -> Result<Option<Team>, BenchError> {
        let team = Team::on(vec![*core], 1)?;
        Ok((team.pinned == 1).then(|| Team { kind: Some(kind.clone()), ..team }))
    }

    /// Runs `work` on the workers.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Runs `work` once on every worker at the same time.
    pub fn each<R: Send>(&self, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        self.pool.broadcast(|context| work(context.index()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_machine::Machine;

    #[test]
    fn a_team_works_on_every_thread() {
        let team = Team::new(2).unwrap();
        assert_eq!(team.each(|worker| worker), [0, 1]);
        assert!(team.pinned <= team.cores.len() && team.cores.len() <= 2);
    }

    #[test]
    fn the_placement_is_what_the_system_tells() {
        let mut hardware = Machine::this().hardware;
        (hardware.smt, hardware.kinds) = (Some(true), Vec::new());
        assert_eq!(placement_on(&hardware, None), "pinned, cores before their SMT siblings");
        hardware.smt = None;
        assert!(placement_on(&hardware, None).contains("not available"));
        assert_eq!(placement_on(&hardware, Some("not pinned".into())), "not pinned");
        let kind = |name: &str| CoreKind { name: name.into(), cores: None, threads: vec![], caches: vec![] };
        (hardware.smt, hardware.kinds) = (Some(false), vec![kind("performance"), kind("efficiency")]);
        assert_eq!(placement_on(&hardware, None), "pinned, one thread a core (no SMT), the fastest kind of core first");
    }

    #[test]
    fn fast_cores_come_first_and_second_threads_last() {
        let kind =
            |name: &str, threads: Vec<usize>| CoreKind { name: name.into(), cores: None, threads, caches: vec![] };
        // Two efficiency cores, then two performance cores of two threads each.
        let kinds = [kind("performance", vec![2, 3, 4, 5]), kind("efficiency", vec![0, 1])];
        let place = |core: usize| usize::from(core == 3 || core == 5);
        assert_eq!(in_order((0..6).collect(), &kinds, place), [2, 4, 0, 1, 3, 5]);
        assert_eq!(in_order((0..4).collect(), &[], |core| core / 2), [0, 1, 2, 3]);
    }
}
