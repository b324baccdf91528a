//! Timing for noisy machines: interleaved work, intervals of ratios, and verdicts that account for the noise.
//!
//! Several kinds of work run in short slices, interleaved at random ([`sample`]). Each round yields one ratio of times
//! for every pair that is compared. The median of the ratios has a bootstrap interval ([`Interval`]). Work is called
//! slower or faster ([`CostVerdict`]) only if that interval lies beyond the [`Floor`], the measured difference between
//! equal works.
//!
//! Time comes from a [`Clock`], so that tests decide how long everything takes.

mod comparison;
mod contestants;
mod counters;
mod make_unmake;
mod recompute;
mod sampler;
mod statistics;
mod transposition_table;
mod work_units;

pub use comparison::{ComparisonTable, CostComparison, CostTable};
pub use contestants::Contestants;
pub use counters::{Counters, HardwareEvent, NoCounters};
pub use make_unmake::{Contestant, MakeUnmake, Scattered, Tracking};
pub use recompute::{Recompute, time_recomputes};
pub use sampler::{Clock, MIN_ROUNDS, Miscount, RoundPlan, Samples, Slice, TimedWork, Works, sample};
pub use statistics::{CostVerdict, Floor, Interval, TABLE_ERROR, deviation, median};
pub use transposition_table::{TablePrefetch, TableTally, TranspositionTable};
