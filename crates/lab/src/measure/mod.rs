//! Timing that works on a noisy machine: interleaved work, intervals of ratios, and verdicts that know the noise.
//!
//! Several kinds of work run in short slices, interleaved at random ([`sample`]); each round yields, for every kind,
//! one ratio to another kind of the same round; the median of the ratios has a bootstrap interval ([`Interval`]); and a
//! [`CostVerdict`] needs that interval to lie beyond the [`Floor`], the difference that the same work shows from
//! itself.
//!
//! Time is behind [`TimeSource`], so that tests decide how long everything takes.

mod clock;
mod comparison;
mod contestants;
mod counters;
mod events;
mod make_unmake;
mod probed_count;
mod recompute;
mod sampler;
mod statistics;
mod transposition_table;
mod verdict;
mod work_units;

pub use clock::{Monotonic, TimeSource};
pub use comparison::{ComparisonTable, CostComparison, CostTable, Twins};
pub use contestants::Contestants;
pub use counters::Counters;
pub use events::{HardwareEvent, NoCounters};
pub use make_unmake::{Contestant, MakeUnmake, Scattered, Tracking};
pub use recompute::{Recompute, time_recomputes};
pub use sampler::{MIN_ROUNDS, Miscount, RoundPlan, Samples, Slice, TimedWork, Works, sample};
pub use statistics::{Confidence, Interval, deviation, median};
pub use transposition_table::{TablePrefetch, TableTally, TranspositionTable};
pub use verdict::{CostVerdict, Floor};
