//! Which depth of a row is walked, and what its counts are compared with.

use perft_gate_suite::Row;

/// Source of the expected counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Expectation {
    /// Counts listed in the suite.
    Suite,
    /// No count is known: another counter's result.
    CrossChecked,
}

/// Plan for a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowPlan {
    /// Walk it to this depth.
    Walk(u32, Expectation),
    /// Skip it, for this reason.
    Skip(String),
}

/// A row that is walked, as planned.
#[derive(Clone, Copy, Debug)]
pub struct PlannedWalk<'r> {
    /// The row.
    pub row: &'r Row,
    /// Number of plies.
    pub depth: u32,
    /// Source of the expected counts.
    pub expectation: Expectation,
}

/// Chooses the depth: the deepest listed one up to `depth`. A position without any count is walked to `depth`, whatever
/// `max_nodes` says, because its number of nodes is not known in advance. A position that no board holds is skipped.
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
