//! What is asked of a verdict.

use perft_gate_walk::Settings;

/// Task for each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Mode {
    /// Check every node.
    Verify,
    /// Bulk counting: check the counts only.
    Count,
    /// Count, and classify the moves that lead to the last ply.
    Stats,
}

impl Mode {
    /// Returns `verify`, `count` or `stats`.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Verify => "verify",
            Mode::Count => "count",
            Mode::Stats => "stats",
        }
    }
}

/// Options of a verdict.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Number of plies to walk; a suite's row may list less.
    pub depth: u32,
    /// Task for each position.
    pub mode: Mode,
    /// Settings of the walk.
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
    /// No identity check.
    Off,
    /// Check the deepest ply with at most [`Identities::MAX_LEAVES`] leaves.
    All,
}

impl Identities {
    /// Maximum number of leaves of the ply that is checked.
    pub const MAX_LEAVES: u128 = 20_000_000;
}
