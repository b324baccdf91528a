//! Options, plan and verdict of a row. The plan is the depth to walk and the source of the expected counts.

use super::descent::FirstWrong;
use super::finding::{CheckFinding, Missed};
use perft_gate_count::CountHint;
use perft_gate_suite::Row;
use perft_gate_unique::identity::Identity;
use perft_gate_walk::{RowReport, Settings, Statistics};
use std::time::Duration;

/// What to do with each position.
#[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Mode {
    /// Check every node.
    Verify,
    /// Bulk counting: check the counts only.
    Count,
    /// Count, and classify the moves that lead to the last ply.
    Stats,
}

#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Maximum number of plies to walk. If a row lists counts, it is walked only to its deepest listed depth.
    pub depth: u32,
    /// What to do with each position.
    pub mode: Mode,
    pub settings: Settings<'a>,
    /// Maximum number of leaf nodes per row. Rows with more are skipped.
    pub max_nodes: Option<u128>,
    /// Extent of the identity check (V5).
    pub identities: Identities,
}

/// Whether the identity check (V5: keys and positions match one to one) runs in addition to the checks at every node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Identities {
    Off,
    /// Check the positions of the deepest ply that has at most 20 million leaves.
    All,
}

impl Identities {
    /// Maximum number of leaves of the ply that is checked.
    pub const MAX_LEAVES: u128 = 20_000_000;
}

/// Source of the expected counts.
#[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// Counts listed in the suite.
    Suite,
    /// The result of another counter, because no count is known.
    CrossChecked,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowPlan {
    Walk(u32, Expectation),
    Skip(String),
}

#[derive(Clone, Copy, Debug)]
pub struct PlannedWalk<'r> {
    pub row: &'r Row,
    pub depth: u32,
    /// Source of the expected counts.
    pub expectation: Expectation,
}

/// Chooses the deepest listed depth up to `depth`. A position without a count is walked to `depth` regardless of
/// `max_nodes`, because its size is not known in advance. A position that no board can hold is skipped.
pub fn plan(row: &Row, depth: u32, max_nodes: Option<u128>) -> RowPlan {
    if row.position.is_err() {
        let (class, reason) = row.class();
        return RowPlan::Skip(format!("{} (class '{class}')", reason.unwrap_or_default()));
    }
    let (chosen, expectation) = match row.deepest(depth) {
        Some(listed) => (listed, Expectation::Suite),
        None if depth == 0 => (0, Expectation::Suite),
        None if row.counts.is_empty() => (depth, Expectation::CrossChecked),
        None => return RowPlan::Skip(format!("no count is listed up to depth {depth}")),
    };
    match (row.count(chosen), max_nodes) {
        (Some(nodes), Some(most)) if nodes > most => RowPlan::Skip(format!("{nodes} leaf nodes, more than {most}")),
        _ => RowPlan::Walk(chosen, expectation),
    }
}

/// Result of a row.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", serde(tag = "status", content = "reason", rename_all = "kebab-case"))]
pub enum Outcome {
    /// All comparisons are equal.
    Passed,
    /// A count or a key is wrong, or another check failed.
    Failed,
    /// Not walked, for this reason.
    Skipped(String),
    /// Stopped before its end.
    Interrupted,
}

/// A leaf count that differs from the expected one.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongCount {
    /// Number of plies from the root.
    pub depth: usize,
    /// Source of the expected count.
    pub expectation: Expectation,
    /// Expected count.
    pub expected: u128,
    /// Count found.
    pub found: u128,
}

/// A scheme whose identity check (V5) could not be made.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug)]
pub struct MissedIdentity {
    /// Name of the scheme.
    pub scheme: String,
    /// Why the check could not be made.
    pub reason: String,
}

