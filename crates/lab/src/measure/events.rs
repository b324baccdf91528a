//! Kinds of hardware events, and the reasons why they cannot be counted.

use std::io;

/// Kind of event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HardwareEvent {
    /// Cycles of the core's clock, while this thread ran.
    Cycles,
    /// Retired instructions.
    Instructions,
    /// Loads that missed the first data cache.
    L1Misses,
    /// Mispredicted branches.
    BranchMisses,
}

impl HardwareEvent {
    /// All events, in the order of tables.
    pub const ALL: [HardwareEvent; 4] =
        [HardwareEvent::Cycles, HardwareEvent::Instructions, HardwareEvent::L1Misses, HardwareEvent::BranchMisses];

    /// Returns the name used in tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            HardwareEvent::Cycles => "cycles",
            HardwareEvent::Instructions => "instructions",
            HardwareEvent::L1Misses => "l1_misses",
            HardwareEvent::BranchMisses => "branch_misses",
        }
    }
}

/// Reason why there are no counters.
#[derive(thiserror::Error, Debug)]
pub enum NoCounters {
    /// The system refuses: virtual machines rarely have counters, containers may not read them.
    #[error("{0}")]
    Refused(io::Error),
    /// There are more events than hardware counters, so that none was counted all the time.
    #[error("other programs use them")]
    Shared,
    /// This build has no code to read them.
    #[error("this build cannot read them")]
    NotBuilt,
}
