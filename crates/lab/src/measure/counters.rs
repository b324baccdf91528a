//! Hardware event counters, if the machine and system allow reading them. Only their counts are called *cycles*.

use std::io;
pub use system::Counters;

#[cfg(target_os = "linux")]
mod system {
    use crate::measure::counters::{HardwareEvent, NoCounters};
    use perf_event::events::{Cache, CacheId, CacheOp, CacheResult, Event, Hardware};
    use perf_event::{Builder, Counter, Group};
    use std::hint::black_box;

    /// Counters of this thread's events.
    pub struct Counters {
        group: Group,
        counters: Vec<(HardwareEvent, Counter)>,
    }

    impl Counters {
        /// Opens the counters of all available events. **Errors**: if cycles or instructions cannot be counted.
        pub fn open() -> Result<Counters, NoCounters> {
            let misses = Cache { which: CacheId::L1D, operation: CacheOp::READ, result: CacheResult::MISS };
            let mut counters = Counters::empty()?;
            counters.add(HardwareEvent::Cycles, Hardware::CPU_CYCLES)?;
            counters.add(HardwareEvent::Instructions, Hardware::INSTRUCTIONS)?;
            // Some processors cannot count these two events.
            let _ = counters.add(HardwareEvent::L1Misses, misses);
            let _ = counters.add(HardwareEvent::BranchMisses, Hardware::BRANCH_MISSES);
            Ok(counters)
        }

        pub(super) fn empty() -> Result<Counters, NoCounters> {
            Ok(Counters { group: Group::new()?, counters: Vec::new() })
        }

        pub(super) fn add(&mut self, event: HardwareEvent, kind: impl Event + Clone) -> Result<(), NoCounters> {
            self.counters.push((event, Builder::new(kind).build_with_group(&mut self.group)?));
            Ok(())
        }

        /// Counts the events that happen while `work` runs on this thread.
        pub fn count<R>(&mut self, work: impl FnOnce() -> R) -> Result<Vec<(HardwareEvent, u64)>, NoCounters> {
            self.group.reset()?;
            self.group.enable()?;
            black_box(work());
            self.group.disable()?;
            let read = self.group.read()?;
            if read.time_running() != read.time_enabled() {
                return Err(NoCounters::Shared);
            }
            Ok(self.counters.iter().map(|(event, counter)| (*event, read[counter])).collect())
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use crate::measure::counters::{HardwareEvent, NoCounters};

    /// Substitute for builds that cannot read counters.
    pub struct Counters;

    impl Counters {
        /// **Errors**: always, because this build has no code to read counters.
        pub fn open() -> Result<Counters, NoCounters> {
            Err(NoCounters::NotBuilt)
        }

        /// **Errors**: always, because this build has no code to read counters.
        pub fn count<R>(&mut self, _: impl FnOnce() -> R) -> Result<Vec<(HardwareEvent, u64)>, NoCounters> {
            Err(NoCounters::NotBuilt)
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use perf_event::events::Software;
    use std::hint::black_box;

    /// Causes page faults: the system provides memory on the first write, in pages of at most 2 MiB.
    fn takes_memory() {
        let mut memory = vec![0_u8; 128 << 20];
        memory.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
        black_box(memory);
    }

    /// Uses a software counter, available wherever the system allows counting.
    #[test]
    fn what_is_counted_is_what_happened_while_the_work_ran() {
        let mut counters = match Counters::empty() {
            Ok(counters) => counters,
            Err(error) => return eprintln!("not tested: {error}"),
        };
        counters.add(HardwareEvent::Cycles, Software::PAGE_FAULTS).unwrap();
        let (nothing, memory) = (counters.count(|| ()).unwrap()[0], counters.count(takes_memory).unwrap()[0]);
        assert_eq!(memory.0, HardwareEvent::Cycles);
        assert!(nothing.1 < 64 && memory.1 >= 64, "{nothing:?} {memory:?}");
    }
}

perft_gate_chess::named! {
    /// Kind of event.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum HardwareEvent {
        /// Cycles of the core's clock, while this thread ran.
        Cycles = "cycles",
        /// Retired instructions.
        Instructions = "instructions",
        /// Loads that missed the first-level data cache.
        L1Misses = "l1_misses",
        /// Mispredicted branches.
        BranchMisses = "branch_misses",
    }
}

/// Reason why events cannot be counted.
#[derive(thiserror::Error, Debug)]
pub enum NoCounters {
    /// The system refuses access. Virtual machines rarely have counters, and containers may be forbidden to read them.
    #[error("{}", match .0.kind() {
        io::ErrorKind::NotFound => "this machine has none".into(),
        kind => format!("the system refuses: {kind}"),
    })]
    Refused(#[from] io::Error),
    /// Too few hardware counters are free, so the events were not counted all the time.
    #[error("other programs use them")]
    Shared,
    /// This build has no code to read counters.
    #[error("this build cannot read them")]
    NotBuilt,
}
