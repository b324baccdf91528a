//! Timing that survives a noisy machine: work by turns, intervals of ratios, and verdicts that know the noise.
//!
//! Several kinds of work run in short slices, interleaved at random ([`sample`]); each round yields, for every kind, one
//! ratio to another kind of the same round; the median of the ratios has a bootstrap interval ([`Interval`]); and a
//! [`Verdict`] needs that interval to lie beyond the [`Floor`], what the same work shows against itself.
//!
//! Time is behind [`Clock`], so that tests decide what everything takes.

mod clock;
mod comparison;
mod counters;
mod hot_path;
mod lineup;
mod recompute;
mod sampler;
mod statistics;
mod trees;
mod verdict;

pub use clock::{Clock, Monotonic};
pub use comparison::{Comparison, Judgement, Table, Twins};
pub use counters::{Counters, Event, NoCounters};
pub use hot_path::{Contender, HotPath, Scattered, Tracking};
pub use lineup::Lineup;
pub use recompute::{Recompute, recomputes};
pub use sampler::{LEAST_ROUNDS, Plan, Round, Samples, Slice, Work, Works, WrongCount, sample};
pub use statistics::{Confidence, Interval, deviation, median};
pub use verdict::{Floor, Verdict};
