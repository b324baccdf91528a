//! A run of an engine and its request, and the `perft.engine/1` document.

use crate::text::json;
use perft_gate_engine::{EngineRunOutcome, EngineRunSummary, EngineVerdict, Learned};
use serde::Serialize;

/// A run, and the request that started it.
#[perft_gate_chess::document(Serialize, Clone, Copy, Debug)]
pub struct EngineRun<'a> {
    /// The engine.
    pub engine: EngineDetails<'a>,
    /// Name of the built-in suite or of the file, or `fen` for a single position.
    pub suite: &'a str,
    /// Depth asked for.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub depth: u32,
    /// Number of rows.
    #[serde(skip)]
    pub rows: usize,
    /// Summary of the run so far.
    #[serde(flatten)]
    pub summary: &'a EngineRunSummary,
}

/// An engine.
#[perft_gate_chess::document(sparse, Serialize, Clone, Copy, Debug)]
pub struct EngineDetails<'a> {
    /// Name that the engine gives itself.
    pub name: &'a str,
    /// The command, as it was typed.
    pub command: &'a str,
    /// The engine's perft command, or the command line of a program that does not use UCI.
    pub verb: &'a str,
    /// How the engine answers, as determined before the first row. Absent if the engine could not be asked.
    pub learned: Option<&'a Learned>,
}

impl EngineRun<'_> {
    /// Returns the rows for which only the total was compared.
    pub fn totals_only(&self) -> impl Iterator<Item = &EngineVerdict> {
        self.summary.verdicts.iter().filter(|verdict| verdict.is_total_only())
    }

    /// Returns the first line of output that was not understood, among the rows whose moves were not compared.
    pub fn not_understood(&self) -> Option<&String> {
        self.totals_only().find_map(|verdict| verdict.not_understood.as_ref())
    }

    pub fn outcome(&self) -> EngineRunOutcome {
        self.summary.outcome(self.rows)
    }
}

pub const SCHEMA: &str = "perft.engine/1";

/// Result of a run of `perft engine`.
#[perft_gate_chess::document(sparse, Serialize, Debug)]
pub struct EngineDocument<'a> {
    /// `incomplete` means that the run was killed after the rows listed here.
    verdict: EngineRunOutcome,
    /// Rows for which only the total was compared. Absent if there are none.
    totals_only: Option<TotalsOnly<'a>>,
    #[serde(flatten)]
    run: &'a EngineRun<'a>,
}

/// Rows for which only the total was compared.
#[perft_gate_chess::document(sparse, Serialize, Debug)]
struct TotalsOnly<'a> {
    /// Number of rows.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    rows: usize,
    /// The first line of the engine's output that was not understood.
    not_understood: Option<&'a str>,
}

pub fn document(run: &EngineRun<'_>) -> String {
    let (totals, not_understood) = (run.totals_only().count(), run.not_understood().map(String::as_str));
    let document = EngineDocument {
        verdict: run.outcome(),
        totals_only: (totals > 0).then_some(TotalsOnly { rows: totals, not_understood }),
        run,
    };
    json(SCHEMA, document)
}
