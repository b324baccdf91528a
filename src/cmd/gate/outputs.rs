//! Outputs of a run of the gate: the table, and the documents.

use super::args::GateArgs;
use crate::args::output::OutputArgs;
use crate::args::suite::SuitePositions;
use crate::failure::CommandFailure;
use crate::out::console;
use crate::out::file::{Output, RunStage};
use perft_gate_judge::gate::{Outcome, RowVerdict, Run};
use perft_gate_report::gate as report;
use perft_gate_report::text::TextTable;

/// Function that writes a run as text.
type GateRunFormat = fn(&Run<'_>) -> String;

/// Outputs of a run.
pub struct Outputs<'a> {
    args: &'a OutputArgs,
    files: Vec<(Output, GateRunFormat)>,
    pub table: TextTable,
    /// Whether a row that is walked less deep says so: its user has asked for a depth.
    tells_depth: bool,
}

impl Outputs<'_> {
    /// Opens the files that are asked for.
    pub fn open<'a>(args: &'a GateArgs, positions: &SuitePositions) -> Result<Outputs<'a>, CommandFailure> {
        let files = args.output.open::<GateRunFormat>(report::document, report::junit)?;
        let table = report::table(console::width(), positions.longest_name);
        Ok(Outputs { args: &args.output, files, table, tells_depth: args.depth.is_some() })
    }

    /// Prints a row of the table, its outcome coloured if the terminal shows colours.
    fn print(&self, verdict: &RowVerdict) {
        use anstyle::{AnsiColor, Style};
        let color = match verdict.outcome {
            Outcome::Passed => AnsiColor::Green,
            Outcome::Failed => AnsiColor::Red,
            Outcome::Skipped(_) | Outcome::Interrupted => AnsiColor::Yellow,
        };
        let style = Style::new().fg_color(Some(color.into()));
        let row = self.table.line(&report::row(verdict));
        // The outcome is the last column.
        let at = row.len() - report::outcome(verdict).len();
        console::print_styled(&row, |row| format!("{}{style}{}{style:#}", &row[..at], &row[at..]));
    }

    /// Returns true if a document lists every row.
    fn list_rows(&self) -> bool {
        self.args.github || !self.files.is_empty()
    }

    /// Adds a verdict to the run and the documents, and prints it unless it is hidden.
    pub fn add(&mut self, run: &mut Run<'_>, verdict: RowVerdict, is_hidden: bool) -> Result<(), CommandFailure> {
        if !is_hidden {
            self.print(&verdict);
            report::details(&verdict, self.tells_depth).lines().for_each(|line| say!("{}", line));
        }
        if let Some(error) = report::error(&verdict).filter(|_| self.args.github) {
            say!("{}", error);
        }
        run.tally.add(&verdict);
        if self.list_rows() {
            run.verdicts.push(verdict);
        }
        self.update(run)
    }

    fn update(&mut self, run: &Run<'_>) -> Result<(), CommandFailure> {
        let stage = if run.finished { RunStage::Finished } else { RunStage::Running };
        self.files.iter_mut().try_for_each(|(file, format)| file.update(stage, || format(run)))
    }

    /// Writes the documents of the finished run.
    pub fn finish(&mut self, run: &Run<'_>) -> Result<(), CommandFailure> {
        self.update(run)?;
        self.args.summarize(|| report::markdown(run))
    }
}
