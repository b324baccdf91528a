//! Options of a verdict, and the plan of a row: the depth to walk and the source of the expected counts.

use perft_gate_suite::Row;
use perft_gate_walk::Settings;

/// Task for each position.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
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
    /// Number of plies to walk; a suite's row may list fewer.
    pub depth: u32,
    /// Task for each position.
    pub mode: Mode,
    pub settings: Settings<'a>,
    /// Maximum number of leaf nodes; rows with more are skipped.
    pub max_nodes: Option<u128>,
    /// The identity check (V5).
    pub identities: Identities,
}

/// Extent of the comparison of positions with keys (V5) when every node is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Identities {
    Off,
    /// Check the deepest ply with at most 20 million leaves.
    All,
}

impl Identities {
    /// Maximum number of leaves of the ply that is checked.
    pub const MAX_LEAVES: u128 = 20_000_000;
}

/// Source of the expected counts.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Expectation {
    /// Counts listed in the suite.
    Suite,
    /// No count is known: another counter's result.
    CrossChecked,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowPlan {
    /// Walk it to this depth.
    Walk(u32, Expectation),
    /// Skip it, for this reason.
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
        return RowPlan::Skip(format!("{class} position: {}", reason.unwrap_or_default()));
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
