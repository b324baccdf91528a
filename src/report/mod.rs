//! From verdicts to bytes: pure functions, one a format.

pub mod audit;
#[cfg(feature = "bench")]
pub mod bench;
pub mod collisions;
#[cfg(feature = "bench")]
pub mod compare;
#[cfg(feature = "bench")]
pub mod diff;
#[cfg(feature = "engine")]
pub mod engine;
pub mod github;
pub mod json;
pub mod junit;
pub mod text;
pub mod unique;

use crate::gate::{Options, Outcome, PlayoutsVerdict, Verdict};
use crate::measure::Interval;

/// All that a run of the gate knows, finished or not.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// What was judged: a suite's name or file, or `fen`.
    pub suite: String,
    /// How.
    pub options: Options<'a>,
    /// Worker threads.
    pub threads: usize,
    /// How many rows there are in all.
    pub rows: usize,
    /// The rows that are done, in order.
    pub verdicts: Vec<Verdict>,
    /// Random games, if any were asked for.
    pub playouts: Option<PlayoutsVerdict>,
    /// Has it come to its end? A file of a killed run says no.
    pub finished: bool,
}

impl Run<'_> {
    /// How many rows ended so.
    pub fn number(&self, wanted: impl Fn(&Outcome) -> bool) -> usize {
        self.verdicts.iter().filter(|verdict| wanted(&verdict.outcome)).count()
    }

    /// Is anything wrong?
    pub fn failed(&self) -> bool {
        let playouts = self.playouts.as_ref().is_some_and(PlayoutsVerdict::is_wrong);
        playouts || self.number(|outcome| *outcome == Outcome::Failed) > 0
    }

    /// Was it stopped before its end?
    pub fn interrupted(&self) -> bool {
        let playouts = self.playouts.as_ref().is_some_and(|playouts| playouts.report.interrupted);
        playouts || self.number(|outcome| *outcome == Outcome::Interrupted) > 0
    }

    /// Was nothing compared?
    pub fn is_empty(&self) -> bool {
        self.playouts.is_none() && self.number(|outcome| matches!(outcome, Outcome::Skipped(_))) == self.verdicts.len()
    }

    /// `passed`, `failed`, `interrupted`, `nothing-compared`; `incomplete` before the end.
    pub fn verdict(&self) -> &'static str {
        match () {
            () if self.failed() => "failed",
            () if self.interrupted() => "interrupted",
            () if !self.finished => "incomplete",
            () if self.is_empty() => "nothing-compared",
            () => "passed",
        }
    }
}

/// A ratio and its interval, as differences from 1.
fn percent(ratio: Interval) -> String {
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    format!("{:+.1} % ({:+.1} to {:+.1} %)", percent(ratio.median), percent(ratio.low), percent(ratio.high))
}