/// Verdict on one row.
#[perft_gate_chess::document(Clone, Debug)]
pub struct RowVerdict {
    /// The row.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub row: Row,
    /// Depth asked for.
    #[cfg_attr(feature = "serde", serde(rename = "depth_requested"))]
    pub requested: u32,
    /// Depth walked; for a skipped row, the requested depth.
    pub depth: u32,
    /// Source of the expected counts.
    pub expectation: Expectation,
    /// Expected leaf count at the walked depth, from the suite or, if it lists none, from the other counter. `None` if
    /// neither is known.
    pub expected: Option<u128>,
    /// Result.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub outcome: Outcome,
    /// Report of the walk. `None` if the row was skipped.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub report: Option<RowReport>,
    /// Counts that differ from those of the suite or of the other counter.
    pub wrong_counts: Vec<WrongCount>,
    /// What the suite's first wrong count equals, such as the sum over all plies.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub count_hint: Option<CountHint>,
    /// Number of counts compared (V1).
    pub counts_compared: u64,
    /// Checks that made more or fewer comparisons than were due.
    pub missed: Vec<Missed>,
    /// Failed checks.
    #[cfg_attr(feature = "serde", serde(rename = "mismatches"))]
    pub findings: Vec<CheckFinding>,
    /// Time of the other counter.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub counter_time: Duration,
    /// Time of the identity check (V5), over all schemes.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub identity_time: Duration,
    /// Identity check (V5) of each scheme.
    pub identities: Vec<Identity>,
    /// Schemes whose identity check (V5) could not be made, with the reason.
    pub identities_missed: Vec<MissedIdentity>,
    /// Position in which the moves are wrong, if the two counters differ.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub first_wrong: Option<FirstWrong>,
    /// Statistics, in [`Mode::Stats`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub statistics: Option<Statistics>,
}

impl RowVerdict {
    pub(super) fn new(row: &Row, requested: u32, depth: u32, expectation: Expectation, outcome: Outcome) -> RowVerdict {
        RowVerdict {
            row: row.clone(),
            requested,
            depth,
            expectation,
            expected: row.count(depth),
            outcome,
            report: None,
            wrong_counts: Vec::new(),
            count_hint: None,
            counts_compared: 0,
            missed: Vec::new(),
            findings: Vec::new(),
            counter_time: Duration::ZERO,
            identity_time: Duration::ZERO,
            identities: Vec::new(),
            identities_missed: Vec::new(),
            first_wrong: None,
            statistics: None,
        }
    }

    /// Returns the verdict on a planned row. Calls `judge` unless the plan skips the row.
    pub(crate) fn by_plan(
        plan: &RowPlan,
        row: &Row,
        options: Options<'_>,
        judge: impl FnOnce(PlannedWalk<'_>) -> RowVerdict,
    ) -> RowVerdict {
        let depth = options.depth;
        match plan {
            &RowPlan::Walk(depth, expectation) => judge(PlannedWalk { row, depth, expectation }),
            RowPlan::Skip(reason) => {
                RowVerdict::new(row, depth, depth, Expectation::Suite, Outcome::Skipped(reason.clone()))
            }
        }
    }

    /// Returns true if something is wrong or was not compared.
    pub(super) fn is_wrong(&self) -> bool {
        !self.wrong_counts.is_empty()
            || !self.findings.is_empty()
            || !self.missed.is_empty()
            || !self.identities_missed.is_empty()
            || self.identities.iter().any(|identity| identity.is_wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;

    #[test]
    fn what_was_not_compared_is_no_pass() {
        let row = Row::unknown("start", Fen::parse(Fen::START).expect("a position"));
        let verdict = || RowVerdict::new(&row, 1, 1, Expectation::Suite, Outcome::Passed);
        assert!(!verdict().is_wrong());
        let mut without_keys = verdict();
        without_keys.missed.push(Missed { check: "V2 keys".into(), due: 1, made: 0 });
        let mut without_identity = verdict();
        without_identity.identities_missed.push(MissedIdentity { scheme: "cpw793".into(), reason: "no memory".into() });
        assert!(without_keys.is_wrong() && without_identity.is_wrong());
    }
}
