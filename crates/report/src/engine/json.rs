//! `perft.engine/1`: the machine-readable verdict on an engine. Its schema is `schema/engine-1.schema.json`.
//!
//! The rows are the engine crate's own results. Fields may be added, meanings do not change. Counts of leaves are decimal
//! strings: they may need 128 bits.

use super::run::EngineRun;
use crate::formats::file;
use perft_gate_engine::{EngineRunOutcome, EngineRunSummary, Learned};
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.engine/1";

/// The verdict of perft on an engine.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineDocument<'a> {
    /// Always [`SCHEMA`].
    schema: &'a str,
    /// Version of the program.
    version: &'a str,
    /// `incomplete`: the run was killed after these rows.
    verdict: EngineRunOutcome,
    /// The engine.
    engine: EngineDetails<'a>,
    /// Name of the suite: a built-in one or a file.
    suite: &'a str,
    /// Depth asked for.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    depth: u32,
    /// Rows of which the total alone was compared; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    totals_only: Option<TotalsOnly<'a>>,
    #[serde(flatten)]
    summary: &'a EngineRunSummary,
}

/// An engine.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EngineDetails<'a> {
    /// Name that it gives itself.
    name: &'a str,
    /// The command, as it was typed.
    command: &'a str,
    /// The perft command, or the command line of a program without UCI.
    verb: &'a str,
    /// How the engine answers, found out before the first row; absent if it could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    learned: Option<&'a Learned>,
}

/// Rows of which the total alone was compared.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TotalsOnly<'a> {
    /// Number of rows.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    rows: usize,
    /// The first line that was not understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_understood: Option<&'a str>,
}

/// Returns the document of a run.
pub fn document(run: &EngineRun<'_>) -> String {
    let (totals, not_understood) = (run.totals_only().count(), run.not_understood().map(String::as_str));
    file::text(&EngineDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        verdict: run.outcome(),
        engine: EngineDetails { name: &run.summary.name, command: run.command, verb: run.verb, learned: run.learned },
        suite: run.suite,
        depth: run.depth,
        totals_only: (totals > 0).then_some(TotalsOnly { rows: totals, not_understood }),
        summary: run.summary,
    })
}
