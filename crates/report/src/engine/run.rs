//! A run of an engine, and the request behind it.

use perft_gate_engine::{
    ComparedPart, EngineRunOutcome, EngineRunSummary, EngineVerdict, KeyFinding, Learned, RowOutcome,
};

/// A run, and the request behind it.
#[derive(Clone, Copy, Debug)]
pub struct EngineRun<'a> {
    /// Name of the suite: a built-in one or a file; `fen` for a single position.
    pub suite: &'a str,
    /// The depth asked for.
    pub depth: u32,
    /// The command, as it was typed.
    pub command: &'a str,
    /// Perft command of the engine, or the command line of a program without UCI.
    pub verb: &'a str,
    /// How the engine is asked and answers; absent if it could not be asked.
    pub learned: Option<&'a Learned>,
    /// Number of rows.
    pub rows: usize,
    /// Summary of the run so far.
    pub summary: &'a EngineRunSummary,
}

impl EngineRun<'_> {
    /// Returns the number of rows with this outcome.
    pub fn number(&self, wanted: impl Fn(&RowOutcome) -> bool) -> usize {
        self.summary.verdicts.iter().filter(|verdict| wanted(&verdict.outcome)).count()
    }

    /// Returns the errors in the keys that do not depend on the row and are not expected.
    pub fn key_findings(&self) -> impl Iterator<Item = &KeyFinding> {
        self.summary.key_findings().iter().filter(|finding| !self.summary.is_expected(finding))
    }

    /// Returns the rows whose total alone was compared.
    pub fn totals_only(&self) -> impl Iterator<Item = &EngineVerdict> {
        self.summary.verdicts.iter().filter(|verdict| verdict.compared == Some(ComparedPart::Total))
    }

    /// Returns the first line that was not understood, in the rows whose moves were not compared.
    pub fn not_understood(&self) -> Option<&String> {
        self.totals_only().find_map(|verdict| verdict.not_understood.as_ref())
    }

    /// Returns the outcome as it stands now.
    pub fn outcome(&self) -> EngineRunOutcome {
        self.summary.outcome(self.rows)
    }

    /// Returns the name of the outcome.
    pub fn verdict(&self) -> &'static str {
        self.outcome().name()
    }
}
