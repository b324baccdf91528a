//! What an engine's run says: for people, as `perft.engine/1`, as JUnit XML, and to GitHub.

pub mod cases;
pub mod json;
pub mod text;

use perft_gate_uci::{Compared, EngineRunOutcome, EngineVerdict, KeyFinding, Outcome, Summary};

/// A run with what was asked for.
#[derive(Clone, Copy, Debug)]
pub struct EngineRun<'a> {
    /// The suite's name or file, or `fen`.
    pub suite: &'a str,
    /// The depth asked for.
    pub depth: u32,
    /// The command, as it was typed.
    pub command: &'a str,
    /// The verb that asks for perft.
    pub verb: &'a str,
    /// How many rows there are.
    pub rows: usize,
    /// What came of it, or has so far.
    pub summary: &'a Summary,
}

impl EngineRun<'_> {
    /// How many rows ended so.
    pub fn number(&self, wanted: impl Fn(&Outcome) -> bool) -> usize {
        self.summary.verdicts.iter().filter(|verdict| wanted(&verdict.outcome)).count()
    }

    /// What is wrong with the keys whatever the row.
    pub fn key_findings(&self) -> &[KeyFinding] {
        self.summary.habits.as_ref().map_or(&[], |habits| &habits.findings)
    }

    /// The rows of which the total alone was compared.
    pub fn totals_only(&self) -> impl Iterator<Item = &EngineVerdict> {
        self.summary.verdicts.iter().filter(|verdict| verdict.compared == Some(Compared::Total))
    }

    /// The first line that was not understood, of the rows whose moves were not compared.
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
