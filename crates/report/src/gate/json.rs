//! `perft.gate/1`: the machine-readable verdict. Its schema is `schema/gate-1.schema.json`.
//!
//! The rows are the judge's own results. Fields may be added, meanings do not change. Counts of nodes are decimal strings:
//! they may need 128 bits.

use crate::formats::file;
use perft_gate_chess::json::Decimal;
use perft_gate_judge::gate::{Mode, PlayoutsVerdict, RowVerdict, Run, RunOutcome, RunTotals};
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "perft.gate/1";

/// The verdict of perft's gate.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateDocument<'a> {
    /// Always [`SCHEMA`].
    schema: &'a str,
    /// Version of the program.
    version: &'a str,
    /// `incomplete`: the run was killed after these rows.
    verdict: RunOutcome,
    /// Name of the suite: a built-in one or a file.
    suite: &'a str,
    /// Number of rows of the suite.
    number_of_rows: usize,
    /// Task for the positions.
    mode: Mode,
    /// Depth asked for.
    depth: u32,
    /// Name of the scheme.
    scheme: &'a str,
    /// Seed of its key tables.
    #[serde(with = "Decimal")]
    seed: u64,
    /// SIMD level.
    level: String,
    /// Number of worker threads.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    threads: usize,
    /// Totals of all rows.
    totals: &'a RunTotals,
    /// Rows that passed in an earlier run with the same --checkpoint; they are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    passed_before: Option<usize>,
    /// Random games, if any were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts: Option<&'a PlayoutsVerdict>,
    /// Rows, in the order of the suite.
    rows: &'a [RowVerdict],
}

/// Returns the document of a run.
pub fn document(run: &Run<'_>) -> String {
    let settings = &run.options.settings;
    file::text(&GateDocument {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        verdict: run.outcome(),
        suite: &run.suite,
        number_of_rows: run.rows,
        mode: run.options.mode,
        depth: run.options.depth,
        scheme: &settings.scheme.name,
        seed: settings.seed,
        level: settings.level.to_string(),
        threads: run.threads,
        totals: &run.tally,
        passed_before: (run.before > 0).then_some(run.before),
        playouts: run.playouts.as_ref(),
        rows: &run.verdicts,
    })
}
